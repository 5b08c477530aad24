// Package devin speaks with Devin CLI, which has Claude Code's form.
//
// Not run: as its documentation says. Its reaction to more than a denial is not known, so
// it gets nothing else.
package devin

import (
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is Devin CLI.
var Client = &platform.Client{
	Name:   "devin",
	Title:  "Devin CLI",
	Decode: decode,
	Encode: encode,
	Asks:   platform.Never,
}

func decode(data []byte) (platform.Event, error) {
	return dialect.Decode("devin", dialect.Events, data)
}

func encode(e *platform.Event, r platform.Reply) platform.Answer {
	return dialect.Encode(e, r, dialect.Can{})
}
