// Package opencode reads and writes the form of umpire's plugin for OpenCode, which runs no
// hook commands (observed, 1.18.33).
//
// The plugin sends one JSON object and obeys the exit status. 0 continues, with the input in
// {"input": {...}} on standard output if there is one. Any other status throws, with standard
// error as the reason.
package opencode

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/plugin"
)

// Client is OpenCode.
var Client = &platform.Client{
	Name:     "opencode",
	Title:    "OpenCode",
	Decode:   decode,
	Encode:   plugin.Encode,
	Replaces: plugin.Replaces,
	Asks:     platform.Never,
}

var events = platform.Kinds{
	{"tool.execute.before", platform.Call},
	{"tool.execute.after", platform.Result},
	{"permission.ask", platform.Permission},
	{"chat.message", platform.Prompt},
	{"session.created", platform.SessionStart},
	{"session.deleted", platform.SessionEnd},
	{"session.idle", platform.Notice},
	{"session.compacted", platform.Notice},
	{"session.error", platform.Notice},
}

// own lists the built-in tools of OpenCode with an underscore in their name.
var own = map[string]bool{"apply_patch": true, "plan_enter": true, "plan_exit": true, "todo_read": true, "todo_write": true}

func decode(data []byte) (platform.Event, error) {
	e, err := plugin.Decode("opencode", events, data)
	if server, tool, ok := strings.Cut(e.Action.Tool, "_"); ok && server != "" && tool != "" && !own[e.Action.Tool] && !strings.HasPrefix(tool, "_") {
		e.Action.Tool = platform.ServerTool(server, tool) // notes_save_note
	}
	return e, err
}
