package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// builtin returns the function that reads a builtin of the shell: one that changes the shell's
// state, or whose output is known. It returns nil for other names.
func builtin(name string) func(*shell, []command.Word) {
	switch name {
	case "cd", "chdir":
		return (*shell).builtinCd
	case "pushd":
		return (*shell).builtinPushd
	case "popd":
		return (*shell).builtinPopd
	case "pwd":
		return func(sh *shell, _ []command.Word) { sh.print(command.Text(sh.dir + "\n")) }
	case "echo":
		return (*shell).builtinEcho
	case "printf":
		return (*shell).builtinPrintf
	case "eval":
		return (*shell).builtinEval
	case "source", ".":
		return (*shell).builtinSource
	case "exec":
		return (*shell).builtinExec
	case "command", "builtin", "noglob", "nocorrect":
		return (*shell).builtinCommand
	case "alias":
		return (*shell).builtinAlias
	case "unalias":
		return (*shell).builtinUnalias
	case "set":
		return (*shell).builtinSet
	case "shift":
		return (*shell).builtinShift
	case "unset":
		return (*shell).builtinUnset
	case "trap":
		return (*shell).builtinTrap
	case "read":
		return (*shell).builtinRead
	case "getopts":
		return (*shell).builtinGetopts
	case "ztcp":
		return (*shell).builtinZtcp
	case "mapfile", "readarray":
		return (*shell).builtinMapfile
	case "test", "[":
		return (*shell).builtinTest
	case "history":
		return (*shell).builtinHistory
	case "fc":
		return (*shell).builtinFc
	case "type":
		return (*shell).builtinType
	case "hash":
		return (*shell).builtinHash
	case "true", "false", ":", "wait", "return", "exit", "break", "continue", "jobs", "bg", "fg", "disown",
		"shopt", "umask", "ulimit", "times", "dirs", "bind", "complete", "compgen", "compopt", "enable", "suspend", "logout", "caller":
		return (*shell).builtinQuiet
	case "let":
		return (*shell).builtinLet
	case "export", "declare", "typeset", "local", "readonly":
		return (*shell).builtinExport
	}
	return nil
}

func (sh *shell) builtinPopd(_ []command.Word) {
	if w, ok := sh.get("OLDPWD"); ok {
		sh.chdir(w)
	}
}

func (sh *shell) builtinAlias(args []command.Word) {
	for i, a := range args[1:] {
		if n, v, ok := strings.Cut(a.Text, "="); ok {
			sh.setAlias(n, v)
		} else if i == 0 && len(args) == 3 && a.Text != "" && a.Text[0] != '-' && strings.Contains(args[2].Text, " ") { // fish: alias NAME 'COMMAND'
			sh.setAlias(a.Text, args[2].Text)
		}
	}
}

func (sh *shell) builtinUnalias(args []command.Word) {
	for _, a := range args[1:] {
		delete(sh.aliases, a.Text)
	}
}

func (sh *shell) builtinUnset(args []command.Word) {
	for _, a := range args[1:] {
		if a.Text == "HISTFILE" {
			sh.Emit(umpire.Operation{Kind: umpire.System, Resource: "history off", Traits: umpire.AuditTamper})
		}
		sh.subscript(a.Text)
		if name, key, ok := strings.Cut(strings.TrimSuffix(a.Text, "]"), "["); ok {
			sh.unsetElement(name, key)
			continue
		}
		if _, ok := sh.vars[a.Text]; !ok || args[1].Text == "-f" {
			delete(sh.funcs, a.Text)
		}
		sh.vars[a.Text] = variable{}
	}
}

func (sh *shell) builtinTrap(args []command.Word) {
	for len(args) > 2 && args[1].Text == "--" {
		args = args[1:]
	}
	if len(args) > 2 && args[1].Text != "-" && !strings.HasPrefix(args[1].Text, "-") {
		sh.trap(args[1], args[2:])
	}
}

