package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

func perlCall(m *machine, c *call) (value, bool) {
	name := c.method()
	if i := strings.LastIndex(name, "::"); i >= 0 && !strings.Contains(c.ref, ".") {
		name = name[i+2:] // File::Path::rmtree
	}
	if strings.HasPrefix(c.ref, "CORE::GLOBAL::") || strings.HasPrefix(c.ref, "CORE::") {
		c.ref = name
	}
	if !strings.Contains(c.ref, ".") {
		switch name {
		case "system", "exec":
			args := c.args
			return m.run(args, false, value{}), true
		case "qx", "readpipe":
			return m.shell(c.arg(0), value{}), true
		case "unlink", "rmdir":
			args := c.args
			if len(args) == 0 {
				args = []value{m.lookup("$_")}
			}
			for _, a := range args {
				m.del(a, 0)
			}
			return unknown(), true
		case "rmtree", "remove_tree", "pathrmdir", "pathrm", "trash":
			for _, a := range c.args {
				if a.keys == nil && !a.isNumber() {
					m.del(a, umpire.Recursive)
				}
			}
			return unknown(), true
		case "rename", "move", "mv":
			return m.rename(c.arg(0), c.arg(1)), true
		case "copy", "cp", "link", "symlink":
			v := m.read(c.arg(0))
			if strings.HasSuffix(c.ref, "link") {
				m.link(c.arg(1), c.arg(0))
			}
			return m.write(c.arg(1), v, umpire.Overwrite), true
		case "truncate":
			return m.write(c.arg(0), lit(""), umpire.Truncate), true
		case "chmod", "chown":
			mode := c.arg(0)
			for _, a := range c.args[min(1, len(c.args)):] {
				m.chmod(a, mode, name == "chown")
			}
			return unknown(), true
		case "mkdir", "make_path", "mkpath", "utime":
			return m.write(c.arg(0), unknown(), 0), true
		case "chdir":
			m.effect(Effect{Kind: Chdir, Arg: c.arg(0).word()})
			return unknown(), true
		case "kill":
			if len(c.args) > 1 {
				for _, p := range c.args[1:] {
					m.signal(p, c.args[0])
				}
			}
			return unknown(), true
		case "fork":
			return m.fork(), true
		case "eval":
			return m.eval(c.arg(0)), true
		case "do", "require":
			if len(c.arg(0).alts) > 0 {
				m.source(c.arg(0))
			}
			return unknown(), true
		case "open":
			return m.perlOpen(c), true
		case "glob":
			return c.arg(0), true
		case "find", "finddepth": // of File::Find: the function is called with each name below
			return m.everyBelow(c), true
		case "socket":
			m.set(c.kw.ref, value{ref: refSock})
			return value{ref: refSock}, true
		case "connect":
			return m.connect(listOf(c.args[min(1, len(c.args)):])), true
		case "sockaddr_in", "pack_sockaddr_in":
			return listOf([]value{c.arg(1), c.arg(0)}), true
		case "inet_aton", "inet_pton":
			return c.args[len(c.args)-1], true
		case "get", "getprint", "head":
			if v := c.arg(0); strings.Contains(v.text(), "://") {
				r := m.net(v, value{}, 0)
				return value{taint: r.taint}, true
			}
		case "getstore", "mirror":
			v := m.net(c.arg(0), value{}, umpire.Download)
			return m.write(c.arg(1), v, 0), true
		case "bsd_glob", "abs_path", "realpath", "canonpath", "scalar", "lc", "uc", "ref", "chomp":
			if name == "lc" || name == "uc" || name == "chomp" {
				return m.text(c)
			}
			return c.arg(0), true
		case "catfile", "catdir":
			return joinPath(c.args...), true
		case "print", "say", "printf":
			return m.say(c.args, value{}, false, name), true
		case "length", "defined", "exists", "keys", "values", "push", "close", "sleep", "die", "exit", "shift":
			if name == "values" || name == "keys" {
				return c.arg(0), true
			}
			if name == "shift" && len(c.args) == 0 {
				if v, ok := m.vars["$_args"]; ok && len(v.list) > 0 {
					return v.list[0], true
				}
				return m.argv("0"), true
			}
			return value{taint: c.arg(0).taint}, true
		case "read_file", "slurp":
			return m.read(c.arg(0)), true
		case "write_file", "spew":
			return m.write(c.arg(0), c.arg(1), umpire.Truncate), true
		}
	}
	switch {
	case strings.HasPrefix(c.ref, "IO::Socket") && (name == "new" || !strings.Contains(c.ref, ".")): // also new IO::Socket::INET(...)
		h := c.option("PeerAddr", "PeerHost", "-PeerAddr")
		if p := c.option("PeerPort"); !p.isNil() {
			h = listOf([]value{h, p})
		}
		if h.isNil() && len(c.args) > 0 {
			h = c.args[0]
		}
		if l := c.option("Listen", "LocalPort"); !l.isNil() {
			m.effect(Effect{Kind: Listen})
			return value{ref: refSock}, true
		}
		return m.connect(h), true
	case strings.HasPrefix(c.ref, "LWP") || strings.HasPrefix(c.ref, "HTTP::Tiny"), strings.HasPrefix(c.ref, "Mojo") || strings.HasPrefix(c.ref, "WWW::"):
		switch name {
		case "get", "head", "request":
			return m.net(c.arg(0), value{}, 0), true
		case "post", "put", "post_form":
			d := c.arg(1)
			if v := c.option("content", "Content"); !v.isNil() {
				d = v
			}
			return m.net(c.arg(0), either(d, unknown()), umpire.Upload), true
		case "mirror":
			v := m.net(c.arg(0), value{}, umpire.Download)
			return m.write(c.arg(1), v, 0), true
		}
	}
	switch c.recv.ref {
	case refSock:
		if name == "fdopen" {
			m.netfd = true
		}
		return m.sockMethod(c, name), true
	case refFile:
		return m.fileMethod(c, name), true
	case refProc:
		return m.procMethod(c, name)
	case refNet:
		return m.netMethod(c, name)
	case refIn:
		if name == "fdopen" && len(c.args) > 0 && c.args[0].ref == refSock {
			m.netfd = true
		}
		return m.stdin(), true
	}
	if name == "fdopen" && len(c.args) > 0 && c.args[0].ref == refSock {
		m.netfd = true
		return unknown(), true
	}
	return value{}, false
}

