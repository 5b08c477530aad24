package powershell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

func atoi(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// ReadCmd runs the text of a batch file or of cmd /c.
func ReadCmd(text string, h Host) {
	c := &batch{h: h, vars: map[string]string{}, work: &budget{h: h}}
	if len(text) > maxText {
		text = text[:maxText]
		c.work.exceeded()
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "^\n", ""), "\n") {
		c.line(strings.TrimSpace(line), 0)
	}
}

type batch struct {
	h    Host
	vars map[string]string
	work *budget
}

// line runs commands joined by &, &&, || and |, and returns what the last one prints.
func (c *batch) line(s string, depth int) (out command.Stream) {
	if depth > maxDepth {
		c.work.exhausted()
	}
	if !c.work.step() {
		return out
	}
	in := command.Stream{}
	for s != "" {
		cmd, op, rest := cutCmd(s)
		out = c.simple(strings.TrimSpace(cmd), in, depth)
		in = command.Stream{}
		if op == "|" {
			in = out
			in.Pipe = true
		}
		s = strings.TrimSpace(rest)
	}
	return out
}

// cutCmd cuts a line at the first operator outside quotes and parentheses.
func cutCmd(s string) (cmd, op, rest string) {
	depth, quote := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '^' && !quote:
			i++
		case c == '"':
			quote = !quote
		case quote:
		case c == '(':
			depth++
		case c == ')':
			depth = max(0, depth-1)
		case depth > 0:
		case c == '&' && i > 0 && s[i-1] == '>': // 2>&1
		case c == '&' || c == '|':
			n := 1
			if i+1 < len(s) && s[i+1] == c {
				n = 2
			}
			return s[:i], s[i : i+n], s[i+n:]
		}
	}
	return s, "", ""
}

// expand replaces %NAME%, !NAME! and %NAME:~a,b% and %NAME:x=y%.
func (c *batch) expand(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		ch := s[i]
		if ch != '%' && ch != '!' {
			b.WriteByte(ch)
			continue
		}
		j := strings.IndexByte(s[i+1:], ch)
		if j <= 0 || strings.ContainsAny(s[i+1:i+1+j], " \"&|") && !strings.Contains(s[i+1:i+1+j], ":") {
			b.WriteByte(ch)
			continue
		}
		name, mod, _ := strings.Cut(s[i+1:i+1+j], ":")
		b.WriteString(modify(c.get(name), mod))
		i += j + 1
		if b.Len() > maxWord {
			return umpire.Hole
		}
	}
	return b.String()
}

func (c *batch) get(name string) string {
	n := strings.ToLower(name)
	if v, ok := c.vars[n]; ok {
		return v
	}
	r := &reader{h: c.h}
	return r.env(n).word().Text
}

// modify applies the modifier of a variable: ~a,b takes a part of the value, and x=y replaces text.
func modify(v, mod string) string {
	switch {
	case mod == "" || strings.Contains(v, umpire.Hole):
		return v
	case strings.HasPrefix(mod, "~"):
		a, b, two := strings.Cut(mod[1:], ",")
		from, ok := atoi(a)
		if !ok {
			return umpire.Hole
		}
		if from < 0 {
			from += len(v)
		}
		from = min(max(from, 0), len(v))
		to := len(v)
		if two {
			n, ok := atoi(b)
			if !ok {
				return umpire.Hole
			}
			if n < 0 {
				to = len(v) + n
			} else {
				to = from + n
			}
		}
		return v[from:max(min(to, len(v)), from)]
	default:
		x, y, ok := strings.Cut(mod, "=")
		if strings.HasPrefix(x, "*") { // %NAME:*x=y% replaces everything up to x
			return umpire.Hole
		}
		if ok && x != "" {
			if text, ok := replace(v, x, y, true); ok {
				return text
			}
		}
	}
	return umpire.Hole
}

// simple runs one command of cmd.exe, without pipes and &. Its built-in commands come first: they
// start no program, and their words have no option syntax.
func (c *batch) simple(s string, in command.Stream, depth int) command.Stream {
	s = strings.TrimLeft(s, "@ \t;,=")
	if strings.HasPrefix(s, "(") {
		if i := strings.LastIndexByte(s, ')'); i > 0 {
			c.line(s[1:i], depth+1)
			return command.Unseen(0)
		}
		s = s[1:]
	}
	if s == "" || strings.HasPrefix(s, "::") || strings.HasPrefix(s, ":") {
		return command.Text("")
	}
	word := s
	if i := strings.IndexAny(s, " \t/("); i > 0 {
		word = s[:i]
	}
	rest := strings.TrimSpace(s[min(len(word), len(s)):])
	switch strings.ToLower(word) {
	case "rem":
		return command.Text("")
	case "set":
		return c.set(rest)
	case "call":
		return c.simple(rest, in, depth+1)
	case "if":
		return c.after(rest, depth)
	case "else":
		c.line(rest, depth+1)
		return command.Unseen(0)
	case "for":
		if head, body, ok := cutFold(rest, " do "); ok {
			c.loop(head, body, depth+1)
		}
		return command.Unseen(0)
	case "echo", "echo.":
		text, outs := c.redirect(c.expand(rest))
		out := command.Text(unescape(strings.TrimSpace(text)) + "\n")
		write(c.h, outs, out)
		return out
	case "start":
		word, rest = "", started(rest)
	}
	// rd/s/q and cd\ have no space after the name of the command.
	ws, outs := c.words(strings.TrimSpace(word + " " + rest))
	out := c.run(ws, in)
	write(c.h, outs, out)
	return out
}

