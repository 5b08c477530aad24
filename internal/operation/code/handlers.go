package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Handlers that the tables of several languages share.

// removes deletes files, or trees if the row says Recursive. It skips options and callbacks.
func removes(m *machine, c *call, r *row) (value, bool) {
	for _, v := range c.all(r.first) {
		if v.fn == nil && v.keys == nil && !v.isNumber() {
			m.del(v, r.traits)
		}
	}
	return unknown(), true
}

// removesMaybeTree deletes a tree if the second argument is true, or else a file.
func removesMaybeTree(m *machine, c *call, r *row) (value, bool) {
	t := r.traits
	if c.get(r.second).truthy() {
		t |= umpire.Recursive
	}
	return m.del(c.get(r.first), t), true
}

// writes writes the second argument to the first; without a second argument the data is unknown.
func writes(m *machine, c *call, r *row) (value, bool) {
	return m.write(c.get(r.first), c.get(r.second), r.traits), true
}

// empties truncates a file.
func empties(m *machine, c *call, r *row) (value, bool) {
	return m.write(c.get(r.first), lit(""), umpire.Truncate), true
}

// reads returns the content of a file.
func reads(m *machine, c *call, r *row) (value, bool) {
	return m.read(c.get(r.first)), true
}

// readsOrFetches reads a file or, as many languages allow, a URL.
func readsOrFetches(m *machine, c *call, r *row) (value, bool) {
	p := c.get(r.first)
	if strings.Contains(p.text(), "://") {
		return value{taint: m.net(p, value{}, 0).taint}, true
	}
	return m.read(p), true
}

func renames(m *machine, c *call, r *row) (value, bool) {
	return m.rename(c.get(r.first), c.get(r.second)), true
}

// copies writes the content of the first file to the second. Only PHP also copies from a URL: elsewhere
// "x://" is the folder x: of a path.
func copies(m *machine, c *call, r *row) (value, bool) {
	from := c.get(r.first)
	if m.l.is("php") && strings.Contains(from.text(), "://") {
		return m.write(c.get(r.second), m.net(from, value{}, umpire.Download), umpire.Overwrite), true
	}
	return m.write(c.get(r.second), m.read(from), umpire.Overwrite), true
}

// unpacks writes the files of the archive that is the first argument.
func unpacks(m *machine, c *call, r *row) (value, bool) {
	return m.unpack(m.read(c.get(r.first)), c, r.second), true
}

// unpack writes files below the folder that p names. Only the archive knows their names.
func (m *machine) unpack(data value, c *call, p param) value {
	dir := lit(".")
	if c.has(p) {
		dir = c.get(p)
		m.write(dir, data, umpire.Recursive|umpire.Overwrite)
	}
	return m.write(joinPath(dir, lit(umpire.Hole)), value{taint: data.taint}, 0)
}

// links makes the second name a link to the first. A reader of the link reads the target, so the
// target counts as read.
func links(m *machine, c *call, r *row) (value, bool) {
	target := c.get(r.first)
	m.write(c.get(r.second), m.read(target), umpire.Overwrite)
	m.link(c.get(r.second), target)
	return unknown(), true
}

// changesMode sets the permissions or, if the row says so, the owner of files.
func changesMode(m *machine, c *call, r *row) (value, bool) {
	for _, v := range c.all(r.first) {
		m.chmod(v, c.get(r.second), r.traits&umpire.Ownership != 0)
	}
	return unknown(), true
}

// opens opens the first argument in the mode of the second, as in C.
func opens(m *machine, c *call, r *row) (value, bool) {
	return m.open(c.get(r.first), c.get(r.second).text()), true
}

// opensToWrite opens a file and truncates it.
func opensToWrite(m *machine, c *call, r *row) (value, bool) {
	return m.open(c.get(r.first), "w"), true
}

// writesTo writes the second argument to the first, which is a file, a process or a connection.
func writesTo(m *machine, c *call, r *row) (value, bool) {
	m.writeTo(c.get(r.first), c.get(r.second))
	return unknown(), true
}

// shells runs a text in a shell, with the second argument on its standard input.
func shells(m *machine, c *call, r *row) (value, bool) {
	return m.shell(c.get(r.first), c.get(r.second)), true
}

