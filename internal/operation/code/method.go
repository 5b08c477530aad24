package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// call is a call of a function or a method.
type call struct {
	ref   string // name of the callee: "os.system", "$path.unlink", ".strip"
	recv  value  // the value that has the method
	args  []value
	kw    value    // the arguments that are passed by name, and options
	flags []string // words that are not values, in a language without a description
}

// arg returns argument i, or the keyword argument of one of the names.
func (c *call) arg(i int, names ...string) value {
	for _, n := range names {
		if v, ok := c.kw.get(n); ok {
			return v
		}
	}
	if i >= 0 && i < len(c.args) {
		return c.args[i]
	}
	return value{}
}

func (c *call) option(names ...string) value { return c.arg(-1, names...) }

// method returns the last part of the callee's name.
func (c *call) method() string {
	if i := strings.LastIndexByte(c.ref, '.'); i >= 0 {
		return c.ref[i+1:]
	}
	return c.ref
}

// call calls a value.
func (m *machine) call(v value, args []value, kw value) value {
	if len(v.or) > 0 {
		return v.through(func(v value) value { return m.call(v, args, kw) })
	}
	if v.fn != nil {
		return m.applyTo(v.fn, args, kw)
	}
	if v.module != nil && !v.object {
		return m.callModule(v, args, kw)
	}
	if len(args) > 0 && len(v.list) > 0 && (v.ref == "operator.attrgetter()" || v.ref == "operator.methodcaller()") {
		return v.member(m, args)
	}
	if v.entry() { // entry.Name()
		return v
	}
	if v.ref == "" && len(v.alts) > 0 && m.l.is("php") { // $f = "system"; $f("id")
		if len(v.alts) > 1 {
			return v.eachText(func(v value) value { return m.call(v, args, kw) })
		}
		v.ref = strings.ToLower(v.text())
		if f, ok := m.funcs[v.text()]; ok {
			return m.applyTo(f, args, kw)
		}
	}
	return m.dispatch(&call{ref: v.ref, recv: recvOf(v), args: args, kw: kw})
}

// dispatch finds the effect of a call.
func (m *machine) dispatch(c *call) value {
	if !m.step() || !m.enter() {
		return unknown()
	}
	defer m.leave()
	if f, ok := m.funcs[c.ref]; !ok {
		if v, ok := m.withEach(c); ok {
			return v
		}
	} else {
		return m.applyTo(f, c.args, c.kw)
	}
	if v, ok := m.known(c); ok {
		return v
	}
	if v, ok := m.text(c); ok {
		return m.charge(v)
	}
	if f, ok := m.funcs["."+c.method()]; ok && strings.Contains(c.ref, ".") {
		return m.applyTo(f, c.args, c.kw)
	}
	if m.client(c) {
		return unknown()
	}
	t := c.recv.taint
	for i, a := range c.args {
		t |= a.taint
		if m.runs(a) {
			m.later(a, c.recv, c.args[i+1:])
		}
		if a.fn != nil { // a callback gets the receiver of the call
			x := m.each(c.recv, false)
			x.taint |= c.recv.taint
			if c.recv.ref == refProc || c.recv.ref == refNet {
				x = value{taint: x.taint, alts: c.recv.alts, ref: elementRef(c.recv.ref)}
			}
			r := m.apply(a.fn, []value{x, x})
			t |= r.taint
		}
	}
	ref := c.ref
	if len(ref) > 200 {
		ref = ref[:100]
	}
	if c.recv.taint&command.FromKey == 0 || measures(c.method()) {
		t &^= command.FromKey // a function's result is no longer the credential
	}
	out := value{taint: t, recv: &c.recv}
	if library(ref) == "boto3" && c.method() == "client" && len(c.args) > 0 {
		ref = "boto3.client(" + c.args[0].text() + ")"
	}
	if len(c.arg(0).alts) > 0 && anyof.Equal(c.method(), "where", "whereRaw") {
		out.list = c.args[:1] // the condition of a query, which deletesRows reads
	}
	if ref != "" && !strings.HasPrefix(ref, ".") && !(ofService(ref) && c.onThisMachine()) {
		out.ref = strings.TrimSuffix(ref, "()") + "()"
	}
	return out
}

// withEach makes a call with each possible value of the first argument that has several. ok is false if
// none has.
func (m *machine) withEach(c *call) (out value, ok bool) {
	for _, of := range [...]*[]value{&c.args, &c.kw.list} {
		for i, a := range *of {
			if len(a.or) == 0 {
				continue
			}
			list := *of
			for n, x := range a.possible() {
				if n > 0 && len(x.alts) == 0 && !x.seq && x.fn == nil && x.module == nil && !m.runs(x) {
					continue // nothing is known of it
				}
				*of = slices.Clone(list)
				(*of)[i] = x
				again := *c
				out = either(out, m.dispatch(&again))
			}
			*of = list
			return out, true
		}
	}
	return out, false
}

// runs reports whether a value names a function that a table describes.
func (m *machine) runs(v value) bool {
	return v.fn == nil && strings.Contains(v.ref, ".") && v.ref[0] != '.' && m.l.calls != nil && m.l.calls.row(v.ref) != nil
}

