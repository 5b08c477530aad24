package powershell

import (
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Bounds: the text is an attacker's.
const (
	maxText  = 64 << 10
	maxDepth = 16
	maxSteps = 4000
	maxWord  = 64 << 10
	maxList  = 1024
)

// Host runs what the text says.
type Host interface {
	// Run runs a program or cmdlet and tells what it prints.
	Run(args []command.Word, in command.Stream) command.Stream
	// Script runs text in a language: "powershell", "cmd", "sh".
	Script(lang string, s command.Stream)
	// Write and Read are redirections and the file methods of .NET.
	Write(file command.Word, s command.Stream, appended bool)
	Read(file command.Word) command.Stream
	// Delete removes a file or tree.
	Delete(path command.Word, recursive bool)
	// Fetch gets a URL; Connect opens a socket.
	Fetch(url command.Word, sent command.Taint, upload bool) command.Stream
	Connect(host command.Word, shell bool)
	Var(name string) (command.Word, bool)
	SetVar(name string, w command.Word)
}

// reader is one running script.
type reader struct {
	h       Host
	vars    map[string]value
	funcs   map[string]string
	aliases map[string]string
	depth   int
	steps   *int
	socket  bool // a socket was opened: what is evaluated then is a remote party's
}

// value is what an expression yields: a list of words, or an object of a .NET type.
type value struct {
	list  []command.Word
	typ   string // lower-case type of an object
	block string // text of a script block
	bare  bool   // nothing
}

// add appends to a list as far as lists may grow: doubling one takes few words.
func (v value) add(ws []command.Word) value {
	if len(v.list)+len(ws) > maxList {
		return hole(v.taint())
	}
	v.list = append(v.list[:len(v.list):len(v.list)], ws...)
	return v
}

func one(w command.Word) value { return value{list: []command.Word{w}} }

func str(s string) value { return one(command.Lit(s)) }

func hole(t command.Taint) value { return one(command.Word{Text: umpire.Hole, Taint: t}) }

// word joins a value as PowerShell does when a string is wanted.
func (v value) word() (w command.Word) {
	for i, x := range v.list {
		if i > 0 {
			w.Text += " "
		}
		w.Text += x.Text
		w.Taint |= x.Taint
	}
	if len(w.Text) > maxWord {
		return command.Word{Text: umpire.Hole, Taint: w.Taint}
	}
	return w
}

func (v value) taint() (t command.Taint) {
	for _, x := range v.list {
		t |= x.Taint
	}
	return t
}

// Read runs PowerShell text.
func Read(text string, h Host) {
	n := 0
	r := &reader{h: h, vars: map[string]value{}, funcs: map[string]string{}, aliases: map[string]string{}, steps: &n}
	r.script(text, command.Stream{})
}

func (r *reader) enter() bool {
	*r.steps++
	if r.depth >= maxDepth || *r.steps > maxSteps {
		return false
	}
	r.depth++
	return true
}

// script runs statements and tells what they print.
func (r *reader) script(text string, in command.Stream) (out command.Stream) {
	if !r.enter() {
		return command.Unseen(0)
	}
	defer func() { r.depth-- }()
	if len(text) > maxText {
		text = text[:maxText]
	}
	out = command.Text("")
	for _, s := range split(text, ";\n\r", true) {
		o := r.statement(strings.TrimSpace(s), in)
		out = join(out, o)
	}
	return out
}

func join(a, b command.Stream) command.Stream {
	if a.Seen && b.Seen {
		return command.Stream{Text: a.Text + b.Text, Seen: true, Taint: a.Taint | b.Taint, Pipe: true}
	}
	return command.Unseen(a.Taint | b.Taint)
}

// skip passes over one unit of text: a quoted string, here-string, bracket, comment or
// escaped character; it returns where the next begins.
func skip(s string, i int) int {
	switch c := s[i]; c {
	case '`':
		return min(i+2, len(s))
	case '#':
		if i == 0 || strings.IndexByte(" \t\n;({|", s[i-1]) >= 0 {
			if j := strings.IndexByte(s[i:], '\n'); j >= 0 {
				return i + j
			}
			return len(s)
		}
	case '<':
		if strings.HasPrefix(s[i:], "<#") {
			if j := strings.Index(s[i:], "#>"); j >= 0 {
				return i + j + 2
			}
			return len(s)
		}
	case '@':
		if i+1 < len(s) && (s[i+1] == '\'' || s[i+1] == '"') {
			if j := strings.Index(s[i:], "\n"+s[i+1:i+2]+"@"); j >= 0 {
				return i + j + 3
			}
		}
	case '\'', '"':
		for j := i + 1; j < len(s); j++ {
			switch {
			case s[j] == '`' && c == '"':
				j++
			case s[j] == c:
				if j+1 < len(s) && s[j+1] == c {
					j++
					continue
				}
				return j + 1
			}
		}
		return len(s)
	case '(', '{', '[':
		return closing(s, i)
	}
	return i + 1
}

// closing finds the end of a bracket; nesting beyond reason ends the text.
func closing(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '(', '{', '[':
			depth++
			i++
			continue
		case ')', '}', ']':
			depth--
			i++
			if depth <= 0 {
				return i
			}
			continue
		}
		i = skip(s, i)
	}
	return len(s)
}

