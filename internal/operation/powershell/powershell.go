package powershell

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// Bounds. An adversary may have written the text.
const (
	maxText  = 64 << 10
	maxDepth = 64
	maxSteps = 4000
	maxWord  = 64 << 10
	maxList  = 1024
	maxVars  = 1024
	maxTurns = 16 // turns of one loop
)

// Host receives the operations of a script.
type Host interface {
	Runner
	Files
	Network
	// Var returns the value of an environment variable. If the value is unknown, the word has the
	// taint that follows from the variable's name.
	Var(name string) (command.Word, bool)
	// SetVar sets an environment variable.
	SetVar(name string, w command.Word)
}

// Runner starts programs.
type Runner interface {
	// Run runs a program or cmdlet and returns its output.
	Run(args []command.Word, in command.Stream) command.Stream
	// Script runs text in a language: "powershell", "cmd" or "sh".
	Script(lang string, s command.Stream)
}

// Files receives redirections and the file methods of .NET.
type Files interface {
	Write(file command.Word, s command.Stream, appended bool)
	Read(file command.Word) command.Stream
	// Delete removes a file or tree.
	Delete(path command.Word, recursive bool)
}

// Network receives connections.
type Network interface {
	// Fetch gets a URL, or uploads data. sent is the taint of the data that it sends.
	Fetch(url command.Word, sent command.Taint, upload bool) command.Stream
	// Connect opens a socket. shell means that the peer gets a shell.
	Connect(host command.Word, shell bool)
}

// reader is the state of one script.
type reader struct {
	h       Host
	vars    map[string]value
	funcs   map[string]string
	aliases map[string]string
	depth   int
	work    *budget
	socket  bool // a socket is open, so evaluated text may come from its peer

	mayNotRun bool // the current statement depends on a condition
}

// budget limits the reading of one text. An adversary may reach a limit to hide the rest of the
// text, so the host gets unseen code.
type budget struct {
	h     Host
	steps int
	told  bool
	over  bool
}

// step counts one unit of work and reports whether the reading may continue.
func (b *budget) step() bool {
	if b.steps++; b.steps > maxSteps {
		b.exhausted()
	}
	return !b.over
}

// exhausted ends the reading.
func (b *budget) exhausted() {
	b.over = true
	b.exceeded()
}

// exceeded reports to the host that a part of the text is unread.
func (b *budget) exceeded() {
	if !b.told {
		b.told = true
		b.h.Script("powershell", command.Unseen(0))
	}
}

// Read reads PowerShell text, reports its operations to h, and returns what it prints. It runs
// nothing.
func Read(text string, h Host) command.Stream {
	r := &reader{h: h, vars: map[string]value{}, funcs: map[string]string{}, aliases: map[string]string{}, work: &budget{h: h}}
	return r.script(text, command.Stream{})
}

// Marked reports whether a text has a form that PowerShell has and a shell of Unix does not: the name
// of a cmdlet, or a variable of the environment.
func Marked(text string) bool {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n(){};|&='\"", r) }) {
		if wording.CmdletName(w) || len(w) > 5 && strings.EqualFold(w[:5], "$env:") {
			return true
		}
	}
	return false
}

func (r *reader) enter() bool {
	if r.depth >= maxDepth {
		r.work.exhausted()
	}
	if !r.work.step() {
		return false
	}
	r.depth++
	return true
}

