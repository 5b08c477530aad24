package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

// A repository makes git run programs: aliases, hooks, and programs that its settings name. The
// adversary made the folder, for instance an archive that brings its own .git. git itself refuses
// only folders of other users.

// Bounds on reading the settings for one call of git.
const (
	maxSettings    = 100000
	maxGitIncludes = 32
	maxFoldersUp   = 256 // the kernel accepts no longer path
)

// gitRepo is the repository of a call, with its settings.
type gitRepo struct {
	root     string // root of the working tree, relative to the folder of the call
	dir      string // folder of the shared settings and hooks, "" without a repository
	own      string // the folder of this working tree's HEAD: another one if the tree is linked
	settings []gitSet
	started  bool
	files    int
}

// gitSet is one setting and its source.
type gitSet struct {
	key, value string
	line       int
	f          Started
}

// gitRepository finds the repository of a call and reads the user's settings, its own and those of
// the call, in this order. It never returns nil.
func gitRepository(c *Call) *gitRepo {
	if c.repo != nil {
		return c.repo
	}
	g := &gitRepo{root: "."}
	c.repo = g
	global := []string{"~/.config/git/config", "~/.gitconfig"}
	if w, ok := c.Var("GIT_CONFIG_GLOBAL"); ok && w.Known() {
		global = []string{w.Text}
	}
	for _, n := range global {
		g.read(c, n, 0)
	}
	g.find(c)
	if g.dir != "" {
		g.own = g.dir
		common := g.dir
		if f, ok := c.StartedFile(path.Join(g.dir, "commondir")); ok {
			if common = strings.TrimSpace(f.Text); !path.IsAbs(common) {
				common = path.Join(g.dir, common)
			}
		}
		g.read(c, path.Join(common, "config"), 0)
		g.read(c, path.Join(g.dir, "config.worktree"), 0)
		g.dir = common
	}
	for _, w := range gitSettings(c) { // the call's own settings come last
		if key, value, ok := strings.Cut(w.Text, "="); ok {
			g.settings = append(g.settings, gitSet{strings.ToLower(key), value, 0, Started{Call: c, Own: true, Stream: Stream{Taint: w.Taint}}})
		}
	}
	return g
}

// find sets the root and the folder of the repository: those that the call names, or else the first
// ones in the folder of the call and above it.
func (g *gitRepo) find(c *Call) {
	if w, ok := c.Opt("--git-dir"); ok && w.Known() {
		g.dir = w.Text
		return
	}
	if w, ok := c.Var("GIT_DIR"); ok && w.Known() {
		g.dir = w.Text
		return
	}
	up := "."
	for range maxFoldersUp {
		if _, ok := c.StartedFile(path.Join(up, ".git/config")); ok {
			g.root, g.dir = up, path.Join(up, ".git")
			return
		}
		if f, ok := c.StartedFile(path.Join(up, ".git")); ok { // a file: the folder is a linked working tree, or a submodule
			dir := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(f.Text), "gitdir:"))
			if !path.IsAbs(dir) {
				dir = path.Join(up, dir)
			}
			g.root, g.dir = up, dir
			return
		}
		if c.Host.Exists(Lit(path.Join(up, "HEAD"))) && c.Host.Exists(Lit(path.Join(up, "config"))) { // a bare repository
			g.root, g.dir = up, up
			return
		}
		if abs, _ := c.Path(Lit(up)); abs == "/" || !path.IsAbs(abs) {
			return
		}
		up = path.Join("..", up)
	}
}

// read reads a settings file and the files that it includes.
func (g *gitRepo) read(c *Call, name string, depth int) {
	if depth > 10 { // git's own limit
		return
	}
	if g.files++; g.files > maxGitIncludes {
		c.Beyond(name)
		return
	}
	f, _ := c.StartedFile(name)
	for _, s := range gitLines(f) {
		if len(g.settings) >= maxSettings {
			f.RunUnseen()
			return
		}
		g.settings = append(g.settings, s)
		if section, _, _ := strings.Cut(s.key, "."); (section == "include" || section == "includeif") && strings.HasSuffix(s.key, ".path") {
			file := s.value
			if !path.IsAbs(file) && !strings.HasPrefix(file, "~") {
				file = path.Join(path.Dir(name), file)
			}
			g.read(c, file, depth+1)
		}
	}
}

