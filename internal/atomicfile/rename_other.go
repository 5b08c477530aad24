//go:build !windows

package atomicfile

import "os"

// Rename gives a file another name, and replaces the file that had it.
func Rename(from, to string) error { return os.Rename(from, to) }
