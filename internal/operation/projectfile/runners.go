package projectfile

import (
	"cmp"
	"path"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// moonTasks runs the tasks that a call of moon names, as project:task, with their dependencies.
func moonTasks(c *command.Call) {
	f, ok := c.StartedFile(".moon/workspace.yml")
	if !ok {
		return
	}
	projects := f.Tree(datafile.YAML).Get("projects")
	dirs := command.Below(c, "", append(projects.Texts(), projects.Get("globs").Texts()...))
	for _, t := range []*datafile.Value{projects, projects.Get("sources")} {
		t.Each(func(_ string, v *datafile.Value) { dirs = append(dirs, v.Text) })
	}
	for _, dir := range append(c.AtMost(dirs), ".") {
		f, _ := c.StartedFile(path.Join(dir, "moon.yml"))
		in, tasks, done := command.Lit(dir), f.Tree(datafile.YAML).Get("tasks"), map[string]bool{}
		var run func(name string)
		run = func(name string) {
			name = name[strings.LastIndexByte(name, ':')+1:]
			t := tasks.Get(name)
			if t == nil || done[name] {
				return
			}
			done[name] = true
			for _, d := range t.Get("deps").List() {
				run(cmp.Or(d.Text, d.Str("target")))
			}
			for _, key := range [...]string{"command", "script"} {
				if v := t.Get(key); v != nil {
					f.Run(v.Line, cmp.Or(v.Text, strings.TrimSpace(command.Quote("", command.Lits(v.Texts()...))))+command.Quote("", command.Lits(t.Get("args").Texts()...)), command.Run{Dir: &in})
				}
			}
		}
		for _, w := range c.Operands {
			if project, _, ok := strings.Cut(w.Text, ":"); !ok || project == "" || project == "~" || project[0] == '#' || project == path.Base(dir) || dir == "." {
				run(w.Text)
			}
		}
	}
}

// packerCommands runs the commands of a build's shell-local provisioners, which run on this
// machine.
func packerCommands(c *command.Call) {
	names := c.Operands
	if len(names) > 0 && names[0].Text == "build" {
		names = names[1:]
	}
	for _, w := range names {
		files := []string{w.Text}
		if path.Ext(w.Text) == "" || w.Text == "." {
			files = nil
			for _, n := range c.Names(w) {
				if strings.HasSuffix(n, ".pkr.hcl") {
					files = append(files, path.Join(w.Text, n))
				}
			}
		}
		for _, n := range files {
			f, _ := c.StartedFile(n)
			text, line := f.Text, 1
			for {
				before, block, ok := strings.Cut(text, `"shell-local"`)
				if !ok {
					break
				}
				line += strings.Count(before, "\n")
				text = block
				block, _, _ = strings.Cut(block, "\n  }")
				for _, key := range [...]string{"inline", "command", "scripts", "script"} {
					_, value, ok := strings.Cut(block, key)
					if value = strings.TrimLeft(value, " ="); !ok || strings.HasPrefix(value, "_") {
						continue
					}
					for _, v := range command.QuotedWords(value) {
						if strings.HasPrefix(key, "script") {
							v = "sh" + command.Quote("", command.Lits(v))
						}
						f.Run(line, v, command.Run{})
					}
				}
			}
		}
	}
}
