package shell

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// maxDefinitions bounds the aliases and functions whose bodies are read although nothing calls
// them.
const maxDefinitions = 8

// Quiet returns the first builtin that ran, if only builtins ran and none could do harm in a later
// command line; otherwise it returns "". It reads a definition as if a later command line called
// it.
func (r *Reader) Quiet() string {
	sh := r.sh
	if sh.loud || sh.shadowed || sh.over || len(sh.funcs)+len(sh.aliases) > maxDefinitions {
		return ""
	}
	for n, v := range sh.vars {
		if n != localsKey && !sh.quietVariable(n, v) {
			return ""
		}
	}
	for name, f := range sh.funcs {
		if !ownName(name) || !sh.looksOnly(func(t *shell) { t.stmt(f.body) }) {
			return ""
		}
	}
	for name, text := range sh.aliases {
		if !ownName(name) || !sh.looksOnly(func(t *shell) { t.script(text + ` "$@"`) }) {
			return ""
		}
	}
	switch {
	case sh.quiet != "":
		return sh.quiet
	case len(sh.funcs) > 0:
		return "function"
	case len(sh.vars) > 0 && !sh.mayPass():
		return "set"
	}
	return ""
}

// mayPass reports whether a variable that was set would influence programs if an earlier command
// line exported it: https_proxy=... alone then redirects their connections.
func (sh *shell) mayPass() bool {
	for n := range sh.vars {
		if n != localsKey && command.Influential(n, true) {
			return true
		}
	}
	return false
}

// ownName reports whether a name is plain and belongs to no program or builtin: ls must still mean
// ls in a later command line.
func ownName(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == "" &&
		name[0] != '-' && command.Lookup(name) == nil && builtin(name) == nil && !calledByZsh(name) && !keyword(name)
}

// keyword reports whether a name is a reserved word of the shell, or a function that the shell
// calls by itself.
func keyword(name string) bool {
	return anyof.Equal(name, "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "function", "select", "time", "coproc", "command_not_found_handle", "command_not_found_handler")
}

// looksOnly reports whether a body, read with unknown parameters, only runs programs without
// effects other than the emitted operations, and emits no other operations. It reads the body in a
// separate shell.
func (sh *shell) looksOnly(read func(*shell)) bool {
	t := newShell(sh.env)
	t.dir, t.traps = sh.dir, &traps{}
	t.params = []command.Word{several(nil)}
	read(t)
	t.ends()
	if t.over || t.loud || t.shadowed || len(t.funcs)+len(t.aliases) > 0 {
		return false
	}
	for n, v := range t.vars {
		if n != localsKey && !t.quietVariable(n, v) {
			return false
		}
	}
	for i := range t.ops {
		if o := &t.ops[i]; o.Kind != umpire.Exec || o.Traits&umpire.Described == 0 || o.Traits&^(umpire.Described|umpire.Unknown) != 0 {
			return false
		}
	}
	return true
}

// quietVariable reports whether a variable may keep its value for later command lines: the shell
// does not run it, and programs are unlikely to.
func (sh *shell) quietVariable(name string, v variable) bool {
	for _, p := range []string{"PS", "PROMPT", "BASH", "SHELL", "HIST", "IFS", "FPATH", "precmd", "preexec", "chpwd", "TMOUT", "TRAP", "FCEDIT", "GLOBIGNORE"} {
		if strings.HasPrefix(name, p) {
			return false
		}
	}
	return !command.Influential(name, v.exported) && !v.ref
}

// quietBuiltin reports whether a builtin changes nothing that a later command line depends on,
// except the working folder.
func quietBuiltin(args []command.Word) bool {
	switch name := args[0].Text; name {
	case "cd", "pwd", "pushd", "popd", "dirs", "echo", "printf", "true", "false", ":", "test", "[", "wait", "exit", "logout", "return", "type", "command", "jobs", "times", "read", "shift", "let", "break", "continue",
		"unset", "bg", "fg", "disown", "ulimit", "caller", "compgen", "unalias":
		return true
	case "alias":
		// zsh has options that make aliases in any position
		return !slices.ContainsFunc(args[1:], func(a command.Word) bool {
			n, _, ok := strings.Cut(a.Text, "=")
			return !a.Known() || strings.HasPrefix(a.Text, "-") || ok && !ownName(n) || !ok && len(args) > 2
		})
	case "set", "shopt", "umask", "bind":
		return quietOption(name, args[1:])
	}
	return false
}

// quietOption reports whether an option only sets how the shell handles errors, and does not change
// the meaning of a later command line.
func quietOption(name string, args []command.Word) bool {
	for i, a := range args {
		t := a.Text
		if !a.Known() {
			return false
		}
		switch name {
		case "umask":
			if strings.Trim(t, "0") != "22" && t != "027" && t != "077" && t != "002" && t != "-S" && t != "-p" {
				return false
			}
		case "bind": // only prints the key bindings
			if len(t) != 2 || t[0] != '-' || !strings.Contains("lpPsSvVX", t[1:]) {
				return false
			}
		case "shopt":
			if !anyof.Equal(t, "-s", "-u", "-p", "-q", "-o", "nullglob", "extglob", "globstar", "nocaseglob", "nocasematch", "failglob", "checkwinsize", "histappend", "cmdhist", "progcomp", "promptvars", "pipefail", "errexit", "nounset") {
				return false
			}
		case "set":
			switch {
			case t == "--":
				return true
			case i == 0 && t != "" && t[0] != '-' && t[0] != '+':
				return true // positional parameters
			case anyof.Equal(t, "pipefail", "errexit", "nounset", "xtrace", "verbose", "noclobber", "emacs", "vi"):
			case len(t) < 2 || t[0] != '-' && t[0] != '+' || strings.Trim(t[1:], "euxvCbEo") != "":
				return false
			}
		}
	}
	return true
}
