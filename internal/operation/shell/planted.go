package shell

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// readProjectCommands reads the commands in a file of a project, or in a part of one, that run for
// everyone who installs or enters the project, although no one names them.
func (sh *shell) readProjectCommands(file string, s command.Stream) {
	var names []string
	switch file {
	case "package.json":
		names = []string{`"preinstall"`, `"install"`, `"postinstall"`, `"prepare"`}
	case "devcontainer.json": // the other commands run inside the container
		names = []string{`"initializeCommand"`}
	case ".envrc", "setup.py":
		c := newShell(sh.env)
		c.world = sh.world
		c.via = append(sh.via[:len(sh.via):len(sh.via)], file)
		if file == ".envrc" {
			c.script(s.Text)
		} else {
			c.code("python", s.Text)
		}
		return
	}
	for _, name := range names {
		_, rest, ok := strings.Cut(s.Text, name)
		if !ok {
			continue
		}
		value, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), ":")
		var text string
		if !ok || json.NewDecoder(strings.NewReader(value)).Decode(&text) != nil {
			continue
		}
		c := newShell(sh.env)
		c.world = sh.world
		c.via = append(sh.via[:len(sh.via):len(sh.via)], strings.Trim(name, `"`))
		c.stdin = command.Stream{}
		c.script(text)
	}
}

// readPlanted reads text that is written to a place where a program will run it later.
func (sh *shell) readPlanted(abs string, p umpire.Place, s command.Stream) {
	if p&umpire.PlaceEditorConfig != 0 {
		if strings.Contains(s.Text, `"folderOpen"`) { // a task that runs when a person opens the folder
			sh.Emit(umpire.Operation{Kind: umpire.System, Resource: "job install editor", Traits: umpire.Persistence})
		}
		if anyof.Contains(s.Text, `"terminal.integrated.profiles.`, `"terminal.integrated.automationProfile.`, `"terminal.integrated.shell.`) { // a shell that is no program of the system starts with each terminal
			for _, rest := range strings.Split(s.Text, `"path"`)[1:] {
				var shell string
				rest = strings.TrimLeft(rest, ": \t\r\n")
				if json.NewDecoder(strings.NewReader(rest)).Decode(&shell) == nil && strings.Contains(shell, "/") && !Standard(shell) {
					sh.Emit(umpire.Operation{Kind: umpire.System, Resource: "job install editor", Traits: umpire.Persistence})
				}
			}
		}
		if disarms(s.Text) { // an editor has an agent of its own
			sh.Emit(umpire.Operation{Kind: umpire.Sandbox, Resource: "agent-settings disarm " + abs, Traits: umpire.SelfTamper})
		}
	}
	if p&umpire.PlaceCI != 0 && fetches(s.Text) && sh.enter() {
		if sh.runsForeign(command.JobScripts(s.Text)) {
			sh.Emit(umpire.Operation{Kind: umpire.System, Resource: "job install build", Traits: umpire.Persistence})
		}
		sh.leave()
	}
	if p&(umpire.PlaceStartup|umpire.PlaceGitHooks|umpire.PlaceJobs) == 0 || !sh.enter() {
		return
	}
	defer sh.leave()
	c := newShell(sh.env)
	c.world = sh.world
	c.via = append(sh.via[:len(sh.via):len(sh.via)], "planted")
	c.traits = umpire.Persistence
	c.stdin = command.Stream{}
	if p&umpire.PlaceJobs != 0 {
		c.jobs(s.Text)
		return
	}
	scripts := []string{s.Text}
	if ext := path.Ext(abs); ext == ".yaml" || ext == ".yml" { // of pre-commit or lefthook
		scripts = command.JobScripts(s.Text)
	}
	for _, text := range scripts {
		c.script(text)
	}
	for _, name := range slices.Sorted(maps.Keys(c.aliases)) { // in one order, so that each run gives the same operations
		c.script(c.aliases[name])
	}
}

// fetches reports whether a definition of jobs contains a word that hints at downloaded code or a
// connection. Few do, and the others are not read.
func fetches(text string) bool {
	return anyof.Contains(text, "curl", "wget", "http", "base64", "/dev/tcp", "nc ", "socat")
}

// runsForeign reports whether scripts, which a build service runs on its machine, run code from the
// network or from a decoder, or send private data or give a shell to another host.
func (sh *shell) runsForeign(scripts []string) bool {
	t := newShell(Env{Map: sh.env.Map})
	t.traps = &traps{}
	for _, text := range scripts {
		step := t.clone()
		step.script(withoutExpressions(text))
		step.ends()
	}
	return slices.ContainsFunc(t.ops, func(op umpire.Operation) bool {
		return op.Traits&(umpire.RemoteCode|umpire.DecodedCode|umpire.RemoteShell|umpire.Exfiltration) != 0 || op.Kind == umpire.Network && op.Traits&umpire.CarriesSecret != 0
	})
}

// withoutExpressions replaces each ${{ expression }} of a build service by what a shell would read
// there: a variable with the name of the secret, an environment for all secrets, or an unknown
// word. The service replaces them before the shell starts, so that single quotes hide nothing.
func withoutExpressions(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		expression, after, ok := strings.Cut(rest, "}}")
		text = after
		word := umpire.Hole
		expression = strings.ReplaceAll(expression, " ", "")
		if name, ok := strings.CutPrefix(expression, "secrets."); ok && !strings.ContainsAny(name, "|&()'\"") {
			word = "${" + name + "}"
		} else if strings.EqualFold(expression, "tojson(secrets)") {
			word = "$(printenv)"
		}
		if line := b.String()[strings.LastIndexByte(b.String(), '\n')+1:]; word != umpire.Hole && strings.Count(line, "'")%2 == 1 {
			word = `'"` + word + `"'`
		}
		b.WriteString(word)
		if !ok {
			return b.String()
		}
	}
}

// jobs reads the lines of a crontab: the command after the five fields or after @when.
func (sh *shell) jobs(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if cmd, ok := strings.CutPrefix(line, "ExecStart="); ok {
			sh.script(strings.TrimLeft(cmd, "-@:+!"))
			continue
		}
		f := strings.Fields(line)
		n := 5
		if strings.HasPrefix(line, "@") {
			n = 1
		}
		if len(f) > n {
			sh.script(strings.Join(f[n:], " "))
		}
	}
}
