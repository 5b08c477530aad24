package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

func doCrontab(c *Call) {
	switch {
	case c.Has("-l"): // unknown jobs; those that the command line appends are known
		c.SetOut(Stream{Text: umpire.Hole + "\n", Seen: true, Taint: FromUnseen})
	case c.Has("-r"):
		sys(c, "job remove-all", umpire.Irreversible|umpire.Bulk)
	case c.Has("-e"):
		sys(c, "job edit", umpire.Persistence)
	default:
		w := c.Arg(0)
		s := c.Stdin
		if w.Text != "" && w.Text != "-" {
			c.ReadFile(w)
			s = c.File(w)
		} else if !s.Pipe {
			return
		}
		sys(c, "job install", umpire.Persistence)
		jobs(c, s)
	}
}

// jobs runs the commands in a crontab.
func jobs(c *Call, s Stream) {
	if !s.Seen {
		return
	}
	for line := range strings.SplitSeq(s.Text, "\n") {
		f := strings.Fields(line)
		n := 5
		if len(f) > 0 && strings.HasPrefix(f[0], "@") {
			n = 1
		}
		if len(f) > n && !strings.HasPrefix(f[0], "#") {
			c.Code("sh", Word{Text: strings.Join(f[n:], " "), Taint: s.Taint}, Run{Traits: umpire.Persistence})
		}
	}
}

// JobScripts returns the scripts in the configuration of a CI service, or in a part of it. A text
// without keys is a script itself.
func JobScripts(text string) (list []string) {
	var walk func(t *datafile.Value, script bool)
	walk = func(t *datafile.Value, script bool) {
		if script && t.Text != "" {
			list = append(list, t.Text)
		}
		for i, kid := range t.Kids {
			walk(kid, script && len(t.Keys) == 0 || len(t.Keys) > 0 && scriptKey(t.Keys[i]))
		}
	}
	root := datafile.YAML(text)
	if walk(root, false); len(list) == 0 && len(root.Keys)+len(root.Kids) == 0 { // a part of a script
		return []string{text}
	}
	return list
}

// scriptKey reports whether the text below a key is a script, in any CI service.
func scriptKey(key string) bool {
	return anyof.Equal(key, "run", "script", "before_script", "after_script", "command", "commands", "bash", "install", "before_install", "after_success")
}

func doAt(c *Call) {
	if c.Has("-l") || c.Has("-c") {
		return
	}
	if c.Has("-d") {
		doAtrm(c)
		return
	}
	s := c.Stdin
	if f, ok := c.Opt("-f"); ok {
		c.ReadFile(f)
		s = c.File(f)
	}
	sys(c, "job install", umpire.Persistence)
	if s.Pipe || s.Seen {
		c.Script("sh", s, Run{Via: "at", Traits: umpire.Persistence})
	}
}

func doAtrm(c *Call) { sys(c, "job remove", umpire.Mutate, c.Operands...) }
