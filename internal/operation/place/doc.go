// Package place classifies a path or a host. It does no input or output: it goes by the
// spelling, and by the locations of home, workspace and working directory.
package place
