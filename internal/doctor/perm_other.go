//go:build !unix

package doctor

// writable always returns "": on this system, permissions are not in the file's mode.
func writable(string) string { return "" }
