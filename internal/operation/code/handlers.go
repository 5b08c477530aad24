package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// The handlers that the tables of several languages share.

// removes deletes files, or trees where the row says Recursive.
func removes(m *machine, c *call, r *row) (value, bool) {
	for _, v := range c.all(r.first) {
		m.del(v, r.traits)
	}
	return unknown(), true
}

// removesAll deletes every path among its arguments, which options and callbacks are not.
func removesAll(m *machine, c *call, r *row) (value, bool) {
	for _, v := range c.all(r.first) {
		if v.fn == nil && v.keys == nil && !v.isNumber() {
			m.del(v, r.traits)
		}
	}
	return unknown(), true
}

// removesMaybeTree deletes a tree if the second argument says so, else a file.
func removesMaybeTree(m *machine, c *call, r *row) (value, bool) {
	t := r.traits
	if c.get(r.second).truthy() {
		t |= umpire.Recursive
	}
	return m.del(c.get(r.first), t), true
}

// writes writes the second argument to the first; without a second the data is not known.
func writes(m *machine, c *call, r *row) (value, bool) {
	return m.write(c.get(r.first), c.get(r.second), r.traits), true
}

// empties cuts a file off.
func empties(m *machine, c *call, r *row) (value, bool) {
	return m.write(c.get(r.first), lit(""), umpire.Truncate), true
}

// reads returns the content of a file.
func reads(m *machine, c *call, r *row) (value, bool) {
	return m.read(c.get(r.first)), true
}

// readsOrFetches reads a file, or a URL, which many languages take in its place.
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

// copies writes the content of the first file to the second.
func copies(m *machine, c *call, r *row) (value, bool) {
	return m.write(c.get(r.second), m.read(c.get(r.first)), umpire.Overwrite), true
}

// unpacks writes the files of the archive that is the first argument.
func unpacks(m *machine, c *call, r *row) (value, bool) {
	return m.unpack(m.read(c.get(r.first)), c, r.second), true
}

// unpack writes files, whose names only the archive knows, below the folder that p names.
func (m *machine) unpack(data value, c *call, p param) value {
	dir := lit(".")
	if c.has(p) {
		dir = c.get(p)
		m.write(dir, data, umpire.Recursive|umpire.Overwrite)
	}
	return m.write(joinPath(dir, lit(umpire.Hole)), value{taint: data.taint}, 0)
}

// links makes the second name a link to the first. A reader of the link reads the target, so
// the target counts as read already.
func links(m *machine, c *call, r *row) (value, bool) {
	target := c.get(r.first)
	m.write(c.get(r.second), m.read(target), umpire.Overwrite)
	m.link(c.get(r.second), target)
	return unknown(), true
}

// changesMode and changesOwner apply the second argument to each of the first.
func changesMode(m *machine, c *call, r *row) (value, bool) {
	for _, v := range c.all(r.first) {
		m.chmod(v, c.get(r.second), false)
	}
	return unknown(), true
}

func changesOwner(m *machine, c *call, r *row) (value, bool) {
	for _, v := range c.all(r.first) {
		m.chmod(v, value{}, true)
	}
	return unknown(), true
}

// opens opens the first argument in the mode that the second spells as C does.
func opens(m *machine, c *call, r *row) (value, bool) {
	return m.open(c.get(r.first), c.get(r.second).text()), true
}

// opensToWrite opens a file that is empty afterwards.
func opensToWrite(m *machine, c *call, r *row) (value, bool) {
	return m.open(c.get(r.first), "w"), true
}

// writesTo puts the second argument into the first, which is a file, a process or a connection.
func writesTo(m *machine, c *call, r *row) (value, bool) {
	m.writeTo(c.get(r.first), c.get(r.second))
	return unknown(), true
}

// shells runs text by a shell, with the second argument on its standard input.
func shells(m *machine, c *call, r *row) (value, bool) {
	return m.shell(c.get(r.first), c.get(r.second)), true
}

// execs runs a vector: the arguments that the row names.
func execs(m *machine, c *call, r *row) (value, bool) {
	return m.exec(c.all(r.first), value{}), true
}

// execsRest runs the program that is the first argument with those that the second names.
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

// execsVector runs (path, [argv0, arg, ...]); argv0 is only a name.
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

