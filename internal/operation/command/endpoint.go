package command

import "github.com/umpire-dev/umpire"

// endpoint turns what a program was given (URL, host, host:port, user@host:path) into the
// resource of a network operation.
func endpoint(text string) (resource string, t umpire.Trait) {
	return text, 0
}
