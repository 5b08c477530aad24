// Package procgroup ends programs with all that they started, and starts children that end with
// this program.
package procgroup
