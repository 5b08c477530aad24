// Package droid translates the hooks of Factory's Droid, which have Claude Code's form.
//
// Observed on 0.225.2: it runs calls that it should ask about, and accepts context only at the
// start of a session and after a call. An exit status of 3 would end the run.
package droid

import (
	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is Factory Droid.
var Client = &platform.Client{
	Name:    "droid",
	Title:   "Factory Droid",
	Decode:  decode,
	Encode:  encode,
	Asks:    platform.Never,
	Project: []string{"FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "CLAUDE_PROJECT_DIR"},
	Refuses: true,
}

func decode(data []byte) (platform.Event, error) {
	return dialect.Decode("droid", dialect.Events, data)
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	if e.Kind == platform.Prompt && r.Effect != umpire.Allow { // for prompts it has no "decision"
		return platform.HookOutput{Stderr: r.Why() + "\n", Exit: 2}
	}
	return dialect.Encode(e, r, dialect.Can{Allow: true, Rewrite: true, Besides: true})
}
