// Package amp translates Amp's delegation of permissions to a program.
//
// This package follows the documentation and was not tested with the real client. Standard
// input has only the tool's input; the tool's name and the thread are in the environment. The
// exit status decides: 0 allows, 1 asks the user, and 2 rejects with standard error for the
// model.
package amp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Client is Amp.
var Client = &platform.Client{
	Name:   "amp",
	Title:  "Amp",
	Decode: func(data []byte) (platform.Event, error) { return decode(data, os.Getenv) },
	Encode: encode,
	Asks:   platform.Always,
}

func decode(data []byte, getenv func(string) string) (platform.Event, error) {
	data = bytes.TrimSpace(data)
	if !json.Valid(data) {
		return platform.Event{}, errors.New("what Amp delegates is not JSON")
	}
	var in struct {
		Dir string `json:"cwd"`
	}
	if err := platform.Unmarshal(data, &in); err != nil {
		return platform.Event{}, err
	}
	e := platform.Event{Name: "delegate", Kind: platform.Call, Action: umpire.Action{
		Principal: umpire.Principal{Platform: "amp", Session: cmp.Or(getenv("AGENT_THREAD_ID"), getenv("AMP_THREAD_ID"))},
		Tool:      getenv("AGENT_TOOL_NAME"),
		Input:     json.RawMessage(data),
		Dir:       platform.Here(),
	}}
	if platform.Absolute(in.Dir) {
		e.Action.Dir = in.Dir
	}
	return e, e.Check("", "AGENT_TOOL_NAME", "input", "the working directory")
}

func encode(_ *platform.Event, r platform.Reply) platform.HookOutput {
	switch r = r.Unchanged(); r.Effect {
	case umpire.Allow:
		return platform.HookOutput{}
	case umpire.Ask:
		return platform.HookOutput{Stderr: r.Why() + "\n", Exit: 1}
	}
	return platform.HookOutput{Stderr: r.Why() + "\n", Exit: 2}
}
