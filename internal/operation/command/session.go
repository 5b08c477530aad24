package command

import (
	"slices"
	"strings"
)

// session describes a call that opens a session for typed commands: at most so many operands, and
// none of some options.
type session struct {
	program  string
	operands int
	unless   string // separated by spaces
}

const (
	databaseModes = "-c --command -f --file -e --execute --eval -l --list -V --version --help"
	debuggerModes = "-batch --batch -b --version --help"
	editorModes   = "-es -Es --batch --version --help"
)

// sessions lists programs, apart from shells and interpreters, in which a person can type code to
// run. It is a slice, because a map would have to be built at each start of the hook.
var sessions = []session{
	{"sudo", 0, "-l -v -k -K -e -V --list --validate --edit"},
	{"doas", 0, "-L -C"},
	{"su", 2, "-c --command"},
	{"ssh", 1, "-N -O -G -Q -V -f -W"},
	{"mosh", 1, ""},
	{"telnet", 2, ""},
	{"tmux", 0, "-V -C"},
	{"screen", 0, "-ls -list -wipe -X -Q -v"},
	{"script", 1, "-c --command"},
	{"chroot", 1, ""},
	{"unshare", 0, ""},
	{"nsenter", 0, ""},
	{"nix-shell", 9, "--run --command"},
	{"pwsh", 0, "-c -Command -f -File -EncodedCommand -e -ec -Version -Help"},
	{"psql", 2, databaseModes},
	{"mysql", 1, databaseModes},
	{"mariadb", 1, databaseModes},
	{"sqlite3", 1, ""},
	{"redis-cli", 0, ""},
	{"mongo", 1, databaseModes},
	{"mongosh", 1, databaseModes},
	{"duckdb", 1, databaseModes},
	{"sqlplus", 1, ""},
	{"cqlsh", 2, databaseModes},
	{"gdb", 2, debuggerModes},
	{"lldb", 2, debuggerModes},
	{"vi", 99, editorModes},
	{"vim", 99, editorModes},
	{"nvim", 99, editorModes},
	{"emacs", 99, editorModes},
}

// Opens reports whether the call opens, or might open, a session that runs text that is typed
// later.
func (c *Call) Opens() bool {
	if c.Inert() || c.Stdin.Pipe || c.Stdin.Seen || c.Stdin.Taint != 0 {
		return false
	}
	if i := slices.IndexFunc(sessions, func(s session) bool { return s.program == c.Program }); i >= 0 {
		s := &sessions[i]
		unless := strings.Fields(s.unless)
		said := func(w Word) bool { return slices.Contains(unless, w.Text) }
		return len(c.Operands) <= s.operands && !c.Has(unless...) && !slices.ContainsFunc(c.Args, said)
	}
	if strings.HasPrefix(c.Program, "python") {
		mode, module, _ := pythonMode(c.Args)
		return mode == 'm' && (module.Text == "pdb" || module.Text == "asyncio") ||
			slices.ContainsFunc(c.Args, func(w Word) bool { return w.Text == "-i" })
	}
	return false
}
