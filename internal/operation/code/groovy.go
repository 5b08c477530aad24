package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// groovyCalls are functions with the same name in Groovy, Java, Kotlin and Scala.
var groovyCalls = table{rows: []row{
	{"*/execute", groovyExecute, "", "", 0},
	{"Runtime/exec java/exec */exec", groovyRuntime, "0", "", 0},
	{"Socket */Socket", connects, "0..", "", 0},
	{"ProcessBuilder */ProcessBuilder", execs, "0..", "", 0},
	{"File */File Paths.get Path.of", joinsPathObject, "0..", "", 0},
	{"Files.delete Files.deleteIfExists File.delete", removes, "0", "", 0},
	{"Files.walk Files.list Files.newDirectoryStream Files.find", yieldsEntries, "0", "", 0},
	{"Files.walkFileTree", groovyVisits, "0", "", 0},
	{"$path/sorted $path/map $path/filter $path/parallel $path/stream $path/peek $path/toList", yieldsArgument, ".", "", 0},
	{"FileUtils.deleteDirectory os.remove.all", removes, "0", "", umpire.Recursive},
	{"String.join", groovyJoins, "0", "1..", 0},
	{"println print System.out.println", prints, "0", " \n", 0},
	{"System.getenv", fromEnvironment, "0", "", 0},
	{"System.getProperty", groovyProperty, "0", "", 0},
	{"evaluate Eval.me */evaluate", evaluates, "0", "", 0},
}}

// groovyExecute runs a text or a list: "rm x".execute(). An SQL statement goes to a database.
func groovyExecute(m *machine, c *call, _ *row) (value, bool) {
	switch text := strings.ToLower(c.recv.text()); {
	case c.recv.seq:
		return m.exec([]value{c.recv}, value{}), true
	case len(c.recv.alts) == 0, strings.HasPrefix(text, "select"), strings.HasPrefix(text, "drop "):
		return value{}, false
	}
	return m.shell(c.recv, value{}), true
}

// groovyRuntime runs a text or a list through the Runtime; exec of any other receiver is unknown.
func groovyRuntime(m *machine, c *call, r *row) (value, bool) {
	if !strings.HasSuffix(c.ref, "getRuntime().exec") && c.ref != "Runtime.runtime.exec" {
		return value{}, false
	}
	return shellsOrExecs(m, c, r)
}

// groovyVisits deletes a tree if the visitor, whose methods are among the arguments, deletes a path
// that only the visit names.
func groovyVisits(m *machine, c *call, r *row) (value, bool) {
	if slices.ContainsFunc(m.effects, func(e Effect) bool { return (e.Kind == Delete || e.Kind == Unlink) && !e.Arg.Known() }) {
		m.del(c.get(r.first), umpire.Recursive)
	}
	return unknown(), true
}

// groovyJoins joins texts, or a list of them, with the separator in the first argument.
func groovyJoins(_ *machine, c *call, r *row) (value, bool) {
	texts := c.all(r.second)
	if len(texts) == 1 {
		texts = texts[0].items()
	}
	return joinedText(texts, c.get(r.first).text()), true
}

func groovyProperty(m *machine, c *call, r *row) (value, bool) {
	if c.get(r.first).text() == "user.home" {
		return m.home(), true
	}
	return unknown(), true
}

// javaArrays writes arrays of Java as lists: new String[]{"rm", "x"} and String[] a = {"rm", "x"}.
func javaArrays(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "[]")
		head, body, opens := strings.Cut(rest, "{")
		items, after, closes := strings.Cut(body, "}")
		if !ok {
			return b.String() + before
		}
		if !opens || !closes || strings.ContainsAny(head, "();,\n\"") {
			b.WriteString(before)
			text = rest
			continue
		}
		if i := strings.LastIndex(before, "new "); i >= 0 && strings.TrimSpace(head) == "" {
			before = before[:i]
		}
		b.WriteString(before + head + "[" + items + "]")
		text = after
	}
}

// juliaCalls are functions with the same name in Julia, Tcl and Elixir, which have no separate
// tables.
var juliaCalls = table{rows: []row{
	{"run exec system System.shell os.cmd", shells, "0", "", 0},
	{"System.cmd", execs, "0..", "", 0},
	{"include", sources, "0", "", 0},
	{"rm File.rm", removesMaybeTree, "0", "- recursive", 0},
	{"File.rm_rf", removes, "0", "", umpire.Recursive},
	{"homedir System.user_home", homeFolder, "", "", 0},
	{"joinpath Path.join", joinsPath, "0..", "", 0},
	{"println print IO.puts", prints, "0", " \n", 0},
}}
