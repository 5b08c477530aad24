package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Effects that handlers record. Each takes values of the program, and records one effect for every
// text that a value may have.

func fromStream(s command.Stream) value {
	v := value{taint: s.Taint}
	if s.Seen {
		v.alts = []string{s.Text}
	}
	return v
}

// shell runs a text in a shell.
func (m *machine) shell(cmd, stdin value) value {
	var out value
	for _, w := range cmd.words() {
		t := command.When(m.netfd, umpire.RemoteShell)
		// A connection is open and a shell starts with other descriptors than its own.
		if sh, rest, _ := strings.Cut(w.Text, " "); m.socket != "" && isShell(sh) && (m.netfd || strings.Contains(rest, "-i") || strings.Contains(rest, "&")) {
			m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
		}
		if f := strings.Fields(w.Text); bareShell(command.Lits(f...)) {
			m.bare = f[0]
		}
		out = either(out, fromStream(m.effect(Effect{Kind: Shell, Arg: w, Data: stdin.data(), Traits: t})))
	}
	out.taint |= cmd.taint & command.FromNetwork
	out.ref, out.recv = refProc, &cmd
	return out
}

// data returns a value as a stream; the stream is empty if there is no value.
func (v value) data() command.Stream {
	if v.isNil() {
		return command.Stream{}
	}
	return v.stream()
}

// exec runs a program with its arguments.
func (m *machine) exec(args []value, stdin value) value {
	if len(args) == 0 {
		return unknown()
	}
	var all []value
	for _, a := range args {
		if a.seq && a.keys == nil {
			for _, x := range a.list {
				all = append(all, x.said())
			}
		} else {
			all = append(all, a)
		}
	}
	var out value
	for _, argv := range variants(all) {
		out = either(out, m.execEach(argv, stdin))
	}
	return out
}

// said returns v without the unknown text that it may be beside known ones. A file of data makes a
// list of texts, each of which the program may have changed: an unknown program for each would hide
// the one that the file names.
func (v value) said() value {
	known := slices.DeleteFunc(slices.Clone(v.alts), func(s string) bool { return s == umpire.Hole })
	if len(known) > 0 {
		v.alts = known
	}
	return v
}

// execEach runs a program once for each value that one of its arguments may have.
func (m *machine) execEach(args []value, stdin value) value {
	e := Effect{Kind: Exec, Data: stdin.data()}
	for _, a := range args {
		e.Args = append(e.Args, a.word())
	}
	if len(e.Args) == 0 {
		return unknown()
	}
	if m.netfd || stdin.ref == refSock {
		e.Traits |= umpire.RemoteShell
		e.Data = command.Stream{}
		if isShell(e.Args[0].Text) {
			m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
		}
	}
	if bareShell(e.Args) {
		m.bare = e.Args[0].Text
	}
	out := fromStream(m.effect(e))
	for i, a := range args {
		for n, x := range a.possible() {
			words := x.words()
			if n == 0 {
				words = words[1:]
			}
			for _, w := range words {
				f := e
				f.Args = slices.Clone(e.Args)
				f.Args[i] = w
				m.effect(f)
			}
		}
	}
	cmd := value{alts: []string{command.Quote(e.Args[0].Text, e.Args[1:])}}
	out.ref, out.recv = refProc, &cmd
	return out
}

func isShell(p string) bool {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		p = p[i+1:]
	}
	return anyof.Equal(p, "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "cmd.exe", "cmd", "powershell", "powershell.exe", "pwsh", "busybox")
}

// bareShell reports whether a vector starts a shell without a command. Such a shell obeys its
// standard input; in a program with a connection, that is the peer.
func bareShell(args []command.Word) bool {
	if len(args) == 0 || !isShell(args[0].Text) {
		return false
	}
	return !slices.ContainsFunc(args[1:], func(a command.Word) bool { return a.Text != "" && (a.Text[0] != '-' || strings.HasSuffix(a.Text, "c")) })
}

// run starts a command, which is a text for a shell or a vector.
func (m *machine) run(args []value, shell bool, stdin value) value {
	if len(args) == 0 {
		return unknown()
	}
	if len(args) == 1 && !args[0].seq && (shell || m.l.is("perl", "ruby", "php", "lua", "r", "awk")) {
		return m.shell(args[0], stdin)
	}
	if shell && args[0].seq && len(args[0].list) > 0 {
		return m.shell(args[0].list[0], stdin)
	}
	return m.exec(args, stdin)
}

func (m *machine) del(v value, t umpire.Trait) value {
	for _, x := range v.items() {
		for _, w := range m.path(x).words() {
			k := Unlink
			if t&umpire.Recursive != 0 {
				k = Delete
			}
			m.effect(Effect{Kind: k, Arg: w, Traits: t})
		}
	}
	return unknown()
}

// link makes name a link to a target.
func (m *machine) link(name, target value) {
	for _, w := range m.path(name).words() {
		for _, to := range m.path(target).words() {
			m.effect(Effect{Kind: Link, Arg: w, Args: []command.Word{to}})
		}
	}
}