// split cuts text at characters that stand outside quotes and brackets. For statements
// && and || separate, too, and a line goes on after a pipe.
func split(s, at string, statements bool) (parts []string) {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case statements && (strings.HasPrefix(s[i:], "&&") || strings.HasPrefix(s[i:], "||")):
			parts = append(parts, s[start:i])
			i += 2
			start = i
		case strings.IndexByte(at, c) >= 0:
			if statements && c == '\n' {
				if strings.HasSuffix(strings.TrimRight(s[start:i], " \t\r"), "|") {
					i++
					continue
				}
				rest := strings.TrimLeft(s[i:], " \t\r\n")
				if strings.HasPrefix(rest, "|") && !strings.HasPrefix(rest, "||") || keywordGoesOn(rest) {
					i++
					continue
				}
			}
			parts = append(parts, s[start:i])
			i++
			start = i
		default:
			i = skip(s, i)
		}
	}
	return append(parts, s[start:])
}

func keywordGoesOn(s string) bool {
	for _, k := range []string{"else", "catch", "finally", "while(", "until(", "{"} {
		if len(s) >= len(k) && strings.EqualFold(s[:len(k)], k) {
			return true
		}
	}
	return false
}

// statement runs one statement.
func (r *reader) statement(s string, in command.Stream) command.Stream {
	s = dropComments(s)
	if s == "" {
		return command.Text("")
	}
	*r.steps++
	if *r.steps > maxSteps {
		return command.Unseen(0)
	}
	word := s
	if i := strings.IndexAny(s, " \t\n({"); i > 0 {
		word = s[:i]
	}
	switch strings.ToLower(word) {
	case "function", "filter":
		rest := strings.TrimSpace(s[len(word):])
		if i := strings.IndexByte(rest, '{'); i > 0 {
			name, _, _ := strings.Cut(strings.TrimSpace(rest[:i]), "(")
			r.funcs[strings.ToLower(strings.TrimSpace(name))] = inner(rest[i:closing(rest, i)])
		}
		return command.Text("")
	case "if", "elseif", "else", "while", "for", "foreach", "do", "switch", "try", "catch", "finally", "trap", "begin", "process", "end", "param", "until":
		return r.groups(s[len(word):], strings.EqualFold(word, "foreach"), in)
	case "return", "throw", "exit":
		return r.statement(strings.TrimSpace(s[len(word):]), in)
	}
	if name, op, rest, ok := assignment(s); ok {
		v := r.value(rest, in)
		if op == "+=" {
			old := r.get(name)
			if len(old.list) == 1 && len(v.list) == 1 && len(old.list[0].Text)+len(v.list[0].Text) <= maxWord {
				v = one(command.Word{Text: old.list[0].Text + v.list[0].Text, Taint: old.taint() | v.taint()})
			} else {
				v = old.add(v.list)
			}
		}
		r.set(name, v)
		return command.Text("")
	}
	return r.pipeline(s, in)
}

// dropComments takes comments off the front.
func dropComments(s string) string {
	for {
		s = strings.TrimSpace(s)
		switch {
		case strings.HasPrefix(s, "<#"):
			_, rest, ok := strings.Cut(s, "#>")
			if !ok {
				return ""
			}
			s = rest
		case strings.HasPrefix(s, "#"):
			_, rest, ok := strings.Cut(s, "\n")
			if !ok {
				return ""
			}
			s = rest
		default:
			return s
		}
	}
}

// groups runs what a control statement holds: its conditions, then its blocks, each once.
func (r *reader) groups(s string, loop bool, in command.Stream) command.Stream {
	out := command.Text("")
	for i := 0; i < len(s); {
		switch s[i] {
		case '(':
			j := closing(s, i)
			body := inner(s[i:j])
			if name, list, ok := cutFold(body, " in "); loop && ok {
				v := r.value(strings.TrimSpace(list), in)
				if len(v.list) != 1 {
					// One turn stands for all: the words of the list, one by one, if few.
					for _, w := range v.list[:min(len(v.list), 16)] {
						r.set(strings.TrimSpace(name), one(w))
						if k := strings.IndexByte(s[j:], '{'); k >= 0 {
							out = join(out, r.script(inner(s[j+k:closing(s, j+k)]), in))
						}
					}
				}
				r.set(strings.TrimSpace(name), v)
			} else {
				for _, part := range split(body, ";", true) {
					r.statement(strings.TrimSpace(part), in)
				}
			}
			i = j
		case '{':
			j := closing(s, i)
			out = join(out, r.script(inner(s[i:j]), in))
			i = j
		default:
			i = skip(s, i)
		}
	}
	return out
}

