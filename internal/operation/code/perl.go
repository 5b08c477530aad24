package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// perlCalls are Perl's functions, and those of its modules without their packages:
// File::Path::rmtree is rmtree.
var perlCalls = table{rows: []row{
	{"decode_json from_json", parsesData, "0", "", 0},
	{"LoadFile", readsData, "0", "yaml", 0},
	{"system exec", runsOrExecs, "0..", "", 0},
	{"qx readpipe", shells, "0", "", 0},
	{"unlink rmdir", perlUnlink, "0..", "", 0},
	{"rmtree remove_tree pathrmdir pathrm trash", removes, "0..", "", umpire.Recursive},
	{"rename move mv", renames, "0", "1", 0},
	{"copy cp", copies, "0", "1", 0},
	{"link symlink", links, "0", "1", 0},
	{"truncate", empties, "0", "", 0},
	{"chmod", changesMode, "1..", "0", 0},
	{"chown", changesMode, "2..", "", umpire.Ownership},
	{"mkdir make_path mkpath utime", writes, "0", "", 0},
	{"chdir", changesFolder, "0", "", 0},
	{"kill", signals, "1..", "0", 0},
	{"fork", forks, "", "", 0},
	{"eval", evaluates, "0", "", 0},
	{"do require", sources, "0", "", 0},
	{"open", perlOpen, "1", "2", 0},
	{"glob bsd_glob abs_path realpath canonpath scalar ref", yieldsArgument, "0", "", 0},
	{"find finddepth", perlFind, "0", "", 0},
	{"readdir", yieldsNames, "", "", 0},
	{"socket", perlSocket, "", "", 0},
	{"connect", connects, "1..", "", 0},
	{"sockaddr_in pack_sockaddr_in", perlAddress, "1", "0", 0},
	{"inet_aton", yieldsArgument, "0", "", 0},
	{"inet_pton", yieldsArgument, "1", "", 0},
	{"get getprint head", perlGet, "0", "", 0},
	{"getstore mirror LWP/mirror HTTP/mirror Mojo/mirror WWW/mirror", downloads, "0", "1", 0},
	{"HTTP::Request.new", makesRequest, "1", "", 0},
	{"HTTP/post_form", fetches, "0", "1", umpire.Upload},
	{"LWP/get LWP/head HTTP/get HTTP/head Mojo/get Mojo/head WWW/get WWW/head", requests, "0", "", 0},
	{"LWP/* HTTP/* Mojo/* WWW/*", requests, "0", "1 content Content", 0},
	{"IO::Socket/new IO::Socket/*", perlIOSocket, "0 PeerAddr PeerHost -PeerAddr", "- PeerPort", 0},
	{"*/fdopen", perlFdopen, "0..", "", 0},
	{"tempdir", yieldsText, "/tmp/tmp.XXXXXXXX", "", 0},
	{"lc uc chomp", callsText, "", "", 0},
	{"catfile catdir", joinsPath, "0..", "", 0},
	{"print say printf", says, "", "", 0},
	{"shift", perlShift, "0", "", 0},
	{"pop", perlShift, "0", "", 0},
	{"values each", perlValues, "0", "", 0},
	{"sort reverse", perlList, "0..", "", 0},
	{"keys", perlKeys, "0", "", 0},
	{"length defined exists push unshift close sleep die exit", yieldsTaint, "0", "", 0},
	{"read_file slurp", reads, "0", "", 0},
	{"write_file spew", writes, "0", "1", umpire.Truncate},
}}

// perlCall reads a call that the table describes, under its name without the package.
func perlCall(m *machine, c *call) (value, bool) {
	name := strings.TrimPrefix(strings.TrimPrefix(c.ref, "CORE::"), "GLOBAL::")
	class, method, isMethod := strings.Cut(name, ".")
	if name != c.ref {
		c.ref = name // the functions of text use it, too
	}
	if !isMethod {
		if v, ok := m.described(c, name[strings.LastIndexByte(name, ':')+1:]); ok {
			return v, true
		}
		class, method = name, "new"
	}
	if i := strings.LastIndexByte(method, '.'); i >= 0 {
		method = method[i+1:]
	}
	if strings.HasPrefix(class, "IO::Socket") {
		return m.described(c, "IO::Socket."+method)
	}
	if family, _, ok := strings.Cut(class, "::"); ok && isMethod {
		if v, ok := m.described(c, family+"."+method); ok {
			return v, true
		}
	}
	return m.described(c, name)
}

