package tool

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/redact"
)

// environ returns the environment of a command: only the named secrets, and nothing that makes the
// shell run code that umpire did not judge.
func environ(outside, keep []string, boxed bool) (env []string) {
	for _, kv := range outside {
		name, _, ok := strings.Cut(kv, "=")
		if !ok || name == "" || name == "TERM" || changesShell(name) || strings.HasPrefix(name, "UMPIRE_") {
			continue
		}
		if slices.Contains(keep, name) || !secretName(name) && redact.String(kv) == kv && !(boxed && leadsOut(name)) {
			env = append(env, kv)
		}
	}
	return append(env, "TERM=dumb")
}

// changesShell reports whether a variable changes the meaning of a command for bash: code that runs
// before it, functions that replace programs, other folders.
func changesShell(name string) bool {
	if anyof.Equal(name, "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "CDPATH", "PS4", "PROMPT_COMMAND", "GLOBIGNORE", "IFS", "POSIXLY_CORRECT") {
		return true
	}
	return strings.HasPrefix(name, "BASH_FUNC_")
}

// secretName reports whether a variable's name looks like a secret's.
func secretName(name string) bool {
	for part := range strings.SplitSeq(strings.ToUpper(name), "_") {
		if anyof.Equal(part, "KEY", "KEYS", "APIKEY", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "PW", "PWD", "PAT", "CREDENTIAL", "CREDENTIALS", "COOKIE", "AUTH") {
			return name != "PWD" && name != "OLDPWD" && name != "SSH_AUTH_SOCK"
		}
		if anyof.HasSuffix(part, "PASSWORD", "SECRET", "TOKEN", "APIKEY") {
			return true
		}
	}
	return false
}

// leadsOut reports whether a variable refers to something outside the sandbox: sockets, proxies,
// the desktop.
func leadsOut(name string) bool {
	name = strings.ToUpper(name)
	if anyof.Equal(name, "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "HOME", "TMPDIR", "TEMP", "TMP", "DOCKER_HOST", "KUBECONFIG", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "GPG_TTY", "GPG_AGENT_INFO") {
		return true
	}
	return strings.HasSuffix(name, "_SOCK") || strings.HasSuffix(name, "_PROXY") || strings.HasPrefix(name, "SSH_")
}