// builtinGetopts sets a variable to the option that comes next.
func (sh *shell) builtinGetopts(args []command.Word) {
	if len(args) > 2 {
		sh.set(args[2].Text, command.Lit(umpire.Hole))
	}
}

// builtinZtcp reads a connection of zsh; zsh stores its descriptor in REPLY.
func (sh *shell) builtinZtcp(args []command.Word) {
	if len(args) > 2 && !strings.HasPrefix(args[1].Text, "-") {
		command.NewCall(&host{sh: sh}, nil, "ztcp", nil, command.Stream{}).Net(args[1].With(args[1].Text+":"+args[2].Text), 0, 0)
		sh.netfds = true
	}
}

func (sh *shell) builtinFc(args []command.Word) {
	sh.print(command.Unseen(0))
	for i, a := range args[1:] {
		if a.Text == "-e" && i+2 < len(args) && args[i+2].Text != "-" {
			sh.clone().run("sh", wordStream(args[i+2].With(args[i+2].Text+" "+umpire.Hole)))
		}
	}
}

func (sh *shell) builtinLet(args []command.Word) {
	for _, a := range args[1:] {
		sh.evaluate(a.Text)
	}
}

// builtinExport reads a declaration that the parser takes for a command, such as "command export
// x=1".
func (sh *shell) builtinExport(args []command.Word) {
	for _, a := range args[1:] {
		if n, v, ok := strings.Cut(a.Text, "="); ok {
			sh.set(n, a.With(v))
			sh.loader(n, []command.Word{a.With(v)})
		}
	}
}

func (sh *shell) builtinCd(args []command.Word) {
	args = args[1:]
	fails := false
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		fails = fails || strings.Trim(args[0].Text[1:], "LPeqs@-") != ""
		args = args[1:]
	}
	if len(args) == 0 {
		w, ok := sh.get("HOME")
		if !ok {
			w = command.Lit(umpire.Hole)
		}
		sh.chdir(w)
		return
	}
	if args[0].Text == "-" {
		w, ok := sh.get("OLDPWD")
		if !ok {
			return // the folder before an earlier cd is unknown, and probably in the project
		}
		sh.chdir(w)
		return
	}
	sh.enterFolder(sh.ofCDPATH(args[0]), fails || len(args) > 1)
}

// ofCDPATH returns the folder outside of the project that cd finds by CDPATH, or the folder itself. A
// folder of the project stays the one that is read, because umpire cannot tell whether this shell has CDPATH.
func (sh *shell) ofCDPATH(to command.Word) command.Word {
	list, ok := sh.get("CDPATH")
	inside, here := sh.Path(to)
	if !ok || !to.Known() || anyof.HasPrefix(to.Text, "/", ".", "~") || here&umpire.PlaceInWorkspace == 0 {
		return to
	}
	for dir := range strings.SplitSeq(list.Text, ":") {
		other := to.With(path.Join(dir, to.Text))
		abs, there := sh.Path(other)
		switch {
		case sh.isMissing(abs):
			continue
		case there&(umpire.PlaceInWorkspace|umpire.PlaceTemp) != 0:
			if sh.local() {
				return to
			}
			continue
		case sh.local() && !sh.isMissing(inside):
			sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: "cd " + to.Text, Traits: umpire.UnseenCode | umpire.Unknown})
			return to
		}
		return other
	}
	return to
}

func (sh *shell) builtinPushd(args []command.Word) {
	for _, a := range args[1:] {
		if !strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "+") {
			sh.enterFolder(a, len(args) > 2)
			return
		}
	}
}

func (sh *shell) builtinEval(args []command.Word) {
	args = args[1:]
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	if !sh.enter() {
		return
	}
	defer sh.leave()
	via := sh.via
	sh.via = append(via[:len(via):len(via)], "eval")
	sh.run("sh", wordStream(command.Join(args, " ")))
	sh.via = via
}

