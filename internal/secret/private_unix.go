//go:build !windows

package secret

// private means that a file's mode says who may read it.
const private = true
