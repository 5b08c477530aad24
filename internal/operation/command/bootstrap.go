//go:build bootstrap

package command

// The tables are empty while they are compiled.
var readerTable [0]func(*Call)

const (
	readerNames = ""
	programs    = ""
)
