package code

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

// generic reads a language without a table by what all languages share: names, quoted text and
// brackets. The name of a function says that it runs a command or removes a folder:
// removeDirectoryRecursive, Sys.command, os:cmd. Arithmetic and control flow are ignored; every
// call counts as made.
func (m *machine) generic(text string) {
	g := &genericReader{m: m, t: genericTokens(escape.Identifiers(text))}
	if g.findFunctions(); len(g.params) > 0 { // the first reading only finds the arguments of calls
		effects, do := m.effects, m.env.Do
		m.env.Do = nil
		g.all()
		m.effects, m.env.Do, g.i = effects, do, 0
	}
	g.all()
}

func (g *genericReader) all() {
	for g.i < len(g.t) && g.m.step() {
		g.next()
	}
}

// findFunctions finds the functions of a program in C, and the names of their parameters.
func (g *genericReader) findFunctions() {
	for i := 1; i+1 < len(g.t) && g.m.l.is("c"); i++ {
		if g.t[i].kind != 'n' || g.t[i-1].text == "=" || !g.t[i+1].op("(") {
			continue
		}
		var names []string
		end := i + 2
		for ; end < min(i+maxCall, len(g.t)) && g.t[end].text != ")" && g.t[end].text != "("; end++ {
			if next := g.at(end + 1); g.t[end].kind == 'n' && next.kind == 'o' && strings.Contains(",)[", next.text) {
				names = append(names, g.t[end].text)
			}
		}
		for end++; g.at(end).kind == 'l'; end++ {
		}
		if g.at(end).op("{") && len(names) > 0 && !slices.Contains([]string{"if", "for", "while", "switch", "main"}, g.t[i].text) {
			if g.params == nil {
				g.params = map[string][]string{}
			}
			g.params[g.t[i].text] = names
		}
	}
}

// lexeme is a token of a language without a description.
type lexeme struct {
	kind byte // 'n' a name with its qualifiers, 's' text, '!' a line for the shell, 'l' the end of a line, 'o' anything else
	text string
	bare string // the last part of a name, from bareName
}

// op reports whether the lexeme is one of these operators or brackets.
func (t lexeme) op(texts ...string) bool { return t.kind == 'o' && slices.Contains(texts, t.text) }

// maxLine bounds the search for the end of words in <> or of a line for the shell, in bytes.
const maxLine = 4 << 10

// genericTokens reads comments too: a comment in this reading may be code in another language, and
// reading one costs little.
func genericTokens(s string) (out []lexeme) {
	for i := 0; i < len(s) && len(out) < maxSteps; {
		c := s[i]
		switch {
		case c == '\n':
			out = append(out, lexeme{kind: 'l'})
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case strings.HasPrefix(s[i:], "''") && !strings.HasPrefix(s[i+2:], "'"): // an empty text
			out = append(out, lexeme{kind: 's'})
			i += 2
		case c == '"' || c == '`' || c == '\'' && strings.IndexByte(ahead(s, i+1), '\'') > 1:
			j := i + 1
			for ; j < len(s) && s[j] != c; j++ {
				if s[j] == '\\' {
					j++
				}
			}
			j = min(j, len(s))
			out = append(out, lexeme{kind: 's', text: escape.Of("").Decode(s[i+1 : j])})
			i = min(j+1, len(s))
		case nameByte(c) && (c < '0' || c > '9'):
			j := i
			for j < len(s) && (nameByte(s[j]) || s[j] == '\'' || joinsNames(s[j:])) {
				j++
			}
			name := s[i:j]
			out, i = append(out, lexeme{kind: 'n', text: name, bare: bareName(name)}), j
			if (name == "qx" || name == "qqx") && j < len(s) && strings.IndexByte("{[(</|!", s[j]) >= 0 {
				end, _ := pair(s[j])
				if n := strings.IndexByte(ahead(s, j+1), end); n >= 0 {
					out, i = append(out, lexeme{kind: 's', text: s[j+1 : j+1+n]}), j+2+n
				}
			}
		case c == '!' && (len(out) == 0 || out[len(out)-1].kind == 'l'): // a shell line of Octave or gnuplot
			line, _, _ := strings.Cut(ahead(s, i+1), "\n")
			out = append(out, lexeme{kind: '!', text: line})
			i += 1 + len(line)
		case c == '<' && i > 0 && (s[i-1] == ' ' || s[i-1] == '('): // raku's <rm -rf x>
			line, _, _ := strings.Cut(ahead(s, i+1), "\n")
			words, _, ok := strings.Cut(line, ">")
			if !ok || words == "" || strings.ContainsAny(words[:1], " =-<") || strings.ContainsAny(words, "\"'`") {
				out = append(out, lexeme{kind: 'o', text: "<"})
				i++
				continue
			}
			for _, w := range strings.Fields(words) {
				out = append(out, lexeme{kind: 's', text: w})
			}
			i += len(words) + 2
		default:
			out = append(out, lexeme{kind: 'o', text: s[i : i+1]})
			i++
		}
	}
	return out
}

