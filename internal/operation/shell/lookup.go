package shell

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// base tells the name of a program from the path it was called by.
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

// calledAs tells the program behind a name that this very command line gave it, by a
// copy or a link; "" if there is none.
func (sh *shell) calledAs(name command.Word) string {
	if len(sh.defs) == 0 || !name.Known() {
		return ""
	}
	key := name.Text
	if strings.Contains(key, "/") {
		m := sh.env.Map
		m.Dir = sh.dir
		key, _ = m.Resolve(name.Text)
	} else if command.Lookup(key) != nil {
		return ""
	}
	if defs := sh.defs["program "+key]; len(defs) > 0 {
		return defs[len(defs)-1].Text
	}
	return ""
}

// inPath finds a script that this very command line wrote into one of the folders that it
// put into PATH, or anywhere if nothing else of that name is known.
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

// ownProgram finds a script in those folders of PATH that lie in the workspace. A real
// program of that name is another matter.
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
		if dir == "" || strings.Contains(dir, umpire.Hole) {
			continue
		}
		abs, p := sh.Path(command.Lit(dir))
		if p&(umpire.PlaceInWorkspace|umpire.PlaceWorkspace) == 0 {
			continue
		}
		if n++; n > 8 {
			break
		}
		file := path.Join(abs, prog)
		if f := sh.read(file); f.ok && f.size <= maxOwnProgram {
			return command.Lit(file), true
		}
	}
	return command.Word{}, false
}

// finds reports whether a name finds the program that its description is about, or one
// that lies in the workspace. It is neither if this command line may have changed where
// programs, their settings or their code are looked for.
func (sh *shell) finds(name command.Word) (standard, own bool) {
	if !name.Known() || name.Glob || name.Taint != 0 || sh.shadowed || sh.calledAs(name) != "" {
		return false, false
	}
	if _, written := sh.inPath(base(name.Text)); written {
		return false, false
	}
	for n, v := range sh.vars {
		if n != localsKey && command.Influential(n, v.exported) && !sh.plainSetting(n, v) {
			return false, false
		}
	}
	switch dir, _ := path.Split(name.Text); dir {
	case "", "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/":
		return true, false
	}
	_, p := sh.Path(name)
	if p&umpire.PlaceInWorkspace == 0 || p&(umpire.PlaceGitDir|umpire.PlaceGitHooks) != 0 {
		return false, false
	}
	// The adversary plants a file that is called like a program: only what a build made, or
	// what no program on the PATH is called, is the project's own.
	b := base(name.Text)
	return false, p&umpire.PlaceGenerated != 0 || b == "gradlew" || b == "mvnw" || strings.Contains(b, ".")
}

func isShell(p string) bool {
	switch p {
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "pwsh", "powershell", "python", "python3", "perl", "ruby", "php", "node":
		return true
	}
	return false
}

// globProgram tells what a program name with glob characters would find in the standard
// folders: /bin/r? is one way to spell rm.
func globProgram(text string) string {
	dir, file := path.Split(text)
	if dir == "" || !strings.Contains(dir, "bin") && !hasGlob(dir) {
		return ""
	}
	for _, p := range []string{"rm", "bash", "sh", "cat", "curl", "wget", "nc", "dd", "chmod", "chown", "mv", "python3", "perl", "shred", "find", "tee", "cp"} {
		if globMatch(file, p) {
			return p
		}
	}
	return ""
}
