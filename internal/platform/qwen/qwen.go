// Package qwen translates the hooks of Qwen Code, which have Claude Code's form and Gemini's
// tools.
//
// Observed on 0.24.4: it ignores a changed input, and accepts context only with events other
// than a call.
package qwen

import (
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is Qwen Code.
var Client = &platform.Client{
	Name:    "qwen",
	Title:   "Qwen Code",
	Decode:  decode,
	Encode:  encode,
	Asks:    asks,
	Project: []string{"QWEN_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"},
	Refuses: true,
}

func decode(data []byte) (platform.Event, error) {
	return dialect.Decode("qwen", dialect.Events, data)
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	return dialect.Encode(e, r, dialect.Can{Allow: true, Ask: true, Besides: true, Refuse: true})
}

// asks reports whether the user wants questions. A headless client treats an ask as a denial, and
// the payload does not show whether it is one.
func asks(e *platform.Event, _ func(string) string) bool { return e.Mode != "yolo" }
