package code

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// value is the known part of an expression's value.
type value struct {
	alts  []string // the possible texts; none if unknown
	list  []value
	keys  []string // for a dictionary, with list as its values
	ref   string   // its name: "os.system", "requests.get()", "open().read"
	recv  *value   // the receiver of a method, or the origin of a result
	fn    *function
	or    []value // its other possible values, such as functions and lists, after a branch
	taint command.Taint

	seq      bool // the value is a list
	optional bool // an element of a list that a branch may leave out
	left     bool // a variable of a function that has ended, which only a closure may still use

	object bool     // an object of a class of the module
	module *machine // a module of the project, or what it made
	class  string   // of the module
}

// References with a meaning in every language.
const (
	refEnv  = "$environ"
	refName = "$variable" // the name of any variable of the environment
	refArgs = "$argv"
	refFile = "$file"  // an open file; recv is its path
	refPath = "$path"  // a path object
	refProc = "$proc"  // a started process; recv is its command
	refSock = "$sock"  // a connection
	refNet  = "$net"   // a response from the network
	refCode = "$code"  // compiled code
	refText = "$text"  // plain text with special methods
	refIn   = "$stdin" // standard input

	refPattern = "$pattern" // a regular expression that is more than plain text
)

func lit(s string) value { return value{alts: []string{s}} }

func unknown() value { return value{} }

func listOf(vs []value) value {
	v := value{list: vs, seq: true}
	for _, x := range vs {
		v.taint |= x.taint
	}
	return v
}

// extend adds elements to a list. A list that is appended to itself would double each time, so a
// list beyond the bound is unknown.
func extend(v value, more []value, t command.Taint) value {
	v.taint |= t
	if len(v.list)+len(more) > maxList {
		return value{taint: v.taint}
	}
	v.list = append(slices.Clip(v.list), more...)
	return v
}

func (v value) isNil() bool {
	return len(v.alts) == 0 && !v.seq && v.ref == "" && v.fn == nil && v.keys == nil && v.taint == 0 && v.module == nil
}

// all returns every text that v may have.
func (v value) all() []string {
	if len(v.alts) == 0 {
		if v.seq && len(v.list) > 0 {
			var parts []string
			for _, x := range v.list {
				parts = append(parts, x.text())
			}
			return []string{strings.Join(parts, " ")}
		}
		return []string{umpire.Hole}
	}
	return v.alts
}

func (v value) text() string { return v.all()[0] }

func (v value) known() bool {
	return !slices.ContainsFunc(v.all(), func(a string) bool { return strings.Contains(a, umpire.Hole) })
}

func (v value) word() command.Word { return command.Word{Text: v.text(), Taint: v.taint} }

func (v value) words() (ws []command.Word) {
	for _, a := range v.all() {
		ws = append(ws, command.Word{Text: a, Taint: v.taint})
	}
	return ws
}

func (v value) stream() command.Stream {
	if len(v.alts) == 0 && !v.seq {
		return command.Unseen(v.taint)
	}
	return command.Stream{Text: v.text(), Seen: true, Pipe: true, Taint: v.taint}
}

// items returns the elements of a list, or v itself.
func (v value) items() []value {
	if v.seq {
		return v.list
	}
	return []value{v}
}

// each returns one value that stands for any element, as a loop variable does.
func (v value) each() value {
	if len(v.or) > 0 {
		return v.through(value.each)
	}
	if !v.seq {
		if len(v.alts) > 0 && v.ref != refPath && !strings.Contains(v.alts[0], "\n") {
			return v
		}
		v.ref = elementRef(v.ref)
		return v
	}
	out := value{taint: v.taint}
	for _, one := range v.list {
		for _, x := range one.possible() {
			if x.seq || x.fn != nil || len(x.alts) == 0 && x.ref != "" {
				if len(out.or) < maxEach {
					out.or = append(out.or, x)
				}
				continue
			}
			for _, a := range x.all() {
				if len(out.alts) < maxEach && !slices.Contains(out.alts, a) {
					out.alts = append(out.alts, a)
				}
			}
			out.ref, out.recv = x.ref, x.recv
		}
	}
	if len(out.alts) == 0 && len(out.or) > 0 {
		first, rest := out.or[0], out.or[1:]
		first.or, first.taint = rest, first.taint|out.taint
		return first
	}
	return out
}

