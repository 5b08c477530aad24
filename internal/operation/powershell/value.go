package powershell

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// value is the result of an expression: a list of words, or an object of a .NET type.
type value struct {
	list  []command.Word
	typ   string         // lower-case type of an object
	block string         // text of a script block
	named []command.Word // entries of a hash table, as the parameters that @table passes to a command
}

// add appends to a list up to a limit, because a few words can double a list many times.
func (v value) add(ws []command.Word) value {
	if len(v.list)+len(ws) > maxList {
		return hole(v.taint())
	}
	v.list = append(v.list[:len(v.list):len(v.list)], ws...)
	return v
}

// without removes a taint from all words.
func (v value) without(t command.Taint) value {
	v.list = slices.Clone(v.list)
	for i := range v.list {
		v.list[i].Taint &^= t
	}
	return v
}

// parameter adds a parameter of a command to those that a hash table names.
func (v value) parameter(name string, arg value) value {
	if len(v.named)+len(arg.list) >= maxList || len(arg.list) == 1 && strings.EqualFold(arg.list[0].Text, "false") {
		return v
	}
	v.named = append(v.named, command.Lit("-"+name))
	if len(arg.list) != 1 || !strings.EqualFold(arg.list[0].Text, "true") {
		v.named = append(v.named, arg.list...)
	}
	return v
}

func one(w command.Word) value { return value{list: []command.Word{w}} }

func str(s string) value { return one(command.Lit(s)) }

func hole(t command.Taint) value { return one(command.Word{Text: umpire.Hole, Taint: t}) }

// word joins the words of a value, as PowerShell does where it needs a string.
func (v value) word() (w command.Word) {
	if len(v.list) == 1 && len(v.list[0].Text) <= maxWord {
		return v.list[0]
	}
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

func (v value) texts() []string {
	parts := make([]string, len(v.list))
	for i, x := range v.list {
		parts[i] = x.Listed()
	}
	return parts
}

func (v value) taint() (t command.Taint) {
	for _, x := range v.list {
		t |= x.Taint
	}
	return t
}

// assignment splits $name = ..., which may begin with a type or a scope.
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
	if _, had := r.vars[n]; had || len(r.vars) < maxVars {
		r.vars[n] = v
	} else {
		r.work.exceeded()
	}
}

// get returns the value of a variable, which may have a scope.
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
	case "home":
		return str("~")
	case "pshome":
		return str(`C:\Windows\System32\WindowsPowerShell\v1.0`)
	case "pwd":
		return str(".")
	case "profile":
		return str("~/Documents/PowerShell/Microsoft.PowerShell_profile.ps1")
	case "shellid":
		return str("Microsoft.PowerShell")
	case "verbosepreference":
		return str("SilentlyContinue")
	}
	return hole(0)
}

// env returns an environment variable. The variables of every Windows are known.
func (r *reader) env(name string) value {
	var t command.Taint
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
	for _, spelled := range []string{name, strings.ToUpper(name)} {
		w, ok := r.h.Var(spelled)
		if ok {
			return one(w)
		}
		t |= w.Taint
	}
	return hole(t)
}

// value evaluates the right side of an assignment, or the content of parentheses.
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
	switch word, _, _ := strings.Cut(strings.ReplaceAll(w, "(", " "), " "); word {
	case "switch", "foreach", "for", "while", "do", "try":
		return fromStream(r.statement(s, in))
	}
	if strings.HasPrefix(w, "new-object") {
		return r.newObject(s, in)
	}
	return fromStream(r.pipeline(s, in))
}

func fromStream(s command.Stream) value {
	if !s.Seen {
		return hole(s.Taint)
	}
	w := command.OfText(command.Word{Text: strings.TrimRight(s.Text, "\r\n"), Taint: s.Taint})
	w.Glob = w.Found && strings.ContainsAny(w.Text, "*?[")
	return one(w)
}

func (v value) stream() command.Stream {
	w := v.word()
	switch {
	case len(v.list) > 1 && w.Known(): // one per line
		w.Text = strings.Join(v.texts(), "\n")
	case len(v.list) == 1:
		w.Text = v.list[0].Listed()
	}
	if !w.Known() {
		return command.Stream{Text: w.Text, Seen: w.Text != umpire.Hole || w.Taint&command.FromKey != 0, Taint: w.Taint, Pipe: true}
	}
	return command.Stream{Text: w.Text + "\n", Seen: true, Taint: w.Taint, Pipe: true}
}
