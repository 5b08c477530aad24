//go:build unix

package session

import "golang.org/x/sys/unix"

// noFollow keeps a link in a session's place from leading elsewhere, and a pipe from
// keeping the reader waiting.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK
