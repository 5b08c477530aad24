// Package place says what sort of place a path or a host is.
//
// It does no input or output: what a path is to somebody who reads a command is told by
// its spelling, and by where home, workspace and working directory are.
package place