func cutFold(s, sep string) (a, b string, ok bool) {
	i := indexFold(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// inner takes the brackets off.
func inner(s string) string {
	if len(s) < 2 {
		return ""
	}
	return s[1 : len(s)-1]
}

// assignment reads $name = ..., also with a type in front or a scope.
func assignment(s string) (name, op, rest string, ok bool) {
	t := s
	for strings.HasPrefix(t, "[") {
		j := closing(t, 0)
		t = strings.TrimSpace(t[j:])
	}
	if !strings.HasPrefix(t, "$") {
		return
	}
	i := 1
	if strings.HasPrefix(t, "${") {
		i = closing(t, 1)
	} else {
		for i < len(t) && (nameByte(t[i]) || t[i] == ':' && !strings.HasPrefix(t[i:], "::")) {
			i++
		}
	}
	name = t[:i]
	after := strings.TrimLeft(t[i:], " \t")
	for _, o := range []string{"+=", "="} {
		if strings.HasPrefix(after, o) && !strings.HasPrefix(after, "==") {
			return name, o, strings.TrimSpace(after[len(o):]), true
		}
	}
	return "", "", "", false
}

func nameByte(c byte) bool {
	return c == '_' || c == '?' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func plainName(name string) string {
	name = strings.Trim(strings.TrimPrefix(strings.TrimPrefix(name, "$"), "@"), "{}")
	name = strings.ToLower(name)
	for _, scope := range []string{"global:", "script:", "local:", "private:", "variable:", "using:"} {
		name = strings.TrimPrefix(name, scope)
	}
	return name
}

func (r *reader) set(name string, v value) {
	n := plainName(name)
	if e, ok := strings.CutPrefix(n, "env:"); ok {
		r.h.SetVar(strings.ToUpper(e), v.word())
		return
	}
	if len(r.vars) < 1024 {
		r.vars[n] = v
	}
}

func (r *reader) get(name string) value {
	n := plainName(name)
	if e, ok := strings.CutPrefix(n, "env:"); ok {
		return r.env(e)
	}
	if v, ok := r.vars[n]; ok {
		return v
	}
	switch n {
	case "true", "false", "null":
		return str(n)
	case "home", "pshome", "pwd", "psscriptroot":
		if n == "home" {
			return str("~")
		}
		if n == "pshome" {
			return str(`C:\Windows\System32\WindowsPowerShell\v1.0`)
		}
		if n == "pwd" {
			return str(".")
		}
	case "shellid":
		return str("Microsoft.PowerShell")
	case "verbosepreference":
		return str("SilentlyContinue")
	}
	return hole(0)
}

// env tells an environment variable; those that every Windows has are known.
func (r *reader) env(name string) value {
	switch name {
	case "userprofile", "homepath", "home":
		return str("~")
	case "temp", "tmp":
		return str("/tmp")
	case "systemroot", "windir":
		return str(`C:\Windows`)
	case "systemdrive", "homedrive":
		return str("C:")
	case "programfiles":
		return str(`C:\Program Files`)
	case "programdata", "allusersprofile":
		return str(`C:\ProgramData`)
	case "appdata":
		return str("~/AppData/Roaming")
	case "localappdata":
		return str("~/AppData/Local")
	case "comspec":
		return str(`C:\WINDOWS\system32\cmd.exe`)
	case "public":
		return str(`C:\Users\Public`)
	}
	if w, ok := r.h.Var(strings.ToUpper(name)); ok {
		return one(w)
	}
	if w, ok := r.h.Var(name); ok {
		return one(w)
	}
	return hole(0)
}

// value runs what stands to the right of an assignment or inside parentheses.
func (r *reader) value(s string, in command.Stream) value {
	s = strings.TrimSpace(s)
	if !r.enter() {
		return hole(0)
	}
	defer func() { r.depth-- }()
	if len(split(s, "|", false)) == 1 && expressionStart(s) {
		return r.expression(s, in)
	}
	if parts := split(s, ";\n", true); len(parts) > 1 {
		return fromStream(r.script(s, in))
	}
	w := strings.ToLower(s)
	if strings.HasPrefix(w, "new-object") {
		return r.newObject(s, in)
	}
	return fromStream(r.pipeline(s, in))
}

func fromStream(s command.Stream) value {
	if s.Seen {
		return one(command.Word{Text: strings.TrimRight(s.Text, "\r\n"), Taint: s.Taint})
	}
	return hole(s.Taint)
}

func (v value) stream() command.Stream {
	w := v.word()
	if !w.Known() {
		return command.Stream{Text: w.Text, Seen: w.Text != umpire.Hole, Taint: w.Taint, Pipe: true}
	}
	return command.Stream{Text: w.Text + "\n", Seen: true, Taint: w.Taint, Pipe: true}
}

// expressionStart reports whether a pipeline element is an expression, not a command.
func expressionStart(s string) bool {
	if s == "" {
		return false
	}
	switch c := s[0]; c {
	case '$', '(', '[', '\'', '"', '@', '{', '!':
		return true
	case '-', '+':
		return len(s) > 1 && (s[1] >= '0' && s[1] <= '9' || s[1] == '(' || s[1] == '$' || strings.HasPrefix(strings.ToLower(s), "-join") || strings.HasPrefix(strings.ToLower(s), "-not"))
	default:
		return c >= '0' && c <= '9'
	}
}

// pipeline runs elements joined by |.
func (r *reader) pipeline(s string, in command.Stream) command.Stream {
	out := in
	for _, e := range split(s, "|", false) {
		e = dropComments(e)
		if e == "" {
			continue
		}
		if !r.enter() {
			return command.Unseen(out.Taint)
		}
		if expressionStart(e) && e[0] != '{' {
			p := &parser{r: r, s: e, in: out}
			v := p.binary()
			out = v.stream()
			if rest := strings.TrimSpace(p.s[p.i:]); strings.HasPrefix(rest, ">") {
				f := strings.TrimLeft(rest, ">")
				r.h.Write(r.argument(strings.TrimSpace(f), in), out, strings.HasPrefix(rest, ">>"))
			}
		} else {
			out = r.command(e, out)
		}
		r.depth--
	}
	return out
}

func (r *reader) argument(s string, in command.Stream) command.Word {
	p := &parser{r: r, s: s, in: in}
	ws, _ := p.argument()
	if len(ws) == 0 {
		return command.Word{}
	}
	return ws[0]
}

// command runs a command with its arguments.
func (r *reader) command(s string, in command.Stream) command.Stream {
	p := &parser{r: r, s: s, in: in}
	var args []command.Word
	var blocks []string
	var name command.Word
	var redirects []struct {
		file   command.Word
		append bool
	}
	call := false
	for p.space(); p.i < len(p.s); p.space() {
		c := p.s[p.i]
		switch {
		case name.Text == "" && (c == '&' || c == '.' && p.i+1 < len(p.s) && (p.s[p.i+1] == ' ' || p.s[p.i+1] == '{' || p.s[p.i+1] == '(' || p.s[p.i+1] == '"' || p.s[p.i+1] == '\'' || p.s[p.i+1] == '$')):
			p.i++
			call = true
			continue
		case c == '>' || (c >= '1' && c <= '6' || c == '*') && p.i+1 < len(p.s) && p.s[p.i+1] == '>':
			stream := c
			if c != '>' {
				p.i++
			}
			add := strings.HasPrefix(p.s[p.i:], ">>")
			for p.i < len(p.s) && p.s[p.i] == '>' {
				p.i++
			}
			if p.i < len(p.s) && p.s[p.i] == '&' {
				p.i += min(2, len(p.s)-p.i)
				continue
			}
			p.space()
			ws, _ := p.argument()
			if len(ws) > 0 && (stream == '>' || stream == '1' || stream == '*') && ws[0].Text != "null" {
				redirects = append(redirects, struct {
					file   command.Word
					append bool
				}{ws[0], add})
			}
			continue
		}
		before := p.i
		p.naming = name.Text == "" && !call
		ws, block := p.argument()
		p.naming = false
		if p.i == before {
			p.i++ // never stand still, whatever the text
			continue
		}
		switch {
		case block != "":
			blocks = append(blocks, block)
		case name.Text == "" && len(ws) > 0:
			name = ws[0]
			args = append(args, ws[1:]...)
		default:
			args = append(args, ws...)
		}
		if len(args) > maxList {
			break
		}
	}
	out := r.run(name, args, blocks, call, in)
	for _, d := range redirects {
		r.h.Write(d.file, out, d.append)
		out = command.Text("")
	}
	return out
}

// run runs a command that is fully parsed.
func (r *reader) run(name command.Word, args []command.Word, blocks []string, call bool, in command.Stream) command.Stream {
	prog := strings.ToLower(name.Text)
	if a, ok := r.aliases[prog]; ok {
		prog = a
	}
	if full := alias(prog); full != "" {
		prog = full
	}
	if body, ok := r.funcs[prog]; ok {
		for i, a := range args {
			r.vars["args"] = value{list: append(r.vars["args"].list[:min(i, len(r.vars["args"].list)):min(i, len(r.vars["args"].list))], a)}
		}
		return r.script(body, in)
	}
	if name.Text == "" {
		out := command.Text("")
		for _, b := range blocks {
			out = join(out, r.script(b, in))
		}
		return out
	}
	// Script blocks run where they are given: in ForEach-Object, Invoke-Command, Start-Job.
	out := command.Stream{}
	for _, b := range blocks {
		old, had := r.vars["_"]
		r.vars["_"] = fromStream(in)
		out = join(command.Stream{Text: out.Text, Seen: out.Text != "" || !out.Pipe, Taint: out.Taint, Pipe: true}, r.script(b, in))
		if had {
			r.vars["_"] = old
		} else {
			delete(r.vars, "_")
		}
	}
	switch prog {
	case "foreach-object", "invoke-command", "measure-command", "start-job", "start-threadjob", "trace-command":
		if len(blocks) > 0 {
			return out
		}
	case "where-object", "select-object", "sort-object", "out-null", "out-string", "tee-object", "group-object", "measure-object", "format-table", "format-list", "out-default", "out-host", "convertto-json", "convertfrom-json", "select-string":
		if prog == "out-null" {
			return command.Text("")
		}
		if prog == "out-string" || prog == "out-default" || prog == "out-host" || prog == "where-object" {
			return in
		}
		if prog != "tee-object" {
			return command.Unseen(in.Taint)
		}
	case "invoke-expression":
		if ws := operands(args, "-command"); len(ws) > 0 {
			w := ws[0]
			r.h.Script("powershell", command.Stream{Text: w.Text, Seen: true, Taint: w.Taint | r.remote(), Pipe: true})
			if w.Text != umpire.Hole && w.Taint == 0 {
				return r.script(w.Text, in)
			}
			return command.Unseen(w.Taint)
		}
		in.Pipe = true
		in.Taint |= r.remote()
		r.h.Script("powershell", in)
		return command.Unseen(in.Taint)
	case "write-output", "write-host", "write-information":
		var w command.Word
		for i, a := range operands(args, "-object", "-inputobject", "-message") {
			if i > 0 {
				w.Text += " "
			}
			w.Text += a.Text
			w.Taint |= a.Taint
		}
		return command.Stream{Text: w.Text + "\n", Seen: true, Taint: w.Taint, Pipe: true}
	case "set-alias", "new-alias":
		if ws := operands(args, "-name", "-value"); len(ws) > 1 {
			r.aliases[strings.ToLower(ws[0].Text)] = strings.ToLower(ws[1].Text)
		}
		return command.Text("")
	case "set-variable", "new-variable":
		if ws := operands(args, "-name", "-value"); len(ws) > 1 {
			r.set("$"+ws[0].Text, one(ws[1]))
		}
		return command.Text("")
	case "get-variable":
		if ws := operands(args, "-name", "-valueonly"); len(ws) > 0 {
			return r.get("$" + ws[0].Text).stream()
		}
	case "new-object":
		return command.Unseen(0)
	case "start-process":
		if ws := r.process(args); len(ws) > 0 {
			return r.h.Run(ws, in)
		}
		return command.Text("")
	}
	return r.h.Run(append([]command.Word{{Text: keepPath(name.Text, prog), Taint: name.Taint}}, args...), in)
}

// keepPath uses the resolved name unless the command was given by a path.
func keepPath(given, resolved string) string {
	if strings.ContainsAny(given, `/\`) {
		return given
	}
	if strings.EqualFold(given, resolved) && !strings.Contains(resolved, "-") {
		return given
	}
	return resolved
}

func (r *reader) remote() command.Taint {
	if r.socket {
		return command.FromNetwork
	}
	return 0
}

// process is the command line that Start-Process starts.
func (r *reader) process(args []command.Word) (ws []command.Word) {
	var list []command.Word
	for i := 0; i < len(args); i++ {
		t := strings.ToLower(args[i].Text)
		switch {
		case !strings.HasPrefix(t, "-") && len(ws) == 0:
			ws = append(ws, args[i])
		case !strings.HasPrefix(t, "-"):
			list = append(list, split1(args[i])...)
		case strings.HasPrefix("-filepath", t) && i+1 < len(args):
			i++
			ws = append(ws, args[i])
		case (strings.HasPrefix("-argumentlist", t) || t == "-args") && len(t) > 1:
			for i+1 < len(args) && (!strings.HasPrefix(args[i+1].Text, "-") || !startProcessOption(args[i+1].Text)) {
				i++
				list = append(list, split1(args[i])...)
			}
		case t == "-verb", t == "-windowstyle", t == "-workingdirectory", t == "-w", t == "-redirectstandardoutput", t == "-redirectstandarderror", t == "-redirectstandardinput", t == "-credential":
			i++
		}
	}
	return append(ws, list...)
}

func startProcessOption(s string) bool {
	s = strings.ToLower(s)
	for _, o := range []string{"-verb", "-wait", "-nonewwindow", "-windowstyle", "-workingdirectory", "-passthru", "-credential", "-redirectstandardoutput", "-redirectstandarderror", "-redirectstandardinput"} {
		if s == o {
			return true
		}
	}
	return false
}

// split1 splits an argument list given as one string.
func split1(w command.Word) (ws []command.Word) {
	if !strings.ContainsAny(w.Text, " \t") || strings.ContainsAny(w.Text, "'\"`") {
		return []command.Word{w}
	}
	for f := range strings.FieldsSeq(w.Text) {
		ws = append(ws, w.With(f))
	}
	return ws
}

// operands drops parameter names; those named take the word after them as an operand.
func operands(args []command.Word, _ ...string) (ws []command.Word) {
	for _, a := range args {
		if len(a.Text) > 1 && a.Text[0] == '-' && (a.Text[1]|0x20 >= 'a' && a.Text[1]|0x20 <= 'z') && !strings.Contains(a.Text, " ") {
			continue
		}
		ws = append(ws, a)
	}
	return ws
}

// alias tells the cmdlet behind a built-in alias.
func alias(a string) string {
	switch a {
	case "rm", "del", "erase", "rd", "ri", "rmdir":
		return "remove-item"
	case "iex":
		return "invoke-expression"
	case "iwr":
		return "invoke-webrequest"
	case "irm":
		return "invoke-restmethod"
	case "%", "foreach":
		return "foreach-object"
	case "?", "where":
		return "where-object"
	case "cp", "copy", "cpi":
		return "copy-item"
	case "mv", "move", "mi":
		return "move-item"
	case "ren", "rni":
		return "rename-item"
	case "cat", "type", "gc":
		return "get-content"
	case "sc":
		return "set-content"
	case "ac":
		return "add-content"
	case "clc":
		return "clear-content"
	case "ni", "md", "mkdir":
		return "new-item"
	case "ls", "dir", "gci":
		return "get-childitem"
	case "cd", "sl", "chdir":
		return "set-location"
	case "pushd":
		return "push-location"
	case "echo", "write":
		return "write-output"
	case "icm":
		return "invoke-command"
	case "saps", "start":
		return "start-process"
	case "spps", "kill":
		return "stop-process"
	case "spsv":
		return "stop-service"
	case "sasv":
		return "start-service"
	case "sajb":
		return "start-job"
	case "rp":
		return "remove-itemproperty"
	case "sp":
		return "set-itemproperty"
	case "si":
		return "set-item"
	case "cli":
		return "clear-item"
	case "sal", "nal":
		return "set-alias"
	case "sv", "set":
		return "set-variable"
	case "gv":
		return "get-variable"
	case "tee":
		return "tee-object"
	case "select":
		return "select-object"
	case "sort":
		return "sort-object"
	case "measure":
		return "measure-object"
	case "gwmi", "gcim":
		return "get-wmiobject"
	case "iwmi":
		return "invoke-wmimethod"
	case "rwmi":
		return "remove-wmiobject"
	case "ipmo":
		return "import-module"
	case "gp":
		return "get-itemproperty"
	case "ii":
		return "invoke-item"
	case "sls":
		return "select-string"
	case "oh":
		return "out-host"
	}
	return ""
}

// parser reads expressions and arguments of one pipeline element.
type parser struct {
	r  *reader
	s  string
	i  int
	in command.Stream
	// naming is set while the name of a command is read: IEX(...) and %{...} need no
	// blank after it.
	naming bool
}

func (p *parser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\r', '\n':
			p.i++
		case '`':
			if p.i+1 < len(p.s) && (p.s[p.i+1] == '\n' || p.s[p.i+1] == '\r') {
				p.i += 2
				continue
			}
			return
		default:
			return
		}
	}
}

// argument reads one argument of a command: a bare word, strings, variables, a list with
// commas, or a script block.
func (p *parser) argument() (ws []command.Word, block string) {
	if p.i < len(p.s) && p.s[p.i] == '{' {
		j := closing(p.s, p.i)
		block = inner(p.s[p.i:j])
		p.i = j
		if block == "" {
			block = " "
		}
		return nil, block
	}
	for {
		ws = append(ws, p.bare()...)
		save := p.i
		p.space()
		if p.i < len(p.s) && p.s[p.i] == ',' {
			p.i++
			p.space()
			continue
		}
		p.i = save
		return ws, ""
	}
}

// bare reads one word in argument mode, made of parts that touch.
func (p *parser) bare() []command.Word {
	var b command.Word
	var list []command.Word
	parts := 0
	quoted := false
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ';' || c == '|' || c == ')' || c == '}':
			goto done
		case c == '>' && parts > 0, p.naming && parts > 0 && (c == '(' || c == '{'):
			goto done
		case c == '\'' || c == '"' || c == '@' && p.i+1 < len(p.s) && (p.s[p.i+1] == '\'' || p.s[p.i+1] == '"'):
			w := p.quoted()
			b.Text += w.Text
			b.Taint |= w.Taint
			quoted = true
		case c == '$' || c == '(' || c == '@' && p.i+1 < len(p.s) && (p.s[p.i+1] == '(' || nameByte(p.s[p.i+1])):
			if c == '@' && p.s[p.i+1] != '(' {
				p.s = p.s[:p.i] + "$" + p.s[p.i+1:] // splatting
			}
			v := p.postfix(p.primary(), parts == 0)
			if parts == 0 && (p.i >= len(p.s) || strings.IndexByte(" \t\n\r,;|)}", p.s[p.i]) >= 0) {
				return v.list
			}
			w := v.word()
			b.Text += w.Text
			b.Taint |= w.Taint
		case c == '`':
			if p.i+1 < len(p.s) {
				b.Text += p.s[p.i+1 : p.i+2]
			}
			p.i = min(p.i+2, len(p.s))
		case c == '{':
			j := closing(p.s, p.i)
			b.Text += p.s[p.i:j]
			p.i = j
		case c == ':' && parts > 0 && strings.HasPrefix(b.Text, "-") && !quoted && !strings.Contains(b.Text, ":"):
			// -Recurse:$true, -Path:x
			p.i++
			v := p.bare()
			w := value{list: v}.word()
			if strings.EqualFold(w.Text, "false") {
				return nil
			}
			if strings.EqualFold(w.Text, "true") {
				return []command.Word{b}
			}
			return append([]command.Word{b}, v...)
		default:
			b.Text += p.s[p.i : p.i+1]
			p.i++
		}
		parts++
		if len(b.Text) > maxWord {
			b.Text = umpire.Hole
		}
	}
done:
	if parts == 0 {
		return list
	}
	if strings.ContainsAny(b.Text, "*?[") && !quoted {
		b.Glob = true
	}
	return append(list, b)
}

// quoted reads a string of any form.
func (p *parser) quoted() command.Word {
	start := p.i
	end := skip(p.s, p.i)
	p.i = end
	raw := p.s[start:end]
	if strings.HasPrefix(raw, "@") {
		if len(raw) < 2 { // a here-string that does not end
			p.i = len(p.s)
			return command.Lit(umpire.Hole)
		}
		q := raw[1]
		body := strings.TrimSuffix(raw[2:], "\n"+raw[1:2]+"@")
		if i := strings.IndexByte(body, '\n'); i >= 0 {
			body = body[i+1:]
		}
		if q == '\'' {
			return command.Lit(body)
		}
		return p.r.interpolate(body, p.in)
	}
	q := raw[:1]
	body := strings.TrimPrefix(raw, q)
	body = strings.TrimSuffix(body, q)
	body = strings.ReplaceAll(body, q+q, q)
	if q == "'" {
		return command.Lit(body)
	}
	return p.r.interpolate(body, p.in)
}

// interpolate expands variables, sub-expressions and escapes in a double-quoted string.
func (r *reader) interpolate(s string, in command.Stream) (w command.Word) {
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '`' && i+1 < len(s):
			switch s[i+1] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'r':
				b.WriteByte('\r')
			case '0':
			default:
				b.WriteByte(s[i+1])
			}
			i += 2
		case c == '$' && i+1 < len(s) && s[i+1] == '(':
			j := closing(s, i+1)
			v := r.value(inner(s[i+1:j]), in).word()
			b.WriteString(v.Text)
			w.Taint |= v.Taint
			i = j
		case c == '$' && i+1 < len(s) && (s[i+1] == '{' || nameByte(s[i+1])):
			j := i + 1
			if s[j] == '{' {
				j = closing(s, j)
			} else {
				for j < len(s) && (nameByte(s[j]) || s[j] == ':' && j+1 < len(s) && nameByte(s[j+1]) && isScope(s[i+1:j])) {
					j++
				}
			}
			v := r.get(s[i:j]).word()
			b.WriteString(v.Text)
			w.Taint |= v.Taint
			i = j
		default:
			b.WriteByte(c)
			i++
		}
		if b.Len() > maxWord {
			return command.Word{Text: umpire.Hole, Taint: w.Taint}
		}
	}
	w.Text = b.String()
	return w
}

func isScope(s string) bool {
	switch strings.ToLower(s) {
	case "env", "global", "script", "local", "using", "variable", "private":
		return true
	}
	return false
}

// expression evaluates a whole expression.
func (r *reader) expression(s string, in command.Stream) value {
	p := &parser{r: r, s: s, in: in}
	return p.binary()
}

// binary evaluates operands and operators from left to right.
func (p *parser) binary() value {
	v := p.operand()
	for {
		p.space()
		if p.i >= len(p.s) {
			return v
		}
		*p.r.steps++
		if *p.r.steps > maxSteps {
			return hole(v.taint())
		}
		op := p.operator()
		switch op {
		case "":
			return v
		case ",":
			w := p.operand()
			v = v.add(w.list)
			continue
		}
		w := p.operand()
		if op == "-f" || op == "-replace" || op == "-split" || op == "-join" || op == "-creplace" || op == "-ireplace" {
			for p.space(); p.i < len(p.s) && p.s[p.i] == ','; p.space() {
				p.i++
				w = w.add(p.operand().list)
			}
		}
		v = apply(op, v, w)
	}
}

// operator reads the next operator, empty if there is none.
func (p *parser) operator() string {
	rest := p.s[p.i:]
	if rest[0] == '+' || rest[0] == ',' || rest[0] == '*' {
		p.i++
		return rest[:1]
	}
	if rest[0] == '-' && len(rest) > 1 {
		j := 1
		for j < len(rest) && rest[j]|0x20 >= 'a' && rest[j]|0x20 <= 'z' {
			j++
		}
		if j > 1 {
			p.i += j
			return strings.ToLower(rest[:j])
		}
		p.i++
		return "-"
	}
	return ""
}