func ahead(s string, i int) string { return s[i:min(len(s), i+maxLine)] }

// joinsNames reports whether s begins with a separator of qualified names.
func joinsNames(s string) bool {
	if s[0] != '.' && s[0] != ':' || len(s) < 2 {
		return false
	}
	return nameByte(s[1]) || strings.HasPrefix(s, "::") && len(s) > 2 && nameByte(s[2])
}

type genericReader struct {
	m    *machine
	t    []lexeme
	i    int
	last value // the last text or folder that was read: "x" |> system

	params map[string][]string // of the functions of a program in C
}

func (g *genericReader) at(k int) lexeme {
	if k < 0 || k >= len(g.t) {
		return lexeme{}
	}
	return g.t[k]
}

// next reads one lexeme, and a call or an assignment that begins with it.
func (g *genericReader) next() {
	t := g.at(g.i)
	g.i++
	switch {
	case t.kind == '!':
		g.m.shell(lit(t.text), value{})
	case t.kind == 's':
		if text, ok := g.shellText(t.text); ok {
			g.m.shell(lit(text), value{})
		}
		g.last = lit(t.text)
		g.method("", []value{g.last})
	case t.kind != 'n':
	case g.assigns():
		from := g.i
		if args, _ := g.arguments(); len(args) == 1 {
			g.m.set(t.text, args[0])
		} else if len(args) > 1 && g.m.l.is("c") {
			g.m.set(t.text, value{seq: true, list: args})
		}
		g.i = from // read the calls inside it, too
	case g.writesText(t.text):
	case g.loops(t):
	default:
		from := g.i
		if homeName(t.bare) {
			g.last = g.m.home()
		}
		if next := g.at(from); g.m.named(t.text) == nil && g.params[t.text] == nil && !next.op("(") {
			return
		}
		args, flags := g.arguments()
		if names := g.params[t.text]; len(args) > 0 && len(names) > 0 && len(args) <= len(names) {
			for k, v := range args {
				g.m.set(names[k], v)
			}
		}
		if before := g.at(from - 2); len(args) == 0 && g.last.alts != nil && before.kind == 'o' && strings.Contains("=>", before.text) { // >>= and |>
			args = []value{g.last}
		}
		if i := strings.LastIndexByte(t.text, '.'); i > 0 && len(args) == 0 { // file.delete()
			if v := g.m.vars[t.text[:i]]; isPath(v.text()) {
				args, t.text = []value{v}, "path"+t.text[i:]
			}
		}
		if _, known := g.m.byName(t.text, args, flags); !known && !g.method(t.text, args) {
			g.i = from
		}
	}
}

// shellText returns the text for a shell after its option in a list of texts, wherever the program
// passes the list: {"sh", "-c", "rm x"}.
func (g *genericReader) shellText(option string) (string, bool) {
	if option != "-c" && option != "-lc" && option != "-ec" {
		return "", false
	}
	shell := slices.ContainsFunc(g.t[max(0, g.i-40):g.i], func(t lexeme) bool {
		name := t.text[strings.LastIndexByte(t.text, '/')+1:]
		return t.kind == 's' && (name == "sh" || name == "bash" || name == "zsh")
	})
	for i := g.i; shell && i < g.i+3; i++ {
		if t := g.at(i); t.kind == 's' {
			return t.text, true
		}
	}
	return "", false
}

