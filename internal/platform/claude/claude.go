// Package claude translates the hooks of Claude Code.
//
// The package relies on behavior that was observed on the real client, 2.1.329. The answer must
// be one JSON document with hookEventName in it, or nothing. A denial needs the exit status 2
// and the reason on standard error as well. Everything else means "run it".
package claude

import (
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is Claude Code.
var Client = &platform.Client{
	Name:    "claude",
	Title:   "Claude Code",
	Decode:  decode,
	Encode:  encode,
	Asks:    asks,
	Project: []string{"CLAUDE_PROJECT_DIR"},
	Refuses: true,
	// The client ignores a bare text in place of a document, and keeps the tool's output
	// (observed): the shape must be the same.
	Replaces: func(e *platform.Event) bool { return e.Name == "PostToolUse" },
}

func decode(data []byte) (platform.Event, error) {
	return dialect.Decode("claude", dialect.Events, data)
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	a := dialect.Encode(e, r, dialect.Can{Allow: true, Ask: true, Rewrite: true, Context: true, Besides: true, Replace: true, Refuse: true})
	if e.Other == "copilot" && e.Name == "PreToolUse" {
		// Copilot runs a repository's hooks for Claude Code. For this spelling of the event it
		// treats the document as a denial, as Claude Code does, but with the exit status it does
		// not show the reason to the model.
		a.Exit = 0
	}
	return a
}

// asks reports whether a person uses the client. A headless client denies questions without saying
// so.
func asks(_ *platform.Event, getenv func(string) string) bool {
	return getenv("CLAUDE_CODE_SESSION_ATTENDED") != "0"
}
