package code

import (
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// valueCalls are the methods of values in every language: paths, open files, connections,
// processes, responses from the network. They are few and have similar names, so one table serves
// all languages.
var valueCalls = table{rows: []row{
	// Paths with methods: pathlib, Pathname, java.io.File.
	{"$path.unlink $path.rmdir $path.delete $path.rm $path.delete_if_exists $path.deleteOnExit", removes, ".", "", 0},
	{"$path.rmtree $path.rm_rf $path.deleteDir $path.deleteRecursively", removes, ".", "", umpire.Recursive},
	{"$path.write_text $path.write_bytes $path.write $path.binwrite $path.setText $path.append", writes, ".", "0", umpire.Truncate},
	{"$path.touch $path.mkdir $path.mkpath $path.mkdirs", writes, ".", "", 0},
	{"$path.symlink_to $path.link_to $path.hardlink_to", pathLinks, "0", "", 0},
	{"$path.chmod $path.lchmod", changesMode, ".", "0", 0},
	{"$path.read_text $path.read_bytes $path.read $path.readlines $path.binread $path.getText", reads, ".", "", 0},
	{"$path.rename $path.replace $path.move $path.renameTo", pathRenames, "0", "", 0},
	{"$path.open", opens, ".", "0 mode", 0},
	{"$path.glob $path.iterdir $path.children $path.each_child $path.listFiles $path.walk $path.walkTopDown $path.walkBottomUp $path.listDirectoryEntries", pathFinds, "0", "", 0},
	{"$path.rglob", pathFinds, "0", "**/", 0},
	{"$path.expanduser", expandsHome, ".", "", 0},
	{"$path.joinpath $path.join", pathJoins, ".", "0..", 0},
	{"$path.with_name", pathRenamed, ".", "0..", 0},
	{"$path.resolve $path.absolute $path.with_suffix $path.relative_to $path.expand_path $path.realpath $path.toFile $path.toPath", yieldsArgument, ".", "", 0},
	{"$path.exists $path.is_file $path.is_dir $path.stat $path.is_symlink", yieldsNothing, "", "", 0},
	// Open files.
	{"$file/write $file/writelines $file/puts $file/print $file/printf $file/writestr $file/writeSync $file/end $file/push $file/syswrite $file/add $file/format", writes, "$file", "0", 0},
	{"$file/extractall", fileUnpacks, "0 path", "", 0},
	{"$file/extract", fileUnpacks, "1 path", "", 0},
	{"$file/truncate", empties, "$file", "", 0},
	{"$file/close $file/flush $file/seek $file/lock", yieldsNothing, "", "", 0},
	{"$file/fileno", yieldsArgument, ".", "", 0},
	{"$file/read $file/readline $file/readlines $file/readAll $file/lines $file/splitlines $file/gets $file/each_line $file/each", yieldsContent, "$file", "", 0},
	{"$file/*", fileKeeps, "", "", 0},
	// Connections.
	{"$sock/connect $sock/connect_ex $sock/createConnection", connects, "0..", "", 0},
	{"$sock/bind $sock/listen", listens, "", "", 0},
	{"$sock/accept", sockAccepts, "", "", 0},
	{"$sock/send $sock/sendall $sock/sendto $sock/write $sock/puts $sock/print $sock/end $sock/syswrite", sockSends, "0", "", 0},
	{"$sock/fileno", newSocket, "", "", 0},
	{"$sock/recv $sock/read $sock/gets $sock/recvfrom $sock/makefile $sock/receive", sockReceives, "", "", 0},
	{"$sock/pipe $sock/on $sock/stdin", sockPipes, "0..", "", 0},
	{"$sock/*", yieldsArgument, ".", "", 0},
	// Processes.
	{"$proc/communicate", procTalks, "0 input", "", 0},
	{"$proc/write $proc/puts $proc/print $proc/end $proc/sendline", procWrites, "0 input", "", 0},
	{"$proc/read $proc/readlines $proc/readline $proc/gets $proc/lines $proc/each_line $proc/output $proc/getText $proc/text", yieldsContent, "$proc", "", 0},
	{"$proc/pipe", procPipes, "0", "", 0},
	{"$proc.on $proc.wait $proc.poll $proc.kill $proc.terminate $proc.close $proc.waitFor $proc.unref $proc.value $proc.waitForOrKill $proc.consumeProcessOutput $proc.quiet $proc.nothrow", yieldsArgument, ".", "", 0},
	// Responses from the network, and clients for one host.
	{"$net/request $net/putrequest", netRequests, "1..", "- body", 0},
	{"$net/delete", netDeletes, "0", "", 0},
	{"$net/storbinary $net/stor $net/send", netRequests, "0..", "- body", 0},
	{"$net/sendmail $net/send_message", netMails, "0..", "- body", umpire.Message},
	{"$net/read $net/text $net/json $net/content $net/decode $net/body $net/getText $net/readlines $net/iter_content $net/decoded_content $net/buffer $net/arrayBuffer $net/readAll $net/blob $net/to_s", netReads, "", "", 0},
	// The environment.
	{"$environ.set $environ.store $environ.setdefault $environ.update $environ.replace $environ.__setitem__", setsEnvironment, "0", "1", 0},
	{"$stdin/*", fromStdin, "", "", 0},
}}

// receiver returns the value of a kind at the root of a chain of calls: p for p.stdin.write(x).
func (c *call) receiver(kind string) value {
	v := c.recv
	for v.ref != kind && v.recv != nil {
		v = *v.recv
	}
	return v
}

func pathLinks(m *machine, c *call, r *row) (value, bool) {
	m.write(c.recv, unknown(), 0)
	m.link(c.recv, c.get(r.first))
	return unknown(), true
}

// pathRenames leaves text.replace(a, b), with two arguments, to the functions of text.
func pathRenames(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) > 1 {
		return value{}, false
	}
	m.del(c.recv, umpire.Recursive)
	return m.write(c.get(r.first), unknown(), umpire.Overwrite), true
}