// rename moves a file. A move between two unknown names is a loop that renames files, and loses
// nothing.
func (m *machine) rename(from, to value) value {
	if from.known() || strings.ContainsAny(from.text(), "/~") {
		m.del(from, umpire.Recursive)
	}
	return m.write(to, unknown(), umpire.Overwrite)
}

// path returns the path that a value names in the language of the program.
func (m *machine) path(v value) value {
	if m.l.expands {
		v = m.expandUser(m.expandVars(v))
	}
	return v.path()
}

// path returns the path that a value names: a path object, an open file, or a text.
func (v value) path() value {
	if v.ref == refFile && v.recv != nil {
		return *v.recv
	}
	if v.ref == "#" { // a descriptor
		return value{alts: []string{"/dev/fd/" + v.text()}}
	}
	v.ref = ""
	return v
}

func (m *machine) write(v, data value, t umpire.Trait) value {
	if v.isNumber() {
		m.print(data, false)
		return unknown()
	}
	for _, x := range v.items() {
		for _, w := range m.path(x).words() {
			m.effect(Effect{Kind: Write, Arg: w, Data: data.data(), Traits: t})
		}
	}
	return unknown()
}

func (m *machine) read(v value) value {
	if v.isNumber() {
		return m.stdin()
	}
	var out value
	for _, x := range v.items() {
		for _, w := range m.path(x).words() {
			if w.Text == "/dev/stdin" {
				return m.stdin()
			}
			out = either(out, fromStream(m.effect(Effect{Kind: ReadFile, Arg: w})))
		}
	}
	return out
}

// sent returns what leaves with a request: its data, or headers with private data.
func (c *call) sent(data value) value {
	if headers := authentic(c.option("headers", "cookies", "auth")); headers.taint != 0 || headers.ref == refEnv {
		headers.taint |= data.taint
		return headers
	} else if i := slices.IndexFunc(headers.list, func(v value) bool { return v.ref == refEnv }); i >= 0 {
		return headers.list[i]
	}
	return data
}

// authentic returns the data in the headers of a request. A credential of the environment is meant
// to be sent there, and the whole environment is not.
func authentic(headers value) value {
	if headers.taint&(command.FromKey|command.FromLikelyKey) != 0 {
		headers.taint &^= command.FromKey | command.FromLikelyKey | command.FromSecret
	}
	return headers
}

// written reports whether the code contains the whole value, so that a reader of the call sees it.
func (v value) written() bool {
	if v.taint != 0 || v.ref != "" && !anyof.Equal(v.ref, "#", "True", "False") || v.fn != nil {
		return false
	}
	if v.seq || v.keys != nil {
		return !slices.ContainsFunc(v.list, func(x value) bool { return !x.written() })
	}
	return len(v.alts) > 0 && v.known()
}

// net contacts a host. data is the data that it sends.
func (m *machine) net(url, data value, t umpire.Trait) value {
	switch {
	case data.isNil():
	case !data.written():
		t |= umpire.Upload
	case data.seq || data.keys != nil:
		data = lit(data.json())
	}
	if data.ref == refEnv {
		data.taint |= command.FromEnv
	}
	for _, w := range url.words() {
		w.Taint |= url.taint
		m.effect(Effect{Kind: Network, Arg: w, Data: data.data(), Traits: t})
	}
	return value{ref: refNet, taint: command.FromNetwork}
}

// connect opens a connection and remembers it: a shell started on it is a remote shell.
func (m *machine) connect(addr value) value {
	text := addr
	if addr.seq && addr.keys == nil {
		host := addr.list
		if len(host) >= 2 {
			text = concat(concat(host[0], lit(":")), host[1])
		} else if len(host) == 1 {
			text = host[0]
		}
	}
	m.socket = text.text()
	m.net(text, value{}, 0)
	return value{ref: refSock, recv: &text, taint: command.FromNetwork}
}

// signal sends a signal to a process; number 0 only tests whether the process exists.
func (m *machine) signal(pid, sig value) value {
	if sig.text() == "0" && len(sig.alts) > 0 {
		return unknown()
	}
	m.effect(Effect{Kind: Kill, Arg: pid.word()})
	return unknown()
}

func (m *machine) fork() value {
	m.forked = true
	m.bomb()
	return unknown()
}

func (m *machine) bomb() {
	if m.forked && m.endless {
		m.effect(Effect{Kind: Bomb})
		m.forked, m.endless = false, false
	}
}

// refSQLite is a connection to a SQLite file, the value's recv.
const refSQLite = "sqlite3.connect()"

// sqlOn runs a statement on a connection.
func (m *machine) sqlOn(conn, v value) bool {
	t := strings.ToLower(strings.TrimSpace(v.text()))
	if len(v.alts) == 0 {
		return false
	}
	for _, w := range []string{"drop", "delete", "truncate", "update", "alter", "insert", "create", "select", "grant", "with", "copy", "exec", "do ", "attach", "begin", "revoke", "call", "merge", "replace", "load", "explain", "/*", "--", "pragma", "set "} {
		if strings.HasPrefix(t, w) {
			for _, a := range v.words() {
				e := Effect{Kind: SQL, Arg: a}
				if conn.ref == refSQLite && conn.recv != nil {
					e.Args = []command.Word{conn.recv.word()}
				}
				m.effect(e)
			}
			return true
		}
	}
	return false
}
