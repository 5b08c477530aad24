package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// base returns the name of a program from its path, without .exe.
func base(p string) string {
	p = strings.TrimRight(p, "/")
	if i := strings.LastIndexAny(p, "/"); i >= 0 {
		p = p[i+1:]
	}
	if i := strings.LastIndexByte(p, '\\'); i >= 0 {
		p = p[i+1:]
	}
	if n := len(p) - 4; n > 0 && strings.EqualFold(p[n:], ".exe") {
		p = p[:n]
	}
	return p
}

// calledAs returns the program behind a name that this command line gave it, by a copy or a
// link, or "".
func (sh *shell) calledAs(name command.Word) string {
	if len(sh.defs) == 0 || !name.Known() {
		return ""
	}
	key := name.Text
	m := sh.env.Map
	m.Dir = sh.dir
	if strings.Contains(key, "/") {
		key, _ = m.Resolve(name.Text)
	} else if to := sh.namedInPath(key); to != "" {
		return to
	} else if command.Lookup(key) != nil {
		return ""
	}
	if defs := sh.defs["program "+key]; len(defs) > 0 {
		return defs[len(defs)-1].Text
	}
	return ""
}

// namedInPath returns the program behind a name that this command line created in a folder of its
// PATH.
func (sh *shell) namedInPath(name string) string {
	v, ok := sh.vars["PATH"]
	if !ok {
		return ""
	}
	m := sh.env.Map
	m.Dir = sh.dir
	for _, w := range v.alts {
		for dir := range strings.SplitSeq(w.Text, ":") {
			if dir == "" || strings.Contains(dir, umpire.Hole) {
				continue
			}
			abs, _ := m.Resolve(path.Join(dir, name))
			if defs := sh.defs["program "+abs]; len(defs) > 0 {
				return defs[len(defs)-1].Text
			}
		}
	}
	return ""
}

// inPath finds a script that this command line wrote into a folder that it added to PATH, or into a
// usual folder for programs if no described program has that name.
func (sh *shell) inPath(prog string) (command.Word, bool) {
	if len(sh.files) == 0 {
		return command.Word{}, false
	}
	if v, ok := sh.vars["PATH"]; ok {
		for _, w := range v.alts {
			for dir := range strings.SplitSeq(w.Text, ":") {
				if file := command.Lit(path.Join(dir, prog)); dir != "" && !strings.Contains(dir, umpire.Hole) && sh.wrote(file) {
					return file, true
				}
			}
		}
	}
	if command.Lookup(prog) == nil {
		for _, dir := range []string{"~/.local/bin/", "~/bin/", "/usr/local/bin/"} {
			if file := command.Lit(dir + prog); sh.wrote(file) {
				return file, true
			}
		}
	}
	return command.Word{}, false
}

// runCompiled reads the sources of a compiled program that the call starts by its path, or by its
// name through a PATH that this command line sets.
func (sh *shell) runCompiled(c *command.Call, name command.Word) {
	if strings.Contains(name.Text, "/") {
		c.RunCompiled(name)
		return
	}
	if v, ok := sh.vars["PATH"]; ok && command.Lookup(name.Text) == nil {
		for _, w := range v.alts {
			for dir := range strings.SplitSeq(w.Text, ":") {
				if _, ok := sh.inProject(dir); ok {
					c.RunCompiled(name.With(strings.TrimSuffix(dir, "/") + "/" + name.Text))
				}
			}
		}
	}
}

// ownProgram finds a script in a folder of PATH inside the workspace. Files longer than
// maxOwnProgram do not count.
func (sh *shell) ownProgram(prog string) (command.Word, bool) {
	if sh.env.ReadFile == nil || strings.ContainsAny(prog, "*?[") || strings.Contains(prog, umpire.Hole) {
		return command.Word{}, false
	}
	w, ok := sh.get("PATH")
	if !ok {
		return command.Word{}, false
	}
	n := 0
	for dir := range strings.SplitSeq(w.Text, ":") {
		abs, ok := sh.inProject(dir)
		if !ok {
			continue
		}
		if n++; n > 8 {
			break
		}
		file := path.Join(abs, prog)
		if sh.isMissing(file) {
			continue
		}
		if f := sh.read(file); f.ok && f.size <= maxOwnProgram {
			return command.Lit(file), true
		}
	}
	return command.Word{}, false
}

