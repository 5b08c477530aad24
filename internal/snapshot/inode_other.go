//go:build !linux && !darwin

package snapshot

import "io/fs"

func inode(fs.FileInfo) (change int64, number uint64) { return 0, 0 }
