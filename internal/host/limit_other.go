//go:build !linux

package host

// limit does nothing on systems that cannot limit another process: only the deadline remains.
func limit(int, uint64) {}
