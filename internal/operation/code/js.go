package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// jsCalls are functions of Node, Deno, Bun and popular packages. The functions of fs are listed
// without Sync: see jsCall.
var jsCalls = table{rows: []row{
	// Modules and code.
	{"require import createRequire() process.binding process.getBuiltinModule module.createRequire()", jsRequire, "0", "", 0},
	{"util.promisify util.callbackify", yieldsArgument, "0", "", 0},
	{"worker_threads.Worker Worker", evaluates, "0", "", 0},
	{"eval vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction", evaluates, "0", "", 0},
	{"vm.Script().runInThisContext vm.Script().runInNewContext process.exit", yieldsNothing, "", "", 0},
	{"setTimeout setInterval setImmediate queueMicrotask process.nextTick", jsLater, "0", "", 0},
	{"Function AsyncFunction GeneratorFunction */constructor", jsFunction, "", "", 0}, // [].constructor.constructor("...")()
	{"Reflect.get", looksUp, "0", "1", 0},
	{"Reflect.apply", jsReflectApply, "0", "2", 0},
	// Commands.
	{"child_process.exec child_process.execSync execa.command execa.commandSync shelljs.exec execaCommand execaCommandSync execa.execaCommand execa.execaCommandSync Bun.$ $ zx.$ bun.$ execa.$ sh execSync", jsShell, "0", "- input", 0},
	{"child_process.spawn node-pty.spawn child_process.spawnSync child_process.execFile child_process.execFileSync execa execaSync execa.sync execa.execa execa.execaSync cross-spawn cross-spawn.sync spawnSync execFileSync spawn execFile", jsSpawn, "0", "1", 0},
	{"*/doShellScript", shells, "0", "", 0}, // of macOS
	{"child_process.fork", jsFork, "0", "1", 0},
	{"Bun.spawn Bun.spawnSync Deno.run Bun.spawn.sync", execsWithList, "0 cmd", "", 0},
	{"Deno.Command", execsWithList, "0", "- args", 0},
	{"process.kill", signals, "0", "1", 0},
	{"process.chdir Deno.chdir", changesFolder, "0", "", 0},
	// Output, the environment, paths.
	{"console.log console.info console.debug console.table console.dir Deno.stdout.write", prints, "0..", " \n", 0},
	{"process.stdout.write", prints, "0..", " ", 0},
	{"console.error console.warn", jsComplains, "0..", "", 0},
	{"process.cwd Deno.cwd", yieldsText, ".", "", 0},
	{"JSON.parse JSON5.parse", parsesData, "0", "", 0},
	{"js-yaml.load", parsesData, "0", "yaml", 0},
	{"yaml.parse", parsesData, "0", "yaml", 0},
	{"Object.keys", namesOf, "0", "", 0},
	{"Number parseInt BigInt", yieldsTaint, "0", "", 0},
	{"Deno.env.get Bun.env.get", fromEnvironment, "0", "", 0},
	{"dotenv.config dotenv.configDotenv @dotenvx/dotenvx.config", loadsEnvironment, "- path", "", 0},
	{"path.join path.resolve", joinsPath, "0..", "", 0},
	{"path.dirname", folderOf, "0", "", 0},
	{"path.basename", fileNameOf, "0", "", 0},
	{"path.normalize fs.realpath url.fileURLToPath", yieldsArgument, "0", "", 0},
	{"os.homedir os.userInfo().homedir homedir", homeFolder, "", "", 0},
	{"os.tmpdir", yieldsText, "/tmp", "", 0},
	{"Buffer.from Buffer", jsBuffer, "0", "1", 0},
	// Files.
	{"fs.rm fs.unlink fs.rmdir Deno.remove Deno.removeSync", removesMaybeTree, "0", "- recursive", 0},
	{"fs.remove fs.emptyDir", removes, "0", "", umpire.Recursive},
	{"rimraf rimraf.sync rimraf.rimraf rimraf.rimrafSync del del.sync trash rimrafSync del.deleteSync del.deleteAsync", removes, "0..", "", umpire.Recursive},
	{"shelljs.rm", jsShellRm, "0..", "", umpire.Recursive},
	{"fs.writeFile fs.outputFile fs.writeJson fs.outputJson fs.writeJSON", jsWriteFile, "0", "1", umpire.Truncate},
	{"fs.appendFile", writes, "0", "1", umpire.Append},
	{"Bun.write Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync", writes, "0", "1", umpire.Truncate},
	{"fs.write fs.writev", writesTo, "0", "1", 0},
	{"fs.truncate fs.ftruncate Deno.truncate Deno.truncateSync", empties, "0", "", 0},
	{"Deno.makeTempDir Deno.makeTempDirSync Deno.makeTempFile Deno.makeTempFileSync", yieldsTemp, "/tmp/tmp.XXXXXXXX", "", 0},
	{"fs.mkdtemp", jsTemporary, "0", "XXXXXX", 0},
	{".file.delete grunt.file.delete", removes, "0", "", umpire.Recursive}, // Gruntfiles get the module as a parameter
	{"fs.mkdir fs.ensureDir fs.ensureFile fs.mkdirp fs.utimes", writes, "0", "", 0},
	{"fs.symlink fs.link", links, "0", "1", 0},
	{"fs.chmod fs.lchmod Deno.chmod Deno.chmodSync", changesMode, "0", "1", 0},
	{"fs.chown fs.lchown", changesMode, "0", "", umpire.Ownership},
	{"fs.rename fs.move Deno.rename Deno.renameSync", renames, "0", "1", 0},
	{"fs.copyFile fs.cp fs.copy", copies, "0", "1", 0},
	{"fs.readFile Deno.readTextFile Deno.readTextFileSync Deno.readFile Deno.readFileSync", reads, "0", "", 0},
	{"fs.readJson fs.readJSON", readsData, "0", "", 0},
	{"fs.createReadStream Bun.file", opens, "0", "r", 0},
	{"fs.createWriteStream", opensToWrite, "0", "", 0},
	{"fs.open", opens, "0", "1", 0},
	{"fs.readdir", yieldsNames, "0", "", 0},
	{"fs.glob glob glob.glob glob.sync fast-glob fast-glob.glob fast-glob.sync globby globby.globby globby.sync tinyglobby.glob tinyglobby.globSync", yieldsList, "0", "", 0},
	{"fs.exists fs.stat fs.lstat fs.access fs.watch fs.close", yieldsNothing, "", "", 0},
	// The network.
	{"fetch axios got https.request http.request request request.post axios.post axios.put axios.patch axios.delete axios.request axios/delete got.post got.put got.delete superagent.post superagent.delete superagent.del needle.post needle.delete ky.delete fetch.fetch fetch.request ky ky.post fetch.default navigator.sendBeacon", jsFetch, "0", "1", 0},
	{"axios.get axios.head got.get https.get http.get request.get superagent.get needle.get", jsFetch, "0", "1", 0},
	{"WebSocket EventSource ws", jsFetch, "0", "1", 0},
	{"Request", makesRequest, "0", "- body", 0},
	{"axios.create", jsClient, "- baseURL", "axios", 0},
	{"got.extend", jsClient, "- prefixUrl", "got", 0},
	{"ky.create ky.extend", jsClient, "- prefixUrl", "ky", 0},
	{"net.connect net.createConnection tls.connect Deno.connect Bun.connect $sock.connect", jsConnect, "0", "1", 0},
	{"net.Socket tls.TLSSocket", newSocket, "", "", 0},
	{"http.createServer net.createServer https.createServer Bun.serve Deno.serve express", jsServe, "0..", "", 0},
	// Values with callbacks.
	{"$proc.on", jsCallsBack, "", "", 0},
	{"$proc/*", jsProcessMethod, "0..", "", 0},
	{"$net/write $net/send $net/end", jsSends, "0", "", 0},
	{"$net/*", jsThen, "0..", "", 0},
	{"readline.createInterface", jsLines, "0 input", "", 0},
	{"$stdin/*", jsReadsInput, "", "", 0},
}}