// assigns reads = or :=, but not == or =<<.
func (g *genericReader) assigns() bool {
	n := g.i
	if g.at(n).op(":") {
		n++
	}
	if g.at(n).text == "[" && g.m.l.is("c") { // the declaration of an array
		for end := n + 8; g.at(n).text != "]" && n < end; {
			n++
		}
		n++
	}
	after := g.at(n + 1)
	if !g.at(n).op("=") || after.op("=", "<") {
		return false
	}
	g.i = n + 1
	return true
}

// writesText follows a function of C that writes a text into its first argument. An adversary builds
// a command from harmless parts. Parts that are not known leave the old text.
func (g *genericReader) writesText(function string) bool {
	if !g.m.l.is("c") || !anyof.Equal(function, "strcpy", "strncpy", "stpcpy", "strcat", "strncat", "sprintf", "snprintf") {
		return false
	}
	to := g.at(g.i + 1).text
	old := g.m.vars[to]
	delete(g.m.vars, to) // or it would count as a source
	args, _ := g.arguments()
	switch {
	case len(args) == 0:
		args = []value{old}
	case strings.HasSuffix(function, "printf"):
		args[0] = format(args[0], args[1:])
	case strings.HasSuffix(function, "cat") && old.alts != nil:
		args[0] = concat(old, args[0])
	}
	g.m.set(to, args[0])
	return true
}

// loops follows a loop over the entries of a folder, and a walk of C, which passes each entry to a
// function.
func (g *genericReader) loops(t lexeme) bool {
	from := g.i
	switch {
	case t.text == "for" || t.text == "foreach":
		in := slices.IndexFunc(g.t[from:min(from+10, len(g.t))], func(t lexeme) bool {
			return t.kind == 'n' && (t.text == "in" || t.text == "of") || t.op(":")
		})
		if in < 1 || g.at(from+in-1).kind != 'n' {
			return false
		}
		name := g.at(from + in - 1).text
		g.i = from + in + 1
		if args, _ := g.arguments(); len(args) > 0 && !args[0].seq {
			entry := joinPath(args[0], lit(command.Entry))
			g.m.set(name, entry)
			g.m.set(name+".path", entry)
		}
	case g.m.l.is("c") && (t.text == "nftw" || t.text == "ftw"):
		if args, _ := g.arguments(); len(args) > 0 && slices.ContainsFunc(g.t, func(t lexeme) bool {
			return t.kind == 'n' && slices.Contains([]string{"remove", "unlink", "rmdir"}, t.text)
		}) {
			g.m.del(args[0], umpire.Recursive)
		}
	default:
		return false
	}
	g.i = from // read the calls inside it, too
	return true
}

// method reads the call of a method on the last value, which a function made: "rm x".execute(),
// Seq("rm").run, Directory("x").delete(recursive: true).
func (g *genericReader) method(function string, of []value) bool {
	if g.at(g.i).text != "." || g.at(g.i+1).kind != 'n' || len(of) == 0 {
		return false
	}
	from, name := g.i, g.at(g.i+1).text
	var flags []string
	if g.i += 2; g.at(g.i).text == "(" {
		_, flags = g.arguments()
	}
	_, known := g.m.byName(function+"."+name, of, flags)
	if !known {
		g.i = from
	}
	return known
}

// maxCall bounds the lexemes of one call, because nested calls are read several times.
const maxCall = 64

