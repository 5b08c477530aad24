package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// flat unwraps the functions of Go or Rust: all bodies are read one after the other, main first. A
// body is read once for each call in the text, after its parameters are set to the arguments.
func flat(text string) string {
	unpaired := strings.NewReplacer(", _ :=", " :=", ",_:=", ":=", ", err :=", " :=", ",err:=", ":=") // errors and blank identifiers
	text = strings.NewReplacer("std::path::", "", "::", ".", "vec![", "[", "format!(", "format(").Replace(text)
	if strings.Count(text, "\n") < 2 { // the program is on one line
		text = strings.ReplaceAll(text, ";", "\n")
	}
	bodies := []*body{{}, {name: "main"}}
	at := bodies[0]
	for line := range strings.Lines(text) {
		l := strings.TrimSpace(line)
		l = walked(strings.TrimPrefix(strings.TrimPrefix(l, "pub "), "async "))
		head, isFunc := strings.CutPrefix(l, "func ")
		if !isFunc {
			head, isFunc = strings.CutPrefix(l, "fn ")
		}
		switch {
		case isFunc:
			head, rest, _ := strings.Cut(head, "{")
			if at = newBody(head); at.name == "main" {
				at = bodies[1]
			} else {
				bodies = append(bodies, at)
			}
			at.WriteString(unpaired.Replace(strings.TrimSuffix(strings.TrimSpace(rest), "}")) + "\n")
		case strings.HasPrefix(line, "}"): // the end of a function
			at = bodies[0]
		case l == "}" || strings.HasPrefix(l, "package ") || strings.HasPrefix(l, "import ") || strings.HasPrefix(l, "use "):
		default:
			l = unpaired.Replace(l)
			at.WriteString(strings.TrimPrefix(l, "let ") + "\n")
		}
	}
	var b strings.Builder
	for _, f := range called(bodies) {
		b.WriteString(f.forCalls(bodies))
	}
	return b.String()
}

// called returns the bodies with callers before the functions that they call.
func called(all []*body) (order []*body) {
	seen := map[*body]bool{}
	var visit func(f *body)
	visit = func(f *body) {
		seen[f] = true
		for _, g := range slices.Backward(all[2:]) {
			if !seen[g] && strings.Contains(f.String(), g.name+"(") {
				visit(g)
			}
		}
		order = append(order, f)
	}
	for _, f := range slices.Backward(all[2:]) { // main is read first, so it is visited last
		if !seen[f] && !strings.Contains(all[1].String(), f.name+"(") {
			visit(f)
		}
	}
	visit(all[1])
	order = append(order, all[0])
	slices.Reverse(order)
	return order
}

// body is the body of a function, with the names of its parameters.
type body struct {
	strings.Builder
	name   string
	params []string
}

// newBody reads the head of a function, such as (r *T) name(a, b string).
func newBody(head string) *body {
	if strings.HasPrefix(head, "(") {
		_, head, _ = strings.Cut(head, ")")
	}
	name, list, _ := strings.Cut(strings.TrimSpace(head), "(")
	name, _, _ = strings.Cut(name, "<")
	f := &body{name: name}
	list, _, _ = strings.Cut(list, ")")
	for p := range strings.SplitSeq(list, ",") {
		p, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(p), "mut "), " ")
		if p = strings.TrimSuffix(p, ":"); p != "" && p != "&self" && p != "&mut" && p != "self" {
			f.params = append(f.params, p)
		}
	}
	return f
}

// maxCallsOf bounds the calls of one function that flat follows.
const maxCallsOf = 4

// forCalls returns the body of f for each call by another function, or once if there is none.
func (f *body) forCalls(all []*body) string {
	var b strings.Builder
	calls := 0
	for _, caller := range all {
		rest, found := caller.String(), len(f.params) > 0 && caller != f
		for found && calls < maxCallsOf {
			var before string
			if before, rest, found = strings.Cut(rest, f.name+"("); !found || before != "" && nameByte(before[len(before)-1]) {
				continue
			}
			calls++
			for i, arg := range arguments(rest) {
				if i < len(f.params) {
					b.WriteString(f.params[i] + " = " + arg + "\n")
				}
			}
			b.WriteString(f.String())
		}
	}
	if calls == 0 {
		return f.String()
	}
	return b.String()
}

// arguments splits the text after the opening bracket of a call at its commas.
func arguments(s string) (list []string) {
	depth, from := 0, 0
	for i := range min(len(s), maxLine) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth < 0 || depth == 0 && s[i] == ',' {
			list, from = append(list, strings.TrimSpace(s[from:i])), i+1
		}
		if depth < 0 {
			break
		}
	}
	return list
}

// walked writes the head of a function that filepath.Walk calls for each file as an assignment, and
// a pattern of Rust that holds a result: if let Ok(x) = y.
func walked(l string) string {
	if before, after, ok := strings.Cut(l, ", func("); ok {
		if _, root, ok := strings.Cut(before, "filepath.Walk"); ok {
			_, root, _ = strings.Cut(root, "(")
			_, body, _ := strings.Cut(after, "{")
			return after[:max(0, strings.IndexAny(after, " ,)"))] + " = filepath.Join(" + root + `, os.ReadDir(""))` + "\n" + body
		}
	}
	for _, head := range [...]string{"if let Ok(", "if let Some(", "while let Some("} {
		if rest, ok := strings.CutPrefix(l, head); ok {
			return strings.TrimSuffix(strings.Replace(rest, ")", "", 1), "{")
		}
	}
	return l
}

// compiledCall reads a call that a table describes, under its name without the path.
func compiledCall(m *machine, c *call) (value, bool) {
	return m.described(c, strings.TrimPrefix(c.ref, "std."))
}