// loop runs the body of a for once, with what its head names in place of the variable: a set of
// files, all files of a tree, or the output of a command.
func (c *batch) loop(head, body string, depth int) {
	before, set, _ := strings.Cut(head, "(")
	if set, _, ok := strings.Cut(set, ")"); ok {
		options, name, _ := strings.Cut(before, "%")
		set = strings.TrimSpace(set)
		switch opts := strings.Fields(strings.ToLower(options)); {
		case strings.HasPrefix(set, "'"): // for /f ('command')
			out := c.line(strings.Trim(set, "'"), depth)
			if set = umpire.Hole; out.Lists() {
				set = strings.Join(strings.Fields(out.Text), " ")
			}
		case len(opts) > 0 && opts[0] == "/r":
			dir := "."
			if len(opts) > 1 {
				dir = strings.Trim(strings.TrimSpace(options)[len("/r"):], ` "`)
			}
			set = strings.TrimSpace(c.h.Run([]command.Word{command.Lit("get-childitem"), command.Lit(dir), command.Lit("-Recurse"), command.Lit("-Filter"), command.Lit(set)}, command.Stream{}).Text)
		}
		if name = strings.TrimLeft(name, "%"); name != "" {
			body = strings.ReplaceAll(strings.ReplaceAll(body, "%%"+name[:1], set), "%"+name[:1], set)
		}
	}
	c.line(body, depth)
}

// started returns the command line in the operands of start: what follows the title, which is
// the first text in quotes, and the options.
func started(s string) string {
	for titled := false; ; {
		s = strings.TrimLeft(s, " \t")
		field, rest := s, ""
		if i := fieldEnd(s); i < len(s) {
			field, rest = s[:i], s[i:]
		}
		switch {
		case strings.HasPrefix(s, `"`) && !titled:
			titled = true
		case strings.EqualFold(field, "/d"), strings.EqualFold(field, "/affinity"), strings.EqualFold(field, "/node"), strings.EqualFold(field, "/machine"):
			rest = strings.TrimLeft(rest, " \t")
			rest = rest[fieldEnd(rest):]
		case strings.HasPrefix(s, "/"):
		default:
			return s
		}
		s = rest
	}
}

// fieldEnd returns the index of the end of the first word of s.
func fieldEnd(s string) int {
	quote := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quote = !quote
		case !quote && (s[i] == ' ' || s[i] == '\t'):
			return i
		}
	}
	return len(s)
}

// indexFold returns the index of sub, which is ASCII, in s, ignoring case, or -1. Lower-casing s
// instead would change the length of text that is not valid UTF-8.
func indexFold(s, sub string) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}

// after runs the command of an if. The condition is unknown, so the command may run.
func (c *batch) after(s string, depth int) command.Stream {
	ws := strings.Fields(s)
	n := 0
	for n < len(ws) && (strings.EqualFold(ws[n], "not") || strings.EqualFold(ws[n], "/i")) {
		n++
	}
	if n >= len(ws) {
		return command.Text("")
	}
	switch {
	case anyof.Equal(strings.ToLower(ws[n]), "exist", "defined", "errorlevel"):
		n += 2
	case strings.Contains(ws[n], "=="):
		n++
	default:
		n += 3
	}
	if n < len(ws) {
		body := strings.Join(ws[n:], " ")
		if i := indexFold(body, ") else "); i > 0 {
			c.line(strings.TrimSpace(body[i+7:]), depth+1)
			body = body[:i+1]
		}
		c.line(body, depth+1)
	}
	return command.Unseen(0)
}

func (c *batch) set(s string) command.Stream {
	s = strings.TrimSpace(s)
	low := strings.ToLower(s)
	if strings.HasPrefix(low, "/a") || strings.HasPrefix(low, "/p") {
		if name, _, ok := strings.Cut(strings.TrimSpace(s[2:]), "="); ok {
			c.assign(strings.TrimSpace(name), umpire.Hole)
		}
		return command.Text("")
	}
	s = strings.Trim(s, `"`)
	name, v, ok := strings.Cut(s, "=")
	if !ok {
		return command.Unseen(command.FromEnv)
	}
	c.assign(name, unescape(c.expand(v)))
	return command.Text("")
}

// assign sets a variable. If there are too many variables, it sets existing ones only.
func (c *batch) assign(name, v string) {
	name = strings.ToLower(name)
	if _, had := c.vars[name]; had || len(c.vars) < maxVars {
		c.vars[name] = v
	} else {
		c.work.exceeded()
	}
}

