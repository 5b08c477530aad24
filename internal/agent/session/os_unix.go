//go:build unix

package session

import "golang.org/x/sys/unix"

// noFollow prevents a link in place of a session file from leading elsewhere, and a pipe from
// blocking the reader.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK
