package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// onlyCounted reports whether the right side of a pipeline only counts or compares the output of
// the left side, so that it is not shown. The left side must be plain filters: any other program,
// and any redirection except of errors to /dev/null, may show it elsewhere.
func onlyCounted(left, right *syntax.Stmt) bool {
	return plainFilters(left) && counts(words(right))
}

// onlyNames reports whether the right side of a pipeline shows only the names of the variables in
// the output of the left side, which must print whole lines of files.
func (sh *shell) onlyNames(left, right *syntax.Stmt) bool {
	argv := unquoted(right)
	return len(argv) > 0 && len(sh.aliases) == 0 && sh.funcs[argv[0]].body == nil && command.NamesOnly(argv) && wholeLines(left)
}

// wholeLines reports whether a pipeline only chooses or sorts lines of files. A part of a line may
// be a value that looks like a name.
func wholeLines(s *syntax.Stmt) bool {
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok {
		return b.Op == syntax.Pipe && onlyErrors(s) && wholeLines(b.X) && wholeLines(b.Y)
	}
	argv := unquoted(s)
	if len(argv) == 0 || !onlyErrors(s) {
		return false
	}
	options, known := map[string]string{"cat": "n", "sort": "uf", "uniq": "", "diff": "u", "grep": "vEiwhFne", "egrep": "vinw", "head": "n0123456789", "tail": "n0123456789"}[argv[0]]
	return known && !slices.ContainsFunc(argv[1:], func(a string) bool {
		return a == "" || a[0] == '-' && strings.Trim(a[1:], options) != ""
	})
}

// unquoted returns the words of a simple command without assignments; a word with expansions is "".
func unquoted(s *syntax.Stmt) (out []string) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 {
		return nil
	}
	for _, w := range c.Args {
		out = append(out, plainText(w))
	}
	return out
}

// unshown reports whether the right side of a pipe shows only names of fields, or their number, of
// one program's output.
func unshown(left, right *syntax.Stmt) bool {
	if b, ok := left.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.Pipe && plainFilters(b.Y) && counts(words(right)) {
		return unshown(b.X, right)
	}
	c, ok := left.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 || len(right.Redirs) > 0 || !onlyErrors(left) {
		return false
	}
	if counts(words(right)) {
		return true
	}
	w := unquoted(right)
	return (len(w) == 2 || len(w) == 3 && len(w[1]) > 1 && w[1][0] == '-' && strings.Trim(w[1][1:], "recjCM") == "") && (w[0] == "jq" || w[0] == "yq") && command.JqPrintsNames(w[len(w)-1])
}

// counts reports whether a program shows only the size of its input, or whether it is empty.
func counts(w []string) bool {
	if len(w) == 0 {
		return false
	}
	switch w[0] {
	case "wc", "sha256sum", "sha1sum", "sha512sum", "md5sum", "cksum", "shasum":
		return true
	case "grep":
		return len(w) > 1 && (w[1] == "-q" || w[1] == "-c" || w[1] == "-qE" || w[1] == "-cE" || w[1] == "--quiet" || w[1] == "--count")
	}
	return false
}

// countsInput reports whether a command shows only the size of the files on its standard input: wc
// -l < .env. A function or an alias may have the program's name.
func (sh *shell) countsInput(c *syntax.CallExpr, redirs []*syntax.Redirect) bool {
	w := words(&syntax.Stmt{Cmd: c})
	if len(redirs) == 0 || !counts(w) || len(sh.aliases) > 0 || sh.funcs[w[0]].body != nil {
		return false
	}
	if w[0] != "grep" && slices.ContainsFunc(w[1:], func(o string) bool {
		return len(o) != 2 || o[0] != '-' || !strings.Contains("clmw", o[1:]) || o == "-c" && w[0] != "wc"
	}) {
		return false // the input may be a list of files or of sums, whose lines are shown
	}
	// A substitution in a redirection runs commands of its own.
	return !slices.ContainsFunc(redirs, func(r *syntax.Redirect) bool { return r.Hdoc != nil || plainText(r.Word) == "" })
}

