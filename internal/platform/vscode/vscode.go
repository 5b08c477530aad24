// Package vscode translates the agent hooks of VS Code, which have Claude Code's form.
//
// This package follows the documentation and was not tested with the real client. VS Code calls
// every hook for every tool.
package vscode

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is VS Code's agent mode.
var Client = &platform.Client{
	Name:   "vscode",
	Title:  "VS Code",
	Decode: decode,
	Encode: encode,
	Asks:   platform.Always,
}

func decode(data []byte) (platform.Event, error) {
	e, err := dialect.Decode("vscode", dialect.Events, data)
	if rest, ok := strings.CutPrefix(e.Action.Tool, "mcp_"); ok && !strings.HasPrefix(rest, "_") {
		if server, tool, ok := strings.Cut(rest, "_"); ok {
			e.Action.Tool = platform.ServerTool(server, tool)
		}
	}
	return e, err
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	return dialect.Encode(e, r, dialect.Can{Allow: true, Ask: true, Rewrite: true, Context: true, Besides: true})
}
