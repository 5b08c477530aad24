// Package pi reads and writes the form of umpire's extension for Pi, which runs no hook
// commands (observed, 0.73.1).
//
// The extension sends one JSON object and obeys the exit status. 0 continues, with the input in
// {"input": {...}} on standard output if there is one. 3 asks the user the question in {"ask":
// "..."}. Any other status blocks, with standard error as the reason.
package pi

import (
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/plugin"
)

// Client is Pi.
var Client = &platform.Client{
	Name:     "pi",
	Title:    "Pi",
	Decode:   decode,
	Encode:   plugin.Encode,
	Replaces: plugin.Replaces,
	Asks:     func(e *platform.Event, _ func(string) string) bool { return e.Asks },
}

var events = platform.Kinds{
	{"tool_call", platform.Call},
	{"tool_result", platform.Result},
	{"input", platform.Prompt},
	{"session_start", platform.SessionStart},
	{"session_shutdown", platform.SessionEnd},
	{"agent_start", platform.Notice},
	{"agent_end", platform.Notice},
	{"turn_start", platform.Notice},
	{"turn_end", platform.Notice},
}

func decode(data []byte) (platform.Event, error) {
	return plugin.Decode("pi", events, data)
}
