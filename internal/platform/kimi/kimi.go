// Package kimi speaks with Kimi Code, which has Claude Code's form.
//
// Not run: as its documentation says. Only a denial is listened to, and everything that
// goes wrong runs the call.
package kimi

import (
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is Kimi Code.
var Client = &platform.Client{
	Name:   "kimi",
	Title:  "Kimi Code",
	Decode: decode,
	Encode: encode,
	Asks:   platform.Never,
}

func decode(data []byte) (platform.Event, error) {
	return dialect.Decode("kimi", dialect.Events, data)
}

func encode(e *platform.Event, r platform.Reply) platform.Answer {
	return dialect.Encode(e, r, dialect.Can{})
}
