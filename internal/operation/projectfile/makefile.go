package projectfile

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Bounds on the makefiles of one run of make. The adversary may have written the files.
const (
	maxMakeSteps = 200000 // lines and references
	maxPrints    = 256    // commands whose output lines get by exported variables
	maxValues    = 4      // values of a variable that depends on an unknown condition
)

// doMake reads make and the recipes that it runs.
func doMake(c *command.Call) {
	dry := c.Has("-n", "-q", "-p", "-t")
	if c.Inert() && !dry {
		return
	}
	if dry { // make runs $(shell ...) even in a dry run, because it reads the makefiles
		old := c.Traits
		c.Traits &^= umpire.Inert
		defer func() { c.Traits = old }()
	}
	m := &maker{c: c, vars: map[string][]string{}, given: map[string]bool{}, rules: map[string]*recipe{}, chain: map[string]bool{}, tab: "\t"}
	for _, w := range c.Operands {
		if k, v, ok := strings.Cut(w.Text, "="); ok {
			k = strings.TrimRight(k, ":?+")
			m.vars[k], m.given[k] = []string{v}, true
			m.exports = append(m.exports, k)
			if k == "SHELL" && w.Known() && v != "" && !shellLine(v) {
				c.Shell(w.With(v), command.Run{Traits: umpire.RunsProgram})
			}
			if strings.Contains(v, "$(shell ") || strings.Contains(v, "${shell ") {
				c.Shell(w.With(": "+m.expand(v)), command.Run{})
			}
		} else {
			m.want = append(m.want, w.Text)
		}
	}
	if v, ok := c.Var("MAKEFILES"); ok && v.Known() {
		for _, n := range strings.Fields(v.Text) {
			m.read(n)
		}
	}
	if v, ok := c.Var("MAKEFLAGS"); ok && v.Known() {
		m.flags(v)
	}
	for _, w := range c.All("--eval") {
		m.file = &command.Started{Stream: command.Stream{Text: w.Text, Seen: w.Known(), Taint: w.Taint, Pipe: true}, Call: c, Name: "--eval", Own: true}
		m.parse(w.Text)
	}
	files := c.All("-f")
	for _, w := range files {
		if w.Text == "-" || w.Text == "/dev/stdin" {
			m.take(command.Started{Stream: c.Stdin, Call: c, Name: "-", Own: true})
		} else if !m.read(w.Text) && w.Taint&(command.FromNetwork|command.FromDecoder) != 0 {
			m.take(command.Started{Stream: command.Stream{Taint: w.Taint, Pipe: true}, Call: c, Name: w.Text, Own: true})
		}
	}
	if len(files) == 0 {
		if f, ok := c.StartedFile("GNUmakefile", "makefile", "Makefile"); ok {
			m.take(f)
		}
	}
	if !dry {
		m.run()
	}
	if m.lost || m.steps >= maxMakeSteps { // the adversary may hide code behind that much text
		c.Op(umpire.Exec, command.Quote("make", c.Args), umpire.UnseenCode)
	}
}

// maker reads the makefiles of one call and runs their targets.
type maker struct {
	c       *command.Call
	vars    map[string][]string // the possible values of each variable, the likeliest last
	given   map[string]bool     // variables of the command line, which the file does not change
	exports []string
	rules   map[string]*recipe
	free    []recipe // allocated, not in use yet

	roomSteps []step
	roomTexts []string
	patterns  []string        // names of rules with a %, in order
	searches  []search        // where make looks for prerequisites, in order
	chain     map[string]bool // the patterns that led to the target
	want      []string        // targets of the command line
	first     string          // the default target
	missing   []string        // included files that are not there; make makes them first
	tab       string          // the prefix of a recipe's lines
	file      *command.Started
	list      []string // files that were read
	own       bool     // this very call wrote some of them
	unknown   bool     // an include was not found
	unnamed   bool     // the targets of a rule are not known
	lost      bool     // there is more than was read
	depth     int
	steps     int
	world     int  // which of several values expand takes
	several   bool // a variable had several values
	prints    int  // exports of what commands print
	evals     bool // the text becomes part of the makefile
	auto      *target
}