// programOrigin reports whether a name starts the program that its description is about (standard),
// or a program of the workspace (own). It reports neither if this command line may have changed the
// folders of programs, their settings or their code.
func (sh *shell) programOrigin(name command.Word) (standard, own bool) {
	if !name.Known() || name.Glob || name.Taint != 0 || sh.shadowed || sh.calledAs(name) != "" || sh.vars["path"].array { // zsh ties path to PATH
		return false, false
	}
	if _, written := sh.inPath(base(name.Text)); written {
		return false, false
	}
	if len(sh.influences()) > 0 {
		return false, false
	}
	if !strings.Contains(name.Text, "/") {
		if at, ok := sh.pathFromNewPATH(name.Text); ok { // plainSetting lets only folders of the project come first
			if abs, _ := sh.Path(at); !sh.isMissing(abs) {
				name = at
			}
		}
	}
	abs, p := sh.Path(name)
	standard = Standard(name.Text) || sh.linksTo(name.Text, abs)
	return standard, !standard && Own(name.Text, p)
}

// linksTo reports whether a path is a link to the program of the system that it is named after, as
// a virtual environment has for Python. In a home folder, only what a manager of versions installed
// counts: an adversary's link may lead into another download.
func (sh *shell) linksTo(name, abs string) bool {
	if !strings.Contains(name, "/") || !sh.local() {
		return false
	}
	to, ok := sh.where(abs, true)
	if _, p := sh.Path(command.Lit(to)); !ok || to == abs || path.Base(path.Dir(to)) != "bin" || p&(umpire.PlaceInWorkspace|umpire.PlaceTemp|umpire.PlaceWorktree) != 0 {
		return false
	}
	if rest, inHome := strings.CutPrefix(to, sh.env.Map.Home+"/"); inHome {
		if top, _, _ := strings.Cut(rest, "/"); top[0] != '.' && !anyof.Contains(top, "conda", "forge") {
			return false
		}
	}
	return unversioned(to) == unversioned(name)
}

// unversioned returns the name of a program from its path, without a version.
func unversioned(p string) string { return strings.TrimRight(base(p), "0123456789.") }

// influences returns the variables that this command line sets and that may change which programs
// run, or what they load.
func (sh *shell) influences() (names []string) {
	for n, v := range sh.vars {
		if n != localsKey && command.Influential(n, v.exported) && !sh.plainSetting(n, v) {
			names = append(names, n)
		}
	}
	return names
}

// Standard reports whether a program's name is bare, or a path in one of the system's folders for
// programs.
func Standard(name string) bool {
	switch dir, _ := path.Split(name); dir {
	case "", "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/":
		return true
	}
	return false
}

// Own reports whether a path with these places is a program of the project. An adversary may plant
// a file with the name of a program, so only build output counts, and files whose names no program
// on PATH has.
func Own(name string, p umpire.Place) bool {
	if p&umpire.PlaceInWorkspace == 0 || p&(umpire.PlaceGitDir|umpire.PlaceGitHooks) != 0 {
		return false
	}
	b := base(name)
	return p&umpire.PlaceGenerated != 0 || b == "gradlew" || b == "mvnw" || strings.Contains(b, ".") || binstub(name)
}

// builtHere reports whether a path is outside the folders where package managers install.
func builtHere(name string) bool {
	for dir := range strings.SplitSeq(name, "/") {
		if anyof.Equal(dir, "node_modules", "vendor", ".venv", "venv", "site-packages", "Pods") {
			return false
		}
	}
	return true
}

// binstub reports whether a path is a small program that starts a tool in the project's version, as
// Rails, Bundler and Composer write them.
func binstub(name string) bool {
	if path.Base(path.Dir(name)) != "bin" {
		return false
	}
	return anyof.Equal(path.Base(name), "rails", "rake", "rspec", "rubocop", "brakeman", "bundle", "phpunit", "pest", "phpstan", "phpcs")
}

// impostor reports whether a call names by its path a file that may only share the name of the
// program that a rule means: a file with the name of a known program, or a file outside the
// workspace. A rule that allows the program then has to allow the path as well: allow: exec(make
// check) does not cover ./make check, and exec(build.sh) does not cover /tmp/build.sh.
func (sh *shell) impostor(m *command.Model, name command.Word) bool {
	if !strings.Contains(name.Text, "/") || Standard(name.Text) {
		return false
	}
	_, p := sh.Path(name)
	return p&umpire.PlaceSystem == 0 && !Own(name.Text, p) && (m != nil || p&umpire.PlaceInWorkspace == 0 || builtin(base(name.Text)) != nil)
}

