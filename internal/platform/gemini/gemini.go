// Package gemini translates the hooks of Gemini CLI.
//
// Observed on 0.61.0: a document on standard output outweighs the exit status, an exit status
// without any text runs the call, and an ask hangs forever if no user is there. Its payloads do
// not say whether one is, so it never gets an ask.
package gemini

import (
	"cmp"
	"encoding/json"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is Gemini CLI.
var Client = &platform.Client{
	Name:     "gemini",
	Title:    "Gemini CLI",
	Decode:   decode,
	Encode:   encode,
	Asks:     platform.Never,
	Replaces: func(e *platform.Event) bool { return e.Kind == platform.Result },
	Project:  []string{"GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"},
	Refuses:  true,
}

var events = platform.Kinds{
	{"BeforeTool", platform.Call},
	{"AfterTool", platform.Result},
	{"BeforeAgent", platform.Prompt},
	{"SessionStart", platform.SessionStart},
	{"SessionEnd", platform.SessionEnd},
	{"AfterAgent", platform.Notice},
	{"BeforeModel", platform.Notice},
	{"AfterModel", platform.Notice},
	{"BeforeToolSelection", platform.Notice},
	{"PreCompress", platform.Notice},
	{"Notification", platform.Notice},
}

func decode(data []byte) (platform.Event, error) {
	return dialect.Decode("gemini", events, data)
}

type output struct {
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Specific *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Event   string          `json:"hookEventName"`
	Input   json.RawMessage `json:"tool_input,omitempty"` // merged over the call's input: missing fields stay
	Context string          `json:"additionalContext,omitempty"`
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	s := specific{Event: cmp.Or(e.Name, "BeforeTool")}
	switch e.Kind {
	case platform.Call:
		if r.Effect != umpire.Allow {
			return r.Deny(output{Decision: "deny", Reason: r.Why()})
		}
		s.Input = r.Input
	case platform.Result, platform.Prompt, platform.SessionStart:
		if e.Kind == platform.Result && r.Text != "" {
			return platform.HookOutput{Stdout: platform.Line(output{Decision: "deny", Reason: r.Text})} // the model sees the reason instead
		}
		if e.Kind == platform.Prompt && r.Effect != umpire.Allow {
			return platform.HookOutput{Stdout: platform.Line(output{Decision: "deny", Reason: r.Why()})}
		}
		s.Context = r.Context
	}
	if len(s.Input) == 0 && s.Context == "" {
		return platform.HookOutput{}
	}
	return platform.HookOutput{Stdout: platform.Line(output{Specific: &s})}
}
