package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

func jsCall(m *machine, c *call) (value, bool) {
	name := c.method()
	switch c.ref {
	case "require", "import", "createRequire()", "process.binding", "process.getBuiltinModule", "module.createRequire()":
		s := jsModule(c.arg(0).text())
		if strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, "/") {
			m.effect(Effect{Kind: ReadFile, Arg: command.Word{Text: s, Taint: c.arg(0).taint}})
			return unknown(), true
		}
		if strings.HasPrefix(s, "http") && strings.Contains(s, "://") {
			m.effect(Effect{Kind: Eval, Arg: command.Word{Text: s, Taint: command.FromNetwork}})
			return unknown(), true
		}
		if s == "spawn_sync" || s == "process_wrap" {
			s = "child_process"
		}
		return value{ref: s}, true
	case "console.log", "console.info", "console.error", "console.warn", "console.debug", "process.stdout.write", "console.table", "console.dir", "Deno.stdout.write":
		v := lit("")
		for i, a := range c.args {
			if a.ref == refEnv {
				m.print(a, false)
			}
			if i > 0 {
				v = concat(v, lit(" "))
			}
			v = concat(v, a)
		}
		if c.ref != "console.error" && c.ref != "console.warn" {
			m.print(v, c.ref != "process.stdout.write")
		}
		return unknown(), true
	case "eval", "vm.runInThisContext", "vm.runInNewContext", "vm.runInContext", "vm.Script", "vm.compileFunction", "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "process.nextTick", "vm.Script().runInThisContext", "vm.Script().runInNewContext":
		a := c.arg(0)
		if strings.HasPrefix(c.ref, "set") || strings.HasPrefix(c.ref, "queue") || strings.HasSuffix(c.ref, "Tick") {
			if a.fn != nil {
				return m.apply(a.fn, nil), true
			}
			if len(a.alts) == 0 {
				return unknown(), true
			}
		}
		if strings.HasPrefix(c.ref, "vm.Script().") {
			return unknown(), true
		}
		return m.eval(a), true
	case "Function", "AsyncFunction", "GeneratorFunction":
		if len(c.args) == 0 {
			return unknown(), true
		}
		body := c.args[len(c.args)-1]
		if body.known() && body.taint&(command.FromNetwork|command.FromDecoder) == 0 {
			return value{fn: &function{toks: lex(m.l, body.text())}}, true
		}
		m.eval(body)
		return unknown(), true
	case "child_process.exec", "child_process.execSync", "execa.command", "execa.commandSync", "shelljs.exec", "execaCommand", "execaCommandSync", "Bun.$", "$", "zx.$", "sh", "execSync":
		in := c.option("input")
		m.jsCwd(c)
		return m.callbackOf(c, m.shell(c.arg(0), in)), true
	case "child_process.spawn", "node-pty.spawn", "child_process.spawnSync", "child_process.execFile", "child_process.execFileSync", "execa", "execaSync", "execa.sync", "execa.execa", "execa.execaSync", "cross-spawn", "cross-spawn.sync", "child_process.fork", "spawnSync", "execFileSync", "spawn", "execFile":
		m.jsCwd(c)
		args := []value{c.arg(0)}
		if a := c.arg(1); a.seq && a.keys == nil {
			args = append(args, a.list...)
		}
		if c.ref == "child_process.fork" {
			args = append([]value{lit("node")}, args...)
		}
		if m.endless && (c.ref == "child_process.fork" || c.arg(0).text() == "node" || strings.Contains(c.arg(0).ref, "argv")) || c.arg(0).ref == refArgs {
			m.fork()
		}
		if s := c.option("stdio"); s.seq {
			for _, x := range s.list {
				if x.ref == refSock {
					m.netfd = true
				}
			}
		}
		if c.option("shell").truthy() {
			text := args[0]
			for _, a := range args[1:] {
				text = concat(concat(text, lit(" ")), a)
			}
			return m.callbackOf(c, m.shell(text, c.option("input"))), true
		}
		if m.netfd && isShell(args[0].text()) || m.socket != "" && isShell(args[0].text()) && len(args) <= 2 {
			m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
		}
		return m.callbackOf(c, m.exec(args, c.option("input"))), true
	case "Bun.spawn", "Bun.spawnSync", "Deno.Command", "Deno.run", "Bun.spawn.sync":
		cmd := c.arg(0)
		if x, ok := cmd.get("cmd"); ok {
			cmd = x
		}
		args := []value{cmd}
		if a := c.option("args"); a.seq && c.ref == "Deno.Command" {
			args = append(args, a.list...)
		}
		return m.exec(args, c.option("stdin")), true
	case "process.kill":
		return m.signal(c.arg(0), c.arg(1)), true
	case "process.chdir", "Deno.chdir":
		m.effect(Effect{Kind: Chdir, Arg: c.arg(0).word()})
		return unknown(), true
	case "process.cwd", "Deno.cwd":
		return lit("."), true
	case "process.exit", "JSON.parse", "Object.keys", "Number", "parseInt", "BigInt":
		return value{taint: c.arg(0).taint}, true
	case "Deno.env.get", "Bun.env.get":
		return m.getenv(c.arg(0).text()), true
	case "Deno.env.toObject":
		return value{ref: refEnv}, true
	case "path.join", "path.resolve":
		return joinPath(c.args...), true
	case "path.dirname":
		return c.arg(0).mapText(dirOf), true
	case "path.basename":
		return c.arg(0).mapText(baseOf), true
	case "path.normalize", "fs.realpathSync", "url.fileURLToPath":
		return c.arg(0), true
	case "os.homedir", "os.userInfo().homedir", "homedir":
		return m.home(), true
	case "os.tmpdir":
		return lit("/tmp"), true
	case "Buffer.from", "Buffer":
		a, enc := c.arg(0), strings.ToLower(c.arg(1).text())
		switch {
		case a.seq && a.keys == nil:
			return chars(a.list), true
		case strings.HasPrefix(enc, "base64"):
			return decode(a, "base64"), true
		case enc == "hex":
			return decode(a, "hex"), true
		}
		return a, true
	case "Reflect.get":
		return m.member(c.arg(0), c.arg(1).text()), true
	case "Reflect.apply":
		return m.call(c.arg(0), c.arg(2).list, value{}), true
	case "rimraf", "rimraf.sync", "rimraf.rimraf", "rimraf.rimrafSync", "del", "del.sync", "trash", "shelljs.rm", "rimrafSync", "del.deleteSync", "del.deleteAsync":
		for _, a := range c.args {
			if s := a.text(); !(strings.HasPrefix(s, "-") && c.ref == "shelljs.rm") && a.fn == nil && a.keys == nil {
				m.del(a, umpire.Recursive)
			}
		}
		return unknown(), true
	case "fetch", "axios", "got", "axios.get", "axios.head", "got.get", "https.get", "http.get", "axios.post", "axios.put", "axios.patch", "axios.delete", "axios.request", "got.post", "got.put", "superagent.post", "superagent.get", "needle.post", "needle.get", "fetch.fetch", "fetch.request", "https.request", "http.request", "request", "request.post", "request.get", "ky", "ky.post", "WebSocket", "EventSource", "navigator.sendBeacon", "ws", "fetch.default":
		return m.jsFetch(c, name), true
	case "net.connect", "net.createConnection", "tls.connect", "net.Socket().connect", "Deno.connect", "Bun.connect":
		if o := c.arg(0); o.keys != nil {
			h, _ := o.get("host")
			if h.isNil() {
				h, _ = o.get("hostname")
			}
			p, _ := o.get("port")
			return m.afterConnect(c, m.connect(listOf([]value{h, p}))), true
		}
		h := c.arg(1)
		if h.isNil() || h.fn != nil {
			h = lit("localhost")
		}
		return m.afterConnect(c, m.connect(listOf([]value{h, c.arg(0)}))), true
	case "net.Socket", "tls.TLSSocket":
		return value{ref: refSock}, true
	case "http.createServer", "net.createServer", "https.createServer", "Bun.serve", "Deno.serve", "express":
		m.effect(Effect{Kind: Listen})
		for _, a := range c.args {
			if a.fn != nil {
				m.apply(a.fn, []value{{ref: refSock, taint: command.FromNetwork}, {ref: refSock}})
			}
		}
		return unknown(), true
	case "Deno.remove", "Deno.removeSync":
		return m.del(c.arg(0), recursive(c)), true
	case "Bun.write", "Deno.writeTextFile", "Deno.writeTextFileSync", "Deno.writeFile", "Deno.writeFileSync":
		return m.write(c.arg(0), c.arg(1), umpire.Truncate), true
	case "Deno.readTextFile", "Deno.readTextFileSync", "Deno.readFile", "Deno.readFileSync":
		return m.read(c.arg(0)), true
	case "Bun.file":
		p := c.arg(0)
		f := m.read(p)
		return value{ref: refFile, recv: &p, alts: f.alts, taint: f.taint}, true
	case "Deno.rename", "Deno.renameSync":
		return m.rename(c.arg(0), c.arg(1)), true
	case "Deno.truncate", "Deno.truncateSync":
		return m.write(c.arg(0), lit(""), umpire.Truncate), true
	case "Deno.chmod", "Deno.chmodSync":
		return m.chmod(c.arg(0), c.arg(1), false), true
	}
	if v, ok := m.fsCall(c, name); ok {
		return v, true
	}
	switch c.recv.ref {
	case refSock:
		if name == "connect" && !c.arg(0).seq && len(c.args) > 1 { // port first
			h := c.arg(1)
			if h.fn != nil {
				h = lit("localhost")
			}
			return m.afterConnect(c, m.connect(listOf([]value{h, c.arg(0)}))), true
		}
		if strings.HasPrefix(name, "pipe") && len(c.args) > 0 && strings.HasPrefix(c.args[0].ref, refProc) {
			m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
			return c.recv, true
		}
		return m.sockMethod(c, name), true
	case refProc:
		for _, a := range c.args {
			if a.ref == refSock {
				m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
				return c.recv, true
			}
		}
		if name == "on" {
			return m.callbackOf(c, c.recv), true
		}
		return m.procMethod(c, name)
	case refFile:
		return m.fileMethod(c, name), true
	case refNet:
		if name == "write" || name == "send" || name == "end" {
			if d := c.arg(0); !d.isNil() && c.recv.recv != nil {
				m.net(*c.recv.recv, d, 0)
			}
			return c.recv, true
		}
		if v, ok := m.netMethod(c, name); ok {
			return v, true
		}
		v := c.recv
		for _, a := range c.args {
			if a.fn != nil {
				r := m.apply(a.fn, []value{{ref: refNet, taint: command.FromNetwork, recv: v.recv}})
				if !r.isNil() {
					v = r
					v.taint |= command.FromNetwork
				}
			} else if a.ref != "" {
				m.call(a, []value{{taint: command.FromNetwork}}, value{})
			}
		}
		return v, true
	}
	if strings.HasPrefix(c.ref, refProc+".std") {
		if c.recv.recv != nil && len(c.args) > 0 && (name == "write" || name == "end") {
			p := c.recv
			for p.recv != nil && p.ref != refProc {
				p = *p.recv
			}
			if p.recv != nil {
				m.feed(*p.recv, c.args[0])
			}
			return unknown(), true
		}
		if m.socket != "" && name == "pipe" {
			m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
			return c.arg(0), true
		}
	}
	if c.recv.ref == refIn {
		return m.callbackOf(c, m.stdin()), true
	}
	if c.ref == ".constructor" || name == "constructor" { // [].constructor.constructor("...")()
		if len(c.args) > 0 {
			return jsCall(m, &call{ref: "Function", args: c.args})
		}
	}
	return value{}, false
}