// A recipe has the prerequisites of a target, and the lines that make it.
type recipe struct {
	needs []string
	lines []step
	vars  [][2]string // NAME and VALUE, for this target only
}

// step is a line of a recipe, with its file and line number.
type step struct {
	file *command.Started
	line int
	text string
}

// target is the subject of the automatic variables of a recipe.
type target struct {
	name, stem   string
	needs, found []string // prerequisites as written, and where make finds them
}

// room returns an empty list with room for one element, as most lists have. A large makefile has
// thousands of lists.
func room[T any](free *[]T) []T {
	if len(*free) == 0 {
		*free = make([]T, 64)
	}
	one := (*free)[:0:1]
	*free = (*free)[1:]
	return one
}

func (m *maker) step() bool { m.steps++; return m.steps < maxMakeSteps }

// read reads a makefile of that name, and reports whether there is one.
func (m *maker) read(name string) bool {
	f, ok := m.c.StartedFile(name)
	if ok {
		m.take(f)
	}
	return ok
}

// flags reads the makefiles that options in MAKEFLAGS name or contain.
func (m *maker) flags(v command.Word) {
	words := splitText(m.c, v.Text)
	for i, w := range words {
		name, value, joined := strings.Cut(w, "=")
		if !joined && strings.HasPrefix(w, "-f") {
			if name, value = "-f", w[2:]; value == "" && i+1 < len(words) {
				value = words[i+1]
			}
		}
		switch name {
		case "-f", "--file", "--makefile":
			m.read(value)
		case "--eval":
			m.file = &command.Started{Stream: command.Stream{Text: value, Seen: true, Taint: v.Taint}, Call: m.c, Name: "MAKEFLAGS"}
			m.parse(value)
		}
	}
}

// take reads a makefile.
func (m *maker) take(f command.Started) {
	if !f.Seen {
		if f.Pipe || f.Taint != 0 {
			f.RunUnseen()
		}
		return
	}
	if len(m.list) == 0 { // the maps of a long file would grow many times
		lines := strings.Count(f.Text, "\n")
		vars, rules := make(map[string][]string, lines/4), make(map[string]*recipe, lines/4)
		maps.Copy(vars, m.vars)
		maps.Copy(rules, m.rules)
		m.vars, m.rules = vars, rules
	}
	old := m.file
	m.file, m.list, m.own = &f, append(m.list, f.Name), m.own || f.Own
	m.parse(strings.TrimPrefix(f.Text, "\ufeff")) // make skips a mark of the encoding
	m.file = old
}