// narrows reports whether the right side of a pipe shows only names or counts of an environment, or
// settings whose full names are not those of secrets.
func narrows(left, right *syntax.Stmt) bool {
	if len(left.Redirs) > 0 || len(right.Redirs) > 0 {
		return false
	}
	from, ok := left.Cmd.(*syntax.CallExpr) // its last word prints the environment, and no redirection shows it elsewhere
	if !ok || len(from.Args) == 0 {
		return false
	}
	if last := plainText(from.Args[len(from.Args)-1]); last != "env" && last != "printenv" {
		return false
	}
	c, ok := right.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 {
		return false
	}
	var w []string
	for _, a := range c.Args {
		w = append(w, plainText(a))
	}
	switch {
	case len(w) == 0:
		return false
	case w[0] == "cut":
		return slices.Equal(w[1:], []string{"-d=", "-f1"}) || slices.Equal(w[1:], []string{"-d", "=", "-f1"}) || slices.Equal(w[1:], []string{"-d", "=", "-f", "1"})
	case w[0] != "grep" || len(w) < 2 || len(w) > 3:
		return false
	case len(w) == 3 && w[1] != "-E" && w[1] != "-e" && w[1] != "-w":
		return w[1] == "-c" || w[1] == "-q"
	}
	pattern := w[len(w)-1]
	for name := range strings.FieldsFuncSeq(pattern, func(r rune) bool { return strings.ContainsRune(`|()\`, r) }) {
		if !command.FullName(name) {
			return false
		}
	}
	return pattern != ""
}

// plainText returns the text of a word without expansions, or "" for other words.
func plainText(w *syntax.Word) string {
	if len(w.Parts) == 1 {
		switch p := w.Parts[0].(type) {
		case *syntax.SglQuoted:
			return p.Value
		case *syntax.DblQuoted:
			if len(p.Parts) == 1 {
				if l, ok := p.Parts[0].(*syntax.Lit); ok {
					return l.Value
				}
			}
			return ""
		}
	}
	return w.Lit()
}

// onlyErrors reports whether a statement redirects nothing but its errors, to /dev/null.
func onlyErrors(s *syntax.Stmt) bool {
	return !slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool {
		return r.Op != syntax.RdrOut || r.N == nil || r.N.Value != "2" || r.Word == nil || r.Word.Lit() != "/dev/null"
	})
}

func plainFilters(s *syntax.Stmt) bool {
	if !onlyErrors(s) {
		return false
	}
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok {
		return b.Op == syntax.Pipe && plainFilters(b.X) && plainFilters(b.Y)
	}
	w := words(s)
	return len(w) > 0 && anyof.Equal(w[0], "cat", "grep", "head", "tail", "cut", "sort", "uniq", "tr") || len(w) == 1 && w[0] == "xargs" // xargs alone prints its input
}

// words returns the words of a simple command without assignments; a word that is not literal is
// "".
func words(s *syntax.Stmt) (out []string) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 {
		return nil
	}
	for _, w := range c.Args {
		out = append(out, w.Lit())
	}
	return out
}

// sourced reads the sourcing of an environment file, which loads secrets into this shell and shows
// none, unless the command line prints them later. It reports whether the reading of the file is
// complete.
func (h host) sourced(w command.Word) bool {
	abs, p := h.sh.Path(w)
	if !w.Known() || p&umpire.PlaceEnvFile == 0 || p&umpire.PlaceCredentials != 0 || h.sh.prints {
		return false
	}
	s := h.sh.File(w)
	if s.Seen || s.Taint != command.FromSecret {
		return false
	}
	h.sh.Emit(umpire.Operation{Kind: umpire.Read, Resource: abs, Places: p, Traits: umpire.Inert})
	if t, ok := h.sh.disk(abs); ok && p&umpire.PlaceInWorkspace != 0 {
		h.sh.loadersOf(t.Text)
	}
	if t, ok := h.sh.disk(abs); ok && p&umpire.PlaceInWorkspace != 0 && runsCommands(t.Text) && h.sh.enter() {
		defer h.sh.leave()
		c := h.sh.within("source")
		c.origin, c.task = "`"+clip(command.Quote("source", []command.Word{w}))+"`", true
		c.run("sh", t)
	}
	return true
}

// loadersIn sets the variables of the environment files that operations since the given one read:
// export $(cat .env) shows no value of them.
func (sh *shell) loadersIn(since int) {
	for _, op := range sh.ops[since:] {
		if op.Kind == umpire.Read && op.Places&umpire.PlaceEnvFile != 0 && op.Places&umpire.PlaceInWorkspace != 0 {
			if t, ok := sh.disk(op.Resource); ok {
				sh.loadersOf(t.Text)
			}
		}
	}
}

// loadersOf sets the variables of an environment file that make programs load code, because later
// commands inherit them.
func (sh *shell) loadersOf(text string) {
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if anyof.Equal(name, "NODE_OPTIONS", "PYTHONPATH", "PYTHONSTARTUP", "BASH_ENV", "ENV", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "PERL5OPT", "PERL5LIB", "RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS", "GOFLAGS", "PATH") {
			if ok && !strings.Contains(value, "$") {
				w := command.Lit(strings.Trim(value, `"'`))
				sh.set(name, w)
				sh.loader(name, []command.Word{w})
			}
		}
	}
}

