// Package codex translates the hooks of OpenAI's Codex CLI.
//
// Codex fails open on an answer that it does not know: after an unknown key, a missing reason,
// an ask or a bare allow, it runs the call (observed, 0.169.0). So an answer has only the keys
// that Codex knows.
package codex

import (
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is Codex CLI.
var Client = &platform.Client{
	Name:     "codex",
	Title:    "Codex CLI",
	Decode:   decode,
	Encode:   encode,
	Refuses:  true,
	Asks:     platform.Never,
	Replaces: replaces,
}

func decode(data []byte) (platform.Event, error) {
	return dialect.Decode("codex", dialect.Events, data)
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	if replaces(e) && r.Text != "" {
		// The model gets the reason in place of the output. Claude Code's key for it makes the hook
		// fail, and the output passes (observed).
		return platform.HookOutput{Stdout: platform.Line(block{"block", r.Text})}
	}
	return dialect.Encode(e, r, dialect.Can{Rewrite: true, Context: true, Besides: true, Refuse: true})
}

type block struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

func replaces(e *platform.Event) bool { return e.Name == "PostToolUse" }
