//go:build !unix

package snapshot

// systemHome is not known here but by the environment.
func systemHome() string { return "" }