// arguments reads texts, and names of texts, up to the end of the brackets or of the line.
// flags are the other words: true, or recursive.
func (g *genericReader) arguments() (args []value, flags []string) {
	depth, join := 0, false
	add := func(v value) {
		if join && len(args) > 0 {
			args[len(args)-1] = concat(args[len(args)-1], v)
		} else if len(args) < maxItems {
			args = append(args, v)
		}
		join = false
	}
	for end := min(g.i+maxCall, len(g.t)); g.i < end; g.i++ {
		t := g.at(g.i)
		switch t.kind {
		case 'l':
			if depth == 0 {
				return args, flags
			}
		case 's':
			if t.text != "" || g.at(g.i-1).text != "?" { // x ?? ''
				add(g.text(t.text))
			}
		case 'n':
			switch word := t.bare; {
			case depth == 0 && anyof.Equal(t.text, "in", "then", "do", "where", "and"):
				return args, flags
			case g.m.vars[t.text].alts != nil || g.m.vars[t.text].seq:
				add(g.m.vars[t.text])
			case homeName(word):
				add(g.m.home())
			case strings.Contains(word, "getenv") || strings.HasSuffix(word, "lookupenv") || word == "environment":
				k := g.i + 1
				for g.at(k).op("(", "[") {
					k++
				}
				if g.at(k).kind == 's' {
					add(g.m.getenv(g.at(k).text))
					for g.i = k; anyof.Equal(g.at(g.i+1).text, "]", "!", "?"); { // environment['HOME']!
						g.i++
					}
				}
			default:
				flags = append(flags, word)
				join = false
			}
		default:
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				if depth--; depth <= 0 {
					if n := g.at(g.i + 1); depth < 0 || n.kind != 'o' || !strings.Contains("+~^<", n.text) {
						g.i++
						return args, flags
					}
				}
			case ";":
				if depth == 0 {
					return args, flags
				}
				join = false
			case "+", "~", "^", ".", "&": // a.b joins nothing here, because names include their dots
				join = true
			case "<":
				join = g.at(g.i+1).text == ">"
			case ">":
				if g.at(g.i+1).text == ">" && depth == 0 { // >> begins the next action
					return args, flags
				}
			case ",":
				join = false
			}
		}
	}
	return args, flags
}

// text returns a text in which the names of variables after a $ are replaced: '$home/x'.
func (g *genericReader) text(s string) value {
	if strings.IndexByte(s, '$') < 0 || g.m.l.is("c") {
		return lit(s)
	}
	return lit(g.m.expandNames(s, func(name string) (string, bool) {
		v, ok := g.m.vars[name]
		return v.text(), ok && len(v.alts) == 1
	}))
}

// homeName reports whether a name is that of the home folder.
func homeName(bare string) bool {
	return strings.Contains(bare, "home") || bare == "userprofile"
}

