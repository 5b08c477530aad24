package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// doRename reads a program that renames files by an expression of Perl, or by a text and its
// replacement. If the new name may have a slash, the files leave their folders, as with mv.
func doRename(c *Call) {
	if c.Inert() {
		return
	}
	rules, files := append(c.All("-e"), c.All("-E")...), c.Operands
	if len(rules) == 0 {
		n := min(1, len(files))
		if n > 0 && !substitutes(files[0].Text) && len(files) > 2 && !strings.ContainsAny(files[0].Text, "$;(") { // rename FROM TO FILE...
			n = 2
		}
		rules, files = files[:n], files[n:]
	}
	leaves := len(rules) == 2
	for _, w := range rules {
		if leaves {
			leaves = strings.Contains(rules[1].Text, "/") || !rules[1].Known()
			break
		}
		c.Code("perl", w, Run{})
		leaves = leaves || leadsElsewhere(w)
	}
	for _, w := range files {
		if len(rules) == 2 { // the adversary gives a file the name of a protected one
			if to := strings.Replace(w.Text, rules[0].Text, rules[1].Text, 1); to != w.Text {
				c.WriteFile(rules[1].With(to), umpire.Overwrite, Unseen(0))
			}
		}
		if leaves {
			c.Delete(w, 0)
		} else {
			c.WriteFile(w, 0, Unseen(0))
		}
	}
}

// substitutes reports whether an expression of Perl begins with s, y or tr and their delimiter.
func substitutes(expression string) bool {
	rest, ok := strings.CutPrefix(expression, "tr")
	if !ok {
		rest = strings.TrimLeft(expression, "sy")
	}
	return rest != "" && len(rest) < len(expression) && strings.IndexByte("/|,#!@{[(%:;", rest[0]) >= 0
}

// leadsElsewhere reports whether an expression may give a file a name in another folder. A
// substitution has three slashes of its own.
func leadsElsewhere(w Word) bool {
	if !w.Known() || !substitutes(w.Text) {
		return !w.Known() || strings.ContainsAny(w.Text, "/.'\"(")
	}
	own := 0
	if w.Text[strings.IndexAny(w.Text, "/|,#!@{[(%:;")] == '/' {
		own = 3
	}
	flags := w.Text[strings.LastIndexAny(w.Text, "/|,#!@}])%:;")+1:]
	return strings.Count(w.Text, "/") > own || strings.Contains(flags, "e") || anyof.Contains(w.Text, `\x`, `\0`, `\57`, "$ENV", `\c`, `\N`)
}

// doMmv reads mmv and mcp as mv and cp with patterns. #1 in the new name stands for what the first
// pattern matches.
func doMmv(c *Call) {
	if c.Inert() {
		return
	}
	program := "mv"
	if c.Program == "mcp" || c.Has("-c", "-a", "-l", "-s") {
		program = "cp"
	}
	for i := 0; i+1 < len(c.Operands); i += 2 {
		from, to := c.Operands[i], c.Operands[i+1]
		from.Glob = from.Glob || strings.ContainsAny(from.Text, "*?[")
		if at := strings.IndexByte(to.Text, '#'); at >= 0 {
			to = to.With(to.Text[:at] + umpire.Hole)
		}
		c.Exec([]Word{Lit(program), from, to}, Run{Out: true})
	}
}