func (sh *shell) builtinSource(args []command.Word) {
	args = args[1:]
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	params := sh.params
	if len(args) > 1 {
		sh.params = args[1:]
	}
	host{sh: sh}.source(args[0])
	sh.params = params
}

// builtinExec replaces the shell with a program. Without a program, exec only makes its
// redirections permanent, and call handles that.
func (sh *shell) builtinExec(args []command.Word) {
	whole, named := args[1:], false
	for args = whole; len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-'; args = args[1:] {
		if at := strings.IndexByte(args[0].Text, 'a'); at > 0 {
			if named = true; at == len(args[0].Text)-1 && len(args) > 1 {
				args = args[1:]
			}
		}
	}
	if named { // make starts $(MAKE) by this name, and BusyBox picks the program by it: a rule for the program does not cover the call
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: command.Quote("exec", whole)})
	}
	if len(args) > 0 {
		sh.program(args)
	}
}

func (sh *shell) builtinCommand(args []command.Word) {
	args = args[1:]
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		if strings.ContainsAny(args[0].Text, "vV") {
			sh.printLocations(args[1:], "")
			return
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	if b := builtin(args[0].Text); b != nil {
		b(sh, args)
		return
	}
	sh.program(args)
}

// printLocations prints what each name stands for, one per line: a builtin, function or alias of
// the shell, or the path of a program.
func (sh *shell) printLocations(names []command.Word, before string) {
	out := command.Stream{Seen: true, Pipe: true}
	for _, w := range names {
		if _, ok := sh.funcs[w.Text]; !ok && builtin(w.Text) == nil {
			w = command.Lies(w)
		}
		if text, ok := sh.aliases[w.Text]; ok {
			w.Text = text
		}
		if before != "" {
			w.Text = strings.ReplaceAll(before, "%", w.Text)
		}
		out.Text += w.Text + "\n"
		out.Taint |= w.Taint
	}
	if len(names) > 0 {
		sh.print(out)
	}
}

// builtinType prints the paths of programs; with -p and -P without the words "x is".
func (sh *shell) builtinType(args []command.Word) {
	before := "% is %"
	args = args[1:]
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		switch {
		case strings.ContainsAny(args[0].Text, "pP"):
			before = ""
		case strings.Contains(args[0].Text, "t"):
			sh.print(command.Unseen(0))
			return
		}
		args = args[1:]
	}
	sh.printLocations(args, before)
}

// builtinHash gives a program another name with -p, and prints the path of a program with -t.
func (sh *shell) builtinHash(args []command.Word) {
	for i, a := range args {
		switch {
		case a.Text == "-p" && i+2 < len(args):
			for _, name := range args[i+2:] {
				sh.setAlias(name.Text, command.Quote(args[i+1].Text, nil))
			}
			return
		case a.Text == "-t":
			sh.printLocations(args[i+1:], "")
			return
		case i > 0 && strings.IndexByte(a.Text, '=') > 0: // zsh: hash NAME=PATH
			name, path, _ := strings.Cut(a.Text, "=")
			sh.setAlias(name, command.Quote(path, nil))
		}
	}
}

func (sh *shell) builtinSet(args []command.Word) {
	for i, a := range args[1:] {
		if a.Text == "history" && args[i].Text == "+o" {
			sh.Emit(umpire.Operation{Kind: umpire.System, Resource: "history off", Traits: umpire.AuditTamper})
		}
		if a.Text == "--" {
			sh.params = args[i+2:]
			return
		}
		if sign := a.Text[:min(1, len(a.Text))]; sign == "-" || sign == "+" {
			if strings.Contains(a.Text, "e") || strings.HasSuffix(a.Text, "o") && i+2 < len(args) && args[i+2].Text == "errexit" {
				sh.errexit = sign == "-"
			}
		}
		if !strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "+") {
			if o := args[i].Text; i > 0 && len(o) > 1 && strings.ContainsAny(o[:1], "-+") && o[len(o)-1] == 'o' {
				continue // the name of an option: set -euo pipefail
			}
			sh.params = args[i+1:]
			return
		}
	}
	if len(args) == 1 {
		sh.print(command.Unseen(command.FromEnv))
	}
}

