//go:build !unix

package doctor

// writable is not known here: permissions are not in the file's mode.
func writable(string) string { return "" }