func apply(op string, v, w value) value {
	t := v.taint() | w.taint()
	switch op {
	case "+":
		if len(v.list) == 1 && len(w.list) == 1 {
			if len(v.list[0].Text)+len(w.list[0].Text) > maxWord {
				return hole(t)
			}
			return one(command.Word{Text: v.list[0].Text + w.list[0].Text, Taint: t})
		}
		return value{list: v.list}.add(w.list)
	case "*":
		n, err := strconv.Atoi(w.word().Text)
		if err == nil && n >= 0 && n*len(v.word().Text) <= maxWord {
			return one(command.Word{Text: strings.Repeat(v.word().Text, n), Taint: t})
		}
	case "-f":
		out := v.word()
		out.Taint = t
		for i, x := range w.list {
			out.Text = strings.ReplaceAll(out.Text, "{"+strconv.Itoa(i)+"}", x.Text)
			if len(out.Text) > maxWord {
				return hole(t)
			}
		}
		return one(out)
	case "-join":
		sep := w.word().Text
		var parts []string
		for _, x := range v.list {
			parts = append(parts, x.Text)
		}
		return one(command.Word{Text: strings.Join(parts, sep), Taint: t})
	case "-replace", "-creplace", "-ireplace":
		if len(w.list) > 0 {
			to := ""
			if len(w.list) > 1 {
				to = w.list[1].Text
			}
			out := v.word()
			if len(w.list[0].Text) > 0 && len(out.Text) < 4096 && len(to) < 64 {
				out.Text = strings.ReplaceAll(out.Text, w.list[0].Text, to)
			}
			out.Taint = t
			return one(out)
		}
	case "-split":
		var list []command.Word
		if sep := w.word().Text; sep != "" {
			for x := range strings.SplitSeq(v.word().Text, sep) {
				list = append(list, command.Word{Text: x, Taint: t})
				if len(list) > maxList {
					return hole(t)
				}
			}
			return value{list: list}
		}
	case "-as", "-is":
		return v
	case "-eq", "-ne", "-gt", "-lt", "-like", "-match", "-and", "-or", "-notmatch", "-notlike", "-contains", "-in", "-ge", "-le":
		return hole(0)
	}
	return hole(t)
}