// perlUnlink deletes $_ if there are no arguments.
func perlUnlink(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) == 0 {
		c.args = []value{m.lookup("$_")}
	}
	return removes(m, c, r)
}

// perlSocket sets the handle in its first argument.
func perlSocket(m *machine, c *call, _ *row) (value, bool) {
	m.set(c.kw.ref, value{ref: refSock})
	return value{ref: refSock}, true
}

// perlAddress returns a host and a port. In Perl, the port comes first.
func perlAddress(_ *machine, c *call, r *row) (value, bool) {
	return listOf([]value{c.get(r.first), c.get(r.second)}), true
}

// perlGet reads get of LWP::Simple. Other functions with this name take no URL.
func perlGet(m *machine, c *call, r *row) (value, bool) {
	url := c.get(r.first)
	if !strings.Contains(url.text(), "://") {
		return value{}, false
	}
	return value{taint: m.net(url, value{}, 0).taint}, true
}

// perlIOSocket opens a connection, or waits for one.
func perlIOSocket(m *machine, c *call, r *row) (value, bool) {
	if !c.option("Listen", "LocalPort").isNil() {
		return listens(m, c, r)
	}
	host := c.get(r.first)
	if port := c.get(r.second); !port.isNil() {
		host = listOf([]value{host, port})
	}
	return m.connect(host), true
}

// perlFdopen makes a connection standard input or output, so that the next shell obeys the peer.
func perlFdopen(m *machine, c *call, r *row) (value, bool) {
	for _, a := range append(c.all(r.first), c.recv) {
		m.netfd = m.netfd || a.ref == refSock
	}
	return unknown(), true
}

// perlShift returns any element of a list, because loops take them all. Without a list, it returns
// the first argument of the function, or of the program.
func perlShift(m *machine, c *call, _ *row) (value, bool) {
	if len(c.args) > 0 {
		return listOf(c.args).each(), true
	}
	if v, ok := m.vars["$_args"]; ok && len(v.list) > 0 {
		return v.list[0], true
	}
	return m.argv("0"), true
}

// perlList returns its arguments in some order. A reversed scalar is a text.
func perlList(_ *machine, c *call, _ *row) (value, bool) {
	v := c.arg(0)
	switch {
	case len(c.args) != 1:
		return listOf(c.args), true
	case v.seq:
		return listOf(v.list), true
	case c.method() == "reverse":
		return either(reversed(v), v), true
	}
	return v, true
}

// perlKeys returns the keys of a dictionary.
func perlKeys(_ *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	if v.ref == refEnv {
		return value{ref: refName}, true
	}
	out := listOf(nil)
	for _, k := range v.keys {
		out.list = append(out.list, lit(k))
	}
	out.taint = v.taint
	return out, v.keys != nil
}

// perlValues returns the values of a hash, or pairs of a name and a value.
func perlValues(m *machine, c *call, r *row) (value, bool) {
	if v := c.get(r.first); v.ref == refEnv {
		return m.anyVariable(), true
	}
	return perlList(m, c, r)
}

// perlOpen reads open(H, "<", $f), open(H, "cmd|"), open(STDIN, ">&S").
func perlOpen(m *machine, c *call, r *row) (value, bool) {
	handle := c.kw.ref
	text, target := c.get(r.first), c.get(r.second)
	mode := strings.TrimSpace(text.text())
	if len(c.args) == 2 && len(text.alts) > 0 { // mode and target are one text
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
		m.netfd = m.netfd || m.socket != ""
		return unknown(), true
	case mode == "-|" || mode == "|-":
		args := append([]value{target}, c.args[min(3, len(c.args)):]...)
		v = m.run(args, false, value{})
	case strings.HasPrefix(mode, ">"), strings.HasPrefix(mode, "+"):
		v = m.open(target, strings.TrimLeft(strings.SplitN(mode, ":", 2)[0], "+"))
	default:
		v = m.open(target, "r")
	}
	if handle != "" {
		m.set(handle, v)
	}
	return v, true
}

// perlFind reads find of File::Find: it calls a function, or the wanted entry of a hash, for every
// file below the folders.
func perlFind(m *machine, c *call, r *row) (value, bool) {
	f := c.get(r.first)
	if w, ok := f.get("wanted"); ok {
		f = w
	}
	if f.fn == nil {
		return unknown(), true
	}
	for _, dir := range c.args[1:] {
		for _, d := range dir.items() {
			below := joinPath(d, lit(command.Entry))
			m.set("$File::Find::name", below)
			m.set("$File::Find::dir", d)
			m.apply(f.fn, []value{below})
		}
	}
	return unknown(), true
}