func (sh *shell) builtinShift(args []command.Word) {
	args = args[1:]
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	n := 1
	if len(args) > 0 {
		if !args[0].Known() {
			sh.params = append([]command.Word{several(sh.params)}, sh.params...) // any of them may now be the first
			return
		}
		var err error
		if n, err = strconv.Atoi(args[0].Text); err != nil {
			return // the shell reports an error
		}
	}
	many := slices.IndexFunc(sh.params, func(w command.Word) bool { return w.Many })
	switch {
	case n <= 0:
	case many >= 0 && many < n: // it may stand for all the shifted parameters
		sh.params = append([]command.Word{several(sh.params)}, sh.params[many+1:]...)
	case n <= len(sh.params):
		sh.params = sh.params[n:]
	}
}

func (sh *shell) builtinTest(args []command.Word) {
	for i, a := range args {
		switch a.Text {
		case "-v":
			if i+1 < len(args) {
				sh.subscript(args[i+1].Text)
			}
		case "-eq", "-ne", "-lt", "-le", "-gt", "-ge": // arithmetic in zsh and ksh
			if i > 1 && i+1 < len(args) {
				sh.subscript(args[i-1].Text)
				sh.subscript(args[i+1].Text)
			}
		}
	}
}

// builtinHistory prints earlier input, which umpire has not read, or changes the history.
func (sh *shell) builtinHistory(args []command.Word) {
	for i := 1; i < len(args); i++ {
		switch a := args[i].Text; {
		case a == "-d" && i+1 < len(args): // deletes one line from this shell's memory; the file changes only with -w
			return
		case a == "-c" || a == "-d" || len(a) == 3 && a[0] == '-' && strings.Contains(a, "c") && strings.Trim(a[1:], "cw") == "" || a == "-w" && i+1 >= len(args):
			sh.Emit(umpire.Operation{Kind: umpire.System, Resource: "history clear", Traits: umpire.AuditTamper})
		case a == "-s":
			var text string
			for _, w := range args[i+1:] {
				text += w.Text + " "
			}
			v := sh.vars["\x00history"]
			v.alts = []command.Word{command.Lit(strings.TrimSpace(text))}
			sh.vars["\x00history"] = v
			return
		case (a == "-a" || a == "-w") && i+1 < len(args):
			s := command.Unseen(0)
			if v, ok := sh.vars["\x00history"]; ok && len(v.alts) > 0 {
				s = wordStream(v.alts[0])
			}
			f := sh.create(args[i+1], a == "-a", umpire.Append)
			f.put(sh, s)
			return
		}
	}
	// These lines run again as text that this call does not show.
	sh.print(command.Unseen(command.FromUnseen | command.FromDecoder))
}

// builtinQuiet handles builtins that only print, or change nothing that matters to umpire.
func (sh *shell) builtinQuiet(args []command.Word) {
	switch args[0].Text {
	case "bind", "complete", "compgen":
		for i, a := range args {
			if (a.Text == "-x" || a.Text == "-C") && i+1 < len(args) {
				c := sh.clone()
				c.via = append(c.via, args[0].Text)
				text := args[i+1]
				if args[0].Text == "bind" {
					if _, cmd, ok := strings.Cut(text.Text, ":"); ok {
						text = text.With(strings.Trim(cmd, " \"'"))
					}
				}
				c.run("sh", wordStream(text))
			}
		}
	case "umask":
		if !quietOption("umask", args[1:]) { // a rule for a command does not cover it with files that everyone may write
			sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: command.Quote("umask", args[1:])})
		}
	case "enable":
		sh.shadowed = true
		for i, a := range args {
			if a.Text == "-f" && i+1 < len(args) {
				sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: "enable -f " + args[i+1].Text, Traits: umpire.LoadsCode})
			}
		}
	}
}

