package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// sedScripts returns the scripts on the command line, and the files.
func sedScripts(c *Call) (scripts, files []Word) {
	scripts, files = c.All("-e"), c.Operands
	if len(scripts) == 0 && !c.Has("-f") && len(files) > 0 {
		if files[0].Text == "" && c.Has("-i") && len(files) > 1 {
			files = files[1:] // BSD: -i takes a separate suffix
		}
		scripts, files = files[:1], files[1:]
	}
	return scripts, files
}

func doSed(c *Call) {
	scripts, files := sedScripts(c)
	names := len(scripts) == 1 && c.namesOnly()
	for _, w := range files {
		if names {
			c.readNames(w)
			continue
		}
		if c.Has("-i") && envFile(c, w) && !slices.ContainsFunc(scripts, func(s Word) bool { return !editsOnly(s) }) {
			c.readUnshown(w)
		} else {
			c.ReadFile(w)
		}
		if c.Has("-i") {
			if suffix, ok := c.Opt("-i"); ok && suffix.Text != "" && !strings.ContainsAny(suffix.Text, "*/") {
				name := w.With(w.Text + suffix.Text)
				c.WriteFile(name, umpire.Overwrite, Unseen(0))
				c.Copied(name, w)
			}
			if len(scripts) == 1 && (scripts[0].Text == "d" || scripts[0].Text == "1,$d") {
				c.WriteFile(w, umpire.Truncate, Text("")) // no line is left
				continue
			}
			c.WriteFile(w, 0, Unseen(0)) // the edit may fail, or not happen
		}
	}
	out := c.Stdin
	if len(files) > 0 {
		out = Unseen(c.Out.Taint)
		if s := c.File(files[0]); len(files) == 1 && s.Seen {
			out = s
		}
	}
	for _, w := range c.All("-f") {
		if s := c.File(w); s.Seen {
			scripts = append(scripts, Word{Text: s.Text, Taint: s.Taint})
		}
	}
	for _, w := range scripts {
		out = sedScript(c, w, out)
	}
	if len(files) == 0 && slices.ContainsFunc(scripts, func(w Word) bool { return !masks(w.Text) }) {
		out = c.keyed(out)
	}
	c.SetOut(out)
	if len(files) == 0 {
		if slices.ContainsFunc(scripts, func(w Word) bool { return picksSecret(w.Text) }) { // the script probably masks the secret
			c.Taints(Picked)
		}
		c.picked(slices.DeleteFunc(slices.Clone(scripts), func(w Word) bool { // keep scripts that print only matches
			return !strings.HasPrefix(w.Text, "/") || !(c.Has("-n") && strings.HasSuffix(w.Text, "p")) && !strings.HasSuffix(w.Text, "!d")
		})...)
	}
}

// editsOnly reports whether a script is one command that substitutes, deletes or adds. With -i, sed
// then shows nothing of the file.
func editsOnly(script Word) bool {
	text := script.Text
	if rest, ok := strings.CutPrefix(text, "/"); ok {
		_, text, _ = strings.Cut(rest, "/")
	}
	if len(text) < 1 || strings.Contains(text, "\n") {
		return false
	}
	switch text[0] {
	case 'd':
		return len(text) == 1
	case 'a', 'i', 'c':
		return script.Known()
	case 's': // an unknown part is a key or a path that the text gets
		part := strings.Split(text[1:], text[1:min(2, len(text))])
		return len(part) == 4 && strings.Trim(part[3], "gI0123456789") == ""
	}
	return false
}

