//go:build !unix

package snapshot

import "io/fs"

const nonblock = 0

func deviceOf(fs.FileInfo) uint64 { return 0 }
