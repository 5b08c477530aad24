//go:build bootstrap

package command

// families are none while the tables are compiled.
var families [0]*[]Model

const programNames = ""