// jsCall reads a call that the table describes. Functions of fs have distinctive names, so they are
// found under any alias: rmSync of any receiver is that of fs.
func jsCall(m *machine, c *call) (value, bool) {
	base, sync := strings.CutSuffix(c.method(), "Sync")
	inFS := strings.HasPrefix(c.ref, "fs.") || strings.Contains(c.ref, "import().")
	if (sync || inFS) && m.l.calls.row(c.ref) == nil && m.l.calls.row("fs."+base) != nil {
		c.ref, inFS = "fs."+base, true
	}
	v, ok := m.described(c, c.ref)
	switch {
	case ok && inFS:
		m.callBack(c, v)
	case !ok && (sync || inFS):
		return m.described(c, "child_process."+c.method())
	}
	return v, ok
}

// callBack passes the result of a call to the callbacks among its arguments.
func (m *machine) callBack(c *call, v value) value {
	for _, a := range c.args {
		if a.fn != nil {
			x := value{alts: v.alts, taint: v.taint}
			args := []value{unknown(), x, x} // the first parameter is the error
			if c.method() == "on" || c.recv.ref == refIn {
				args = args[1:2]
			}
			m.apply(a.fn, args)
		}
	}
	return v
}

func jsCallsBack(m *machine, c *call, _ *row) (value, bool) { return m.callBack(c, c.recv), true }