// shellsOrExecs runs a text in a shell, and a list as a vector.
func shellsOrExecs(m *machine, c *call, r *row) (value, bool) {
	if c.get(r.first).seq {
		return execs(m, c, r)
	}
	return m.shell(c.get(r.first), value{}), true
}

// execs runs the arguments that the row names as a vector.
func execs(m *machine, c *call, r *row) (value, bool) {
	return m.exec(c.all(r.first), value{}), true
}

// execsRest runs the first argument as a program, with the arguments that the second names.
func execsRest(m *machine, c *call, r *row) (value, bool) {
	if !c.has(r.first) && !c.allNamed() {
		return unknown(), true
	}
	args := []value{c.get(r.first)}
	if c.has(r.second) {
		args = append(args, c.all(r.second)...)
	}
	return m.exec(args, value{}), true
}

// execsVector runs (path, [argv0, arg, ...]) and ignores argv0.
func execsVector(m *machine, c *call, r *row) (value, bool) {
	if !c.has(r.first) && !c.allNamed() {
		return unknown(), true
	}
	args := []value{c.get(r.first)}
	if argv := c.get(r.second); argv.seq && len(argv.list) > 0 {
		args = append(args, argv.list[1:]...)
	} else if !argv.seq && c.has(r.second) {
		args = append(args, argv)
	}
	return m.exec(args, value{}), true
}

// execsWithList runs one list as a vector, or a program with the list in an option.
func execsWithList(m *machine, c *call, r *row) (value, bool) {
	args := append([]value{c.get(r.first)}, c.get(r.second).list...)
	return m.exec(args, c.option("stdin")), true
}

// runsOrExecs runs one text in a shell, and several texts as a vector, as system of Perl and Ruby
// does.
func runsOrExecs(m *machine, c *call, r *row) (value, bool) {
	args := c.all(r.first)
	for m.l.is("ruby") && len(args) > 0 && args[0].keys != nil { // the environment
		m.setenvs(args[0])
		args = args[1:]
	}
	if m.socket != "" {
		for _, option := range c.kw.list {
			m.netfd = m.netfd || option.ref == refSock
		}
	}
	return m.run(args, false, c.get(r.second)), true
}

// optionsOfCommand applies the options for the folder and the environment of a command.
func (m *machine) optionsOfCommand(c *call) {
	m.setenvs(c.option("env"))
	if d := c.option("cwd"); len(d.alts) > 0 {
		m.effect(Effect{Kind: Chdir, Arg: d.path().word()})
	}
}

// fetches contacts the first argument, and sends the second if there is one.
func fetches(m *machine, c *call, r *row) (value, bool) {
	return m.net(c.get(r.first), c.sent(c.get(r.second)), r.traits), true
}

// requests makes a request. The function has the name of the HTTP method, or takes the method before
// the URL, or takes a request that makesRequest returned. A function with another name is no request.
func requests(m *machine, c *call, r *row) (value, bool) {
	url, data, method := c.get(r.first), c.get(r.second), c.method()
	takesMethod := anyof.Equal(method, "request", "stream", "execute")
	if takesMethod {
		method, url = c.arg(0, "method").text(), c.arg(1, "url", "uri")
		if data = c.option("data", "json", "body", "files", "fields", "params", "content"); m.l.is("perl") && url.isNil() { // a request of LWP
			method, url = "get", c.arg(0)
		}
	}
	t, ok := traitsOfMethod(method)
	if !ok && c.method() != "request" && (!takesMethod || len(url.alts) == 0) { // session.execute(sql)
		return value{}, false
	}
	if method != c.method() { // net knows whether the data is private
		t &^= umpire.Upload
	}
	if url.ref == refRequest {
		made, _ := traitsOfMethod(url.list[0].text())
		t |= made
		if url.recv != nil {
			data = *url.recv
		}
		url = value{alts: url.alts, taint: url.taint}
	}
	v := m.net(url, c.sent(data), t)
	v.recv = &url
	return v, true
}

