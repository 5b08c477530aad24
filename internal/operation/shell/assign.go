package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"mvdan.cc/sh/v3/syntax"
)

// withAssigns runs f with variables that are set for one command only.
func (sh *shell) withAssigns(list []*syntax.Assign, f func()) {
	type saved struct {
		name string
		v    variable
		ok   bool
	}
	var old []saved
	for _, a := range list {
		n := assignName(a)
		if n == "" {
			continue
		}
		v, ok := sh.vars[n]
		old = append(old, saved{n, v, ok})
	}
	for _, a := range list {
		sh.assign(a, true)
	}
	f()
	for i := len(old) - 1; i >= 0; i-- {
		if old[i].ok {
			sh.vars[old[i].name] = old[i].v
		} else {
			delete(sh.vars, old[i].name)
		}
	}
}

// assign performs NAME=VALUE, NAME+=VALUE, NAME[i]=VALUE and NAME=(...).
func (sh *shell) assign(a *syntax.Assign, export bool) {
	name := assignName(a)
	if name == "" {
		return
	}
	index, indexed := 0, false
	if a.Index != nil {
		index, indexed = sh.arith(a.Index)
	}
	if a.Array != nil {
		sh.assignArray(name, a)
		return
	}
	if a.Naked {
		v := sh.vars[name]
		v.exported = v.exported || export
		sh.vars[name] = v
		return
	}
	if sh.restores(name, a.Value) {
		delete(sh.vars, name)
		sh.filled = nil
		return
	}
	var alts []command.Word
	sh.eachCombination(func() {
		w := sh.value(a.Value)
		if a.Append {
			old, ok := sh.get(name)
			if !ok {
				old = command.Lit(umpire.Hole)
			}
			w = command.Word{Text: old.Listed() + w.Listed(), Taint: old.Taint | w.Taint, Marks: command.Marks{Glob: w.Glob}}
		}
		alts = union(alts, []command.Word{sh.declaredValue(sh.vars[name], w)})
	})
	if a.Index != nil {
		sh.nameInTable(name, a.Index, alts)
		v := sh.vars[name]
		v.setElement(sh.keyText(a.Index), alts, index, indexed)
		sh.vars[name] = v
		return
	}
	v, ok := sh.vars[name]
	if ok && v.ref && len(v.alts) > 0 {
		name = v.alts[0].Text
		v = sh.vars[name]
	}
	if v.fixed {
		alts = union(v.alts, alts)
	}
	v.hold(alts)
	v.exported, v.perhaps = v.exported || export, false
	sh.vars[name] = v
	sh.loader(name, alts)
	sh.changed(name)
}

// hold gives a variable a value, which is one of several. For an array this sets the first element
// and keeps the others, except in zsh.
func (v *variable) hold(alts []command.Word) {
	if v.array && len(v.elems) > 0 {
		v.setElement("0", alts, 0, true)
		return
	}
	v.alts, v.array, v.elems, v.keys = alts, false, nil, nil
}

// setElement sets the element of an array at a key, or at an index if the index is known.
func (v *variable) setElement(key string, alts []command.Word, index int, indexed bool) {
	v.array = true
	v.elems = slices.Clone(v.elems)
	if indexed && !v.named {
		key = strconv.Itoa(index)
	}
	switch {
	case (v.named || indexed && len(v.keys) > 0) && len(alts) == 1:
		v.put(key, alts[0])
	case indexed && index >= 0 && index < len(v.elems) && len(alts) == 1:
		v.elems[index] = alts[0]
	case indexed && index == len(v.elems):
		v.elems = append(v.elems, alts...)
	default: // after unset elements, or under a key
		v.elems = append(append(v.elems, command.Word{Text: umpire.Hole, Marks: command.Marks{Many: true}}), alts...)
	}
}

// restores reports whether a variable gets back a value from before this call, as in the activate
// of a virtual environment: PYTHONHOME="${_OLD_VIRTUAL_PYTHONHOME:-}".
func (sh *shell) restores(name string, w *syntax.Word) bool {
	var p *syntax.ParamExp
	if w != nil && len(w.Parts) == 1 {
		p, _ = w.Parts[0].(*syntax.ParamExp)
		if q, ok := w.Parts[0].(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
			p, _ = q.Parts[0].(*syntax.ParamExp)
		}
	}
	if p == nil || p.Repl != nil || p.Exp != nil && p.Exp.Word != nil || p.Param.Value != "_OLD_VIRTUAL_"+name {
		return false
	}
	_, set := sh.vars[p.Param.Value]
	return !set
}

// assignArray performs NAME=(...) and NAME+=(...).
func (sh *shell) assignArray(name string, a *syntax.Assign) {
	v := sh.vars[name]
	if !a.Append {
		v.elems, v.keys, v.mixed = nil, nil, false
	}
	v.array, v.alts = true, nil
	for _, e := range a.Array.Elems {
		if e.Index != nil && !v.named {
			sh.arith(e.Index)
		}
		if e.Value == nil {
			continue
		}
		if e.Index != nil {
			v.put(sh.keyText(e.Index), sh.declaredValue(v, sh.one(e.Value)))
			continue
		}
		for _, w := range sh.expand([]*syntax.Word{e.Value}) {
			v.elems = append(v.elems, sh.declaredValue(v, w))
		}
	}
	sh.vars[name] = v
	if strings.HasSuffix(name, "_functions") { // zsh calls them: chpwd_functions=(f)
		for _, w := range v.elems {
			if f, ok := sh.funcs[w.Text]; ok {
				sh.clone().callFunction(w.Text, f, nil)
			}
		}
	}
}

