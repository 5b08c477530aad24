// Package codex speaks with OpenAI's Codex CLI.
//
// It is the strictest client, in the wrong direction: one key that it does not know, a
// missing reason, an ask or a bare allow, and it calls the hook failed and runs the
// call (observed, 0.169.0). So an answer has exactly the keys that it knows, or there is
// none.
package codex

import (
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is Codex CLI.
var Client = &platform.Client{
	Name:   "codex",
	Title:  "Codex CLI",
	Decode: decode,
	Encode: encode,
	Asks:   platform.Never,
}

func decode(data []byte) (platform.Event, error) {
	return dialect.Decode("codex", dialect.Events, data)
}

func encode(e *platform.Event, r platform.Reply) platform.Answer {
	return dialect.Encode(e, r, dialect.Can{Rewrite: true, Context: true, Besides: true})
}