// traitsOfMethod returns what a request with an HTTP method does. ok is false for any other word.
func traitsOfMethod(method string) (t umpire.Trait, ok bool) {
	switch strings.ToLower(method) {
	case "get", "head", "options":
		return 0, true
	case "post", "put", "patch":
		return umpire.Upload, true
	case "delete", "del":
		return umpire.Mutate | umpire.Destroy, true
	}
	return 0, false
}

// refRequest is a request that is not made yet: its text is the URL, recv its data, list its method.
const refRequest = "$request"

// makesRequest returns a request for a later call. In Perl the method is the name of an argument.
func makesRequest(m *machine, c *call, r *row) (value, bool) {
	url, method := c.get(r.first), c.option("method")
	switch {
	case m.l.is("perl") && len(c.kw.keys) > 0: // (DELETE => "https://...")
		method, url = lit(c.kw.keys[0]), c.kw.list[0]
	case r.first == "1":
		method = c.arg(0)
	}
	v := value{ref: refRequest, alts: url.alts, taint: url.taint, list: []value{method}}
	if m.l.is("perl") { // the content has no fixed place
		v.taint |= listOf(c.args).taint
	}
	if data := c.sent(c.get(r.second)); !data.isNil() {
		v.recv = &data
	}
	return v, true
}

// downloads fetches the first argument and writes it to the second, which is a file.
func downloads(m *machine, c *call, r *row) (value, bool) {
	v := m.net(c.get(r.first), value{}, umpire.Download)
	if c.has(r.second) {
		m.write(c.get(r.second), v, r.traits)
	}
	return v, true
}

// connects opens a connection to an address: one text, a pair, or the arguments that the row names.
func connects(m *machine, c *call, r *row) (value, bool) {
	args := c.all(r.first)
	switch len(args) {
	case 0:
		return value{ref: refSock}, true
	case 1:
		return m.connect(args[0]), true
	}
	return m.connect(listOf(args[:2])), true
}

// listens waits for connections, and returns a socket.
func listens(m *machine, _ *call, _ *row) (value, bool) {
	m.effect(Effect{Kind: Listen})
	return value{ref: refSock}, true
}

func changesFolder(m *machine, c *call, r *row) (value, bool) {
	m.effect(Effect{Kind: Chdir, Arg: c.get(r.first).path().word()})
	return unknown(), true
}

// browses opens its argument in another program.
func browses(m *machine, c *call, r *row) (value, bool) {
	m.effect(Effect{Kind: Browse, Arg: c.get(r.first).word()})
	return unknown(), true
}

// signals sends the second argument as a signal to the processes in the first.
func signals(m *machine, c *call, r *row) (value, bool) {
	for _, pid := range c.all(r.first) {
		m.signal(pid, c.get(r.second))
	}
	return unknown(), true
}

func forks(m *machine, _ *call, _ *row) (value, bool) { return m.fork(), true }

// evaluates runs a text as code of the language.
func evaluates(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) == 0 {
		return unknown(), true
	}
	return m.eval(c.get(r.first)), true
}

// makesFunction returns a function with a text as its body, which runs when it is called. Code of
// doubtful origin is evaluated at once.
func makesFunction(m *machine, c *call, r *row) (value, bool) {
	body := c.get(r.first)
	if body.fn != nil {
		return body, true
	}
	if body.known() && body.taint&(command.FromNetwork|command.FromDecoder) == 0 {
		return value{fn: &function{toks: lex(m.l, body.text())}}, true
	}
	m.eval(body)
	return unknown(), true
}

// compiles returns a text that eval would run.
func compiles(_ *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	v.ref = refCode
	return v, true
}

// sources runs a file as code of the language.
func sources(m *machine, c *call, r *row) (value, bool) {
	if len(c.get(r.first).alts) > 0 || !m.l.is("perl") { // require and do of Perl also name modules and blocks
		m.source(c.get(r.first))
	}
	return unknown(), true
}

// unserializes rebuilds objects from bytes, which runs code that the bytes choose.
func unserializes(m *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	if v.taint&(command.FromNetwork|command.FromDecoder) != 0 {
		m.effect(Effect{Kind: Eval, Arg: v.word()})
	}
	for _, name := range pickled(v.text()) {
		probe := &machine{tables: m.tables, l: m.l, vars: map[string]value{}, funcs: map[string]*function{}}
		probe.call(value{ref: m.canonical(name)}, []value{unknown(), unknown()}, value{})
		if len(probe.effects) > 0 {
			m.effect(Effect{Kind: Eval, Arg: command.Lit(name), Traits: umpire.UnseenCode})
		}
	}
	return value{taint: v.taint}, true
}