func jsReadsInput(m *machine, c *call, _ *row) (value, bool) { return m.callBack(c, m.line()), true }

// jsLines returns standard input if its lines are names of a listing.
func jsLines(m *machine, c *call, r *row) (value, bool) {
	return m.input(), m.listed && c.get(r.first).ref == refIn
}

// jsRequire returns a module. It reads a file of the project; code from a URL runs unseen.
func jsRequire(m *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	name := jsModule(v.text())
	switch {
	case anyof.HasPrefix(name, "./", "../", "/"):
		m.effect(Effect{Kind: ReadFile, Arg: command.Word{Text: name, Taint: v.taint}})
		if module, ok := m.load(name); ok && v.taint == 0 {
			return module, true
		}
		return unknown(), true
	case strings.HasPrefix(name, "http") && strings.Contains(name, "://"):
		m.effect(Effect{Kind: Eval, Arg: command.Word{Text: name, Taint: command.FromNetwork}})
		return unknown(), true
	case name == "spawn_sync" || name == "process_wrap": // internals of child_process
		name = "child_process"
	}
	return value{ref: name}, true
}

// jsLater runs the argument of a timer: a function, or a text.
func jsLater(m *machine, c *call, r *row) (value, bool) {
	switch v := c.get(r.first); {
	case v.fn != nil:
		return m.apply(v.fn, nil), true
	case m.runs(v):
		for i := range c.args { // setImmediate takes no delay
			m.call(v, c.args[i:], value{})
		}
	case len(v.alts) > 0:
		return m.eval(v), true
	}
	return unknown(), true
}

// jsFunction reads new Function(parameters..., body).
func jsFunction(m *machine, c *call, _ *row) (value, bool) {
	if len(c.args) == 0 {
		return unknown(), true
	}
	return makesFunction(m, &call{args: c.args[len(c.args)-1:]}, &row{first: "0"})
}

func jsReflectApply(m *machine, c *call, r *row) (value, bool) {
	return m.call(c.get(r.first), c.get(r.second).list, value{}), true
}

// jsShell runs a text in a shell, in the folder that the options name. With options alone it
// returns another such function: $({cwd: "/srv"})`id`.
func jsShell(m *machine, c *call, r *row) (value, bool) {
	m.optionsOfCommand(c)
	if c.get(r.first).keys != nil {
		return value{ref: c.ref}, true
	}
	return m.callBack(c, m.shell(c.get(r.first), c.get(r.second))), true
}

// jsSpawn runs a program with a list of arguments.
func jsSpawn(m *machine, c *call, r *row) (value, bool) {
	program := c.get(r.first)
	m.optionsOfCommand(c)
	if m.endless && program.text() == "node" { // the program starts itself
		m.fork()
	}
	for _, s := range c.option("stdio").list {
		m.netfd = m.netfd || s.ref == refSock
	}
	args := append([]value{program}, argumentList(c.get(r.second))...)
	if file, ok := program.get("file"); ok { // process.binding("spawn_sync").spawn({file, args})
		words, _ := program.get("args")
		args = append([]value{file}, words.items()[min(1, len(words.items())):]...)
	}
	if c.option("shell").truthy() {
		return m.callBack(c, m.shell(joinedText(args, " "), c.option("input"))), true
	}
	if isShell(program.text()) && (m.netfd || m.socket != "" && len(args) <= 2) {
		m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
	}
	return m.callBack(c, m.exec(args, c.option("input"))), true
}

// argumentList returns a list of arguments, or nil if v has options in their place.
func argumentList(v value) []value {
	if v.keys != nil {
		return nil
	}
	return v.list
}

// jsFork starts a script with node.
func jsFork(m *machine, c *call, r *row) (value, bool) {
	m.optionsOfCommand(c)
	if m.endless {
		m.fork()
	}
	args := append([]value{lit("node"), c.get(r.first)}, argumentList(c.get(r.second))...)
	return m.callBack(c, m.exec(args, c.option("input"))), true
}

// jsComplains writes to standard error. Printing the environment counts there, too.
func jsComplains(m *machine, c *call, r *row) (value, bool) {
	for _, v := range c.all(r.first) {
		if v.ref == refEnv {
			m.print(v, false)
		}
	}
	return unknown(), true
}

// jsBuffer returns bytes from a text, from encoded text, or from a list of codes.
func jsBuffer(_ *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	if v.seq && v.keys == nil {
		return chars(v.list), true
	}
	v, _ = decoded(v, c.get(r.second).text())
	return v, true
}

