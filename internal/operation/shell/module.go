package shell

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/code"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Bounds on the modules of a project that one of its programs imports.
//
// A program that loads more causes no question: every large project does. A program of the command
// line that names more itself does.
const (
	maxModules     = 16
	maxModuleBytes = 256 << 10 // total size
)

// builds reports whether a task of the project deletes only its own products: any path below the
// workspace, except usual names of source folders, private files and the history.
func builds(op umpire.Operation, workspace string) bool {
	if op.Places&umpire.PlaceInWorkspace == 0 || op.Places&(umpire.PlaceGitDir|umpire.PlaceGitHooks|umpire.PlaceCredentials|umpire.PlaceEnvFile|umpire.PlaceAgentConfig|umpire.PlaceUmpire) != 0 || op.Traits&umpire.Unknown != 0 {
		return false
	}
	rest := strings.Trim(strings.TrimPrefix(op.Resource, workspace), "/")
	if rest == "" { // a search deletes files by name
		return op.Traits&umpire.Filtered != 0
	}
	if anyof.Equal(rest, "src", "source", "app", "apps", "packages", "cmd", "internal", "pkg", "test", "tests", "spec", "migrations", "data", "db", "server", "client", "public", "config", "scripts", "components", "pages") {
		return false
	}
	return !strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, "*.") && rest != "*.*"
}

// projectScript reports whether the code is that of a script that the project brings. The agent
// could write a script to delete what it must not, so one that the session wrote does not count.
func (sh *shell) projectScript() bool {
	if sh.file == "" || sh.placesOf(sh.file)&umpire.PlaceInWorkspace == 0 || sh.wrote(command.Lit(sh.file)) {
		return false
	}
	if s := sh.env.Session; s != nil {
		_, made := s.Made(sh.file)
		return !made
	}
	return true
}

// placed replaces the expressions for a file's own path in its code by that path.
func placed(lang, text, file string) string {
	quote := func(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'" }
	switch {
	case lang == "python" && strings.Contains(text, "__file__"):
		return strings.ReplaceAll(text, "__file__", quote(file))
	case lang == "js" && strings.Contains(text, "__dirname"):
		return strings.ReplaceAll(text, "__dirname", quote(path.Dir(file)))
	case lang == "php" && strings.Contains(text, "__DIR__"):
		return strings.ReplaceAll(text, "__DIR__", quote(path.Dir(file)))
	case lang == "ruby" && strings.Contains(text, "__dir__"):
		return strings.ReplaceAll(text, "__dir__", quote(path.Dir(file)))
	}
	return text
}

// imports reads the modules of the project that code imports, because importing runs them. It skips
// installed packages.
func (sh *shell) imports(lang, text string) {
	if lang != "python" && lang != "js" && lang != "ruby" && lang != "perl" && lang != "lua" && lang != "dart" || strings.Contains(sh.file, "/node_modules/") || strings.Contains(sh.file, "/site-packages/") {
		return
	}
	dir := path.Dir(sh.file)
	if sh.file == "" {
		dir = sh.dir
	}
	sh.addModuleDirs(lang, dir, text)
	n, direct := 0, 0
	for line := range strings.Lines(text) {
		if n++; n > 4000 || sh.file != "" && (sh.modules >= maxModules || sh.moduleBytes > maxModuleBytes) {
			return
		}
		for _, name := range modulesIn(lang, line) {
			if sh.file == "" && direct >= maxModules { // the adversary may list as many before the dangerous one
				sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: lang + " " + name, Traits: umpire.UnseenCode})
				return
			}
			for _, file := range sh.moduleFiles(lang, dir, name) {
				if sh.importFile(lang, file) {
					direct++
					break
				}
			}
		}
	}
}

// addModuleDirs adds the folders that code adds to the places where its language looks for modules:
// sys.path.insert(0, "lib"), use lib 'lib', package.path = './lib/?.lua', $LOAD_PATH << 'lib'. How
// the code computes a folder does not matter: only folders that exist count.
func (sh *shell) addModuleDirs(lang, dir, text string) {
	mark := map[string]string{"python": "sys.path", "perl": "use lib", "lua": "package.path", "ruby": "$LOAD_PATH"}[lang]
	if mark == "" {
		return
	}
	if w, ok := sh.get(map[string]string{"python": "PYTHONPATH", "perl": "PERL5LIB", "ruby": "RUBYLIB"}[lang]); ok && w.Known() {
		for d := range strings.SplitSeq(w.Text, ":") {
			if abs, ok := sh.inProject(d); ok && len(sh.moduleDirs) < maxModules && !slices.Contains(sh.moduleDirs, abs) {
				sh.moduleDirs = append(sh.moduleDirs, abs)
			}
		}
	}
	for _, part := range strings.Split(text, mark)[1:] {
		line, _, _ := strings.Cut(part, "\n")
		var below []string
		for i, s := range strings.FieldsFunc(line, func(r rune) bool { return r == '"' || r == '\'' }) {
			if s, _, _ = strings.Cut(s, "?"); i%2 == 1 && !strings.HasPrefix(s, "/") {
				below = append(below, strings.ReplaceAll(s, "$FindBin::Bin", ""))
			}
		}
		for _, base := range []string{dir, path.Dir(dir), sh.dir} {
			if d := path.Join(append([]string{base}, below...)...); len(sh.moduleDirs) < maxModules && !slices.Contains(sh.moduleDirs, d) {
				sh.moduleDirs = append(sh.moduleDirs, d)
			}
		}
	}
}