// parse reads the lines of a makefile. Both arms of an unknown condition count, and a variable that
// they set has both values.
func (m *maker) parse(text string) {
	if m.depth >= 16 {
		m.lost = true
		return
	}
	m.depth++
	defer func() { m.depth-- }()
	var rules []*recipe
	var conds []condition
	number, more := 0, true
	next := func() (line string) { // a list of all lines would be longer than most of what it leads to
		line, text, more = strings.Cut(text, "\n")
		number++
		return line
	}
	for more && m.step() {
		line := strings.TrimSuffix(next(), "\r")
		at := number
		if len(rules) > 0 && strings.HasPrefix(line, m.tab) {
			line = line[len(m.tab):]
			for command.GoesOn(line) && more {
				line += "\n" + strings.TrimPrefix(next(), m.tab)
			}
			if on, _ := standing(conds); on {
				for _, r := range rules {
					if len(r.lines) == 0 {
						r.lines = room(&m.roomSteps)
					}
					r.lines = append(r.lines, step{m.file, at, line})
				}
			}
			continue
		}
		for command.GoesOn(line) && more {
			line = strings.TrimRight(line[:len(line)-1], " \t") + " " + strings.TrimSpace(next())
		}
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || m.conditional(line, &conds) {
			continue
		}
		on, maybe := standing(conds)
		word, rest := firstWord(line)
		if word == "define" || strings.HasPrefix(line, "override define ") || strings.HasPrefix(line, "export define ") {
			name := strings.TrimSpace(line[strings.Index(line, "define")+len("define"):])
			name = strings.TrimRight(name, "=:?+ ")
			var body []string
			for l := next(); strings.TrimSpace(l) != "endef"; l = next() {
				if body = append(body, l); !more {
					break
				}
			}
			if on {
				m.set(name, strings.Join(body, "\n"), maybe)
			}
			continue
		}
		if !on {
			continue
		}
		switch word {
		case "include", "-include", "sinclude":
			m.include(rest)
			continue
		case "export", "override", "unexport", "private":
			if line = strings.TrimSpace(rest); word == "export" {
				name, _, _ := strings.Cut(line, "=")
				m.exports = append(m.exports, strings.Fields(strings.TrimRight(name, ":?+! "))...)
			}
		case "load", "-load":
			if _, _, _, ok := assignment(line); !ok {
				m.c.Op(umpire.Exec, m.expand(line), umpire.LoadsCode)
				continue
			}
		case "vpath", "undefine", "endef":
			m.shells(line, at)
			if word == "vpath" {
				m.vpath(rest)
			}
			continue
		}
		m.shells(line, at)
		if m.assign(line, maybe, at) {
			rules = nil
			continue
		}
		if i := topColon(line); i >= 0 {
			rules = m.rule(line, i, at)
		} else if strings.Contains(line, "$(") { // $(eval ...), $(call ...)
			m.parseValue(m.expand(line), line)
		}
	}
}

// parseValue reads the expansion of a line, if it is more of a makefile.
func (m *maker) parseValue(text, line string) {
	if strings.Contains(text, umpire.Hole) {
		m.unnamed = true
	} else if strings.TrimSpace(text) != "" && text != line {
		m.parse(text)
	}
}

// include reads other makefiles. A rule may make one that is missing.
func (m *maker) include(names string) {
	for _, n := range m.matching(strings.Fields(m.expand(names))) {
		m.lost = m.lost || len(m.list) >= command.MaxIncludes
		if len(m.list) >= command.MaxIncludes || strings.ContainsAny(n, "*?[$") || strings.Contains(n, umpire.Hole) {
			m.unknown = true
			continue
		}
		found := m.read(n)
		for _, dir := range m.c.All("-I") {
			found = found || !strings.HasPrefix(n, "/") && m.read(strings.TrimSuffix(dir.Text, "/")+"/"+n)
		}
		if !found {
			m.unknown, m.missing = true, append(m.missing, n)
		}
	}
}

// matching replaces patterns such as mk/*.mk by the files that match them.
func (m *maker) matching(names []string) (out []string) {
	for _, n := range names {
		dir, last := path.Split(n)
		if !strings.Contains(last, "*") || strings.Contains(n, umpire.Hole) || strings.Contains(dir, "*") {
			out = append(out, n)
			continue
		}
		dir = cmp.Or(dir, ".")
		for _, name := range m.c.Names(command.Lit(dir)) {
			if ok, _ := path.Match(last, name); ok {
				out = append(out, path.Join(dir, name))
			}
		}
	}
	return out
}

// shells runs the $(shell ...) commands of a line outside of recipes: make runs them while it reads
// the line.
func (m *maker) shells(line string, at int) {
	for m.step() {
		i := strings.IndexByte(line, '$')
		if i < 0 || i+1 == len(line) {
			return
		}
		line = line[i+1:]
		if line[0] != '(' && line[0] != '{' {
			continue
		}
		line = line[1:]
		fn, text := firstWord(line[:command.Closing(line)])
		if fn == "call" { // it calls make's own functions as well
			fn, text, _ = strings.Cut(text, ",")
			fn = strings.TrimSpace(m.expand(fn))
		}
		if fn == "shell" {
			m.file.Run(at, m.expand(text), command.Run{})
		}
	}
}