// execsWithList runs a vector that is one list, or a program with a list as its option.
func execsWithList(m *machine, c *call, r *row) (value, bool) {
	args := append([]value{c.get(r.first)}, c.get(r.second).list...)
	return m.exec(args, c.option("stdin")), true
}

// runsOrExecs runs one text by a shell, and several as a vector: system of perl and ruby.
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

// fetches contacts the first argument; the second, if there is one, is sent.
func fetches(m *machine, c *call, r *row) (value, bool) {
	return m.net(c.get(r.first), c.get(r.second), r.traits), true
}

// gets is fetches for requests that have headers; those are sent as well.
func gets(m *machine, c *call, r *row) (value, bool) {
	data := c.get(r.second)
	if headers := authentic(c.option("headers", "cookies", "auth")); data.isNil() && headers.taint != 0 {
		data = headers
	}
	return m.net(c.get(r.first), data, r.traits), true
}

// posts sends the second argument, or something that is not known.
func posts(m *machine, c *call, r *row) (value, bool) {
	return m.net(c.get(r.first), either(c.get(r.second), unknown()), umpire.Upload), true
}

// downloads fetches the first argument into the file that is the second.
func downloads(m *machine, c *call, r *row) (value, bool) {
	v := m.net(c.get(r.first), value{}, umpire.Download)
	if c.has(r.second) {
		m.write(c.get(r.second), v, r.traits)
	}
	return v, true
}

// connects opens a connection to an address: one text, a pair, or the row's arguments.
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

// listens waits for connections, and returns their source.
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

// signals sends the second argument to the processes that are the first.
func signals(m *machine, c *call, r *row) (value, bool) {
	for _, pid := range c.all(r.first) {
		m.signal(pid, c.get(r.second))
	}
	return unknown(), true
}

func forks(m *machine, _ *call, _ *row) (value, bool) { return m.fork(), true }

// evaluates runs text as code of the language.
func evaluates(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) == 0 {
		return unknown(), true
	}
	return m.eval(c.get(r.first)), true
}

// makesFunction yields text as a function that runs once it is called. Code of doubtful
// origin is reported at once.
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

// compiles yields text that eval would run.
func compiles(_ *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	v.ref = refCode
	return v, true
}

// sources runs a file as code of the language.
func sources(m *machine, c *call, r *row) (value, bool) {
	if len(c.get(r.first).alts) > 0 || !m.l.is("perl") { // perl's require and do name modules and blocks, too
		m.source(c.get(r.first))
	}
	return unknown(), true
}

// unserializes rebuilds objects out of bytes, which runs code that the bytes choose.
func unserializes(m *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	if v.taint&(command.FromNetwork|command.FromDecoder) != 0 {
		m.effect(Effect{Kind: Eval, Arg: v.word()})
	}
	return value{taint: v.taint}, true
}

// imports yields the module that its argument names.
func imports(m *machine, c *call, r *row) (value, bool) {
	return value{ref: m.canonical(c.get(r.first).text())}, true
}

// looksUp returns the member of the first argument that the second names: getattr(os,
// "system").
func looksUp(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) < 2 {
		return value{}, false
	}
	return m.member(c.get(r.first), c.get(r.second).text()), true
}

// calls calls its first argument with the others.
func calls(m *machine, c *call, _ *row) (value, bool) {
	f := c.arg(0)
	if f.fn == nil && f.ref == "" {
		return f, true
	}
	return m.call(f, c.args[min(1, len(c.args)):], value{}), true
}

// prints puts its arguments on standard output, as one line, with a space between.
func prints(m *machine, c *call, r *row) (value, bool) {
	m.printAll(c.all(r.first), " ", true)
	return unknown(), true
}

// printsRaw prints without a line's end.
func printsRaw(m *machine, c *call, r *row) (value, bool) {
	m.printAll(c.all(r.first), " ", false)
	return unknown(), true
}

// printsJoined prints its arguments as one line, without separators.
func printsJoined(m *machine, c *call, r *row) (value, bool) {
	m.printAll(c.all(r.first), "", true)
	return unknown(), true
}

// says prints as perl and ruby do: format first for printf, the environment reported.
func says(m *machine, c *call, _ *row) (value, bool) {
	return m.say(c.args, value{}, false, c.method()), true
}

// printAll prints values with sep between them. The environment among them is an effect.
func (m *machine) printAll(vs []value, sep string, line bool) {
	v := lit("")
	for i, a := range vs {
		if a.ref == refEnv {
			m.print(a, false)
		}
		if i > 0 {
			v = concat(v, lit(sep))
		}
		v = concat(v, a)
	}
	m.print(v, line)
}