// importFile reads a module once, and reports whether the file has a known text.
func (sh *shell) importFile(lang, file string) bool {
	w := command.Lit(file)
	s := sh.File(w)
	t := sh.fetchedAlone(w)
	if sh.wrote(w) {
		t = s.Taint
	}
	if _, done := sh.loaded[file]; !done && codeTraits(t) != 0 {
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: lang + " " + path.Base(file), Traits: codeTraits(t)})
	}
	if !s.Seen {
		return false
	}
	if _, done := sh.loaded[file]; done || sh.file != "" && sh.modules >= maxModules || file == sh.file {
		return true
	}
	if sh.loaded == nil {
		sh.loaded = map[string]struct{}{}
	}
	sh.loaded[file] = struct{}{}
	if sh.file != "" { // a program of the command line has a bound of its own, in imports
		sh.modules++
		sh.moduleBytes += len(s.Text)
	}
	if !sh.enter() {
		return true
	}
	defer sh.leave()
	c := sh.within("")
	c.file = file
	if c.origin == "" {
		c.origin = "`" + clip(sh.source) + "`"
	}
	if !sh.wrote(w) && len(c.origin) < maxOrigin {
		c.origin += ", " + path.Base(file)
	}
	c.out = &command.Stream{}
	c.module = true
	if sh.wrote(w) {
		c.importer = ""
	} else if c.importer != "" && lang == "python" {
		s.Text = withoutMain(s.Text)
	}
	c.code(lang, s.Text)
	return true
}

