package shim

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/visible"
)

// startup are prefixes of variables by which a shell, even one that a program starts, runs code
// that was not judged: files before the script (zsh's by its folder), functions named like
// programs, and prompts before each command.
var startup = []string{"BASH_ENV=", "ZDOTDIR=", "BASH_FUNC_", "SHELLOPTS=", "BASHOPTS=", "PS4=", "PROMPT_COMMAND="}

// Environment returns the environment of the command. It removes ENV for shells, which would
// run the file that ENV names; other programs ignore it.
func Environment(shell bool) []string {
	return slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return shell && strings.HasPrefix(kv, "ENV=") || anyof.HasPrefix(kv, startup...)
	})
}

// withVariables returns a command as it is judged: with the variables that make programs load or
// run code, because the command runs in its environment.
func withVariables(argv, env []string) []string {
	var with []string
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		switch name {
		case "ENV", "PS0", "PS1", "PS2": // for interactive shells, which are refused
			continue
		}
		if operation.LoadsCode(name) && value != "" && !everyday(value) {
			with = append(with, kv)
		}
	}
	if with == nil {
		return argv
	}
	return slices.Concat([]string{"env"}, with, argv)
}

// everyday reports whether a variable names only programs or files of the system or the user, with
// plain options at most: EDITOR=vim, LESSOPEN="|/usr/bin/lesspipe %s".
func everyday(value string) bool {
	words := strings.Fields(strings.TrimLeft(value, "|-"))
	if len(words) == 0 || strings.ContainsAny(strings.TrimLeft(value, "|-"), "|&;<>()$`\\\"'*?[]{}~=\n") {
		return false
	}
	if slices.ContainsFunc(words[1:], func(w string) bool { return w != "%s" && (w[0] != '-' || strings.Contains(w, "/")) }) {
		return false
	}
	for _, path := range filepath.SplitList(words[0]) { // of LD_PRELOAD there may be several
		if !strings.Contains(path, "/") {
			found, err := exec.LookPath(path)
			if err != nil {
				return false
			}
			path = found
		}
		if ownFile(path) != nil {
			return false
		}
	}
	return true
}

// ownFile returns an error unless a path is a file of the system or the user that no project and no
// other user could have put there.
func ownFile(path string) error {
	if !filepath.IsAbs(path) {
		return errors.New("it is not an absolute path")
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a file")
	}
	if runtime.GOOS != "windows" && (info.Mode().Perm()&0o022 != 0 || !ownedByUs(info)) {
		return errors.New("others can write to it")
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	own := home.Dir(os.Getenv)
	around := []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm"}
	if project := platform.Workspace(dir, "", own); project != own && project != "/" {
		around = append(around, project)
	}
	for _, a := range around {
		for _, p := range []string{path, real} {
			if rel, err := filepath.Rel(a, p); err == nil && filepath.IsLocal(rel) {
				return fmt.Errorf("it is in %s, where an agent can write", a)
			}
		}
	}
	return nil
}

// Shell finds the shell behind umpire-sh.
func Shell() (string, error) {
	if s := os.Getenv(EnvShell); s != "" {
		switch filepath.Base(s) {
		case "sh", "bash", "dash", "zsh", "ksh", "ash":
			if isUmpire(s) {
				return "", fmt.Errorf("%s leads back to umpire: use the absolute path of a shell", EnvShell)
			}
			if err := ownFile(s); err != nil {
				return "", fmt.Errorf("%s is %s: %w; use the absolute path of a system shell", EnvShell, visible.Clip(s, 200), err)
			}
			return s, nil
		}
		return "", fmt.Errorf("%s is %s: use the absolute path of sh, bash, dash, zsh or ksh", EnvShell, visible.Clip(s, 200))
	}
	for _, s := range []string{"/bin/bash", "/usr/bin/bash", "/bin/sh"} {
		if info, err := os.Stat(s); err == nil && info.Mode().IsRegular() && !isUmpire(s) {
			return s, nil
		}
	}
	return "", fmt.Errorf("/bin/bash and /bin/sh are missing: set %s to the path of a shell", EnvShell)
}
