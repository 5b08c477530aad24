// Package place says what sort of place a path or a host is.
//
// It does no input or output. It classifies a path by its spelling, and by the locations of
// home, workspace and working directory.
package place
