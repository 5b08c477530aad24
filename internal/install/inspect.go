package install

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Inspect reports the state of umpire in an agent's settings: the user's, the project's and the
// machine's.
func Inspect(env Env, agent string) (Status, error) {
	a, err := find1(agent)
	if err != nil {
		return Status{Agent: agent}, err
	}
	st := Status{Agent: agent, Files: []File{}, Problems: []Problem{}}
	a.inspect(env, &st)
	return st, nil
}

// targets returns all relevant files of the agent.
func (a *Agent) targets(env Env) (list []target) {
	env.Hook = cmp.Or(env.Hook, "/umpire-hook")
	for s := User; s <= Managed; s++ {
		list = append(list, a.files(a, env, s, Options{})...)
	}
	if a.looks != nil {
		for _, t := range a.looks(env) {
			if t.scope == Project && filepath.Clean(env.Dir) == filepath.Clean(env.Home) {
				t.scope = User // the home folder is no stranger's project
			}
			t.looked = true
			if t.path != "" {
				list = append(list, t)
			}
		}
	}
	scopes := map[string]Scope{}
	return slices.DeleteFunc(list, func(t target) bool { // in the home folder, a project's file is the user's
		first, again := scopes[t.path]
		if !again {
			scopes[t.path] = t.scope
		}
		return again && first != t.scope
	})
}

func (a *Agent) inspect(env Env, st *Status) {
	records := map[Scope]*record{}
	for s := User; s <= Managed; s++ {
		rec, err := loadRecord(env, s)
		if err != nil && s != Project { // the user's file has the project's too
			st.Problems = append(st.Problems, Problem{Kind: Weak, Path: recordPath(env, s), Text: err.Error(), Next: "remove it: umpire cannot tell whether the settings changed since umpire init"})
		}
		records[s] = rec
	}
	// Compare with the installed path: another path may lead to the same program.
	for s := User; s <= Managed; s++ {
		for _, in := range records[s].Installs {
			if in.Agent != a.Name || len(in.Ours) == 0 {
				continue
			}
			// Amp's settings name the script that starts the hook.
			if hook := firstWord(in.Ours[0].Command); filepath.IsAbs(hook) && filepath.Base(hook) != "umpire-amp" {
				env.Hook = hook
			}
		}
	}
	calls := map[string]bool{}
	for _, e := range a.events {
		if e.kind == onCall {
			calls[e.name] = true
		}
	}
	calls["delegate"] = a.Name == "amp"
	var called []target // files through which a call reaches umpire
	keepsOn := false
	for _, t := range a.targets(env) {
		meets, on := a.inspectFile(env, t, records[t.scope], calls, st)
		if meets {
			called = append(called, t)
		}
		keepsOn = keepsOn || on
	}
	a.surroundings(env, st)
	for i, p := range st.Problems { // managed settings override the switches of projects
		if p.Kind == Off && strings.Contains(p.Text, "disableAllHooks") && (a.Name == "claude" || a.Name == "copilot") && (keepsOn || hasManaged(called)) {
			st.Problems[i].Kind, st.Problems[i].Next = Note, "nothing: the machine-wide settings keep umpire's hook on"
		}
	}
	st.Installed = len(called) > 0
	for _, p := range st.Problems {
		if p.Kind == Off && !hasManaged(called) {
			st.Installed = false
		}
	}
	st.OnlyHere = st.Installed && !slices.ContainsFunc(called, func(t target) bool { return t.scope != Project })
	if a.Name == "opencode" && len(called) > 0 {
		st.Heartbeat = filepath.Join(stateDir(env, User), "heartbeat", "opencode")
	}
}

// everyTool reports whether this matcher matches the calls of all tools.
func everyTool(matcher string) bool { return anyof.Equal(matcher, "", "*", ".*") }