// sedScript records the sed commands that run programs and access files, and applies plain
// substitutions to known text. It returns the output.
func sedScript(c *Call, w Word, in Stream) Stream {
	in.Seen = in.Seen && w.Known()
	text := w.Text
	for text != "" {
		command := strings.TrimLeft(text, " \t\n;{}")
		if text = sedAddress(command); text == "" {
			break
		}
		everywhere := text == command
		cmd := text[0]
		line, rest, _ := strings.Cut(text[1:], "\n")
		arg := w.With(strings.TrimSpace(line))
		text = text[1:]
		switch cmd {
		case 'e':
			if arg.Text != "" {
				c.Shell(arg, Run{Out: true})
			} else {
				c.Script("sh", in, Run{Via: "sed", Out: true})
			}
			in.Seen, text = false, rest
		case 'w', 'W':
			c.WriteFile(arg, umpire.Truncate, in)
			text = rest
		case 'r', 'R':
			c.ReadFile(arg)
			in.Seen, text = false, rest
		case 'a', 'i', 'c':
			for strings.HasSuffix(line, `\`) {
				line, rest, _ = strings.Cut(rest, "\n")
			}
			in.Seen, text = false, rest
		case '#', ':':
			text = rest
		case 'b', 't', 'T':
			in.Seen = false
			if i := strings.IndexAny(text, ";\n}"); i >= 0 {
				text = text[i:]
			} else {
				text = ""
			}
		case 's', 'y':
			in, text = sedSubstitute(c, w, in, cmd, text)
			in.Seen = in.Seen && everywhere && !c.Has("-z") // an address keeps the other lines as they are
		default:
			in.Seen = false
		}
	}
	return in
}

// sedAddress skips the address of a command, which selects lines, and returns the rest.
func sedAddress(s string) string {
	for s != "" {
		switch {
		case strings.IndexByte("0123456789$,!+~ \t", s[0]) >= 0:
			s = s[1:]
		case s[0] == '/', s[0] == '\\' && len(s) > 1:
			delim := s[0]
			if delim == '\\' {
				delim, s = s[1], s[1:]
			}
			_, s = sedPart(s[1:], delim, true)
			s = strings.TrimLeft(s, "IM")
		default:
			return s
		}
	}
	return s
}

// sedPart cuts s at the next delimiter that is not escaped and, if expr is true, not in a bracket
// expression.
func sedPart(s string, delim byte, expr bool) (part, rest string) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			if end := sedClass(s[i:]); expr && delim != '[' && end > 0 {
				i += end
			}
		case delim:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// sedClass returns the index of the end of the bracket expression that s begins with, or 0 if it
// has no end.
func sedClass(s string) int {
	i := 1
	if i < len(s) && s[i] == '^' {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for ; i < len(s); i++ {
		switch {
		case s[i] == ']':
			return i
		case s[i] == '[' && i+1 < len(s) && (s[i+1] == ':' || s[i+1] == '.' || s[i+1] == '='):
			n := strings.Index(s[i+2:], s[i+1:i+2]+"]")
			if n < 0 {
				return 0
			}
			i += n + 3
		case s[i] == '\n':
			return 0
		}
	}
	return 0
}

// sedSubstitute reads an s or y command after its letter. It returns the output, and the text after
// the command.
func sedSubstitute(c *Call, w Word, in Stream, cmd byte, text string) (Stream, string) {
	if text == "" {
		return in, ""
	}
	delim := text[0]
	from, text := sedPart(text[1:], delim, cmd == 's')
	to, text := sedPart(text, delim, false)
	if cmd == 'y' {
		in.Seen = false
		return in, text
	}
	global, eval, flags := false, false, text
	for text != "" && strings.IndexByte("0123456789gpiImMew", text[0]) >= 0 {
		switch text[0] {
		case 'g':
			global = true
		case 'e':
			eval = true
		case 'w':
			line, rest, _ := strings.Cut(text[1:], "\n")
			c.WriteFile(w.With(strings.TrimSpace(line)), umpire.Truncate, in)
			text = " " + rest
		}
		text = text[1:]
	}
	flags = flags[:len(flags)-len(text)]
	if in.Seen && from != "" && !strings.ContainsAny(from, `.*[]^$\+?(){}|`) && !strings.ContainsAny(to, `\&`) && strings.Trim(flags, "ge") == "" {
		n := 1
		if global {
			n = -1
		}
		var b strings.Builder
		for l := range strings.Lines(in.Text) {
			b.WriteString(strings.Replace(l, from, to, n))
		}
		in.Text = b.String()
	} else {
		in.Seen = false
	}
	if eval {
		if in.Seen {
			c.Shell(Word{Text: in.Text, Taint: in.Taint}, Run{Out: true})
		} else {
			c.Script("sh", Unseen(in.Taint), Run{Via: "sed", Out: true})
			// The replacement is known even if the line is not.
			c.Shell(w.With(to), Run{Out: true})
		}
	}
	return in, text
}

func doEditor(c *Call) {
	for _, o := range []string{"-c", "--eval"} {
		for _, w := range c.All(o) {
			c.Code("vim", w, Run{})
		}
	}
	if w, ok := c.Opt("-l"); ok && c.Program == "nvim" && !c.Inert() {
		c.RunFile("lua", w, Run{Out: true, Args: c.Operands})
		return
	}
	saves := false
	for _, w := range append(c.All("-c"), c.Operands...) {
		cmd, plus := strings.CutPrefix(w.Text, "+")
		saves = saves || (plus || len(c.All("-c")) > 0) && writes(cmd)
	}
	for _, w := range c.Operands {
		if saves && !strings.HasPrefix(w.Text, "+") {
			c.WriteFile(w, 0, Unseen(0))
		}
		if strings.HasPrefix(w.Text, "+") {
			if len(w.Text) > 1 && (w.Text[1] < '0' || w.Text[1] > '9') && w.Text[1] != '/' {
				c.Code("vim", w.With(w.Text[1:]), Run{})
			}
			continue
		}
		c.path(umpire.Read, w, 0)
	}
	if c.Stdin.Seen && (c.Program == "ed" || c.Program == "ex" || c.Has("-es") || c.Has("-s")) {
		c.Script("vim", c.Stdin, Run{Via: c.Program})
		for _, w := range c.Operands {
			if !strings.HasPrefix(w.Text, "+") {
				c.WriteFile(w, 0, Unseen(c.Stdin.Taint))
			}
		}
	}
}

// PlainSed reports whether a script has only commands that edit and print lines. sedScript reads
// other commands as well, but an odd script could mislead it.
func PlainSed(c *Call) bool {
	scripts, _ := sedScripts(c)
	return len(scripts) > 0 && !c.Has("-f") && !slices.ContainsFunc(scripts, func(w Word) bool { return !plainSedScript(w.Text) })
}

func plainSedScript(text string) bool {
	for {
		text = sedAddress(strings.TrimLeft(text, " \t\n;{}"))
		if text == "" {
			return true
		}
		cmd := text[0]
		text = text[1:]
		switch cmd {
		case 'p', 'P', 'd', 'D', 'q', 'Q', 'n', 'N', 'g', 'G', 'h', 'H', 'x', 'l', '=':
			text = strings.TrimLeft(text, "0123456789 \t")
		case 'b', 't', 'T', ':', '#':
			_, text, _ = strings.Cut(text, "\n")
		case 'a', 'i', 'c':
			for more := true; more; {
				var line string
				line, text, _ = strings.Cut(text, "\n")
				more = strings.HasSuffix(line, `\`)
			}
		case 's', 'y':
			if text == "" {
				return false
			}
			delim := text[0]
			if delim == '\\' || delim == '\n' {
				return false
			}
			_, text = sedPart(text[1:], delim, cmd == 's')
			_, text = sedPart(text, delim, false)
			if cmd == 's' {
				text = strings.TrimLeft(text, "0123456789gpiImM")
			}
		default:
			return false
		}
		if text != "" && !strings.ContainsRune(" \t\n;}", rune(text[0])) {
			return false
		}
	}
}

// masks reports whether a script of sed replaces unknown characters by others, as in s/./*/g: what it
// prints does not show them.
func masks(script string) bool {
	if len(script) < 2 || script[0] != 's' {
		return false
	}
	parts := strings.Split(script[2:], script[1:2])
	return len(parts) > 1 && strings.ContainsAny(parts[0], ".[") && !strings.ContainsAny(parts[1], `&\`)
}