// put sets the element at a key.
func (v *variable) put(key string, w command.Word) {
	v.elems, v.keys = slices.Clone(v.elems), slices.Clone(v.keys)
	if i := slices.Index(v.keys, key); i >= 0 {
		v.elems[i] = w
		return
	}
	for len(v.keys) < len(v.elems) {
		v.keys = append(v.keys, strconv.Itoa(len(v.keys)))
	}
	v.elems, v.keys = append(v.elems, w), append(v.keys, key)
}

// keyText returns a key as it is spelled. The parser reads keys as arithmetic: to it, a-b is a
// difference.
func (sh *shell) keyText(x syntax.ArithmExpr) string {
	switch x := x.(type) {
	case *syntax.Word:
		return sh.one(x).Text
	case *syntax.ParenArithm:
		return "(" + sh.keyText(x.X) + ")"
	case *syntax.UnaryArithm:
		if x.Post {
			return sh.keyText(x.X) + x.Op.String()
		}
		return x.Op.String() + sh.keyText(x.X)
	case *syntax.BinaryArithm:
		return sh.keyText(x.X) + x.Op.String() + sh.keyText(x.Y)
	}
	return umpire.Hole
}

// declaredValue returns the value that a variable stores: declare -i evaluates it, -l and -u
// change its case.
func (sh *shell) declaredValue(v variable, w command.Word) command.Word {
	switch {
	case v.integer:
		if n, ok := sh.evaluate(w.Text); ok {
			return w.With(strconv.Itoa(n))
		}
		return w.With(umpire.Hole)
	case v.lower:
		w.Text = strings.ToLower(w.Text)
	case v.upper:
		w.Text = strings.ToUpper(w.Text)
	}
	return w
}

// nameInTable reads an assignment to a table of aliases or of program paths: BASH_ALIASES[k]='rm
// -rf', and aliases[k] and commands[k] in zsh.
func (sh *shell) nameInTable(table string, index syntax.ArithmExpr, to []command.Word) {
	w, ok := index.(*syntax.Word)
	if !ok || len(to) == 0 {
		return
	}
	key := sh.one(w).Text
	switch table {
	case "BASH_ALIASES", "aliases", "galiases":
		sh.setAlias(key, to[len(to)-1].Text)
	case "BASH_CMDS", "commands":
		sh.setAlias(key, command.Quote(to[len(to)-1].Text, nil))
	}
}

func assignName(a *syntax.Assign) string {
	if a.Name == nil {
		return ""
	}
	return a.Name.Value
}

// plainSetting reports whether a variable that influences programs has a harmless value: a switch,
// a folder of the project where Python looks for modules, or cat as a pager.
func (sh *shell) plainSetting(name string, v variable) bool {
	if len(v.alts) == 0 || v.ref {
		return name == "PYTHONHOME" && !v.array && !v.ref // unset
	}
	for _, w := range v.alts {
		if !w.Known() || w.Taint != 0 || w.Glob {
			return false
		}
		switch t := strings.ToLower(w.Text); {
		case name == "PATH": // the programs that a package manager put into the project may come first
			env, _ := sh.environ(name)
			before := strings.Split(env.Text, ":")
			for dir := range strings.SplitSeq(w.Text, ":") {
				if dir != "" && (Standard(dir+"/") || slices.Contains(before, dir)) {
					continue // the disk is asked about new folders only: this runs for every program
				}
				if _, p := sh.Path(command.Lit(dir + "/x")); dir == "" || p&umpire.PlaceGenerated == 0 || !Own(dir+"/x", p) {
					return false
				}
			}
		case name == "PYTHONPATH" || name == "MYPYPATH":
			for dir := range strings.SplitSeq(w.Text, ":") {
				_, p := sh.Path(command.Lit(path.Clean("./" + dir)))
				if strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~") {
					_, p = sh.Path(command.Lit(dir))
				}
				if p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace|umpire.PlaceWorktree) == 0 || p&umpire.PlaceGitDir != 0 {
					return false
				}
			}
		case strings.HasSuffix(name, "PAGER") && (t == "cat" || t == ""), strings.HasSuffix(name, "EDITOR") && (t == "true" || t == ":"):
		case plainNumber(name) && t != "" && strings.Trim(t, "0123456789") == "":
		case !command.Influential(name, false) && (t == "true" || t == "false" || t == "yes" || t == "no" || t == "on" || t == "off" || t != "" && strings.Trim(t, "0123456789") == ""):
		default:
			return false
		}
	}
	return true
}

// plainNumber reports whether the name of a variable says that it is a number, and neither a switch
// nor a folder.
func plainNumber(name string) bool {
	return anyof.HasSuffix(name, "_TIMEOUT", "_TIMEOUT_MS", "_PORT", "_WORKERS", "_JOBS", "_THREADS", "_RETRIES", "_NUM_THREADS")
}
