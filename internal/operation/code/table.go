package code

import (
	"slices"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire"
)

// row describes calls with the same meaning: their names, their effect, and the arguments of the
// effect.
type row struct {
	// names are separated by spaces. They are full names after the program's imports are resolved:
	// "os.remove". "requests/get" is any get below requests (requests.Session().get), "*/rmtree" is
	// rmtree of any receiver, and "$file/*" is any call on an open file.
	names  string
	does   handler      // the effect
	first  param        // the argument of the effect: a path, a command, a URL
	second param        // the other argument: data, a target, a mode, the flag that makes it recursive
	traits umpire.Trait // further properties of the effect
}

// handler records the effects of a call and returns its value. It returns false if the arguments
// show that the call is another function with that name; the next table is then used.
type handler func(*machine, *call, *row) (value, bool)

// param names an argument: "0" is the first, "1 mode" the second or the one passed as mode, "- file
// con" one that is only passed by name, "1.." the second and all later ones, and "0.. host port"
// all, or those passed as host and port. "." is the receiver, and "$file" the value of that kind at
// the root of a chain of calls.
type param string

// get returns the argument that p names, or the zero value.
func (c *call) get(p param) value {
	at, names, _ := strings.Cut(string(p), " ")
	for n := range strings.FieldsSeq(names) {
		if v, ok := c.kw.get(n); ok {
			return v
		}
	}
	switch {
	case at == "" || at == "-":
		return value{}
	case at == ".":
		return c.recv
	case at[0] == '$':
		return c.receiver(at)
	}
	return c.arg(int(at[0] - '0'))
}

// has reports whether the call has the argument that p names, even if its value is unknown. Testing
// the value for nil would lose an effect.
func (c *call) has(p param) bool {
	at, names, _ := strings.Cut(string(p), " ")
	for n := range strings.FieldsSeq(names) {
		if _, ok := c.kw.get(n); ok {
			return true
		}
	}
	return at != "" && at != "-" && int(at[0]-'0') < len(c.args)
}

// allNamed reports whether every argument is passed by name. The row may not list the name of the
// first.
func (c *call) allNamed() bool { return len(c.args) == 0 && len(c.kw.keys) > 0 }

// all returns every argument that p names.
func (c *call) all(p param) []value {
	at, names, _ := strings.Cut(string(p), " ")
	if !strings.HasSuffix(at, "..") {
		return []value{c.get(p)}
	}
	out := c.args[min(int(at[0]-'0'), len(c.args)):]
	for n := range strings.FieldsSeq(names) {
		if v, ok := c.kw.get(n); ok {
			out = append(slices.Clip(out), v)
		}
	}
	if len(out) == 0 && c.allNamed() {
		out = []value{unknown()}
	}
	return out
}

// table finds rows by name. The first lookup builds the index, because most runs of the hook read
// no code.
type table struct {
	rows  []row
	once  sync.Once
	index map[string]*row
	roots map[string]bool // the modules of the names
}

// has reports whether the table describes functions of a module.
func (t *table) has(module string) bool {
	t.row("")
	return t.roots[module]
}

func (t *table) row(name string) *row {
	t.once.Do(func() {
		t.index = make(map[string]*row, 4*len(t.rows))
		t.roots = map[string]bool{}
		for i := range t.rows {
			for n := range strings.FieldsSeq(t.rows[i].names) {
				t.index[n] = &t.rows[i]
				if i := strings.IndexAny(n, "./"); i > 0 {
					t.roots[n[:i]] = true
				}
			}
		}
	})
	return t.index[name]
}

// described reads a call that a table describes: the language's own, or the table of values, which
// serves all languages. The most specific name counts.
func (m *machine) described(c *call, name string) (value, bool) {
	method := name[strings.LastIndexByte(name, '.')+1:]
	root, _, _ := strings.Cut(name, ".")
	root = strings.TrimSuffix(root, "()") // require("simple-git")()
	keys := [...]string{name, root + "/" + method, "*/" + method, root + "/*"}
	for _, key := range keys {
		for _, t := range [...]*table{m.l.calls, m.values, &libraryCalls} {
			if t == nil {
				continue
			}
			if r := t.row(key); r != nil {
				if v, ok := r.does(m, c, r); ok {
					return v, true
				}
			}
		}
	}
	return value{}, false
}
