package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// MaxFolders limits the folders of packages that one call reads.
const MaxFolders = 1000

// PackageScripts runs scripts of a manifest in the order given, each with its pre and post scripts.
func PackageScripts(c *Call, manifest string, args []Word, names ...string) {
	for _, dir := range packageFolders(c, manifest) {
		f, found := ManifestIn(c, dir, manifest)
		run := Run{Via: c.Program}
		if dir != "" {
			w := Lit(path.Dir(f.Name))
			if !found {
				w = Lit(dir)
			}
			run.Dir = &w
		} else if found && f.Name != manifest {
			w := Lit(path.Dir(f.Name))
			run.Dir = &w
		}
		m := manifestScripts{f: f}
		if found {
			m.t = f.Tree(datafile.JSON)
		}
		for _, n := range names {
			for _, n := range []string{"pre" + n, n, "post" + n} {
				for _, w := range c.Defined(manifestKey(manifest, n)) {
					c.Shell(w.With(w.Text+Quote("", args)), run)
				}
				if m.t != nil {
					m.script(n, args, run)
				}
			}
		}
	}
}

// maxScripts limits the scripts of a manifest that one call runs. The adversary may write scripts
// that each run two others.
const maxScripts = 1000

// manifestScripts runs the scripts of a manifest.
type manifestScripts struct {
	f     Started
	t     *datafile.Value
	count int // of the scripts that ran
	ran   map[string]bool
	over  bool
}

// script runs one script, if the manifest has it and the script is not running. Scripts name
// others without a shell between them, so that the environment alone does not end a loop.
func (m *manifestScripts) script(name string, args []Word, run Run) {
	c, f := m.f.Call, m.f
	key := "scripts"
	if strings.HasPrefix(path.Base(f.Name), "deno.") {
		key = "tasks"
	}
	script := m.t.Get(key, name)
	if script == nil {
		return
	}
	abs, _ := c.Path(Lit(f.Name))
	once, ok := onlyOnce(c, "script "+abs+" "+name)
	if !ok || slices.Contains(run.Env, once[0]) {
		return
	}
	if m.count++; m.count > maxScripts && m.ran[name] { // each still runs once
		if !m.over {
			c.Beyond(f.Name)
		}
		m.over = true
		return
	}
	if m.ran == nil {
		m.ran = map[string]bool{}
	}
	m.ran[name] = true
	run.Env = slices.Concat(run.Env, once, Binaries(c, path.Dir(f.Name)))
	lines := script.List()
	if len(script.Keys) > 0 { // a task of deno as a mapping
		for _, dep := range script.Get("dependencies").Texts() {
			m.script(dep, nil, run)
		}
		lines = script.Get("command").List()
	}
	shell := scriptShell(c, path.Dir(f.Name))
	for _, l := range lines {
		text := l.Text
		if class, _, ok := strings.Cut(text, "::"); ok && path.Base(f.Name) == "composer.json" {
			phpClass(c, f, m.t, class)
			continue
		}
		if other, ok := strings.CutPrefix(text, "@"); ok { // Composer: another script, or a PHP command
			word, rest, _ := strings.Cut(other, " ")
			switch word {
			case "php", "composer":
				f.Run(l.Line, word+" "+rest, run)
			case "putenv":
			default:
				m.script(word, nil, run)
			}
			continue
		}
		if len(args) > 0 && len(lines) == 1 {
			text = Quote(text, args)
		}
		if shell != "" {
			f.Exec(l.Line, []string{shell, "-c", text}, run)
		} else {
			f.Run(l.Line, text, run)
		}
	}
}