// pickled returns the names, each with its module, that a pickle may refer to: by GLOBAL, c MODULE and NAME
// on a line each, or by STACK_GLOBAL and two texts before it, each after 0x8c and its length.
func pickled(s string) (names []string) {
	lines := strings.Split(s, "\n")
	for i, line := range lines[:min(len(lines), maxParts)-1] {
		for j, more := 0, true; more && len(line) < 200; {
			var at int
			if at = strings.IndexByte(line[j:], 'c'); at >= 0 {
				j += at + 1
				names = append(names, line[j:]+"."+lines[i+1])
			}
			more = at >= 0
		}
	}
	last := ""
	for _, part := range strings.Split(s, "\x8c")[1:] {
		if part == "" || int(part[0]) >= len(part) {
			continue
		}
		text := part[1 : 1+int(part[0])]
		names, last = append(names, last+"."+text), text
	}
	return names
}

// imports returns the module that its argument names.
func imports(m *machine, c *call, r *row) (value, bool) {
	name := c.get(r.first).text()
	if v, ok := m.load(name); ok {
		return v, true
	}
	return value{ref: m.canonical(name)}, true
}

// looksUp returns a member of the first argument, which the second names: getattr(os, "system").
func looksUp(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) < 2 {
		return value{}, false
	}
	of, name := c.get(r.first), c.get(r.second)
	if len(name.alts) > 1 {
		return name.eachText(func(name value) value { return m.at(of, name) }), true
	}
	if worst := map[string]string{"os": "system", "subprocess": "call", "shutil": "rmtree"}[of.ref]; worst != "" && !name.known() {
		return m.member(of, worst), true // an adversary hides the name
	}
	return m.member(of, name.text()), true
}

// calls calls its first argument with the other arguments.
func calls(m *machine, c *call, _ *row) (value, bool) {
	f := c.arg(0)
	if f.fn == nil && f.ref == "" {
		return f, true
	}
	return m.call(f, c.args[min(1, len(c.args)):], value{}), true
}

// prints prints its arguments to standard output. The row has what it prints between them, and a line
// feed if that ends the output.
func prints(m *machine, c *call, r *row) (value, bool) {
	between, line := strings.CutSuffix(string(r.second), "\n")
	m.printAll(c.all(r.first), between, line)
	return unknown(), true
}

// says prints as Perl and Ruby do: printf has the format first, and printing the environment is an
// effect. The row may name the function that prints in the same way.
func says(m *machine, c *call, r *row) (value, bool) {
	how := c.method()
	if r.second != "" && c.ref != "printf" {
		how = string(r.second)
	}
	return m.say(c.args, value{}, false, how), true
}

// printAll prints values with sep between them. Printing the environment is an effect.
func (m *machine) printAll(vs []value, sep string, line bool) {
	for _, a := range vs {
		if a.ref == refEnv {
			m.print(a, false)
		}
	}
	m.print(joinedText(vs, sep), line)
}

// joinedText returns texts with sep between them.
func joinedText(vs []value, sep string) value {
	v := lit("")
	for i, a := range vs {
		if i > 0 {
			v = concat(v, lit(sep))
		}
		v = concat(v, a)
	}
	return v
}

func fromStdin(m *machine, _ *call, _ *row) (value, bool) { return m.stdin(), true }
func fromLine(m *machine, _ *call, _ *row) (value, bool)  { return m.line(), true }

// fromLines returns the lines of a file, or those of standard input if no file is named.
func fromLines(m *machine, c *call, r *row) (value, bool) {
	if c.has(r.first) {
		return m.read(c.get(r.first)), true
	}
	return m.input(), true
}

// fromEnvironment returns a variable, its default in the second argument, or the whole environment
// if there is no name.
func fromEnvironment(m *machine, c *call, r *row) (value, bool) {
	if !c.has(r.first) {
		return value{ref: refEnv}, true
	}
	return either(m.getenv(c.get(r.first).text()), c.get(r.second)), true
}

