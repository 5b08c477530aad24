// Package place classifies a path or a host. It does no I/O: it uses the spelling, and the
// locations of home, workspace and working directory.
package place