// withoutMain removes what a Python module does only as a program of its own. A string may begin or
// end in such lines, and then they stay.
func withoutMain(text string) string {
	before, after, ok := strings.Cut("\n"+text, "\nif __name__ == \"__main__\":")
	if !ok {
		before, after, ok = strings.Cut("\n"+text, "\nif __name__ == '__main__':")
	}
	line, rest, _ := strings.Cut(after, "\n")
	if !ok || strings.Contains(after, `"""`) || strings.Contains(after, "'''") || strings.TrimSpace(line) != "" {
		return text
	}
	for rest != "" && strings.IndexByte(" \t\r\n#", rest[0]) >= 0 {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return before + "\n" + rest
}

// imported reports whether imports has read the module that Ruby code loads.
func (sh *shell) imported(w command.Word) bool {
	if !w.Known() || w.Taint != 0 || sh.file == "" {
		return false
	}
	return slices.ContainsFunc(moduleFiles("ruby", path.Dir(sh.file), w.Text), func(file string) bool {
		_, done := sh.loaded[file]
		return done || file == sh.file
	})
}

// modulesIn returns the modules that a line imports.
func modulesIn(lang, line string) (names []string) {
	if first, rest, ok := strings.Cut(line, ";"); ok && (lang == "python" || lang == "ruby" || lang == "perl") {
		return append(modulesIn(lang, first), modulesIn(lang, rest)...)
	}
	s := strings.TrimSpace(line)
	switch lang {
	case "python":
		for _, mark := range []string{": import ", ": from "} { // try: import x
			if at := strings.Index(s, mark); at >= 0 {
				s = s[at+2:]
			}
		}
		if rest, ok := strings.CutPrefix(s, "import "); ok {
			for name := range strings.SplitSeq(rest, ",") {
				name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
				names = append(names, name)
			}
		} else if rest, ok := strings.CutPrefix(s, "from "); ok {
			mod, what, ok := strings.Cut(rest, " import ")
			if mod = strings.TrimSpace(mod); ok && !strings.ContainsAny(mod, " '\"") {
				names = append(names, mod)
				for name := range strings.SplitSeq(strings.Trim(what, "() \\"), ",") { // names from a package may be modules
					if name, _, _ = strings.Cut(strings.TrimSpace(name), " "); name != "" && name != "*" && len(names) < 32 {
						names = append(names, strings.TrimSuffix(mod, ".")+"."+name)
					}
				}
			}
		}
		computed := strings.Contains(s, "import_module(") || strings.Contains(s, "__import__(") || strings.Contains(s, "run_module(") || strings.HasPrefix(s, "pytest_plugins")
		if computed || strings.Contains(s, "DJANGO_SETTINGS_MODULE") || strings.HasPrefix(s, "ROOT_URLCONF") {
			for i, text := range strings.FieldsFunc(s, func(r rune) bool { return r == '"' || r == '\'' }) {
				if i%2 == 1 && (computed || strings.Contains(text, ".")) {
					names = append(names, text)
				}
			}
		}
	case "js":
		for _, mark := range []string{"require(", "import(", "from ", "import ", "require.resolve("} {
			for rest, ok := s, true; ok; {
				if _, rest, ok = strings.Cut(rest, mark); !ok {
					break
				}
				rest = strings.TrimLeft(rest, " ")
				if rest != "" && (rest[0] == '\'' || rest[0] == '"' || rest[0] == '`') {
					if name, _, ok := strings.Cut(rest[1:], rest[:1]); ok && strings.HasPrefix(name, ".") {
						names = append(names, name)
					}
				}
			}
		}
	case "dart":
		if rest, ok := strings.CutPrefix(s, "import "); ok && len(rest) > 1 {
			if name, _, _ := strings.Cut(rest[1:], rest[:1]); !strings.Contains(name, ":") { // others are packages
				names = append(names, name)
			}
		}
	case "perl":
		for _, mark := range []string{"use ", "require "} {
			if rest, ok := strings.CutPrefix(s, mark); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' { // others are pragmas
				name := rest[:len(rest)-len(strings.TrimLeft(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:"))]
				names = append(names, name)
			}
		}
	case "lua":
		if _, rest, ok := strings.Cut(s, "require"); ok {
			if rest = strings.TrimLeft(rest, " ("); rest != "" && (rest[0] == '"' || rest[0] == '\'') {
				name, _, _ := strings.Cut(rest[1:], rest[:1])
				names = append(names, name)
			}
		}
	case "ruby":
		for _, mark := range []string{"require_relative ", "require ", "load ", "eval_gemfile "} {
			if rest, ok := strings.CutPrefix(s, mark); ok && len(rest) > 1 {
				name, _, _ := strings.Cut(rest[1:], rest[:1])
				names = append(names, name)
			}
		}
	}
	return names
}

// moduleFiles returns the paths where a module may be that code in a folder imports.
func (sh *shell) moduleFiles(lang, dir, name string) []string {
	files := moduleFiles(lang, dir, name)
	if lang != "js" && !strings.HasPrefix(name, ".") {
		for _, dir := range sh.moduleDirs {
			files = append(files, moduleFiles(lang, dir, name)...)
		}
		files = append(files, moduleFiles(lang, sh.dir, name)...) // code that runs from the project's root
	}
	return files
}

// library finds the modules whose functions a program calls. Their effects count as those of the
// program, and their origin names the module.
type library struct {
	*program
	read  map[string]*code.Module // by file
	bytes int
}

// modulesOf returns a function that finds what code in a folder imports.
func (l *library) modulesOf(dir string) func(name string) *code.Module {
	return func(name string) *code.Module {
		if l.lang == "js" && !strings.HasPrefix(name, ".") {
			return nil
		}
		for _, file := range l.sh.moduleFiles(l.lang, dir, name) {
			if m := l.module(file); m != nil {
				return m
			}
		}
		return nil
	}
}

// module returns the module in a file of the project, or nil if its text is unknown or exceeds the
// bounds.
func (l *library) module(file string) *code.Module {
	if m, ok := l.read[file]; ok || len(l.read) >= maxModules || l.bytes > maxModuleBytes || file == l.sh.file {
		return m
	}
	s := l.sh.File(command.Lit(file))
	if !s.Seen || codeTraits(s.Taint) != 0 {
		return nil
	}
	l.bytes += len(s.Text)
	do := func(e code.Effect) command.Stream {
		defer func(was string) { l.sh.origin = was }(l.sh.origin)
		if len(l.sh.origin) < maxOrigin {
			l.sh.origin = cmp.Or(l.sh.origin, "`"+clip(l.sh.source)+"`") + ", " + path.Base(file)
		}
		return l.do(e)
	}
	l.read[file] = &code.Module{Text: placed(l.lang, s.Text, file), Data: path.Ext(file) == ".json", Do: do, Modules: l.modulesOf(path.Dir(file))}
	return l.read[file]
}

// moduleFiles returns the paths where a module may be.
func moduleFiles(lang, dir, name string) []string {
	switch lang {
	case "python":
		dots := len(name) - len(strings.TrimLeft(name, "."))
		for range dots - 1 {
			dir = path.Dir(dir)
		}
		name = strings.Trim(name, ".")
		if name == "" || strings.ContainsAny(name, "/ '\"") {
			return nil
		}
		p := path.Join(dir, strings.ReplaceAll(name, ".", "/"))
		return []string{p + ".py", p + "/__init__.py"}
	case "perl":
		p := strings.ReplaceAll(name, "::", "/") + ".pm"
		return []string{path.Join(dir, p), path.Join(dir, "lib", p)}
	case "lua":
		p := path.Join(dir, strings.ReplaceAll(name, ".", "/"))
		return []string{p + ".lua", p + "/init.lua"}
	case "js":
		p := path.Join(dir, name)
		if path.Ext(p) != "" {
			return []string{p, p + ".js", p + ".ts", strings.TrimSuffix(p, ".js") + ".ts"}
		}
		return []string{p + ".js", p + ".ts", p + ".mjs", p + ".cjs", p + "/index.js", p + "/index.ts", p}
	}
	return []string{path.Join(dir, name), path.Join(dir, name) + ".rb"}
}
