//go:build !unix

package home

// variable names the home folder.
const variable = "USERPROFILE"

// System is not known here but by the environment.
func System() string { return "" }