// perlOpen reads open(H, "<", $f), open(H, "cmd|"), open(STDIN, ">&S").
func (m *machine) perlOpen(c *call) value {
	handle := c.kw.ref
	mode := strings.TrimSpace(c.arg(1).text())
	target := c.arg(2)
	known := len(c.arg(1).alts) > 0
	if len(c.args) == 2 && known {
		text := c.arg(1)
		switch {
		case strings.HasSuffix(mode, "|"):
			mode, target = "-|", text.mapText(func(s string) string { return strings.TrimSuffix(strings.TrimSpace(s), "|") })
		case strings.HasPrefix(mode, "|"):
			mode, target = "|-", text.mapText(func(s string) string { return strings.TrimPrefix(strings.TrimSpace(s), "|") })
		default:
			n := len(mode) - len(strings.TrimLeft(mode, "<>+&="))
			op := mode[:n]
			target = text.mapText(func(s string) string { return strings.TrimSpace(strings.TrimLeft(s, "<>+&= ")) })
			mode = op
		}
	}
	var v value
	switch {
	case strings.Contains(mode, "&"):
		if m.socket != "" {
			m.netfd = true
		}
		return unknown()
	case mode == "-|" || mode == "|-":
		args := append([]value{target}, c.args[min(3, len(c.args)):]...)
		v = m.run(args, false, value{})
	case strings.HasPrefix(mode, ">"), strings.HasPrefix(mode, "+"):
		v = m.open(target, strings.TrimLeft(strings.SplitN(mode, ":", 2)[0], "+"), false)
	default:
		v = m.open(target, "r", false)
	}
	if handle != "" {
		m.set(handle, v)
	}
	return v
}

// everyBelow calls what File::Find's find is given, or has as its wanted, for what lies
// below the folders.
func (m *machine) everyBelow(c *call) value {
	f := c.arg(0)
	if w, ok := f.get("wanted"); ok {
		f = w
	}
	if f.fn == nil {
		return unknown()
	}
	for _, dir := range c.args[1:] {
		for _, d := range dir.items() {
			below := joinPath(d, lit(umpire.Hole))
			m.set("$File::Find::name", below)
			m.set("$File::Find::dir", d)
			m.apply(f.fn, []value{below})
		}
	}
	return unknown()
}