// bareName returns the last part of a name, reduced to lower-case letters.
func bareName(name string) string {
	if i := strings.LastIndexAny(name, ".:/"); i >= 0 {
		name = name[i+1:]
	}
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("_-!?'", c) {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
}

// namedCalls are functions whose names reveal their effect in any language. Keys are in the
// form of bareName.
var namedCalls = table{rows: []row{
	{"system shell shellout sh cmd command exec execute execshellcmd execcmd execcmdex openprocessin openprocess spawn spawncommand spawnprocess spawnshell executeshell run runprocess runcommand rawsystem addsystemcommand callcommand callprocess readprocess readprocesswithexitcode process proc subprocess createprocess startprocess runinshell unix dos qx qqx runprogram extern local system*", namedRuns, "", "", 0},
	{"execl execle execlp execv execvp execve", namedExecs, "", "", 0},
	{"popen", shells, "0", "", 0},
	{"rmtree rmrf removeall removedirall deletetreeabsolute removedirectoryrecursive removepathforcibly removerecursive rmdirrecurse deletetree deletedirectorytree deletedirectoryandcontents deletedirectory deletedir deldirr removeitem deleterecursively deleterecursive removetree purgedirectory", removes, "0", "", umpire.Recursive},
	{"rm rmdir removefile removedir removedirectory deletefile deldir unlink trash", namedRemoves, "0", "1", 0},
	{"remove delete", namedRemovesFile, "0", "1", 0},
	{"readfile readasstring readasbytes readalltext readallbytes slurp contentsoffile", reads, "0", "", 0},
	{"writefile writealltext writeallbytes spurt", writes, "0", "", umpire.Truncate},
	{"appendfile appendalltext", writes, "0", "", umpire.Append},
}}

// libc lists the functions of C and C++ in namedCalls.
var libc = []string{"system", "popen", "execl", "execle", "execlp", "execv", "execve", "execvp", "createprocess", "remove", "removeall", "rmdir", "unlink", "deletefile", "removedirectory"}

// named returns the row of a function whose name reveals its effect.
func (m *machine) named(name string) *row {
	last := bareName(name)
	last = strings.TrimSuffix(last, "sync")
	if last == "start" && strings.Contains(strings.ToLower(name), "process") { // Process.Start
		last = "startprocess"
	}
	// Programs in C often define their own functions run and process.
	if m.l.is("c") && !slices.Contains(libc, last) {
		return nil
	}
	return m.names.row(last)
}

// byName reads a call by the words of the function's name. The same few words serve in all
// languages. A function that the program itself defines may have such a name; its arguments are
// then checked needlessly. flags are the other words of the call.
func (m *machine) byName(name string, args []value, flags []string) (value, bool) {
	r := m.named(name)
	if r == nil || len(args) == 0 {
		return unknown(), false
	}
	return r.does(m, &call{ref: name, args: args, flags: flags}, r)
}

// namedRuns runs one text, possibly in parts, in a shell, and a vector without a shell.
func namedRuns(m *machine, c *call, _ *row) (value, bool) {
	args := c.args
	if m.l.is("c") && len(args) > 2 && path.Base(args[0].text()) == args[1].text() { // execlp("sh", "sh", "-c", x)
		args = args[1:]
	}
	switch {
	case len(args) > 1 && strings.Contains(args[0].text(), " "): // the first argument is not a program's name, but a part of one text
		return m.shell(joined(args), value{}), true
	case len(args) == 1 && !args[0].seq:
		return m.shell(args[0], value{}), true
	case len(args) == 2 && strings.Contains(args[1].text(), " "): // the arguments of the program are one text
		return m.shell(concat(concat(args[0], lit(" ")), args[1]), value{}), true
	}
	return m.exec(args, value{}), true
}

// namedExecs runs (path, argv0, arg...) or (path, argv) and ignores argv0.
func namedExecs(m *machine, c *call, _ *row) (value, bool) {
	path, argv := c.args[0], c.args[1:]
	if path.seq && len(path.list) > 0 { // execvp(argv[0], argv)
		path = path.list[0]
	}
	if len(argv) > 0 && argv[0].seq {
		argv = argv[0].list
	}
	return m.exec(append([]value{path}, argv[min(1, len(argv)):]...), value{}), true
}

// namedRemoves deletes an argument that looks like a path, but not the member of a set or map.
func namedRemoves(m *machine, c *call, r *row) (value, bool) {
	v := m.path(c.get(r.first))
	if !isPath(v.text()) {
		return unknown(), false
	}
	t := r.traits
	if slices.ContainsFunc(c.flags, func(f string) bool { return strings.Contains(f, "recursive") || f == "true" }) || c.get(r.second).text() == "s" {
		t |= umpire.Recursive
	}
	return m.del(v, t), true
}

// namedRemovesFile deletes only if the name mentions files, because sets, maps and lists of routes
// also have a delete.
func namedRemovesFile(m *machine, c *call, r *row) (value, bool) {
	if !ofFiles(c.ref) && !m.l.is("c") { // remove of C deletes files
		return unknown(), false
	}
	return namedRemoves(m, c, r)
}

// joined returns a text that was passed in parts, or with placeholders for them.
func joined(args []value) value {
	v := args[0]
	for _, a := range args[1:] {
		if before, after, ok := strings.Cut(v.text(), "%s"); ok {
			v = concat(concat(lit(before), a), lit(after))
		} else {
			v = concat(v, a)
		}
	}
	return v
}

// ofFiles reports whether the qualifier of a function's name concerns files.
func ofFiles(name string) bool {
	l := strings.ToLower(name)
	return anyof.Contains(l, "file", "dir", "path", "fs.", "os.", "os:", "io.")
}

func isPath(s string) bool {
	return strings.ContainsAny(s, `/\`) || strings.HasPrefix(s, "~") || strings.HasPrefix(s, ".")
}