// runsCommands reports whether a file of variables contains more than values: a command
// substitution, or a line that sets nothing.
func runsCommands(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		word, _, _ := strings.Cut(line, " ")
		if strings.Contains(line, "$(") || strings.Contains(line, "`") || line != "" && line[0] != '#' && word != "export" && word != line && !strings.Contains(word, "=") {
			return true
		}
	}
	return false
}

// prints reports whether a command line may print or send the values of variables: all of them, or
// one with the name of a secret.
func prints(text string) bool {
	text = strings.ReplaceAll(text, "environment", "")
	for _, s := range []string{"environ", "process.env", "ENV", "getenv"} { // the environment in other languages
		if found := strings.Contains(text, s); found && (s != "ENV" || anyof.Contains(text, "%ENV", "ENV.", "ENV[")) {
			return true
		}
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("\n;&|'(){}", r) && r != '{' && r != '}' }) {
		f := strings.Fields(part)
		if len(f) == 0 {
			continue
		}
		switch f[0] {
		case "env", "printenv", "export", "declare", "typeset", "compgen":
			if len(f) == 1 || f[0] == "printenv" || strings.HasPrefix(f[1], "-") {
				return true
			}
		case "set":
			if len(f) == 1 || strings.Contains(f[1], "x") || strings.Contains(f[1], "v") || len(f) > 2 && f[2] == "xtrace" {
				return true
			}
		case "bash", "sh", "zsh":
			if len(f) > 1 && (strings.HasPrefix(f[1], "-x") || f[1] == "-v") {
				return true
			}
		case "echo", "printf", "print", "cat", "tee", "grep", "[[", "curl", "wget", "nc", "ncat", "http", "https", "xh", "ssh", "openssl", "socat":
			for i := range f[1:] {
				if strings.HasPrefix(f[0], "[") || i > 0 && (f[i] == "-n" || f[i] == "-z") {
					continue // [ -n "$x" ] only tests whether it is set
				}
				if secretVariable(f[i+1]) {
					return true
				}
			}
		}
	}
	return false
}

// secretVariable reports whether a word expands a variable with the name of a secret, or a variable
// whose name is known only at run time.
func secretVariable(word string) bool {
	for {
		_, rest, ok := strings.Cut(word, "$")
		if !ok {
			return false
		}
		name := strings.TrimLeft(rest, "{")
		if strings.HasPrefix(name, "!") {
			return true
		}
		end := strings.IndexFunc(name, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		})
		if end < 0 {
			end = len(name)
		}
		if up := strings.ToUpper(name[:end]); command.SecretName(up) || anyof.Contains(up, "KEY", "URL", "DSN", "AUTH") {
			return true
		}
		word = rest
	}
}

// shows emits that a credential of the environment, or all of it, is printed where the model reads
// it.
func (sh *shell) shows(s command.Stream) {
	if sh.out == nil && (s.Seen && s.Taint&command.FromKey != 0 || s.Taint&(command.FromEnv|command.Picked) == command.FromEnv) {
		sh.Emit(umpire.Operation{Kind: umpire.System, Resource: "secret read environment", Traits: umpire.CarriesSecret})
	}
}

// dumps reports whether a program prints its whole environment, or a secret in it.
func dumps(resource string) bool {
	f := strings.Fields(resource)
	if len(f) == 0 || f[0] != "env" && f[0] != "printenv" {
		return false
	}
	return !slices.ContainsFunc(f[1:], func(w string) bool {
		return f[0] == "env" && !strings.HasPrefix(w, "-") || f[0] == "printenv" && !strings.HasPrefix(w, "-") && !command.SecretName(w) && !command.AddressName(w)
	})
}
