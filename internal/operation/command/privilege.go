package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

func doSudo(c *Call) {
	r := Run{Traits: umpire.Privilege, Out: true, Dir: dirOf(c, "-D")}
	env, ws := skipAssigns(c.Operands)
	r.Env = env
	if root, ok := c.Opt("-R"); ok {
		r.Traits |= umpire.Container
		r.Mounts = []Mount{{Host: root, Inside: "/"}}
	}
	switch {
	case c.Has("-e"):
		for _, w := range ws {
			c.Traits |= umpire.Privilege
			c.ReadFile(w)
			c.WriteFile(w, 0, Unseen(0))
		}
	case len(ws) > 0: // with -i and -s, too: sudo escapes the words for the shell
		c.Exec(ws, r)
	case c.Has("-i", "-s"):
		stdinShell(c, r)
	}
}

func doDoas(c *Call) {
	env, ws := skipAssigns(c.Operands)
	r := Run{Traits: umpire.Privilege, Env: env, Out: true, Dir: dirOf(c, "-D")}
	if len(ws) == 0 {
		if c.Has("-s") {
			stdinShell(c, r)
		}
		return
	}
	c.Exec(ws, r)
}

func doAsUser(c *Call) {
	if len(c.Operands) > 1 {
		c.Exec(c.Operands[1:], Run{Traits: umpire.Privilege, Out: true})
	}
}

func doSu(c *Call) {
	r := Run{Traits: umpire.Privilege, Out: true}
	ws := c.Operands
	if len(ws) > 0 && ws[0].Text == "-" {
		ws = ws[1:]
	}
	if w, ok := c.Opt("-c"); ok {
		c.Shell(w, r)
		return
	}
	// The words after the user are arguments of that user's shell.
	if len(ws) > 1 {
		c.Exec(append(Lits("sh"), ws[1:]...), r)
		return
	}
	stdinShell(c, r)
}

func doRunuser(c *Call) {
	r := Run{Traits: umpire.Privilege, Out: true}
	if w, ok := c.Opt("-c"); ok {
		c.Shell(w, r)
		return
	}
	ws := c.Operands
	if c.Has("-u") {
		c.Exec(ws, r)
		return
	}
	for len(ws) > 0 && ws[0].Text == "-" {
		ws = ws[1:]
	}
	if len(ws) > 1 {
		c.Exec(append(Lits("sh"), ws[1:]...), r)
		return
	}
	stdinShell(c, r)
}

func doSg(c *Call) {
	ws := c.Operands
	for len(ws) > 0 && ws[0].Text == "-" {
		ws = ws[1:]
	}
	if len(ws) < 2 {
		return
	}
	ws = ws[1:]
	if ws[0].Text == "-c" {
		ws = ws[1:]
	}
	c.Shell(joined(ws), Run{Out: true})
}

func doCapsh(c *Call) {
	for i, w := range c.Operands {
		if w.Text == "--" || w.Text == "==" {
			shell := Lit("bash")
			for _, o := range c.Operands[:i] {
				if name, ok := strings.CutPrefix(o.Text, "--shell="); ok {
					shell = o.With(name)
				}
			}
			c.Exec(append([]Word{shell}, c.Operands[i+1:]...), Run{Out: true})
			return
		}
	}
}

func doMachineShell(c *Call) {
	if len(c.Operands) > 1 {
		t := umpire.Container | umpire.Remote
		if m := c.Operands[0].Text; m == ".host" || strings.HasSuffix(m, "@.host") || strings.HasSuffix(m, "@") {
			t = umpire.Privilege
		}
		c.Exec(c.Operands[1:], Run{Traits: t, Out: true})
	}
}

// doNewgrp reads newgrp, which starts a shell with another group. Its commands come from standard
// input.
func doNewgrp(c *Call) {
	if c.Stdin.Pipe {
		c.Script("sh", c.Stdin, Run{})
	}
}