// phpClass runs the file of a class whose method a script of Composer calls.
func phpClass(c *Call, f Started, t *datafile.Value, class string) {
	for _, key := range [...]string{"autoload", "autoload-dev"} {
		t.Get(key, "psr-4").Each(func(prefix string, v *datafile.Value) {
			if rest, ok := strings.CutPrefix(class, prefix); ok {
				StartsFile(c, "php", path.Join(path.Dir(f.Name), v.Text, strings.ReplaceAll(rest, `\`, "/")+".php"))
			}
		})
	}
}

// ManifestIn finds the manifest of a folder. If dir is "", it searches the call's folder, then
// those above it in the workspace.
func ManifestIn(c *Call, dir, manifest string) (Started, bool) {
	if dir != "" {
		return c.StartedFile(path.Join(dir, manifest))
	}
	name := manifest
	for range maxFoldersUp {
		if f, ok := c.StartedFile(name); ok {
			return f, true
		}
		if abs, p := c.Path(Lit(path.Dir(name))); p&(umpire.PlaceInWorkspace) == 0 || abs == "/" {
			break
		}
		name = "../" + name
	}
	return Started{}, false
}

// Binaries returns the PATH of a package's scripts, in which the programs of packages come first.
func Binaries(c *Call, dir string) []Word {
	abs, _ := c.Path(Lit(path.Join(dir, "node_modules/.bin")))
	rest := "/usr/local/bin:/usr/bin:/bin"
	if w, ok := c.Var("PATH"); ok && w.Known() {
		rest = w.Text
	}
	return Lits("PATH=" + abs + ":" + rest)
}

// scriptShell returns the program that runs scripts, or "" for the default shell.
func scriptShell(c *Call, dir string) string {
	if w, ok := c.Opt("--script-shell"); ok {
		return w.Text
	}
	for _, name := range []string{"npm_config_script_shell", "NPM_CONFIG_SCRIPT_SHELL"} {
		if w, ok := c.Var(name); ok && w.Text != "" {
			return w.Text
		}
	}
	for _, n := range []string{path.Join(dir, ".npmrc"), "~/.npmrc"} {
		f, _ := c.StartedFile(n)
		for key, value := range Settings(f.Text) {
			if strings.TrimPrefix(key, ".") == "script-shell" && !PlainShell(value) && value != "bash" && value != "sh" {
				return strings.Trim(value, `"'`)
			}
		}
	}
	return ""
}

// projectFolder returns the folder of the project that a call names, or "" for the call's own.
func projectFolder(c *Call) (dir string) {
	for _, o := range []string{"--prefix", "-C", "--cwd", "--dir"} {
		if w, ok := c.Opt(o); ok && w.Known() {
			dir = w.Text
		}
	}
	return dir
}

// packageFolders returns the folders whose scripts a call runs: "" is the call's folder. It returns
// none if the call names only packages that the project does not have.
func packageFolders(c *Call, manifest string) (dirs []string) {
	base := projectFolder(c)
	if manifest != "package.json" {
		return []string{base}
	}
	var names []string
	all := anyof.Listed("turbo lerna nx rush lage", c.Program)
	for i := range c.Args {
		name, value, attached := ValueAt(c.Args, i)
		switch name {
		case "-w", "--workspace":
			if c.Program != "pnpm" || attached {
				names = append(names, value)
			}
		case "-F", "--filter", "--scope", "--projects", "-p":
			if name != "-p" || c.Program == "nx" {
				names, all = append(names, value), false
			}
		case "--workspaces", "-ws", "-r", "--recursive", "-A", "--all":
			all = true
		}
		if name == "-F" || name == "--filter" {
			all = all || value == "*" || value == "./*" || value == "**"
		}
		switch name {
		case "workspaces":
			all = true
		case "workspace":
			if c.Program == "yarn" && !attached {
				names = append(names, value)
			}
		}
	}
	if len(names) == 0 && !all {
		return []string{base}
	}
	if all {
		dirs = append(dirs, base)
	}
	patterns := Workspaces(c, base)
	for _, n := range names {
		n = strings.Trim(n, ".{}!^")
		n = strings.TrimPrefix(n, "/")
		short := n[strings.LastIndexByte(n, '/')+1:]
		found := false
		for _, p := range append([]string{n, "packages/*", "apps/*", "*"}, patterns...) {
			dir := path.Join(base, strings.ReplaceAll(strings.ReplaceAll(p, "**", "*"), "*", short))
			if f, ok := c.StartedFile(path.Join(dir, manifest)); ok {
				if name := f.Tree(datafile.JSON).Str("name"); p == n || name == n || LastName(name) == short || strings.Contains(n, "*") {
					dirs, found = append(dirs, dir), true
				}
			}
		}
		if !found { // the package's folder may have another name
			for _, dir := range Below(c, base, patterns) {
				if f, ok := c.StartedFile(path.Join(dir, manifest)); ok && f.Tree(datafile.JSON).Str("name") == n {
					dirs = append(dirs, dir)
				}
			}
		}
	}
	if all {
		dirs = append(dirs, Below(c, base, patterns)...)
	}
	return c.AtMost(dirs)
}

// localPackages runs the scripts of packages of the project that an installation installs as
// well: those of its workspaces, and those that it depends on by a path.
func localPackages(c *Call) {
	base := projectFolder(c)
	f, ok := c.StartedFile(path.Join(base, "package.json"))
	if !ok {
		return
	}
	dirs := Below(c, base, Workspaces(c, base))
	t := f.Tree(datafile.JSON)
	for _, keys := range [...]string{"dependencies", "devDependencies", "optionalDependencies", "overrides", "overrides.*", "resolutions", "pnpm.overrides"} {
		for _, table := range t.All(append(strings.Split(keys, "."), "[]")) {
			table.Each(func(_ string, v *datafile.Value) {
				kind, dir, ok := strings.Cut(v.Text, ":")
				if ok && anyof.Listed("file link portal", kind) {
					dirs = append(dirs, path.Join(base, dir))
				}
			})
		}
	}
	for _, dir := range c.AtMost(dirs) {
		if f, ok := c.StartedFile(path.Join(dir, "package.json")); ok && strings.Contains(f.Text, `"scripts"`) {
			in := Lit(dir)
			m := manifestScripts{f: f, t: f.Tree(datafile.JSON)}
			for _, name := range [...]string{"preinstall", "install", "postinstall", "prepare"} {
				m.script(name, nil, Run{Via: c.Program, Dir: &in})
			}
		}
	}
}

// Workspaces returns the patterns for the folders of packages in a repository with several.
func Workspaces(c *Call, base string) (patterns []string) {
	if f, ok := c.StartedFile(path.Join(base, "package.json")); ok {
		t := f.Tree(datafile.JSON).Get("workspaces")
		if len(t.Texts()) == 0 {
			t = t.Get("packages")
		}
		patterns = append(patterns, t.Texts()...)
	}
	if f, ok := c.StartedFile(path.Join(base, "pnpm-workspace.yaml")); ok {
		patterns = append(patterns, f.Tree(datafile.YAML).Get("packages").Texts()...)
	}
	if f, ok := c.StartedFile(path.Join(base, "lerna.json")); ok {
		patterns = append(patterns, f.Tree(datafile.JSON).Get("packages").Texts()...)
	}
	return c.AtMost(patterns)
}

// Below returns the folders that patterns match, as far as the disk is known.
func Below(c *Call, base string, patterns []string) (dirs []string) {
	for _, p := range patterns {
		p = strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
		if strings.HasPrefix(p, "!") {
			continue
		}
		head, _, isPattern := strings.Cut(p, "*")
		if !isPattern {
			dirs = append(dirs, path.Join(base, p))
			continue
		}
		head = path.Join(base, head)
		dirs = belowHead(c, dirs, head, strings.Contains(p, "**"), 0)
	}
	return dirs
}

// belowHead adds the folders in head to dirs. If deep is true, it also descends into folders that
// are not packages themselves.
func belowHead(c *Call, dirs []string, head string, deep bool, depth int) []string {
	for _, name := range c.Names(Lit(head)) {
		if name == "node_modules" || strings.HasPrefix(name, ".") {
			continue
		}
		dir := path.Join(head, name)
		dirs = append(dirs, dir)
		if deep && depth < 4 && len(dirs) < MaxFolders && !strings.Contains(name, ".") && !c.Exists(Lit(path.Join(dir, "package.json"))) {
			dirs = belowHead(c, dirs, dir, true, depth+1)
		}
	}
	return dirs
}

// runBinary runs a program of the packages that are installed in the folder. The shell's reader
// reads it only if it is a short script: programs of packages are long and trusted, and one that an
// adversary puts in their place is short.
func runBinary(c *Call, name string, args []Word) {
	if strings.ContainsAny(name, "/ ") || name == "" {
		return
	}
	c.Exec(append(Lits(name), args...), Run{Out: true, Env: Binaries(c, "."), Task: true})
}

// PlainShell reports whether a program is one of the system's shells.
func PlainShell(name string) bool {
	dir, _ := path.Split(path.Clean(name))
	return anyof.Equal(LastName(name), "sh", "bash", "dash", "zsh", "ksh", "ash", "fish") && (dir == "" && !strings.Contains(name, "/") || anyof.Equal(dir, "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"))
}