// operand evaluates one operand with what follows it: methods, properties, indexes.
func (p *parser) operand() value {
	p.space()
	if p.i >= len(p.s) {
		return value{bare: true}
	}
	low := strings.ToLower(p.s[p.i:])
	if strings.HasPrefix(low, "-join") {
		p.i += len("-join")
		return apply("-join", p.operand(), str(""))
	}
	if strings.HasPrefix(low, "-not") {
		p.i += len("-not")
		p.operand()
		return hole(0)
	}
	if p.s[p.i] == '!' || p.s[p.i] == '-' || p.s[p.i] == '+' {
		p.i++
		return p.operand()
	}
	return p.postfix(p.primary(), true)
}

func (p *parser) primary() value {
	if p.i >= len(p.s) || !p.r.enter() {
		p.i = len(p.s)
		return hole(0)
	}
	defer func() { p.r.depth-- }()
	switch c := p.s[p.i]; {
	case c == '\'' || c == '"' || c == '@' && p.i+1 < len(p.s) && (p.s[p.i+1] == '\'' || p.s[p.i+1] == '"'):
		return one(p.quoted())
	case c == '$' && p.i+1 < len(p.s) && p.s[p.i+1] == '(':
		p.i++
		fallthrough
	case c == '(':
		j := closing(p.s, p.i)
		body := inner(p.s[p.i:j])
		p.i = j
		return p.r.value(body, p.in)
	case c == '@' && p.i+1 < len(p.s) && p.s[p.i+1] == '(':
		j := closing(p.s, p.i+1)
		body := inner(p.s[p.i+1 : j])
		p.i = j
		return p.r.value(body, p.in)
	case c == '@':
		if p.i+1 < len(p.s) && p.s[p.i+1] == '{' {
			p.i = closing(p.s, p.i+1)
			return hole(0)
		}
		p.i++
		return hole(0)
	case c == '{':
		j := closing(p.s, p.i)
		v := value{block: inner(p.s[p.i:j]), list: []command.Word{command.Lit(inner(p.s[p.i:j]))}, typ: "scriptblock"}
		p.i = j
		return v
	case c == '$':
		j := p.i + 1
		if j < len(p.s) && p.s[j] == '{' {
			j = closing(p.s, j)
		} else {
			for j < len(p.s) && (nameByte(p.s[j]) || p.s[j] == ':' && isScope(p.s[p.i+1:j])) {
				j++
			}
		}
		if j == p.i+1 {
			j++
		}
		name := p.s[p.i:min(j, len(p.s))]
		p.i = min(j, len(p.s))
		if plainName(name) == "_" || plainName(name) == "input" || plainName(name) == "psitem" {
			if v, ok := p.r.vars["_"]; ok {
				return v
			}
			return fromStream(p.in)
		}
		return p.r.get(name)
	case c == '[':
		j := closing(p.s, p.i)
		typ := strings.ToLower(strings.TrimSpace(inner(p.s[p.i:j])))
		typ = strings.TrimPrefix(typ, "system.")
		p.i = j
		p.space()
		if strings.HasPrefix(p.s[p.i:], "::") {
			p.i += 2
			k := p.i
			for k < len(p.s) && nameByte(p.s[k]) {
				k++
			}
			member := strings.ToLower(p.s[p.i:k])
			p.i = k
			var args []value
			if k < len(p.s) && p.s[k] == '(' {
				args = p.args()
			}
			return p.r.static(typ, member, args, p.in)
		}
		return cast(typ, p.operand())
	default:
		j := p.i
		for j < len(p.s) && (nameByte(p.s[j]) || p.s[j] == '.' && j+1 < len(p.s) && p.s[j+1] >= '0' && p.s[j+1] <= '9') {
			j++
		}
		if j == p.i {
			p.i++
			return hole(0)
		}
		v := str(p.s[p.i:j])
		p.i = j
		return v
	}
}

