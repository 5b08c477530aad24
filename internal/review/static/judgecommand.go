package static

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// The fictional location of the material while its commands are read. Nothing exists there.
const (
	place       = "/review"
	home        = "/home/user"
	maxCommands = 20_000 // commands read in one review
	maxCommand  = 16 << 10
	maxScript   = 256 << 10
	maxScripts  = 64 << 20 // bytes in one review
)

var rules = sync.OnceValue(func() *policy.Policy {
	p, err := packs.Default()
	if err != nil { // cannot fail: it is embedded and tested
		panic(err)
	}
	return p
})

// dangerous are the traits that no honest script of a project has by accident.
const dangerous = umpire.RemoteCode | umpire.DecodedCode | umpire.RemoteShell | umpire.Exfiltration

// judgeCommand judges a command that runs in a folder of the material by umpire's rules, and returns
// severity and reason. It runs nothing. It returns Low and "" if no rule matches.
func (f *file) judgeCommand(dir, command string) (finding.Severity, string, umpire.Trait) {
	ops, reasons := f.readCommand(dir, command)
	var traits umpire.Trait
	for _, o := range ops {
		traits |= o.Traits
	}
	severity, why := finding.Low, ""
	for _, r := range reasons {
		s := finding.Medium
		if r.Effect == umpire.Deny || r.Op >= 0 && r.Op < len(ops) && ops[r.Op].Traits&dangerous != 0 {
			s = finding.High
		}
		if s < severity {
			severity, why = s, r.Text
		}
	}
	return severity, why, traits
}

// readCommand returns the operations of a command, and the reasons of umpire's rules against them.
func (f *file) readCommand(dir, command string) ([]umpire.Operation, []umpire.Reason) {
	command = strings.TrimSpace(command)
	if len(command) > maxCommand {
		f.on(longCommand, longCommand.Severity, 0, "")
		return nil, nil
	}
	if command == "" || f.k.commands.Add(1) > maxCommands {
		return nil, nil
	}
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		return nil, nil
	}
	a := &umpire.Action{Tool: "Bash", Input: input, Dir: path.Join(place, dir), Workspace: place, Home: home, Temp: "/tmp"}
	ops := operation.Read(a, operation.Env{ReadFile: f.script})
	reasons := rules().Decide(a, ops).Reasons
	return ops, slices.DeleteFunc(slices.Clone(reasons), func(r umpire.Reason) bool { return r.Doubt })
}

// script returns a file of the material for the reading of a command that runs it.
func (f *file) script(p string) ([]byte, bool) {
	rel, ok := strings.CutPrefix(p, place+"/")
	if !ok {
		return nil, false
	}
	sf, ok := f.k.s.File(rel)
	if !ok || sf.Digest == "" || sf.Size > maxScript || f.k.scripts.Add(sf.Size) > maxScripts {
		return nil, false
	}
	b, err := f.k.s.Read(sf)
	return b, err == nil
}

// command reports a command that something in the file would start. It reports at least the
// severity least, even if no rule matches.
func (f *file) command(r *Rule, least finding.Severity, line int, when, command string) {
	s, why, _ := f.judgeCommand(path.Dir(f.path), command)
	detail := when + " runs " + quoted(command)
	if why != "" {
		detail += ", which " + why
	}
	f.on(r, min(s, least), line, detail)
}

func quoted(s string) string { return "“" + visible.Clip(s, 160) + "”" }
