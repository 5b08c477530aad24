//go:build !windows

package secret

// private says that a file's mode tells who may read it.
const private = true