// declare reads export, declare, local, readonly, typeset and nameref.
func (sh *shell) declare(c *syntax.DeclClause) {
	kind := c.Variant.Value
	ref := kind == "nameref"
	export, prints, functions, fixed := kind == "export", false, false, false
	var like variable // the properties that options give to variables
	listed := kind != "nameref" && kind != "local"
	for _, a := range c.Args {
		listed = listed && a.Name == nil && a.Value != nil && (a.Value.Lit() == "-p" || a.Value.Lit() == "-x" || a.Value.Lit() == "-px" || a.Value.Lit() == "-xp")
		if a.Name == nil { // an option, or a word that expands to assignments
			sh.loading = export
			words := sh.expand([]*syntax.Word{a.Value})
			sh.loading = false
			for _, w := range words {
				if strings.HasPrefix(w.Text, "-") {
					prints = prints || kind != "local" && strings.Contains(w.Text, "p")
					ref = ref || strings.Contains(w.Text, "n")
					export = export || strings.Contains(w.Text, "x")
					fixed = fixed || strings.Contains(w.Text, "r")
					functions = functions || strings.Contains(w.Text, "f")
					like.integer = like.integer || strings.Contains(w.Text, "i")
					like.lower = like.lower || strings.Contains(w.Text, "l")
					like.upper = like.upper || strings.Contains(w.Text, "u")
					like.named = like.named || strings.Contains(w.Text, "A")
					continue
				}
				if f, ok := sh.funcs[w.Text]; ok && functions && export {
					f.exported = true
					sh.funcs[w.Text] = f
				}
				n, v, ok := strings.Cut(w.Text, "=")
				if i := strings.LastIndex(w.Text, "]="); i >= 0 && strings.Contains(n, "[") { // an index may contain =
					n, v = w.Text[:i+1], w.Text[i+2:]
				}
				sh.subscript(n)
				if ok {
					sh.declareAs(n, like)
					sh.set(n, w.With(v))
					sh.loader(n, []command.Word{w.With(v)})
				}
			}
			continue
		}
		name := assignName(a)
		if f, ok := sh.funcs[name]; ok && functions && export && a.Naked {
			f.exported = true
			sh.funcs[name] = f
			continue
		}
		if prints && a.Naked {
			if command.SecretName(name) || command.KeyName(name) { // as printenv NAME
				sh.print(command.Stream{Text: umpire.Hole + "\n", Seen: true, Taint: command.FromSecret | command.FromKey})
			}
			continue
		}
		if len(sh.calls) > 0 && (kind == "local" || kind == "declare" || kind == "typeset") {
			l := sh.vars[localsKey]
			l.elems = append(l.elems[:len(l.elems):len(l.elems)], command.Lit(name))
			sh.vars[localsKey] = l
		}
		if ref {
			to := sh.one(a.Value)
			sh.subscript(to.Text)
			sh.vars[name] = variable{alts: []command.Word{to}, ref: true}
			continue
		}
		if kind == "local" && a.Naked {
			sh.vars[name] = variable{}
			continue
		}
		sh.declareAs(name, like)
		sh.assign(a, export)
		if kind == "readonly" || fixed {
			v := sh.vars[name]
			v.fixed = true
			sh.vars[name] = v
		}
	}
	if listed { // all variables, with their values
		sh.print(command.Unseen(command.FromEnv))
	}
}

// declareAs gives a variable the properties that the options of declare name.
func (sh *shell) declareAs(name string, like variable) {
	if !like.integer && !like.lower && !like.upper && !like.named {
		return
	}
	v := sh.vars[name]
	v.integer, v.named = v.integer || like.integer, v.named || like.named
	v.lower, v.upper = like.lower || v.lower && !like.upper, like.upper || v.upper && !like.lower
	v.array = v.array || v.named
	sh.vars[name] = v
}