// assign reads a variable's definition, and reports whether the line is one.
func (m *maker) assign(line string, maybe bool, at int) bool {
	name, op, v, ok := assignment(line)
	if !ok {
		return false
	}
	name = m.expand(name)
	if m.given[name] {
		return true
	}
	old, set := m.vars[name]
	switch op {
	case '?':
		if set {
			return true
		}
		if w, ok := m.c.Var(name); ok && w.Known() {
			v = w.Text
		}
	case '+':
		if set {
			v = old[len(old)-1] + " " + v
		}
	case ':':
		v = escape(m.expand(v))
	case '!':
		m.file.Run(at, m.expand(v), command.Run{})
		v = "$(shell " + v + ")"
	}
	switch name {
	case "MAKEFLAGS", "GNUMAKEFLAGS":
		m.lost = m.lost || strings.Contains(v, "--eval") // the value is a makefile, which is not read
	case ".RECIPEPREFIX":
		if m.tab = "\t"; v != "" {
			m.tab = v[:1]
		}
	case ".DEFAULT_GOAL":
		m.first = m.expand(v)
	}
	m.set(name, v, maybe)
	return true
}

// set gives a variable a value. If maybe is true, it keeps the earlier values as well.
func (m *maker) set(name, v string, maybe bool) {
	if len(v) > 16<<10 || len(m.vars) > 2048 {
		v = umpire.Hole
	}
	old := m.vars[name]
	if !maybe {
		old = nil
	}
	if len(old) == 0 {
		old = room(&m.roomTexts)
	}
	if old = append(old[:len(old):max(len(old), 1)], v); len(old) > maxValues {
		old = old[1:]
	}
	m.vars[name] = old
}

// rule reads TARGETS: NEEDS ; LINE and TARGETS: NAME = VALUE.
func (m *maker) rule(line string, colon, at int) (rules []*recipe) {
	head, rest := strings.TrimSuffix(line[:colon], "&"), strings.TrimLeft(line[colon:], ":")
	if naming(strings.TrimSpace(head)) && strings.IndexByte(rest, '$') < 0 {
		return nil // large makefiles have such a line for each target
	}
	rest, inline, hasInline := strings.Cut(rest, ";")
	name, op, value, local := assignment(strings.TrimSpace(rest))
	if local {
		inline, hasInline = "", false
		if op == ':' {
			value = escape(m.expand(value))
		}
	} else if i := strings.Index(rest, "#"); i >= 0 {
		rest = rest[:i]
	}
	var needs []string
	if !local {
		if i := topColon(rest); i >= 0 { // a static pattern: TARGETS: %.o: %.c
			rest = rest[i+1:]
		}
		if rest = strings.TrimSpace(rest); rest != "" {
			for _, n := range listed(m.expand(rest)) {
				if !strings.Contains(n, "$(") {
					n = strings.ReplaceAll(n, "|", " ") // the prerequisites after it only have to exist
				}
				needs = append(needs, listed(n)...)
			}
		}
	}
	for _, t := range listed(m.expand(head)) {
		if naming(t) {
			continue
		}
		m.unnamed = m.unnamed || strings.Contains(t, umpire.Hole) || strings.Contains(t, "$(")
		r := m.rules[t]
		if r == nil {
			if len(m.rules) > command.MaxTargets {
				m.lost = true
				return rules
			}
			if len(m.free) == 0 {
				m.free = make([]recipe, 32)
			}
			r, m.free = &m.free[0], m.free[1:]
			m.rules[t] = r
			if from, to, ok := strings.Cut(strings.TrimPrefix(t, "."), "."); ok && t[0] == '.' && from != "" && !strings.ContainsAny(t, "/%") { // .c.o is %.o: %.c
				t = "%." + to
				m.rules[t], r.needs = r, []string{"%." + from}
			}
			if strings.Contains(t, "%") {
				m.patterns = append(m.patterns, t)
			}
		}
		if local {
			r.vars = append(r.vars, [2]string{name, value})
			continue
		}
		r.needs = append(r.needs, needs...)
		if hasInline {
			r.lines = append(r.lines, step{m.file, at, inline})
		}
		rules = append(rules, r)
		if m.first == "" && (t[0] != '.' || strings.Contains(t, "/")) && !strings.Contains(t, "%") {
			m.first = t
		}
	}
	if local || len(rules) == 0 {
		return nil
	}
	return rules
}