// loadsEnvironment returns the variables of a file, .env by default. Loading shows no value;
// printing the result counts as printing the environment.
func loadsEnvironment(_ *machine, c *call, r *row) (value, bool) {
	if name := baseOf(c.get(r.first).text()); strings.HasSuffix(name, ".example") || strings.HasSuffix(name, ".sample") || strings.HasSuffix(name, ".template") || name == ".env.test" {
		return unknown(), true
	}
	return value{ref: refEnv}, true
}

func homeFolder(m *machine, _ *call, _ *row) (value, bool) { return m.home(), true }

// yieldsText returns the text in the row.
func yieldsText(_ *machine, _ *call, r *row) (value, bool) { return lit(string(r.first)), true }

// yieldsTemp returns the text in the row, the name of a new temporary file, unless an option names
// its folder.
func yieldsTemp(m *machine, c *call, r *row) (value, bool) {
	for _, options := range append([]value{c.kw}, c.args...) {
		if slices.ContainsFunc(options.keys, func(k string) bool { return strings.HasSuffix(k, "dir") }) {
			return unknown(), true
		}
	}
	return yieldsText(m, c, r)
}

// yieldsArgument returns an argument unchanged.
func yieldsArgument(_ *machine, c *call, r *row) (value, bool) { return c.get(r.first), true }

// yieldsList returns its arguments as a list.
func yieldsList(_ *machine, c *call, r *row) (value, bool) { return listOf(c.all(r.first)), true }

// joinsText joins texts with the separator in the row.
func joinsText(_ *machine, c *call, r *row) (value, bool) {
	return joinedText(c.all(r.first), string(r.second)), true
}

// yieldsLast returns the last of its arguments.
func yieldsLast(_ *machine, c *call, _ *row) (value, bool) { return c.arg(len(c.args) - 1), true }

// yieldsNothing handles calls without an effect and without a known result.
func yieldsNothing(*machine, *call, *row) (value, bool) { return unknown(), true }

// yieldsNames returns the names in a folder.
func yieldsNames(_ *machine, c *call, r *row) (value, bool) {
	return listOf([]value{{alts: []string{command.Entry}, taint: c.get(r.first).taint}}), true
}

// yieldsEntries returns the paths in a folder.
func yieldsEntries(_ *machine, c *call, r *row) (value, bool) {
	return pathObject(c.get(r.first), lit(command.Entry)), true
}

// yieldsTaint returns an unknown value with the origin of its argument.
func yieldsTaint(_ *machine, c *call, r *row) (value, bool) {
	return value{taint: c.get(r.first).taint}, true
}

// joinsPath joins the parts of a path; joinsPathObject returns a path object.
func joinsPath(_ *machine, c *call, r *row) (value, bool) { return joinPath(c.all(r.first)...), true }

func joinsPathObject(_ *machine, c *call, r *row) (value, bool) {
	if len(c.args) == 0 {
		return pathObject(lit(".")), true
	}
	return pathObject(c.all(r.first)...), true
}

// folderOf and fileNameOf return the folder and the name in a path.
func folderOf(_ *machine, c *call, r *row) (value, bool) { return c.get(r.first).mapText(dirOf), true }

func fileNameOf(_ *machine, c *call, r *row) (value, bool) {
	return c.get(r.first).mapText(baseOf), true
}

// expandsHome replaces ~ by the home folder; expandsVariables also replaces $HOME.
func expandsHome(m *machine, c *call, r *row) (value, bool) {
	return m.expandUser(c.get(r.first)), true
}

func expandsVariables(m *machine, c *call, r *row) (value, bool) {
	return m.expandVars(c.get(r.first)), true
}

// decodes decodes text that the encoding in the row hides from a reader.
func decodes(_ *machine, c *call, r *row) (value, bool) {
	return decoded(c.get(r.first), string(r.second))
}

// callsText reads the call as a function of plain text. Most tables do not list such functions,
// except where a name has a second meaning.
func callsText(m *machine, c *call, _ *row) (value, bool) { return m.text(c) }