// pathFinds returns the names below a path that match a pattern.
func pathFinds(_ *machine, c *call, r *row) (value, bool) {
	pattern := c.get(r.first)
	if len(pattern.alts) == 0 {
		pattern = lit("*")
	}
	return pathObject(c.recv, concat(lit(string(r.second)), pattern)), true
}

func pathJoins(_ *machine, c *call, r *row) (value, bool) {
	return pathObject(append([]value{c.get(r.first)}, c.all(r.second)...)...), true
}

// pathRenamed returns the path of another file in the same folder.
func pathRenamed(_ *machine, c *call, r *row) (value, bool) {
	return pathObject(append([]value{c.get(r.first).mapText(dirOf)}, c.all(r.second)...)...), true
}

// open opens a file. The mode is spelled as in C, or as in Perl.
func (m *machine) open(path value, mode string) value {
	if path.ref == refFile || path.ref == refNet || path.ref == refSock || path.ref == refIn {
		return path
	}
	p := path.path()
	f := value{ref: refFile, recv: &p}
	switch {
	case strings.ContainsAny(mode, "wx>") && !strings.HasPrefix(mode, ">>") && mode != umpire.Hole:
		// Opening truncates the file; the data follows when the program writes it.
		m.write(p.mapText(func(s string) string { return strings.ReplaceAll(s, command.Entry, umpire.Hole) }), lit(""), umpire.Truncate)
	case strings.HasPrefix(mode, "a"), strings.HasPrefix(mode, ">>"):
		m.write(p, lit(""), umpire.Append)
	case strings.Contains(mode, "+"):
		m.write(p, lit(""), 0)
	default:
		v := m.read(p)
		f.taint, f.alts = v.taint, v.alts
	}
	return f
}

// fileUnpacks writes the files of an archive. Opening the archive has already read it.
func fileUnpacks(m *machine, c *call, r *row) (value, bool) {
	return m.unpack(value{taint: c.receiver(refFile).taint}, c, r.first), true
}

// yieldsContent returns what a file or a process has to read.
func yieldsContent(m *machine, c *call, r *row) (value, bool) {
	h := c.get(r.first)
	if h.ref == refIn && m.listed {
		return m.line(), true
	}
	return value{alts: h.alts, taint: h.taint}, true
}

// fileKeeps handles methods without a description: their result may still be the file.
func fileKeeps(_ *machine, c *call, _ *row) (value, bool) {
	f := c.receiver(refFile)
	return value{alts: f.alts, taint: f.taint, ref: refFile, recv: f.recv}, true
}

// sockAccepts returns a connection and an address. A shell that starts afterwards may obey the
// peer.
func sockAccepts(m *machine, _ *call, _ *row) (value, bool) {
	m.socket = "a peer"
	return listOf([]value{{ref: refSock, taint: command.FromNetwork}, unknown()}), true
}

