package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// doHg runs aliases of hg. Dangerous sub-commands have descriptions of their own.
func doHg(c *Call) {
	hgPrograms(c)
	if len(c.Operands) == 0 {
		return
	}
	list := c.Global("--config")
	if s, ok := written(c, ".hg/hgrc", "~/.hgrc", "~/.config/hg/hgrc"); ok && s.Seen {
		for key, value := range settings(s.Text) {
			list = append(list, Word{Text: key + "=" + value, Taint: s.Taint})
		}
	}
	for _, w := range list {
		if key, value, ok := strings.Cut(w.Text, "="); ok && key == "alias."+c.Operands[0].Text {
			runAlias(c, "hg", w.With(value), c.Following())
		}
	}
}

// hgPrograms runs the programs that settings of --config name.
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

// doHgExtdiff runs the program that the call chooses for a comparison.
func doHgExtdiff(c *Call) {
	hgPrograms(c)
	if program, ok := c.Opt("-p"); ok {
		c.Shell(joined(slices.Concat([]Word{program}, c.All("-o"), c.Operands)), Run{Out: true})
	}
}

// doHgPush reads a push of hg or a similar system, with the address as its first operand.
func doHgPush(c *Call) {
	if c.Program == "hg" {
		hgPrograms(c)
	}
	t := umpire.Upload
	if c.Has("-f") {
		t |= umpire.Force | umpire.ProtectedBranch
	}
	if to := c.Arg(0); gitAddress(to.Text) {
		t |= umpire.UntrustedSource
		gitRemote(c, to)
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
	t := umpire.Irreversible | umpire.Overwrite
	if v := c.verb(); v == "purge" || v == "clean" { // deletes files that the repository does not have
		t = umpire.Irreversible | umpire.Uncommitted | umpire.WholeTree
	}
	c.Op(umpire.Git, Quote(c.Name, c.Operands), t)
}