// jsShellRm reads shelljs.rm, which has options before the paths.
func jsShellRm(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) > 0 && strings.HasPrefix(c.args[0].text(), "-") {
		c.args = c.args[1:]
	}
	return removes(m, c, r)
}

func jsWriteFile(m *machine, c *call, r *row) (value, bool) {
	t := r.traits
	if strings.HasPrefix(c.option("flag").text(), "a") {
		t = umpire.Append
	}
	return m.write(c.get(r.first), c.get(r.second), t), true
}

// jsTemporary returns a new folder with an unknown suffix.
func jsTemporary(_ *machine, c *call, r *row) (value, bool) {
	return concat(c.get(r.first), lit(string(r.second))), true
}

// jsFetch makes a request to a URL or from options. The body is among the options or, if the
// function's name is the method, after the URL.
func jsFetch(m *machine, c *call, r *row) (value, bool) {
	url, data := c.get(r.first), c.option("body", "data", "json", "form")
	t, named := traitsOfMethod(c.method())
	if data.isNil() && (named && t == umpire.Upload || c.method() == "sendBeacon") {
		data = c.get(r.second)
	}
	method := c.option("method")
	if url.ref == refRequest {
		if data.isNil() && url.recv != nil {
			data = *url.recv
		}
		method, url = url.list[0], value{alts: url.alts, taint: url.taint}
	}
	of, _ := traitsOfMethod(method.text())
	t |= of // some libraries ignore the option in a function for one method
	data = c.sent(data)
	if base := c.recv.recv; base != nil && len(base.alts) > 0 && url.known() && !strings.Contains(url.text(), "://") {
		url = concat(*base, url)
	}
	if url.keys != nil {
		if url = c.option("url", "uri"); url.isNil() {
			url = c.option("hostname", "host")
			if path := c.option("path"); !path.isNil() {
				url = concat(url, path)
			}
		}
	}
	v := m.net(url, data, t)
	v.recv = &url
	m.runCallbacks(c, v)
	return v, true
}

// jsClient returns a client for the host of a base URL: the module in the row, with the URL.
func jsClient(_ *machine, c *call, r *row) (value, bool) {
	base := c.get(r.first)
	return value{ref: string(r.second), recv: &base}, true
}

// runCallbacks calls the functions among the arguments with the result of the call.
func (m *machine) runCallbacks(c *call, with ...value) {
	for _, a := range c.args {
		if a.fn != nil {
			m.apply(a.fn, with)
		}
	}
}

// jsConnect opens a connection: (port, host), or options.
func jsConnect(m *machine, c *call, r *row) (value, bool) {
	port, host := c.get(r.first), c.get(r.second)
	switch options := port; {
	case options.keys != nil:
		port, _ = options.get("port")
		if host, _ = options.get("host"); host.isNil() {
			host, _ = options.get("hostname")
		}
	case len(c.args) < 2 || host.fn != nil: // an unknown host is not the default host
		host = lit("localhost")
	}
	v := m.connect(listOf([]value{host, port}))
	m.runCallbacks(c)
	return v, true
}

func newSocket(*machine, *call, *row) (value, bool) { return value{ref: refSock}, true }

// jsServe waits for connections and hands them to a callback.
func jsServe(m *machine, c *call, _ *row) (value, bool) {
	m.effect(Effect{Kind: Listen})
	m.runCallbacks(c, value{ref: refSock, taint: command.FromNetwork}, value{ref: refSock})
	return unknown(), true
}

// jsProcessMethod reads a method of a process that no row names: passing a connection to it makes a
// remote shell.
func jsProcessMethod(m *machine, c *call, r *row) (value, bool) {
	if slices.ContainsFunc(c.all(r.first), func(a value) bool { return a.ref == refSock }) {
		m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
		return c.recv, true
	}
	return value{}, false
}

// jsSends writes the body of a request that is already open.
func jsSends(m *machine, c *call, r *row) (value, bool) {
	n := c.receiver(refNet)
	if d := c.get(r.first); !d.isNil() && n.recv != nil {
		m.net(*n.recv, d, 0)
	}
	return n, true
}

// jsThen passes a response to callbacks: then, on, pipe.
func jsThen(m *machine, c *call, r *row) (value, bool) {
	v := c.receiver(refNet)
	for _, a := range c.all(r.first) {
		if a.fn != nil {
			if x := m.apply(a.fn, []value{{ref: refNet, taint: command.FromNetwork, recv: v.recv}}); !x.isNil() {
				v = x
				v.taint |= command.FromNetwork
			}
		} else if a.ref != "" {
			m.call(a, []value{{taint: command.FromNetwork}}, value{})
		}
	}
	return v, true
}