// projectPath returns the path, relative to the workspace, of an undescribed program that a call
// names by its path: ./bin/tool from any folder. A rule for this file is narrower than a rule for
// its name, which any folder may have.
func (sh *shell) projectPath(m *command.Model, name command.Word) string {
	if m != nil || !strings.Contains(name.Text, "/") || !name.Known() || name.Glob {
		return ""
	}
	abs, p := sh.Path(name)
	rest, ok := strings.CutPrefix(abs, strings.TrimSuffix(sh.env.Map.Workspace, "/")+"/")
	if !ok || p&umpire.PlaceInWorkspace == 0 || p&umpire.PlaceGenerated != 0 {
		return ""
	}
	return "./" + rest
}

// programPath returns the path at which a call finds its program, or the bare name.
func (sh *shell) programPath(name command.Word, prog string) command.Word {
	if strings.Contains(name.Text, "/") {
		return name
	}
	if at, ok := sh.pathFromNewPATH(prog); ok {
		return at
	}
	return name
}

// pathFromNewPATH returns the path of a bare name, if this command line puts a folder into PATH
// before the system's folders. The file may not exist yet, or not be readable.
func (sh *shell) pathFromNewPATH(prog string) (command.Word, bool) {
	_, set := sh.vars["PATH"]
	tied := sh.vars["path"].array
	if !set && !tied || builtin(prog) != nil {
		return command.Word{}, false
	}
	w, ok := sh.get("PATH")
	if !ok || tied { // PATH has several values, or an unknown one
		return command.Lit(umpire.Hole + "/" + prog), true
	}
	before, _ := sh.environ("PATH")
	for dir := range strings.SplitSeq(w.Text, ":") {
		switch {
		case dir == "":
			dir = "."
		case dir == umpire.Hole || Standard(dir+"/"): // the former PATH, or a system folder
			return command.Word{}, false
		case slices.Contains(strings.Split(before.Text, ":"), dir):
			continue
		}
		abs, p := sh.Path(command.Lit(dir))
		if p&umpire.PlaceSystem == 0 && !strings.HasPrefix(abs, "/usr/") && !strings.HasPrefix(abs, "/opt/") && !strings.HasPrefix(abs, "/nix/store/") {
			return command.Lit(dir + "/" + prog), true
		}
	}
	return command.Word{}, false
}

// matchingPrograms returns the described programs that a name with glob characters may match:
// /bin/r? may spell rm, and so may r? if the shell's folder contains a file of that name. Bash runs
// the first match and passes the others as arguments; the matches differ from machine to machine.
func (sh *shell) matchingPrograms(text string) []string {
	dir, file := path.Split(text)
	if !strings.HasPrefix(dir, "/") {
		dir = path.Join(sh.dir, dir)
	}
	if !strings.Contains(dir, "bin") && !strings.Contains(dir, umpire.Hole) && !hasGlob(dir) {
		return nil
	}
	return command.Matching(func(name string) bool { return globMatch(file, name) }, maxMatching)
}

// maxMatching bounds the programs that a pattern is read as. /bin/?? matches about 60.
const maxMatching = 100

// inProject reports whether a folder of PATH is in the workspace, by its name or through a link. It
// avoids a full look-up of places, because it runs for every folder at every command word.
func (sh *shell) inProject(dir string) (abs string, ok bool) {
	if anyof.Equal(dir, "", "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin") {
		return "", false // only the administrator could make these a link
	}
	if strings.Contains(dir, umpire.Hole) {
		return "", false
	}
	if sh.traits&(umpire.Remote|umpire.Container) != 0 || len(sh.links) > 0 {
		abs, p := sh.Path(command.Lit(dir))
		return abs, p&(umpire.PlaceInWorkspace|umpire.PlaceWorkspace) != 0
	}
	m := sh.env.Map
	m.Dir = sh.dir
	abs = m.Absolute(dir)
	if m.InProject(abs) {
		return abs, true
	}
	if sh.local() {
		if slices.ContainsFunc(sh.faces(m.Spell(dir), true), func(f face) bool { return m.InProject(f.path) }) {
			return abs, true
		}
	}
	return "", false
}

// isMissing reports whether no file exists at an absolute path, as far as the disk is known. This
// call may still write the file.
func (sh *shell) isMissing(abs string) bool { return sh.local() && sh.paths.view.Missing(abs) }