// sockSends reports only data that matters, because every protocol sends something.
func sockSends(m *machine, c *call, r *row) (value, bool) {
	if d := c.get(r.first); m.socket != "" && d.taint != 0 || d.ref == refEnv {
		m.net(lit(m.socket), d, 0)
	}
	return unknown(), true
}

func sockReceives(*machine, *call, *row) (value, bool) {
	return value{taint: command.FromNetwork}, true
}

// sockPipes pipes a connection to a process, which makes a remote shell, or passes the peer's data
// to a callback.
func sockPipes(m *machine, c *call, r *row) (value, bool) {
	for _, a := range c.all(r.first) {
		if strings.HasPrefix(a.ref, refProc) {
			m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
		}
		if a.fn != nil {
			m.apply(a.fn, []value{{taint: command.FromNetwork}})
		}
	}
	return c.recv, true
}

// output returns the output of a process.
func (c *call) output() value {
	p := c.receiver(refProc)
	return value{alts: p.alts, taint: p.taint}
}

func procWrites(m *machine, c *call, r *row) (value, bool) {
	p := c.receiver(refProc)
	if d := c.get(r.first); !d.isNil() && p.ref == refProc && p.recv != nil {
		m.feed(*p.recv, d)
	}
	return c.output(), true
}

func procTalks(m *machine, c *call, r *row) (value, bool) {
	out, _ := procWrites(m, c, r)
	return listOf([]value{out, unknown()}), true
}

// procPipes passes the output of a process to another process or, if a connection is open, to the
// peer.
func procPipes(m *machine, c *call, r *row) (value, bool) {
	to := c.get(r.first)
	if target := (&call{recv: to}).receiver(refProc); target.ref == refProc && target.recv != nil {
		m.feed(*target.recv, c.output())
	} else if m.socket != "" {
		m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
	}
	return to, true
}

// netRequests sends data with a client. Only tainted data counts as sent, because a request has
// other arguments, too.
func netRequests(m *machine, c *call, r *row) (value, bool) {
	v := m.netSend(c, r, false)
	if t, _ := traitsOfMethod(c.arg(0, "method").text()); t&umpire.Destroy != 0 {
		return m.netDelete(c, c.arg(1, "url"))
	}
	return v, true
}

// netDeletes sends a DELETE request with a client for one host.
func netDeletes(m *machine, c *call, r *row) (value, bool) { return m.netDelete(c, c.get(r.first)) }

func (m *machine) netDelete(c *call, path value) (value, bool) {
	host := c.receiver(refNet).recv
	if host == nil {
		return value{}, false
	}
	url := *host
	if url.known() && !strings.Contains(url.text(), "://") {
		url = concat(concat(lit("https://"), url), path)
	}
	return m.net(url, value{}, umpire.Mutate|umpire.Destroy), true
}

func netMails(m *machine, c *call, r *row) (value, bool) { return m.netSend(c, r, true), true }

func (m *machine) netSend(c *call, r *row, always bool) value {
	var data value
	for _, a := range c.all(r.first) {
		if a.taint != 0 || a.ref == refEnv {
			data = a
		}
	}
	if body := c.get(r.second); !body.isNil() {
		data = body
	}
	if n := c.receiver(refNet); n.recv != nil && (!data.isNil() || always) {
		m.net(*n.recv, either(data, unknown()), r.traits)
	}
	return value{ref: refNet, taint: command.FromNetwork}
}

func netReads(_ *machine, c *call, _ *row) (value, bool) {
	return value{taint: c.recv.taint | command.FromNetwork}, true
}

// chmod changes permissions or owners.
func (m *machine) chmod(path, mode value, owner bool) value {
	t := umpire.Permissions
	if owner {
		t = umpire.Ownership
	} else if n, err := strconv.ParseInt(octal(mode), 0, 32); err == nil {
		if n&0o002 != 0 {
			t |= umpire.WorldWritable | umpire.Loosened
		}
		if n&0o6000 != 0 {
			t |= umpire.Setuid
		}
	}
	for _, x := range path.items() {
		for _, w := range x.path().words() {
			m.effect(Effect{Kind: Write, Arg: w, Traits: t})
		}
	}
	return unknown()
}

// octal returns the text of a mode as a number: the string "777" is octal in every language.
func octal(mode value) string {
	s := strings.Replace(mode.text(), "0o", "0", 1)
	if !mode.isNumber() && len(s) >= 3 && len(s) <= 4 && strings.Trim(s, "01234567") == "" {
		return "0" + s
	}
	return s
}