// inspectFile adds one settings file to the report. It reports whether a call reaches umpire
// through this file, and whether the file keeps hooks on for the whole machine.
func (a *Agent) inspectFile(env Env, t target, rec *record, calls map[string]bool, st *Status) (called, keepsOn bool) {
	f := found{path: t.path}
	data, err := read(t.path)
	file := File{Path: t.path, Scope: t.scope, Exists: data != nil, Looked: t.looked}
	switch {
	case err != nil:
		f.report(Broken, "make it readable, or remove it", "cannot be read: %v", err)
	case data != nil:
		t.form.inspect(data, &f)
	}
	if d, err := parseJSON(data); err == nil && t.scope == Managed && data != nil {
		keepsOn = isFalse(member(d.object(), "disableAllHooks"))
	}
	file.Ours, file.Foreign = f.ours, f.foreign
	if in := rec.find(t.path); in != nil && err == nil && !t.looked {
		reportRemoved(*in, &f)
	}
	for i := range f.problems {
		f.problems[i].Path = t.path
		if f.problems[i].Kind == Steered && t.scope != Project {
			f.problems[i].Kind = Note // the user's choice
		}
	}
	if len(f.ours) > 0 || len(f.foreign) > 0 || len(f.problems) > 0 || !t.looked && file.Exists {
		st.Files = append(st.Files, file)
	}
	st.Problems = append(st.Problems, f.problems...)
	off := slices.ContainsFunc(f.problems, func(p Problem) bool {
		return p.Kind == Broken || p.Kind == Off && strings.Contains(p.Text, "executable")
	})
	if !off && slices.ContainsFunc(f.ours, func(e HookEntry) bool { return calls[e.Event] && everyTool(e.Matcher) }) {
		called = true
	}
	if len(f.ours) > 0 {
		programs(f.ours, st, t.path)
		if !t.looked { // settings for other programs do not concern this agent
			a.named(f.ours, st, t.path)
		}
	}
	if a.Name == "codex" && t.scope != Managed && !t.looked && len(f.ours) > 0 {
		a.trust(env, t, data, st)
	}
	return called, keepsOn
}

func hasManaged(list []target) bool {
	return slices.ContainsFunc(list, func(t target) bool { return t.scope == Managed })
}

// reportRemoved reports installed hooks that are missing now.
func reportRemoved(in installed, f *found) {
	for _, e := range in.Ours {
		if !slices.ContainsFunc(f.ours, func(is HookEntry) bool { return is.Event == e.Event }) {
			f.report(Changed, again, "umpire's hook for %s was removed", e.Event)
		} else if !slices.ContainsFunc(f.ours, func(is HookEntry) bool {
			return is.Event == e.Event && is.Command == e.Command && is.Matcher == e.Matcher
		}) {
			f.report(Changed, again, "umpire's hook for %s differs from the one that was installed", e.Event)
		}
	}
}

// programs checks the programs that the hooks start.
func programs(ours []HookEntry, st *Status, path string) {
	seen := map[string]bool{}
	for _, e := range ours {
		word := firstWord(e.Command)
		if seen[word] {
			continue
		}
		seen[word] = true
		p := Problem{Path: path, Next: again}
		info, err := os.Stat(word)
		switch {
		case !filepath.IsAbs(word):
			p.Kind, p.Text = Weak, fmt.Sprintf("the hook starts %q without a path, so the agent's PATH decides which program runs", word)
		case err != nil:
			p.Kind, p.Text = Off, fmt.Sprintf("the hook starts %s, which does not exist", word)
		case info.IsDir() || info.Mode()&0o111 == 0 && runtime.GOOS != "windows":
			p.Kind, p.Text = Off, fmt.Sprintf("the hook starts %s, which is not a program", word)
		default:
			if strings.ContainsAny(e.Command[min(len(word), len(e.Command)):], ";|&<>`$()") {
				p.Kind, p.Text = Weak, "the hook's command line does more than start umpire-hook"
				break
			}
			continue
		}
		st.Problems = append(st.Problems, p)
	}
}

