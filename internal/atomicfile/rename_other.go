//go:build !windows

package atomicfile

import "os"

// Rename renames a file and replaces the one at the new name.
func Rename(from, to string) error { return os.Rename(from, to) }
