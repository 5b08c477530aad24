package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// doHg reads what hg has beside its dangerous sub-commands: aliases given with --config.
func doHg(c *Call) {
	hgPrograms(c)
	if len(c.Operands) == 0 {
		return
	}
	for _, w := range c.Global("--config") {
		key, value, ok := strings.Cut(w.Text, "=")
		if !ok || key != "alias."+c.Operands[0].Text {
			continue
		}
		args := Quote("", c.Operands[1:])
		if sh, ok := strings.CutPrefix(value, "!"); ok {
			c.Shell(w.With(sh+args), Run{Out: true})
		} else {
			c.Shell(w.With("hg "+value+args), Run{Out: true})
		}
	}
}

// hgPrograms reads settings given with --config that name programs.
func hgPrograms(c *Call) {
	for _, w := range c.Global("--config") {
		key, value, ok := strings.Cut(w.Text, "=")
		if !ok || value == "" {
			continue
		}
		section, name, _ := strings.Cut(key, ".")
		switch {
		case section == "hooks" && !strings.HasPrefix(value, "python:"), key == "ui.editor", key == "ui.ssh", key == "pager.pager", key == "ui.merge",
			section == "merge-tools" && strings.HasSuffix(name, ".executable"), section == "extdiff" && strings.HasPrefix(name, "cmd."):
			c.Shell(w.With(value), Run{Traits: umpire.RunsProgram})
		case section == "hooks", section == "extensions" && strings.ContainsAny(value, "/~"):
			c.Op(umpire.Exec, "hg "+w.Text, umpire.LoadsCode)
		}
	}
}

func doHgPush(c *Call) {
	hgPrograms(c)
	t := umpire.Upload
	if c.Has("-f") {
		t |= umpire.Force | umpire.ProtectedBranch
	}
	c.Op(umpire.Git, Quote(c.Name, c.Operands), t)
}

func doHgRevert(c *Call) {
	if c.Program == "hg" {
		hgPrograms(c)
	}
	t := umpire.Uncommitted
	if c.Has("-C") || wholeTree(c.Operands) {
		t |= umpire.WholeTree | umpire.Irreversible
	}
	if c.Program == "hg" && !c.Has("-C") && len(c.Operands) == 0 {
		t = 0
	}
	c.Op(umpire.Git, Quote(c.Name, c.Operands), t)
}

func doHgStrip(c *Call) {
	if c.Program == "hg" {
		hgPrograms(c)
	}
	c.Op(umpire.Git, Quote(c.Name, c.Operands), umpire.Irreversible|umpire.Overwrite)
}