// unescape removes the carets that escape.
func unescape(s string) string { return (&escape.Syntax{Mark: '^'}).Decode(s) }

// redirect removes the redirections from a line and returns them.
func (c *batch) redirect(s string) (string, []redirect) {
	var outs []redirect
	var b strings.Builder
	quote := false
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == '"':
			quote = !quote
			b.WriteByte(ch)
		case ch == '^' && !quote && i+1 < len(s):
			b.WriteString(s[i : i+2])
			i++
		case ch == '>' && !quote:
			add := i+1 < len(s) && s[i+1] == '>'
			if add {
				i++
			}
			fd := byte('1')
			if t := b.String(); t != "" && (t[len(t)-1] >= '0' && t[len(t)-1] <= '9') {
				fd = t[len(t)-1]
				b.Reset()
				b.WriteString(t[:len(t)-1])
			}
			rest := strings.TrimLeft(s[i+1:], " \t")
			skipped := len(s[i+1:]) - len(rest)
			end := 0
			q := false
			for end < len(rest) && (q || rest[end] != ' ' && rest[end] != '\t' && rest[end] != '>') {
				q = q != (rest[end] == '"')
				end++
			}
			file := strings.Trim(rest[:end], `"`)
			if fd == '1' && file != "" && !strings.HasPrefix(file, "&") && !strings.EqualFold(file, "nul") {
				outs = append(outs, redirect{command.Lit(file), add})
			}
			i += skipped + end
		case ch == '<' && !quote:
			b.WriteByte(' ')
		default:
			b.WriteByte(ch)
		}
	}
	return b.String(), outs
}

// words splits a command into words. Quotes group, carets escape, and switches need no space
// between them.
func (c *batch) words(s string) (ws []command.Word, outs []redirect) {
	s, outs = c.redirect(c.expand(s))
	var b strings.Builder
	in, quote := false, false
	flush := func() {
		if in {
			ws = append(ws, command.OfText(command.Word{Text: b.String(), Marks: command.Marks{Glob: strings.ContainsAny(b.String(), "*?")}}))
			b.Reset()
			in = false
		}
	}
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == '"':
			quote = !quote
			in = true
		case ch == '^' && !quote && i+1 < len(s):
			i++
			b.WriteByte(s[i])
			in = true
		case !quote && (ch == ' ' || ch == '\t' || ch == ',' || ch == ';' || ch == '\r'):
			flush()
		case !quote && ch == '/' && in && len(ws) > 0 && strings.HasPrefix(b.String(), "/"):
			flush()
			b.WriteByte(ch)
			in = true
		default:
			b.WriteByte(ch)
			in = true
		}
	}
	flush()
	return ws, outs
}

// run runs a command. Commands of cmd.exe are mapped to programs with equivalent descriptions.
func (c *batch) run(ws []command.Word, in command.Stream) command.Stream {
	if len(ws) == 0 {
		return command.Text("")
	}
	name := strings.ToLower(ws[0].Text)
	// cd\dir and del.file have no space after the name of the command.
	if anyof.HasPrefix(name, `cd\`, "cd..") {
		ws = append([]command.Word{command.Lit("cd"), ws[0].With(ws[0].Text[2:])}, ws[1:]...)
		name = "cd"
	}
	switch name {
	case "cd", "chdir", "pushd":
		for _, w := range ws[1:] {
			if !strings.EqualFold(w.Text, "/d") {
				return c.h.Run([]command.Word{command.Lit("set-location"), w}, in)
			}
		}
		return command.Text(".\n")
	case "rmdir":
		ws[0] = command.Lit("rd")
	case "erase":
		ws[0] = command.Lit("del")
	case "type":
		ws[0] = command.Lit("get-content")
	case "copy", "xcopy":
		return c.h.Run(withoutSwitches("copy-item", ws), in)
	case "move", "ren", "rename":
		return c.h.Run(withoutSwitches("move-item", ws), in)
	case "md", "mkdir":
		return command.Text("")
	case "dir":
		if i := slices.IndexFunc(ws, func(w command.Word) bool { return strings.EqualFold(w.Text, "/s") }); i > 0 {
			return c.h.Run(append(withoutSwitches("get-childitem", ws), command.Lit("-Recurse")), in)
		}
		return command.Unseen(0)
	case "ver", "vol", "cls", "pause", "title", "color", "prompt", "path", "exit", "goto", "setlocal", "endlocal", "verify", "shift", "date", "time":
		return command.Unseen(0)
	}
	return c.h.Run(ws, in)
}

// withoutSwitches returns the command line of a cmdlet for the files in that of a command.
func withoutSwitches(cmdlet string, ws []command.Word) []command.Word {
	files := slices.DeleteFunc(ws[1:], func(w command.Word) bool { return strings.HasPrefix(w.Text, "/") })
	return append([]command.Word{command.Lit(cmdlet)}, files...)
}