// named looks for hooks with another client's name: umpire would read the payload in that client's
// form, and answer in a form that this agent may not know.
func (a *Agent) named(ours []HookEntry, st *Status, path string) {
	for _, e := range ours {
		words := strings.Fields(strings.TrimPrefix(e.Command, firstWord(e.Command)))
		if i := slices.IndexFunc(words, func(w string) bool { _, err := find1(strings.Trim(w, `'"`)); return err == nil }); i >= 0 {
			if name := strings.Trim(words[i], `'"`); name != a.Name {
				st.Problems = append(st.Problems, Problem{Kind: Weak, Path: path, Text: fmt.Sprintf("the hook for %s names the client %s, so it answers in a form that %s may not understand", e.Event, name, a.Title), Next: again})
				return
			}
		}
	}
}

// trust checks Codex's trust in the hooks of a file.
func (a *Agent) trust(env Env, t target, data []byte, st *Status) {
	c := codexTrust(env, t.path, data, false)
	text, err := read(c.path)
	if err != nil {
		return // reported by the check of the file
	}
	f := found{path: c.path}
	c.form.inspect(text, &f)
	st.Problems = append(st.Problems, f.problems...)
}

// surroundings checks switches outside the files.
func (a *Agent) surroundings(env Env, st *Status) {
	off := func(name, what string) {
		if v := env.getenv(name); v != "" && v != "0" && v != "false" {
			st.Problems = append(st.Problems, Problem{Kind: Off, Path: name, Text: "the environment has " + name + ", with which " + what, Next: "unset " + name})
		}
	}
	switch a.Name {
	case "claude":
		off("CLAUDE_CODE_SIMPLE", "Claude Code calls no hooks but managed ones")
	case "opencode":
		off("OPENCODE_PURE", "OpenCode loads no plugins")
	}
}

// SessionReport reports, at the start of a session, settings that changed since the installation,
// and the project's hooks. It is "" if there is nothing to report. A model reads it, so it contains
// no text that a repository chose.
func SessionReport(env Env, agent string) string {
	a, err := find1(agent)
	if err != nil {
		return ""
	}
	st := Status{}
	a.inspect(env, &st)
	var lines []string
	for _, p := range st.Problems {
		var text string
		switch p.Kind {
		case Off:
			text = "keeps umpire's hook from being called"
		case Changed:
			text = "umpire's hook there is not the one that was installed"
		case Steered:
			text = "sets variables with which this project reaches past umpire's hook"
		case Broken:
			text = "cannot be read, so the agent may ignore all hooks in it"
		default:
			continue
		}
		if line := fmt.Sprintf("umpire: %s: %s", a.shown(env, p.Path), text); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	brought := map[string]int{}
	var order []string
	for _, f := range st.Files {
		if f.Scope == Project && len(f.Foreign) > 0 {
			at := a.shown(env, f.Path)
			if brought[at] == 0 {
				order = append(order, at)
			}
			brought[at] += len(f.Foreign)
		}
	}
	for _, at := range order {
		what := "hooks"
		if brought[at] == 1 {
			what = "hook"
		}
		lines = append(lines, fmt.Sprintf("umpire: this project has %d %s in %s; agents run them without asking you", brought[at], what, at))
	}
	if len(lines) == 0 {
		return ""
	}
	const most = 8
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("umpire: and %d more", len(lines)-most))
	}
	return strings.Join(append(lines, "umpire: the user can see more with: umpire doctor"), "\n")
}

// fixed lists file names that agents chose and not a repository.
var fixed = []string{"settings.json", "settings.local.json", "hooks.json", "hooks.v1.json", "config.toml", "config.json", "crush.json",
	"umpire.json", "umpire.js", "umpire.ts", "umpire-vscode.json", "umpire-amp"}

// shown returns a path for a report: the folder, if someone else chose the file name.
func (a *Agent) shown(env Env, path string) string {
	if rest, ok := strings.CutPrefix(path, env.Dir+string(filepath.Separator)); ok && env.Dir != "" {
		if base := filepath.Base(rest); !slices.Contains(fixed, base) {
			rest = filepath.Dir(rest)
		}
		return "./" + filepath.ToSlash(rest)
	}
	if rest, ok := strings.CutPrefix(path, env.Home+string(filepath.Separator)); ok && env.Home != "" {
		path = "~/" + rest
	}
	return visible.Clip(path, 200)
}