// naming reports whether a target only names others, and makes nothing.
func naming(target string) bool {
	return target == ".PHONY" || target == ".SILENT" || target == ".PRECIOUS"
}

// run runs the wanted targets and their prerequisites, and before them the targets that make the
// makefiles.
func (m *maker) run() {
	want := m.want
	if len(want) == 0 && m.first != "" {
		want = []string{m.first}
	}
	if dirs := m.expand("$(VPATH)"); dirs != "" { // make looks there last
		m.vpath("% " + dirs)
	}
	done := map[string]bool{}
	for _, n := range slices.Concat(m.missing, m.list, []string{".BEGIN"}) {
		if m.rules[n] != nil {
			m.visit(n, done)
		}
	}
	if m.rules[".END"] != nil { // bmake runs .BEGIN before the targets and .END after them
		want = append(want[:len(want):len(want)], ".END")
	}
	for _, n := range want {
		if m.visit(n, done) {
			continue
		}
		if !m.own {
			m.lost = m.lost || (m.unknown || m.unnamed) && n != ".END" && !m.isFile(n) // its rule may be in what was not read
			continue
		}
		for name := range m.rules { // this call wrote the file, so it wants one of the targets
			m.visit(name, done)
		}
	}
}

// isFile reports whether a target is a file, or has a source from which make's own rules build it.
func (m *maker) isFile(target string) bool {
	dir, name := path.Split(path.Clean(target))
	return slices.ContainsFunc(m.c.Names(command.Lit(cmp.Or(dir, "."))), func(n string) bool {
		return n == name || strings.HasPrefix(n, name+".")
	})
}

// visit runs the recipes of a target's prerequisites, then its own. It reports whether the target
// has a rule.
func (m *maker) visit(name string, done map[string]bool) bool {
	m.lost = m.lost || len(done) > command.MaxTargets
	if done[name] || len(done) > command.MaxTargets {
		return true
	}
	done[name] = true
	r, stem := m.rules[name], ""
	needs, lines, vars := []string(nil), []step(nil), [][2]string(nil)
	if r != nil {
		needs, lines, vars = r.needs, r.lines, r.vars
	}
	pattern, own := "", len(needs)
	if len(lines) == 0 {
		for _, p := range m.patterns {
			s, ok := matchStem(p, name)
			if pr := m.rules[p]; ok && len(pr.lines) > 0 && !m.chain[p] {
				stem, lines, pattern = s, pr.lines, p
				for _, n := range pr.needs {
					needs = append(needs[:len(needs):len(needs)], strings.ReplaceAll(n, "%", s))
				}
				break
			}
		}
	}
	if r == nil && lines == nil {
		if r = m.rules[".DEFAULT"]; r == nil {
			return false
		}
		lines = r.lines
	}
	if all := strings.Join(needs, " "); m.rules[".SECONDEXPANSION"] != nil && strings.Contains(all, "$") {
		m.auto = &target{name: name, stem: stem}
		all = m.expand(strings.ReplaceAll(all, "%", stem))
		m.lost = m.lost || strings.Contains(all, umpire.Hole) || strings.Contains(all, "$") // $(shell ...) yields a command
		needs = strings.Fields(strings.ReplaceAll(all, "|", " "))
	}
	for i, n := range needs {
		if anyof.HasPrefix(n, "$(cat ", "$(echo ", "$(printf ") { // commands with an output that the shell reader may know
			again := []command.Word{}
			for _, f := range m.c.All("-f") {
				again = append(again, command.Lit("-f"), f)
			}
			m.c.Shell(command.Lit(command.Quote("make", again)+" "+n), command.Run{})
		}
		m.chain[pattern] = pattern != "" && i >= own // make never uses a pattern twice on the way to a file
		m.visit(strings.ReplaceAll(n, "%", stem), done)
	}
	delete(m.chain, pattern)
	saved := map[string][]string{}
	for _, v := range vars {
		if _, kept := saved[v[0]]; !kept {
			saved[v[0]] = m.vars[v[0]]
		}
		if !m.given[v[0]] {
			m.vars[v[0]] = []string{v[1]}
		}
	}
	m.auto = &target{name, stem, needs, m.located(needs)}
	if m.rules[".ONESHELL"] != nil && len(lines) > 0 {
		one := lines[0]
		for _, l := range lines[1:] {
			one.text += "\n" + l.text
		}
		lines = []step{one}
	}
	for _, l := range lines {
		m.line(l)
	}
	m.auto = nil
	for k, v := range saved {
		if m.vars[k] = v; v == nil {
			delete(m.vars, k)
		}
	}
	return true
}