// callbackOf hands what a call yields to its callback.
func (m *machine) callbackOf(c *call, v value) value {
	for _, a := range c.args {
		if a.fn != nil {
			x := value{alts: v.alts, taint: v.taint}
			args := []value{unknown(), x, x}
			if c.method() == "on" || c.recv.ref == refIn {
				args = []value{x}
			}
			m.apply(a.fn, args)
		}
	}
	return v
}

func (m *machine) afterConnect(c *call, s value) value {
	for _, a := range c.args {
		if a.fn != nil {
			m.apply(a.fn, nil)
		}
	}
	return s
}

func (m *machine) jsCwd(c *call) {
	if d := c.option("cwd"); len(d.alts) > 0 {
		m.effect(Effect{Kind: Chdir, Arg: d.word()})
	}
}

func recursive(c *call) umpire.Trait {
	if c.option("recursive").truthy() {
		return umpire.Recursive
	}
	return 0
}

// fsCall reads the file functions of node, whose names are telling enough to be found
// under any alias.
func (m *machine) fsCall(c *call, name string) (value, bool) {
	inFS := strings.HasPrefix(c.ref, "fs.") || strings.Contains(c.ref, "import().") || c.ref == name && strings.HasSuffix(name, "Sync")
	if !inFS && !strings.HasSuffix(name, "Sync") {
		return value{}, false
	}
	base := strings.TrimSuffix(name, "Sync")
	switch base {
	case "rm", "unlink", "rmdir", "remove", "emptyDir", "rmSync":
		t := recursive(c)
		if base == "remove" || base == "emptyDir" {
			t = umpire.Recursive
		}
		m.del(c.arg(0), t)
	case "writeFile", "outputFile", "appendFile", "writeJson", "outputJson", "writeJSON":
		t := umpire.Truncate
		if base == "appendFile" || c.option("flag").text() == "a" {
			t = umpire.Append
		}
		m.write(c.arg(0), c.arg(1), t)
	case "truncate", "ftruncate":
		m.write(c.arg(0), lit(""), umpire.Truncate)
	case "mkdtemp":
		return concat(c.arg(0), lit("XXXXXX")), true
	case "mkdir", "ensureDir", "ensureFile", "mkdirp", "utimes":
		m.write(c.arg(0), unknown(), 0)
	case "symlink", "link":
		m.link(c.arg(1), c.arg(0))
		m.write(c.arg(1), unknown(), 0)
	case "chmod", "lchmod":
		m.chmod(c.arg(0), c.arg(1), false)
	case "chown", "lchown":
		m.chmod(c.arg(0), c.arg(1), true)
	case "rename", "move":
		return m.rename(c.arg(0), c.arg(1)), true
	case "copyFile", "cp", "copy":
		v := m.read(c.arg(0))
		m.write(c.arg(1), v, umpire.Overwrite)
	case "readFile", "readJson", "readJSON":
		if c.arg(0).isNumber() || c.arg(0).text() == "/dev/stdin" {
			return m.stdin(), true
		}
		v := m.read(c.arg(0))
		return m.callbackOf(c, v), true
	case "createReadStream":
		v := m.read(c.arg(0))
		p := c.arg(0)
		return value{ref: refFile, recv: &p, alts: v.alts, taint: v.taint}, true
	case "createWriteStream":
		p := c.arg(0)
		m.write(p, lit(""), umpire.Truncate)
		return value{ref: refFile, recv: &p}, true
	case "open":
		return m.open(c.arg(0), c.arg(1).text(), false), true
	case "readdir", "glob":
		v := value{alts: nil}
		return m.callbackOf(c, v), true
	case "exists", "stat", "lstat", "access", "existsSync", "realpath", "watch", "close":
		return unknown(), true
	case "execFile", "spawn", "exec":
		d := *c
		d.ref = "child_process." + name
		return jsCall(m, &d)
	default:
		return value{}, false
	}
	for _, a := range c.args {
		if a.fn != nil {
			m.apply(a.fn, nil)
		}
	}
	return unknown(), true
}

func (m *machine) jsFetch(c *call, name string) value {
	u := c.arg(0)
	d := c.option("body", "data", "json", "form")
	if d.isNil() && (name == "post" || name == "put" || name == "patch" || name == "sendBeacon") {
		d = c.arg(1)
	}
	if h := authentic(c.option("headers")); d.isNil() && h.taint != 0 {
		d = h
	}
	t := umpire.Trait(0)
	if meth := strings.ToLower(c.option("method").text()); meth == "post" || meth == "put" || meth == "patch" || name == "post" || name == "put" {
		t = umpire.Upload
	}
	if u.keys != nil { // an options object
		h := c.option("url", "uri")
		if h.isNil() {
			h = c.option("hostname", "host")
			if path := c.option("path"); !path.isNil() {
				h = concat(h, path)
			}
		}
		u = h
	}
	v := m.net(u, d, t)
	v.recv = &u
	for _, a := range c.args {
		if a.fn != nil {
			m.apply(a.fn, []value{v})
		}
	}
	return v
}