// args reads the arguments of a method, from the opening parenthesis.
func (p *parser) args() (vs []value) {
	j := closing(p.s, p.i)
	body := inner(p.s[p.i:j])
	p.i = j
	if strings.TrimSpace(body) == "" {
		return nil
	}
	for _, part := range split(body, ",", false) {
		vs = append(vs, p.r.value(part, p.in))
		if len(vs) > 64 {
			break
		}
	}
	return vs
}

// postfix applies .Method(...), .Property, [index] and ::.
func (p *parser) postfix(v value, allowed bool) value {
	for allowed && p.i < len(p.s) {
		switch {
		case p.s[p.i] == '[':
			j := closing(p.s, p.i)
			idx, ok := span(inner(p.s[p.i:j]))
			if !ok {
				idx = p.r.expression(inner(p.s[p.i:j]), p.in)
			}
			p.i = j
			v = index(v, idx)
		case p.s[p.i] == '.' && p.i+1 < len(p.s) && (nameByte(p.s[p.i+1]) || p.s[p.i+1] == '\'' || p.s[p.i+1] == '"' || p.s[p.i+1] == '$' || p.s[p.i+1] == '('):
			p.i++
			var name string
			switch c := p.s[p.i]; {
			case c == '\'' || c == '"':
				name = p.quoted().Text
			case c == '$' || c == '(':
				name = p.primary().word().Text
			default:
				j := p.i
				for j < len(p.s) && nameByte(p.s[j]) {
					j++
				}
				name = p.s[p.i:j]
				p.i = j
			}
			if p.i < len(p.s) && p.s[p.i] == '(' {
				v = p.r.method(v, strings.ToLower(name), p.args(), p.in)
			} else {
				v = p.r.property(v, strings.ToLower(name))
			}
		default:
			return v
		}
		*p.r.steps++
		if *p.r.steps > maxSteps {
			return hole(v.taint())
		}
	}
	return v
}

// index takes elements of a list or characters of a string.
func index(v, idx value) value {
	var out value
	for _, x := range idx.list {
		n, err := strconv.Atoi(x.Text)
		if err != nil {
			return hole(v.taint())
		}
		if len(v.list) == 1 && !strings.Contains(v.list[0].Text, umpire.Hole) {
			rs := []rune(v.list[0].Text)
			if n < 0 {
				n += len(rs)
			}
			if n >= 0 && n < len(rs) {
				out.list = append(out.list, command.Word{Text: string(rs[n]), Taint: v.taint()})
			}
			continue
		}
		if n < 0 {
			n += len(v.list)
		}
		if n >= 0 && n < len(v.list) {
			out.list = append(out.list, v.list[n])
		}
	}
	return out
}

// span reads first..last, which may count down and from the end.
func span(s string) (v value, ok bool) {
	a, b, ok := strings.Cut(strings.TrimSpace(s), "..")
	from, err := strconv.Atoi(strings.TrimSpace(a))
	if !ok || err != nil {
		return v, false
	}
	b = strings.TrimSpace(b)
	to, err := strconv.Atoi(b)
	if err != nil {
		if from != -1 || !strings.HasPrefix(b, "-") {
			return v, false
		}
		to = -256 // [-1..-$s.Length] turns a string around
	}
	step := 1
	if to < from {
		step = -1
	}
	for i := from; len(v.list) < maxList; i += step {
		v.list = append(v.list, command.Lit(strconv.Itoa(i)))
		if i == to {
			break
		}
	}
	return v, true
}

// cast converts: [char]105, [char[]](...), [string]x, [int]'5', [scriptblock]...
func cast(typ string, v value) value {
	switch typ {
	case "char", "char[]":
		var out value
		for _, x := range v.list {
			n, err := strconv.ParseInt(strings.ToLower(x.Text), 0, 32)
			if err != nil {
				return v
			}
			out.list = append(out.list, command.Word{Text: string(rune(n)), Taint: x.Taint})
		}
		return out
	case "string", "int", "object", "array", "object[]", "string[]", "void", "uri", "int[]", "byte[]":
		return v
	}
	v.typ = typ
	return v
}