// line runs a line of a recipe, once for each of the values that its variables may have.
func (m *maker) line(l step) {
	var env []command.Word
	printed := "" // exports of what commands print, such as $(git rev-parse --show-toplevel)/bin:$PATH
	for _, name := range m.exports {
		v, ok := m.vars[name]
		if !ok || len(env) >= 64 {
			continue
		}
		text := m.expand(v[len(v)-1])
		switch rest := unprinted(text); {
		case rest == text:
			env = append(env, command.Lit(name+"="+text))
		case strings.ContainsAny(rest, "$`\"\\\n"), m.prints >= maxPrints && name != "PATH":
			env = append(env, command.Lit(name+"="+umpire.Hole))
		default:
			m.prints++
			printed += "export " + name + "=\"" + text + "\"\n"
		}
	}
	shell := "sh"
	if v, ok := m.vars["SHELL"]; ok {
		shell = m.expand(v[len(v)-1])
	}
	seen := map[string]bool{}
	for m.world = 0; m.world < maxValues; m.world++ {
		m.several = false
		text := m.expand(l.text)
		var b strings.Builder
		goesOn := false // the rest of a command: a dash before it is of an option
		for part := range strings.SplitSeq(text, "\n") {
			if !goesOn {
				part = strings.TrimLeft(part, "@-+ \t")
			}
			goesOn = command.GoesOn(part)
			b.WriteString(part + "\n")
		}
		if text = b.String(); !seen[text] {
			seen[text] = true
			flags := "-c"
			if v, ok := m.vars[".SHELLFLAGS"]; ok {
				flags = m.expand(v[len(v)-1])
			}
			if command.PlainShell(shell) && plainFlags(flags) {
				l.file.Run(l.line, printed+text, command.Run{Env: env})
			} else { // make splits the flags as a shell does
				l.file.Run(l.line, shell+" "+flags+command.Quote("", command.Lits(text)), command.Run{Env: env})
			}
		}
		if !m.several {
			break
		}
	}
	m.world = 0
}

// shellLine reports whether a value of SHELL is a shell of the system, with options that only say
// which errors end it.
func shellLine(v string) bool {
	f := strings.Fields(v)
	if len(f) > 1 && anyof.Equal(f[0], "env", "/usr/bin/env") {
		f = f[1:]
	}
	return len(f) > 0 && command.PlainShell(f[0]) && !slices.ContainsFunc(f[1:], func(o string) bool {
		return !anyof.Listed("-e -u -x -eu -ex -eux -euo -euxo -o pipefail errexit nounset xtrace", o)
	})
}

// plainFlags reports whether the flags of a shell only make it run a text, and contain no command
// of their own.
func plainFlags(flags string) bool {
	for w := range strings.FieldsSeq(flags) {
		if strings.Trim(w, "-abcdefghijklmnopqrstuvwxyz") != "" {
			return false
		}
	}
	return strings.HasSuffix(flags, "c")
}