// script reads statements and returns their output.
func (r *reader) script(text string, in command.Stream) (out command.Stream) {
	if !r.enter() {
		return command.Unseen(0)
	}
	defer func() { r.depth-- }()
	if len(text) > maxText {
		text = text[:maxText]
		r.work.exceeded()
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

func (r *reader) statement(s string, in command.Stream) command.Stream {
	s = dropComments(s)
	if s == "" {
		return command.Text("")
	}
	if !r.work.step() {
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
			name, params, named := strings.Cut(strings.TrimSpace(rest[:i]), "(")
			body := inner(rest[i:closing(rest, i)])
			if named { // function f($x) { ... } is the same as a function that begins with param($x)
				body = "param(" + params + "\n" + body
			}
			r.funcs[strings.ToLower(strings.TrimSpace(name))] = body
		}
		return command.Text("")
	case "if", "elseif", "else", "while", "for", "foreach", "do", "switch", "try", "catch", "finally", "trap", "begin", "process", "end", "until":
		return r.groups(s[len(word):], strings.ToLower(word), in)
	case "class": // the program may call its methods
		return r.groups(s[len(word):], "switch", in)
	case "param": // the names of the parameters, and statements after them
		return r.params(s[len(word):], in)
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
		if old, had := r.vars[plainName(name)]; had && op == "=" && r.mayNotRun && old.word().Text != "" && !slices.Equal(old.list, v.list) {
			v = hole(old.taint() | v.taint()) // it may be either value
		}
		r.set(name, v)
		return command.Text("")
	}
	return r.pipeline(s, in)
}

// groups reads the parts of a control statement: its conditions, then its blocks, each once. The
// blocks of a switch are inside one block, each after its pattern.
func (r *reader) groups(s, word string, in command.Stream) command.Stream {
	defer func(was bool) { r.mayNotRun = was }(r.mayNotRun)
	if anyof.Equal(word, "if", "elseif", "else", "while", "switch", "try", "catch", "trap", "class") {
		r.mayNotRun = true
	}
	out := command.Text("")
	for i := 0; i < len(s); {
		switch s[i] {
		case '(':
			j := closing(s, i)
			body := inner(s[i:j])
			if name, list, ok := cutFold(body, " in "); word == "foreach" && ok {
				v := r.value(strings.TrimSpace(list), in)
				if len(v.list) != 1 {
					// One turn stands for all. If the list is short, each of its words gets a turn.
					for _, w := range v.list[:min(len(v.list), maxTurns)] {
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
			if word == "switch" {
				out = join(out, r.groups(inner(s[i:j]), "", in))
			} else {
				out = join(out, r.script(inner(s[i:j]), in))
			}
			i = j
		default:
			i = skip(s, i)
		}
	}
	return out
}

// params binds the names in param(...) to the arguments of the block or function, and runs the
// statements after it on the same line.
func (r *reader) params(s string, in command.Stream) command.Stream {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "(") {
		return command.Text("")
	}
	end := closing(s, 0)
	given := r.vars["args"].list
	for i, p := range split(inner(s[:end]), ",", true) {
		if at := strings.IndexByte(p, '$'); at >= 0 && i < len(given) {
			name, _, _ := strings.Cut(strings.TrimSpace(p[at:]), "=")
			r.set(strings.TrimSpace(name), one(given[i]))
		}
	}
	return r.statement(strings.TrimSpace(s[end:]), in)
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
			if !strings.HasPrefix(strings.TrimSpace(p.s[p.i:]), ">") {
				out = p.left(v).stream()
			}
			if rest := strings.TrimSpace(p.s[p.i:]); strings.HasPrefix(rest, ">") {
				if strings.EqualFold(strings.TrimSpace(p.s[:p.i]), "$null") {
					out = command.Text("")
				}
				f := strings.TrimLeft(rest, ">")
				r.h.Write(r.argument(strings.TrimSpace(f), in), out, strings.HasPrefix(rest, ">>"))
			}
		} else if strings.HasPrefix(strings.ToLower(e), "new-object ") {
			out = r.newObject(e, out).stream()
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
	var redirects []redirect
	call := false
	for p.space(); p.i < len(p.s); p.space() {
		c := p.s[p.i]
		switch {
		case c == '#' || strings.HasPrefix(p.s[p.i:], "<#"):
			p.i = skip(p.s, p.i)
			continue
		case name.Text == "" && (c == '&' || c == '.' && p.i+1 < len(p.s) && (p.s[p.i+1] == ' ' || p.s[p.i+1] == '{' || p.s[p.i+1] == '(' || p.s[p.i+1] == '"' || p.s[p.i+1] == '\'' || p.s[p.i+1] == '$')):
			p.i++
			call = true
			continue
		case c == '>' || (c >= '1' && c <= '6' || c == '*') && p.i+1 < len(p.s) && p.s[p.i+1] == '>':
			if d, ok := p.redirect(c); ok {
				redirects = append(redirects, d)
			}
			continue
		}
		before := p.i
		p.naming = name.Text == "" && !call
		var ws []command.Word
		var block string
		if call && name.Text == "" && c == '(' { // & ([scriptblock]::Create($text))
			v := p.postfix(p.primary(), true)
			if ws = v.list; v.typ == "scriptblock" {
				ws, block = nil, v.block
				if w := v.word(); !w.Known() {
					return r.evaluate(command.Unseen(w.Taint))
				}
			}
		} else {
			ws, block = p.argument()
		}
		if v := r.get(p.s[before:p.i]); call && c == '$' && v.typ == "scriptblock" { // & $f
			ws, block = nil, v.block
		}
		p.naming = false
		if p.i == before {
			p.i++ // always advance, or the loop never ends
			continue
		}
		switch {
		case block != "":
			blocks = append(blocks, block)
		case name.Text == "" && len(ws) > 0 && !(call && len(blocks) > 0): // & { ... } argument
			name = ws[0]
			args = append(args, ws[1:]...)
		default:
			args = append(args, ws...)
		}
		if len(args) > maxList {
			r.work.exceeded()
			break
		}
	}
	out := r.run(name, args, blocks, in)
	for _, d := range redirects {
		r.h.Write(d.file, out, d.append)
		out = command.Text("")
	}
	return out
}

// redirect is a file that a command's output goes to.
type redirect struct {
	file   command.Word
	append bool
}

func write(h Host, to []redirect, out command.Stream) {
	for _, d := range to {
		h.Write(d.file, out, d.append)
	}
}

// redirect reads a redirection, of the stream c if that is a digit or *. ok is false if the output
// goes elsewhere.
func (p *parser) redirect(c byte) (d redirect, ok bool) {
	if c != '>' {
		p.i++
	}
	add := strings.HasPrefix(p.s[p.i:], ">>")
	for p.i < len(p.s) && p.s[p.i] == '>' {
		p.i++
	}
	if p.i < len(p.s) && p.s[p.i] == '&' {
		p.i += min(2, len(p.s)-p.i)
		return redirect{}, false
	}
	p.space()
	ws, _ := p.argument()
	if len(ws) == 0 || c != '>' && c != '1' && c != '*' || ws[0].Text == "null" {
		return redirect{}, false
	}
	return redirect{ws[0], add}, true
}
