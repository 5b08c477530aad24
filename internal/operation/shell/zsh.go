package shell

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"mvdan.cc/sh/v3/syntax"
)

// zshParam expands forms that only zsh has: ${(P)x} with its flags, ${${x}#y} with an expansion
// instead of a name, and ${:-x} without a name.
func (sh *shell) zshParam(p *syntax.ParamExp) command.Word {
	flags := ""
	if p.Flags != nil {
		flags = p.Flags.Value
	}
	var w command.Word
	set := p.Param != nil || p.NestedParam != nil
	list := []command.Word(nil)
	switch {
	case p.NestedParam != nil:
		w = sh.quoted([]syntax.WordPart{p.NestedParam})
	case p.Param == nil:
	case sh.vars[p.Param.Value].array && p.Index == nil:
		list = sh.elements(p.Param.Value)
		w = command.Join(list, " ")
	default:
		w, set = sh.lookup(p.Param.Value, p)
	}
	if strings.Contains(flags, "P") && set {
		sh.subscript(w.Text)
		w, set = sh.get(w.Text)
	}
	if sep, ok := flagText(flags, 'j'); ok {
		w = command.Join(list, sep)
	}
	unknown := !set && p.Param != nil && !sh.isUnset(p.Param.Value)
	operator := *p
	operator.Param = &syntax.Lit{Value: unnamed}
	w = sh.changedBy(&operator, w, set, unknown)
	if sep, ok := flagText(flags, 's'); ok && sep != "" {
		w.Text = strings.ReplaceAll(w.Text, sep, " ")
	}
	switch {
	case strings.Contains(flags, "e"):
		t := w.Taint
		w = sh.text(w.Text)
		w.Taint |= t
	case strings.Contains(flags, "L"):
		w.Text = strings.ToLower(w.Text)
	case strings.Contains(flags, "U"):
		w.Text = strings.ToUpper(w.Text)
	case strings.Contains(flags, "Q"):
		w.Text = strings.NewReplacer(`"`, "", "'", "", `\`, "").Replace(w.Text)
	case strings.ContainsAny(flags, "VqbtkvAc"):
		w.Text = umpire.Hole
	}
	return w
}

// unnamed stands for the missing name of an expansion. No variable has this name.
const unnamed = "\x00unnamed"

// flagText returns the argument of a flag, between two equal characters: (s.:.).
func flagText(flags string, flag byte) (string, bool) {
	i := strings.IndexByte(flags, flag)
	if i < 0 || i+1 >= len(flags) {
		return "", false
	}
	text, _, ok := strings.Cut(flags[i+2:], flags[i+1:i+2])
	return text, ok
}

// calledByZsh reports whether zsh calls a function of that name by itself.
func calledByZsh(name string) bool {
	return anyof.Equal(name, "chpwd", "precmd", "preexec", "periodic", "zshexit", "zshaddhistory") || strings.HasPrefix(name, "TRAP") && len(name) > len("TRAP")
}