// later makes the calls that an undescribed function may make of a described function among its
// arguments: with the arguments after it, with none, with a list as one argument or element by
// element, or with the elements of the receiver.
func (m *machine) later(f, recv value, args []value) {
	if recv.seq || recv.ref == refPath {
		m.call(f, []value{recv.each()}, value{})
	}
	if len(args) == 0 {
		return
	}
	m.call(f, args, value{})
	if args[0].seq && args[0].keys == nil {
		m.call(f, args[0].list, value{})
		m.call(f, []value{args[0].each()}, value{})
	}
}

// known reads a call that the language's table describes.
func (m *machine) known(c *call) (value, bool) {
	if m.l.call != nil {
		return m.l.call(m, c)
	}
	return m.described(c, c.ref)
}

// member returns the member of a value with a name.
func (m *machine) member(v value, name string) value {
	if len(v.or) > 0 {
		return v.through(func(v value) value { return m.member(v, name) })
	}
	if x, ok := v.get(name); ok {
		return x
	}
	if v.ref == refEnv && m.l.is("js") && name == "parsed" { // the result of dotenv
		return v
	}
	if v.ref == refEnv && !v.seq && m.l.is("js") && name != "get" && name != "set" && name != "toObject" && name != "has" {
		return m.variableOf(name)
	}
	ref := m.canonical(member(v, name))
	if x, ok := m.vars[ref]; ok {
		return x
	}
	if v.module != nil {
		if x, ok := v.module.exported(v, name); ok {
			return x
		}
	}
	switch ref {
	case "os.environ", "process.env", "os.environb", "Deno.env", "Bun.env", "import.meta.env":
		return value{ref: refEnv}
	case "sys.argv", "process.argv", "os.Args":
		return m.arguments()
	case "Deno.args": // without the program's name
		if args := m.arguments(); args.seq {
			return listOf(args.list[1:])
		}
	case "sys.stdin", "process.stdin", "sys.stdin.buffer", "STDIN", "$stdin", "io.stdin":
		return m.input()
	case "os.sep", "path.sep", "File.SEPARATOR":
		return lit("/")
	case "os.curdir":
		return lit(".")
	case "os.home": // of os-lib for Scala
		return pathObject(m.home())
	case "sys.executable", "process.execPath":
		if m.l.is("js") {
			return lit("node")
		}
		return lit("python3")
	}
	if v.entry() && (name == "name" || name == "Name") { // of an entry with its type
		return v
	}
	if v.ref == refPath {
		if name == "path" && m.l.is("python") { // of an entry
			return v
		}
		switch name {
		case "parent", "dirname":
			return v.mapText(dirOf)
		case "parents", "ancestors":
			return v.parents()
		case "name", "stem", "basename":
			return v.mapText(baseOf)
		}
	}
	r := v
	if measures(name) {
		v.taint &^= command.FromKey
	}
	return value{ref: ref, recv: &r, taint: v.taint}
}

// parents returns the folders that contain a path, the nearest first.
func (v value) parents() value {
	var out []value
	for range maxParents {
		v = v.mapText(dirOf)
		out = append(out, v)
	}
	return listOf(out)
}

// maxParents bounds the folders that parents returns.
const maxParents = 8

// measures reports whether a method only measures a text and reveals none of it.
func measures(name string) bool {
	return anyof.Equal(strings.ToLower(strings.TrimSuffix(name, "?")), "length", "size", "count", "startswith", "start_with", "endswith", "end_with", "includes", "include", "contains", "isalnum", "isascii", "empty", "isempty", "is_empty", "nil", "present", "blank", "test", "hexdigest", "digest")
}

// canonical removes the parts of a name that only show where it is defined.
func (m *machine) canonical(ref string) string {
	if len(ref) > 300 {
		return ref[:300]
	}
	for was := ""; ref != was; {
		was = ref
		if m.l.is("python") {
			ref = strings.NewReplacer(".__dict__", "", ".__getitem__", "").Replace(ref)
		}
		for scope := range strings.FieldsSeq(m.l.scopes) {
			ref = strings.TrimPrefix(ref, scope)
		}
		switch m.l.name {
		case "python":
			for _, system := range [...]string{"posix.", "nt."} {
				if r, ok := strings.CutPrefix(ref, system); ok {
					ref = "os." + r
				}
			}
		case "js":
			ref = strings.Replace(strings.Replace(ref, "fs.promises.", "fs.", 1), ".default.", ".", 1)
			switch ref {
			case "process.mainModule.require", "module.require", "module.constructor._load":
				ref = "require"
			case "fs.promises":
				ref = "fs"
			case "path.posix", "path.win32":
				ref = "path"
			}
		}
	}
	return ref
}

// jsModule returns the prefix under which tables list the members of a module.
func jsModule(s string) string {
	s = strings.TrimPrefix(s, "node:")
	switch s {
	case "fs/promises", "fs-extra", "graceful-fs", "mz/fs", "memfs", "original-fs", "@std/fs":
		return "fs"
	case "path/posix", "path/win32", "upath":
		return "path"
	case "mz/child_process":
		return "child_process"
	case "node-fetch", "undici", "cross-fetch", "isomorphic-fetch":
		return "fetch"
	}
	return s
}
