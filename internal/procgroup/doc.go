// Package procgroup ends programs with all that they started.
package procgroup