// maxEach bounds the elements of a list that a loop variable may be.
const maxEach = 64

func elementRef(ref string) string {
	if ref == refName || ref == refPath || ref == refFile || ref == refNet || ref == refSock || ofService(ref) || strings.Contains(ref, ".objects.") { // for o in Order.objects.all()
		return ref
	}
	return ""
}

func (v value) get(key string) (value, bool) {
	for i, k := range v.keys {
		if k == key && i < len(v.list) {
			return v.list[i], true
		}
	}
	return value{}, false
}

// entry reports whether v is the name of a file in a folder that the program lists.
func (v value) entry() bool { return len(v.alts) == 1 && v.alts[0] == command.Entry }

// truthy reports whether an option is set: True, true, 1.
func (v value) truthy() bool {
	if v.ref == "True" || v.ref == "true" || v.ref == "TRUE" {
		return true
	}
	t := v.text()
	return len(v.alts) > 0 && t != "" && t != "0" && t != "False" && t != "false"
}

// concat joins every pair of possible texts.
func concat(a, b value) value {
	out := value{taint: a.taint | b.taint}
	size := 0
	for _, x := range a.all() {
		for _, y := range b.all() {
			if len(out.alts) >= maxAlts*8 {
				out.alts[0] = umpire.Hole // an adversary may list the harmless values first
				return out
			}
			if size += len(x) + len(y); size > maxValue {
				return value{taint: out.taint}
			}
			out.alts = append(out.alts, x+y)
		}
	}
	return out
}

// plain returns a number or a boolean as its text.
func (v value) plain() value {
	if v.ref == "#" || v.ref == "True" || v.ref == "False" {
		v.ref = ""
	}
	return v
}

// mapText applies a pure function to every text that v may have.
func (v value) mapText(f func(string) string) value {
	out := value{taint: v.taint, ref: ""}
	if v.ref == refPath {
		out.ref = refPath
	}
	for _, a := range v.all() {
		if a == umpire.Hole {
			out.alts = append(out.alts, a)
			continue
		}
		r := f(a)
		if len(r) > maxValue {
			r = umpire.Hole
		}
		out.alts = append(out.alts, r)
	}
	if len(v.alts) == 0 {
		out.alts = nil
	}
	return out
}

// cutText is mapText for functions that return a part of a text. If a text has an unknown part, the
// result may be unknown, too.
func (v value) cutText(f func(string) string) value {
	return v.mapText(func(s string) string {
		if strings.Contains(s, umpire.Hole) {
			return umpire.Hole
		}
		return f(s)
	})
}

// substitute replaces every from by to, unless the result exceeds the bounds.
func substitute(s, from, to string) string {
	if from == "" {
		return s
	}
	if len(to) > len(from) && strings.Count(s, from)*len(to) > maxValue {
		return umpire.Hole
	}
	return strings.ReplaceAll(s, from, to)
}

// charge counts the work of computing a long value.
func (m *machine) charge(v value) value {
	n := len(v.list)
	for _, a := range v.alts {
		n += len(a)
	}
	m.steps += n / 64
	return v
}

func (v value) isNumber() bool { return v.ref == "#" }

func number(n int) value { return value{alts: []string{strconv.Itoa(n)}, ref: "#"} }

func numbers(a, b value) (x, y int, ok bool) {
	x, e1 := atoi(a.text())
	y, e2 := atoi(b.text())
	return x, y, e1 == nil && e2 == nil
}

func atoi(s string) (int, error) {
	n, err := strconv.ParseInt(s, 0, 32)
	return int(n), err
}

func repeat(s string, n int) string {
	if n <= 0 {
		return ""
	}
	if len(s)*n > maxValue || n > maxValue {
		return umpire.Hole
	}
	return strings.Repeat(s, n)
}
