package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// Module is a file of the project that a program imports.
type Module struct {
	Text string
	Data bool // JSON, and no code
	// Do and Modules are those of Env, for the code of this file.
	Do      func(Effect) command.Stream
	Modules func(name string) *Module
}

// load returns the module with a name, and reads what its top defines. What the top does is left to
// the reading of the file itself.
func (m *machine) load(name string) (value, bool) {
	if m.env.Modules == nil || m.reflects || m.libraryModule(name) {
		return value{}, false
	}
	file := m.env.Modules(name)
	switch {
	case file == nil:
		return value{}, false
	case file.Data:
		return dataOf(datafile.JSON(file.Text)).perhaps(0), true
	case m.loaded[file] == nil && len(file.Text) <= maxText && m.enter():
		defer m.leave()
		x := &machine{tables: m.tables, l: m.l, vars: map[string]value{}, funcs: map[string]*function{}, loaded: m.loaded, inner: true, depth: 1}
		x.env = Env{Getenv: m.env.Getenv, Modules: file.Modules, Do: func(e Effect) command.Stream {
			if e.Kind == ReadFile {
				return file.Do(e)
			}
			return command.Unseen(0)
		}}
		m.loaded[file] = x
		x.program(file.Text)
		x.effects, x.env.Do = nil, file.Do
	}
	v := value{module: m.loaded[file]}
	if m.l.is("python") {
		v.ref = m.canonical(name)
	}
	return v, v.module != nil
}

// libraryModule reports whether Python has calls of a module with the name in its tables. A file of the
// project with that name does not hide the module: Python loads its own os before any import, -I and
// -P leave the folder of the program out, and the project's root is not in the path of a program below it.
func (m *machine) libraryModule(name string) bool {
	if !m.l.is("python") || strings.HasPrefix(name, ".") {
		return false
	}
	root, _, _ := strings.Cut(m.canonical(name), ".")
	return root == "posix" || m.l.calls.has(root) || libraryCalls.has(root)
}

// describes reports whether a table describes a function with a name, of whichever module: the reading of
// the table stays, because the module may give the name another function than umpire sees.
func (m *machine) describes(name string) bool {
	for _, t := range [...]*table{m.l.calls, &libraryCalls} {
		if t != nil && (t.row(name) != nil || t.row("*/"+name) != nil || t.row("."+name) != nil) {
			return true
		}
	}
	return false
}

// importFrom returns what an import of a name from a module binds: a member of the module, or a
// module of the package.
func (m *machine) importFrom(module, name string) value {
	from, ok := m.load(module)
	if !ok {
		from = value{ref: m.canonical(module)}
	} else if v, ok := from.module.exported(from, name); ok {
		return v
	}
	if v, ok := m.load(strings.TrimSuffix(module, ".") + "." + name); ok {
		return v
	}
	return m.member(from, name)
}

// exported returns a member of v, which is this module or an object that it made.
func (m *machine) exported(v value, name string) (value, bool) {
	if v.object {
		for _, self := range [...]string{"self.", "this."} {
			if x, ok := m.vars[self+name]; ok {
				return m.own(x).perhaps(0), true
			}
		}
		f, ok := m.funcs["."+name]
		return m.own(value{fn: f}), ok
	}
	if slices.Contains(m.classes, name) {
		return value{module: m, class: name, ref: member(v, name)}, true
	}
	if m.describes(name) {
		return value{}, false
	}
	if all, ok := m.vars["module.exports"]; ok {
		if x, ok := all.get(name); ok {
			return m.own(x).perhaps(0), true
		}
		if all.ref != "" || all.module != nil {
			return m.member(all, name), true
		}
	}
	for _, key := range [...]string{"exports." + name, "module.exports." + name, name} {
		if x, ok := m.vars[key]; ok {
			return m.own(x).perhaps(0), true
		}
	}
	for _, key := range [...]string{name, "." + name} {
		if f, ok := m.funcs[key]; ok {
			return m.own(value{fn: f}), true
		}
	}
	return value{}, false
}

// exports returns the names that a module exports to those who import all of them.
func (m *machine) exports() (out []string) {
	for name := range m.vars {
		out = append(out, name)
	}
	for name := range m.funcs {
		out = append(out, name)
	}
	out = append(out, m.classes...)
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(name string) bool { return name[0] == '_' || strings.Contains(name, ".") })
}

// replace gives a member of the module another value, which other code sets. Its old value may be
// used before.
func (m *machine) replace(name string, v value) { m.set(name, either(v, m.vars[name])) }

// own marks the functions in a value as those of this machine, so that another one can call them.
func (m *machine) own(v value) value {
	if v.fn != nil && v.fn.home == nil {
		v.fn.home = m
	}
	for _, x := range v.list {
		m.own(x)
	}
	return v
}

// perhaps returns v as one possible value of a name that other code can give another value.
func (v value) perhaps(depth int) value {
	if len(v.alts) > 0 && !slices.Contains(v.alts, umpire.Hole) && len(v.alts) < maxAlts && v.ref != refEnv {
		v.alts = append(slices.Clip(v.alts), umpire.Hole)
	}
	if len(v.list) > 0 && depth < maxDepth {
		v.list = slices.Clone(v.list)
		for i, x := range v.list {
			v.list[i] = x.perhaps(depth + 1)
		}
	}
	return v
}

// callModule calls what a module exports as a whole, or makes an object of one of its classes.
func (m *machine) callModule(v value, args []value, kw value) value {
	home := v.module
	for _, a := range args {
		m.own(a)
	}
	if v.class == "" {
		for _, name := range [...]string{"module.exports", "default"} {
			if x := home.vars[name]; x.fn != nil {
				return m.call(home.own(x), args, kw)
			}
		}
		return unknown()
	}
	for _, name := range [...]string{v.class, ".constructor"} {
		if f := home.funcs[name]; f != nil {
			home.applyTo(f, args, kw)
			break
		}
	}
	return value{module: home, object: true, ref: v.ref + "()"}
}

// parsesData returns the value of a text in the format that the row names. The program may change it in ways that
// umpire does not follow, and umpire does not know every form of a format: it is one possible value.
func parsesData(m *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	if !v.known() || len(v.alts) != 1 || v.taint != 0 {
		return value{taint: v.taint}, true
	}
	read := datafile.JSON
	switch r.second {
	case "toml":
		read = datafile.TOML
	case "yaml":
		read = datafile.YAML
	}
	return dataOf(read(v.alts[0])).perhaps(0), true
}

// readsData is parsesData for functions that read a file.
func readsData(m *machine, c *call, r *row) (value, bool) {
	return parsesData(m, &call{ref: c.ref, args: []value{m.read(c.get(r.first))}}, &row{first: "0", second: r.second})
}

// dataOf returns the value of a file of data.
func dataOf(t *datafile.Value) value {
	switch {
	case t == nil, t.Lost:
		return unknown()
	case t.Keys != nil:
		v := value{seq: true}
		for _, name := range t.Keys {
			if !slices.Contains(v.keys, name) { // the last of a name counts
				v.keys, v.list = append(v.keys, name), append(v.list, dataOf(t.Get(name)))
			}
		}
		return v
	case t.Kids != nil:
		var list []value
		for _, x := range t.Kids[:min(len(t.Kids), maxList)] {
			list = append(list, dataOf(x))
		}
		return listOf(list)
	case t.Text == "":
		return unknown()
	}
	return lit(t.Text)
}
