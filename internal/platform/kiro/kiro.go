// Package kiro translates the hooks of Kiro CLI.
//
// This package follows the documentation and was not tested with the real client. The exit
// status 2 blocks with the reason on standard error. Output at the start of a session or with a
// prompt goes to the model.
package kiro

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is Kiro CLI.
var Client = &platform.Client{
	Name:   "kiro",
	Title:  "Kiro CLI",
	Decode: decode,
	Encode: encode,
	Asks:   platform.Never,
}

var events = platform.Kinds{
	{"preToolUse", platform.Call},
	{"postToolUse", platform.Result},
	{"userPromptSubmit", platform.Prompt},
	{"agentSpawn", platform.SessionStart},
	{"stop", platform.Notice},
}

func decode(data []byte) (platform.Event, error) {
	e, err := dialect.Decode("kiro", events, data)
	if name, ok := strings.CutPrefix(e.Action.Tool, "@"); ok { // @server/tool
		if server, tool, ok := strings.Cut(name, "/"); ok {
			e.Action.Tool = platform.ServerTool(server, tool)
		}
	}
	return e, err
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	switch r = r.Unchanged(); {
	case e.Judged() && r.Effect != umpire.Allow:
		return platform.HookOutput{Stderr: r.Why() + "\n", Exit: 2}
	case r.Context != "" && (e.Kind == platform.SessionStart || e.Kind == platform.Prompt):
		return platform.HookOutput{Stdout: r.Context + "\n"}
	}
	return platform.HookOutput{}
}