// goTemporary returns the name of a new folder, which is in /tmp if no other is named.
func goTemporary(_ *machine, c *call, r *row) (value, bool) {
	dir := c.get(r.first)
	if dir.known() && dir.text() == "" {
		dir = lit("/tmp")
	}
	return concat(dir, lit("/tmp.XXXXXXXX")), true
}

// goCalls are functions of Go's library, and rustCalls those of Rust's, without "std.".
var goCalls = table{rows: []row{
	{"os.RemoveAll", removes, "0", "", umpire.Recursive},
	{"os.Remove syscall.Unlink", removes, "0", "", 0},
	{"os.Rename", renames, "0", "1", 0},
	{"os.WriteFile ioutil.WriteFile", writes, "0", "1", umpire.Truncate},
	{"os.Create", opensToWrite, "0", "", 0},
	{"os.ReadFile ioutil.ReadFile os.Open", reads, "0", "", 0},
	{"exec.Command", execs, "0..", "", 0},
	{"exec.CommandContext", execs, "1..", "", 0},
	{"sh.Run sh.RunV sh.Output sh.Exec sh.RunCmd sh.OutCmd", execs, "0..", "", 0}, // of mage
	{"sh.RunWith sh.RunWithV sh.OutputWith", execs, "1..", "", 0},
	{"sh.Rm", removes, "0", "", umpire.Recursive},
	{"syscall.Exec", execsVector, "0", "1", 0},
	{"net.Dial net.DialTimeout tls.Dial", connects, "1", "", 0},
	{"http.Get", fetches, "0", "", 0},
	{"http.NewRequest", goRequest, "1", "2", 0},
	{"http.Post", fetches, "0", "2", 0},
	{"os.Setenv", setsEnvironment, "0", "1", 0},
	{"os.Getenv", fromEnvironment, "0", "", 0},
	{"os.UserHomeDir", homeFolder, "", "", 0},
	{"t.TempDir b.TempDir tb.TempDir", yieldsText, "/tmp/tmp.XXXXXXXX", "", 0},
	{"os.MkdirTemp ioutil.TempDir", goTemporary, "0", "", 0},
	{"fmt.Sprintf", textSprintf, "0", "1..", 0},
	{"filepath.Join path.Join", joinsPath, "0..", "", 0},
	{"os.ExpandEnv", expandsVariables, "0", "", 0},
	{"filepath.Glob", yieldsList, "0", "", 0},
	{"os.ReadDir ioutil.ReadDir", yieldsNames, "0", "", 0},
	{"string filepath.Clean", yieldsArgument, "0", "", 0},
	{"*/String", yieldsArgument, ".", "", 0},
}}

var rustCalls = table{rows: []row{
	{"fs.remove_dir_all", removes, "0", "", umpire.Recursive},
	{"fs.remove_file fs.remove_dir", removes, "0", "", 0},
	{"fs.rename", renames, "0", "1", 0},
	{"fs.copy", copies, "0", "1", 0},
	{"fs.write", writes, "0", "1", umpire.Truncate},
	{"File.create fs.File.create", opensToWrite, "0", "", 0},
	{"fs.read_to_string fs.read File.open fs.File.open", reads, "0", "", 0},
	{"Command.new process.Command.new", execs, "0..", "", 0},
	{"TcpStream.connect net.TcpStream.connect", connects, "0", "", 0},
	{"reqwest.get reqwest.blocking.get", fetches, "0", "", 0},
	{"env.set_var", setsEnvironment, "0", "1", 0},
	{"env.var env.var_os", fromEnvironment, "0", "", 0},
	{"dirs.home_dir env.home_dir", homeFolder, "", "", 0},
	{"WalkDir.new walkdir.WalkDir.new fs.read_dir", yieldsEntries, "0", "", 0},
	{"Path.new PathBuf.from String.from", yieldsArgument, "0", "", 0},
	{"format", rustFormat, "", "", 0},
	{"*/join", rustJoin, "0", "", 0},
	{"$proc/arg $proc/args", rustArguments, "0", "", 0},
	{"$path/contents_first $path/into_iter $path/filter_map $path/flatten $path/min_depth $path/max_depth $path/path $path/follow_links $path/filter_entry $path/into_path $path/flat_map", yieldsArgument, ".", "", 0},
	{"*/unwrap */expect */to_string */as_str */unwrap_or_default */clone", yieldsArgument, ".", "", 0},
}}

// goRequest contacts the URL of a request when the program makes the request.
func goRequest(m *machine, c *call, r *row) (value, bool) {
	t, _ := traitsOfMethod(c.arg(0).text())
	return m.net(c.get(r.first), c.get(r.second), t), true
}

// rustJoin returns a path below the receiver.
func rustJoin(_ *machine, c *call, r *row) (value, bool) {
	return joinPath(c.recv, c.get(r.first)), true
}

// rustFormat fills a format, including the variables that the format names.
func rustFormat(m *machine, c *call, _ *row) (value, bool) {
	var named value
	for _, part := range strings.Split(c.arg(0).text(), "{")[1:] {
		name, _, _ := strings.Cut(part, "}")
		if v, ok := m.vars[name]; ok {
			named.keys, named.list = append(named.keys, name), append(named.list, v)
		}
	}
	return braces(c.arg(0), c.args[min(1, len(c.args)):], named), true
}

// rustArguments adds arguments to a command and runs it again: the run with the longest list is the
// complete one.
func rustArguments(m *machine, c *call, r *row) (value, bool) {
	p := c.receiver(refProc)
	if p.recv == nil {
		return value{}, false
	}
	text := *p.recv
	for _, a := range c.get(r.first).items() {
		text = concat(text, lit(command.Quote("", []command.Word{a.word()})))
	}
	return m.shell(text, value{}), true
}
