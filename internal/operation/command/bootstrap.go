//go:build bootstrap

package command

// The tables are empty in the program that generates them.
var readerTable [0]func(*Call)

const (
	readerNames = ""
	programs    = ""
)
