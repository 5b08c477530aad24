//go:build !unix

package home

// variable names the home folder.
const variable = "USERPROFILE"

// System returns "", because on this system only the environment names the home folder.
func System() string { return "" }