func fromStdin(m *machine, _ *call, _ *row) (value, bool) { return m.stdin(), true }

// fromEnvironment returns a variable, the default in the second argument, or the complete
// environment if there is no name.
func fromEnvironment(m *machine, c *call, r *row) (value, bool) {
	if !c.has(r.first) {
		return value{ref: refEnv}, true
	}
	return either(m.getenv(c.get(r.first).text()), c.get(r.second)), true
}

// loadsEnvironment returns the variables of a file, .env by default. To load them shows none of
// them: a print of them all is a print of the environment.
func loadsEnvironment(_ *machine, c *call, r *row) (value, bool) {
	if name := baseOf(c.get(r.first).text()); strings.HasSuffix(name, ".example") || strings.HasSuffix(name, ".sample") || strings.HasSuffix(name, ".template") || name == ".env.test" {
		return unknown(), true
	}
	return value{ref: refEnv}, true
}

func homeFolder(m *machine, _ *call, _ *row) (value, bool) { return m.home(), true }

// yieldsText returns the text in the row.
func yieldsText(_ *machine, _ *call, r *row) (value, bool) { return lit(string(r.first)), true }

// yieldsArgument returns an argument unchanged.
func yieldsArgument(_ *machine, c *call, r *row) (value, bool) { return c.get(r.first), true }

// yieldsList yields its arguments as a list.
func yieldsList(_ *machine, c *call, r *row) (value, bool) { return listOf(c.all(r.first)), true }

// joinsText joins texts with the separator in the row.
func joinsText(_ *machine, c *call, r *row) (value, bool) {
	v := lit("")
	for i, a := range c.all(r.first) {
		if i > 0 {
			v = concat(v, lit(string(r.second)))
		}
		v = concat(v, a)
	}
	return v, true
}

// yieldsLast yields the last of its arguments.
func yieldsLast(_ *machine, c *call, _ *row) (value, bool) {
	if len(c.args) == 0 {
		return unknown(), true
	}
	return c.args[len(c.args)-1], true
}

// yieldsNothing is for calls without an effect or a known result.
func yieldsNothing(*machine, *call, *row) (value, bool) { return unknown(), true }

// yieldsTaint yields something unknown that comes from where its argument does.
func yieldsTaint(_ *machine, c *call, r *row) (value, bool) {
	return value{taint: c.get(r.first).taint}, true
}

// yieldsReceiver returns the receiver of the call.
func yieldsReceiver(_ *machine, c *call, _ *row) (value, bool) { return c.recv, true }

// joinsPath joins the parts of a path; joinsPathObject returns one with methods.
func joinsPath(_ *machine, c *call, r *row) (value, bool) { return joinPath(c.all(r.first)...), true }

func joinsPathObject(_ *machine, c *call, r *row) (value, bool) {
	v := joinPath(c.all(r.first)...)
	if len(c.args) == 0 {
		v = lit(".")
	}
	v.ref = refPath
	return v, true
}

// folderOf and fileNameOf take a path apart.
func folderOf(_ *machine, c *call, r *row) (value, bool) { return c.get(r.first).mapText(dirOf), true }

func fileNameOf(_ *machine, c *call, r *row) (value, bool) {
	return c.get(r.first).mapText(baseOf), true
}

// expandsHome makes ~ the home folder, expandsVariables also $HOME.
func expandsHome(m *machine, c *call, r *row) (value, bool) {
	return m.expandUser(c.get(r.first)), true
}

func expandsVariables(m *machine, c *call, r *row) (value, bool) {
	return m.expandVars(c.get(r.first)), true
}

// yieldsBelow yields the names below a folder.
func yieldsBelow(_ *machine, c *call, r *row) (value, bool) {
	return listOf([]value{joinPath(c.get(r.first), lit(umpire.Hole))}), true
}

// decodesHex undoes an encoding that hides text from a reader.
func decodesHex(_ *machine, c *call, r *row) (value, bool) {
	return decode(c.get(r.first), "hex"), true
}

// callsText hands the call to the functions of plain text, which the tables of most
// languages need not name: only where a name means something else besides.
func callsText(m *machine, c *call, _ *row) (value, bool) { return m.text(c) }
