// Package procgroup ends programs with all their children, and starts children that end with
// this program.
package procgroup
