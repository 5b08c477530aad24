package command

import (
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/patch"
)

// doApplyPatch reads the apply_patch that coding agents put on the PATH. The patch is its argument
// or its standard input.
func doApplyPatch(c *Call) {
	s := c.Stdin
	if len(c.Operands) > 0 {
		s = Stream{Text: c.Arg(0).Text, Seen: c.Arg(0).Known(), Taint: c.Arg(0).Taint}
	}
	applyPatch(c, s, "", 0)
}

func doPatch(c *Call) {
	if c.Arg(0).Text != "" { // the command line names the file, not the patch
		return
	}
	s := c.Stdin
	if w, ok := c.Opt("-i"); ok {
		s = c.File(w)
	}
	applyPatch(c, s, "", stripped(c, -1))
}

func doGitApply(c *Call) {
	git(c, 0)
	dir := ""
	if w, ok := c.Opt("--directory"); ok {
		dir = w.Text + "/"
	}
	for _, w := range c.Operands {
		if w.Text != "-" {
			applyPatch(c, c.File(w), dir, stripped(c, 1))
		}
	}
	if len(c.Operands) == 0 || c.Arg(0).Text == "-" {
		applyPatch(c, c.Stdin, dir, stripped(c, 1))
	}
}

// stripped returns how many leading folders -p removes from the names in a patch, or usual without
// -p.
func stripped(c *Call, usual int) int {
	if w, ok := c.Opt("-p"); ok {
		if n, err := strconv.Atoi(w.Text); err == nil && n >= 0 {
			return n
		}
	}
	return usual
}

// applyPatch records the effect of a patch on files. An unknown patch leads to no operation: most
// likely it was fetched or made for review.
func applyPatch(c *Call, s Stream, dir string, strip int) {
	if !s.Seen || s.Text == "" {
		return
	}
	files, whole := patch.Read(s.Text)
	back := c.Has("-R", "--reverse")
	for _, f := range files {
		if back {
			switch f.Verb {
			case patch.Add:
				f.Verb = patch.Delete
			case patch.Delete:
				f.Verb = patch.Add
			case patch.Move:
				f.Path, f.To = f.To, f.Path
			}
			f.Added = f.Gone
		}
		var texts []Stream // the new content for each spelling; the patch alone has only a part of it
		for _, p := range spellings(f.Path, strip) {
			now := Stream{Text: f.Added, Seen: true, Taint: s.Taint, Pipe: true}
			if old := c.File(Lit(dir + p)); f.Verb != patch.Add && old.Seen {
				now.Taint |= old.Taint
				if now.Text, now.Seen = f.Apply(old.Text, back); !now.Seen {
					now.Taint |= FromUnseen
				}
			}
			texts = append(texts, now)
		}
		if f.Verb == patch.Delete || f.Verb == patch.Move {
			for _, p := range spellings(f.Path, strip) {
				c.Delete(Lit(dir+p), 0)
			}
		}
		to, t := f.Path, umpire.Trait(0)
		switch f.Verb {
		case patch.Delete:
			continue
		case patch.Add:
			t = umpire.Truncate
		case patch.Move:
			to = f.To
		}
		for i, p := range spellings(to, strip) {
			c.WriteFile(Lit(dir+p), t, texts[min(i, len(texts)-1)])
		}
	}
	if !whole {
		c.Op(umpire.Write, umpire.Hole, umpire.Unknown)
	}
}

// spellings returns the paths that a name in a patch may mean. Package patch removes git's a/ and
// b/ prefixes, which count as one folder of -p, and does not report it. So both paths count;
// otherwise x/.bashrc with -p1 would pass for a file in x. A negative strip removes all folders, as
// patch does without -p.
func spellings(name string, strip int) []string {
	out := []string{name}
	if strip < 0 {
		strip = strings.Count(name, "/")
	}
	for n, rest := 1, name; n <= strip; n++ {
		_, after, ok := strings.Cut(rest, "/")
		if rest = strings.TrimLeft(after, "/"); !ok || rest == "" {
			break
		}
		if n >= strip-1 {
			out = append(out, rest)
		}
	}
	return out
}