// gitLines parses a settings file: sections, keys, quotes, comments and continued lines. Keys are
// in lower case, except for the name of a subsection: remote.Fork.url.
func gitLines(f Started) (out []gitSet) {
	section := ""
	lines := strings.Split(f.Text, "\n")
	for i := 0; i < len(lines); i++ {
		line, at := strings.TrimSpace(lines[i]), i+1
		if strings.HasPrefix(line, "[") {
			end := strings.LastIndexByte(line, ']')
			if q := strings.IndexByte(line, '"'); q >= 0 {
				if e := datafile.EndQuote(line[q:]); e >= 0 {
					end = q + e + strings.IndexByte(line[q+e:]+"]", ']')
				}
			} else {
				end = strings.IndexByte(line, ']')
			}
			if end < 0 || end > len(line) {
				continue
			}
			head, sub, quoted := strings.Cut(line[1:end], `"`)
			section = strings.ToLower(strings.TrimSpace(head))
			if quoted {
				section += "." + strings.TrimSuffix(strings.TrimSpace(sub), `"`)
			}
			line = strings.TrimSpace(line[min(end+1, len(line)):])
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		for GoesOn(line) && i+1 < len(lines) {
			i++
			line = line[:len(line)-1] + strings.TrimRight(lines[i], " \t\r")
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			value = "true"
		}
		key = section + "." + strings.ToLower(strings.TrimSpace(key))
		out = append(out, gitSet{key, gitValue(strings.TrimSpace(value)), at, f})
	}
	return out
}

// gitValue removes quotes, escapes and comments from a value.
func gitValue(s string) string {
	if !strings.ContainsAny(s, "\"\\#;") {
		return s
	}
	var b strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(s):
			text, length := escape.Of("git").Next(s[i+1:])
			b.WriteString(text)
			i += length
		case (c == '#' || c == ';') && !quoted:
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// last returns the last setting of a key, which is the one in force, or the zero value.
func (g *gitRepo) last(key string) (s gitSet) {
	for _, x := range g.settings {
		if x.key == key {
			s = x
		}
	}
	return s
}

// alias runs the expansion of an alias. A text that begins with ! is a shell command, which git
// runs in the root of the working tree.
func (s gitSet) alias(c *Call, args []Word) {
	if s.line == 0 {
		return // from the command line: gitAlias runs those
	}
	once, ok := onlyOnce(c, "git "+s.value)
	if !ok {
		return
	}
	run := Run{Out: true, Env: once}
	if text, ok := strings.CutPrefix(s.value, "!"); ok {
		root := Lit(gitRepository(c).root)
		run.Args, run.Dir = args, &root
		s.f.Run(s.line, text+Quote("", args), run)
		return
	}
	s.f.Run(s.line, "git "+s.value+Quote("", args), run)
}

// Sub-commands by the settings that they use, and the settings that name no program.
const (
	gitIndex   = "status diff add stage commit checkout switch restore stash ls-files merge rebase reset pull cherry-pick revert rm mv grep clean describe update-index read-tree worktree am apply diff-files diff-index"
	gitNetwork = "fetch pull push clone ls-remote remote submodule archive"
	gitShows   = "diff log show blame annotate whatchanged reflog stash grep format-patch difftool"
	gitMerges  = "merge pull rebase cherry-pick revert stash am apply checkout switch"
	gitEdits   = "commit rebase merge tag revert cherry-pick notes branch config am"
	gitData    = "alias author branch committer format http include includeif remote submodule url user" // sections that name no program, or that other code reads
	gitPaths   = "args attributesfile excludesfile file hookspath path template templatedir worktree"
	gitWrites  = "commit merge pull rebase cherry-pick revert checkout switch branch tag fetch push reset stash update-ref worktree am clone notes"
)

// gitHooks are the hooks of git, each with the sub-commands that run it.
var gitHooks = []struct {
	name string
	subs string
}{
	{"pre-commit", "commit rebase"},
	{"prepare-commit-msg", "commit merge rebase cherry-pick revert pull"},
	{"commit-msg", "commit merge rebase pull cherry-pick revert"},
	{"post-commit", "commit rebase cherry-pick revert merge"},
	{"pre-merge-commit", "merge pull"},
	{"post-merge", "merge pull"},
	{"post-checkout", "checkout switch worktree clone rebase pull bisect"},
	{"pre-rebase", "rebase pull"},
	{"post-rewrite", "rebase commit pull"},
	{"pre-push", "push"},
	{"applypatch-msg", "am"}, {"pre-applypatch", "am"}, {"post-applypatch", "am"},
	{"pre-auto-gc", "gc commit merge pull fetch rebase am"},
	{"sendemail-validate", "send-email"},
	{"reference-transaction", gitWrites}, {"post-index-change", gitIndex},
}

// gitStarts runs the programs that the settings and hooks make this sub-command start, once for
// each call. Settings of the command line itself are left to gitPrograms.
func gitStarts(c *Call) {
	sub := c.Verb()
	if sub == "" || c.Inert() || c.Program != "git" || sub == "config" || sub == "init" || sub == "help" || sub == "version" {
		return
	}
	g := gitRepository(c)
	if g.started {
		return
	}
	g.started = true
	for _, s := range g.settings {
		if s.line > 0 {
			s.program(c, g, sub)
		}
	}
	g.hooks(c, sub)
}

// program runs the program that a setting names, if the sub-command uses it.
func (s gitSet) program(c *Call, g *gitRepo, sub string) {
	section, rest, _ := strings.Cut(s.key, ".")
	last := s.key[strings.LastIndexByte(s.key, '.')+1:]
	var users string
	text, root := s.value, Lit(g.root)
	run := Run{Via: "git " + last, Dir: &root}
	switch {
	case s.key == "core.fsmonitor":
		if text != "true" && text != "false" && text != "" && text != "1" && text != "0" && text != "yes" && text != "no" {
			users = gitIndex
		}
	case s.key == "core.sshcommand" || s.key == "core.gitproxy" || s.key == "core.askpass" || s.key == "core.alternaterefscommand" || section == "remote" && (last == "uploadpack" || last == "receivepack" || last == "vcs"):
		users = gitNetwork
	case section == "credential" && last == "helper":
		users = gitNetwork
		if text = strings.TrimPrefix(text, "!"); text == s.value && !path.IsAbs(text) && !strings.HasPrefix(text, "~") && !strings.HasPrefix(text, ".") {
			return // git-credential-NAME
		}
	case s.key == "diff.external" || section == "diff" && (last == "command" || last == "textconv"):
		users = gitShows
		if last == "textconv" {
			text += " file"
		}
	case section == "pager" && rest == sub:
		users = sub
	case s.key == "core.pager" || section == "pager" && len(text) > 5:
		users = "branch tag config " + gitShows
	case s.key == "interactive.difffilter":
		if c.Has("-p", "--patch", "-i", "--interactive") {
			users = sub
		}
	case s.key == "core.editor" || s.key == "sequence.editor":
		if !c.Has("-m", "-F", "--no-edit", "-C") {
			users = gitEdits
		}
	case section == "filter" && (last == "clean" || last == "smudge" || last == "process"):
		users = "clone archive " + gitIndex
	case section == "merge" && last == "driver":
		users = gitMerges
	case section == "gpg" && (last == "program" || last == "defaultkeycommand"):
		users = "commit tag merge push log show verify-commit verify-tag rebase cherry-pick revert pull am"
	case (section == "difftool" || section == "mergetool") && (last == "cmd" || last == "path"):
		users = section
	case section == "trailer" && (last == "command" || last == "cmd"):
		users = "commit interpret-trailers am merge"
	case section == "submodule" && last == "update" && strings.HasPrefix(text, "!"):
		users, text = "submodule pull clone checkout", text[1:]
	case section == "tar" && last == "command":
		users = "archive"
	case section == "lfs" && (last == "path" && strings.Contains(rest, "customtransfer") || strings.Contains(rest, "extension") && (last == "clean" || last == "smudge")):
		users = "lfs push pull fetch checkout clone"
		text += " " + g.last(strings.TrimSuffix(s.key, last)+"args").value
	case section == "sendemail" && (last == "sendmailcmd" || last == "tocmd" || last == "cccmd" || last == "headercmd"):
		users = "send-email"
	case section == "url" && (last == "insteadof" || last == "pushinsteadof") && strings.HasPrefix(rest, "ext::"):
		users, text = gitNetwork, strings.TrimSuffix(strings.TrimSuffix(rest[len("ext::"):], "."+last), " ")
	case section == "remote" && last == "url" && strings.HasPrefix(text, "ext::"):
		users, text = gitNetwork, Quote("", extWords(text[len("ext::"):]))
	case !anyof.Listed(gitData, section) && !anyof.Listed(gitPaths, last) && strings.ContainsAny(text, "/ "):
		// Any other setting with a path or a command, such as gc.recentObjectsHook. It may never
		// run, so only harmful commands count, which no honest value contains.
		users, run.Scan = sub, true
	}
	if text == "" || everydayHelper(text) || !anyof.Listed(users, sub) {
		return
	}
	s.f.Run(s.line, text, run)
	// If the program is a file of the workspace that cannot be read, it counts as unseen code.
	if word, _, _ := strings.Cut(text, " "); strings.Contains(word, "/") {
		abs := word
		if !path.IsAbs(word) {
			abs = path.Join(g.root, word)
		}
		if _, p := c.Path(Lit(abs)); p&umpire.PlaceInWorkspace != 0 {
			c.StartedFile(abs)
		}
	}
}

// hooks runs the hooks of a sub-command, from every folder that may hold them.
func (g *gitRepo) hooks(c *Call, sub string) {
	dirs := []string{}
	for _, w := range c.Defined("git core.hookspath") {
		dirs = append(dirs, w.Text)
	}
	if set := g.last("core.hookspath"); set.value != "" {
		dir := set.value
		if !path.IsAbs(dir) && !strings.HasPrefix(dir, "~") {
			dir = path.Join(g.root, dir)
		}
		dirs = append(dirs, dir)
	} else if g.dir != "" {
		dirs = append(dirs, path.Join(g.dir, "hooks"))
	}
	if set := g.last("init.templatedir"); sub == "clone" && set.value != "" { // git copies these hooks into the clone, and runs them
		dirs = append(dirs, path.Join(set.value, "hooks"))
	}
	unverified := c.Has("--no-verify") || c.Has("-n") && sub == "commit"
	var names []string
	for _, hook := range gitHooks {
		checks := hook.name == "pre-commit" || hook.name == "commit-msg" || hook.name == "pre-push" || hook.name == "pre-merge-commit"
		if anyof.Listed(hook.subs, sub) && !(unverified && checks) {
			names = append(names, hook.name)
		}
	}
	for _, dir := range dirs {
		if len(names) == 0 {
			return
		}
		g.hooksIn(c, dir, names)
	}
}

// hooksIn runs the hooks in a folder that have one of the names. It returns how many of them it
// could read.
func (g *gitRepo) hooksIn(c *Call, dir string, names []string) (read int) {
	root := Lit(g.root)
	for _, name := range c.Present(dir, names) {
		files := []string{path.Join(dir, name)}
		if own, ok := strings.CutSuffix(dir, "/_"); ok && strings.HasSuffix(own, ".husky") { // these hooks run those of .husky itself
			files = append(files, path.Join(own, name))
		}
		for _, n := range files {
			f, ok := c.StartedFile(n)
			if !ok {
				continue
			}
			lang := "sh"
			if strings.HasPrefix(f.Text, "#!") {
				head, _, _ := strings.Cut(f.Text, "\n")
				if lang = LangOf(head); lang == "" {
					c.Op(umpire.Exec, Quote("git", Lits(n)), umpire.Unknown)
					continue
				}
			}
			f.RunAs(lang, Run{Via: "git " + name, Dir: &root})
			read++
		}
	}
	return read
}

// readsHooks reports whether core.hooksPath is set to a folder of the project with at least one
// hook that could be read. Its hooks are judged here, and again when git runs them.
func readsHooks(c *Call, folder Word) bool {
	if !folder.Known() || path.IsAbs(folder.Text) || c.Has("--global", "--system", "-f") {
		return false
	}
	g := gitRepository(c)
	dir := path.Join(g.root, folder.Text)
	if _, p := c.Path(Lit(dir)); p&umpire.PlaceInWorkspace == 0 {
		return false
	}
	var names []string
	for _, hook := range gitHooks {
		names = append(names, hook.name)
	}
	return g.hooksIn(c, dir, names) > 0
}

// GoesOn reports whether a line continues on the next one: it ends in an odd number of backslashes.
func GoesOn(line string) bool {
	n := 0
	for n < len(line) && line[len(line)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// LangOf returns the language of a script according to its first line, or "" if it is not known.
func LangOf(line string) string {
	f := strings.Fields(strings.TrimPrefix(line, "#!"))
	if len(f) == 0 {
		return "sh"
	}
	p := LastName(f[0])
	if p == "env" && len(f) > 1 {
		p = LastName(f[len(f)-1])
	}
	switch p = strings.TrimRight(p, "0123456789."); p {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "mksh":
		return "sh"
	case "python", "perl", "ruby", "php", "lua", "awk":
		return p
	case "node", "deno", "bun":
		return "js"
	}
	return ""
}
