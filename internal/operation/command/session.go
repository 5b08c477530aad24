package command

import (
	"slices"
	"strings"
)

// session is how a program is called when it opens a session in which what is typed
// runs: with so many operands at most, and none of the options.
type session struct {
	operands int
	unless   []string
}

var (
	databaseSession = session{2, []string{"-c", "--command", "-f", "--file", "-e", "--execute", "--eval", "-l", "--list", "-V", "--version", "--help"}}
	debuggerSession = session{2, []string{"-batch", "--batch", "-b", "--version", "--help"}}
	editorSession   = session{99, []string{"-es", "-Es", "--batch", "--version", "--help"}}
)

// sessions are programs that do not take their standard input for code, as shells and
// interpreters do, and yet give whoever types a way to run some.
var sessions = map[string]session{
	"sudo":    {0, []string{"-l", "-v", "-k", "-K", "-e", "-V", "--list", "--validate", "--edit"}},
	"doas":    {0, []string{"-L", "-C"}},
	"su":      {2, []string{"-c", "--command"}},
	"ssh":     {1, []string{"-N", "-O", "-G", "-Q", "-V", "-f", "-W"}},
	"mosh":    {1, nil},
	"telnet":  {2, nil},
	"tmux":    {0, []string{"-V", "-C"}},
	"screen":  {0, []string{"-ls", "-list", "-wipe", "-X", "-Q", "-v"}},
	"script":  {1, []string{"-c", "--command"}},
	"chroot":  {1, nil},
	"unshare": {0, nil},
	"nsenter": {0, nil},

	"nix-shell": {9, []string{"--run", "--command"}},
	"pwsh":      {0, []string{"-c", "-Command", "-f", "-File", "-EncodedCommand", "-e", "-ec", "-Version", "-Help"}},

	"psql": databaseSession, "mysql": {1, databaseSession.unless}, "mariadb": {1, databaseSession.unless}, "sqlite3": {1, nil},
	"redis-cli": {0, nil}, "mongo": {1, databaseSession.unless}, "mongosh": {1, databaseSession.unless}, "duckdb": {1, databaseSession.unless},
	"sqlplus": {1, nil}, "cqlsh": {2, databaseSession.unless},

	"gdb": debuggerSession, "lldb": debuggerSession,
	"vi": editorSession, "vim": editorSession, "nvim": editorSession, "emacs": editorSession,
}

// Opens reports whether the call opens a session in which what is typed later runs, or
// might.
func (c *Call) Opens() bool {
	if c.Inert() || c.Stdin.Pipe || c.Stdin.Seen || c.Stdin.Taint != 0 {
		return false
	}
	if s, ok := sessions[c.Program]; ok {
		said := func(w Word) bool { return slices.Contains(s.unless, w.Text) }
		return len(c.Operands) <= s.operands && !c.Has(s.unless...) && !slices.ContainsFunc(c.Args, said)
	}
	if strings.HasPrefix(c.Program, "python") {
		mode, module, _ := pythonMode(c.Args)
		return mode == 'm' && (module.Text == "pdb" || module.Text == "asyncio") ||
			slices.ContainsFunc(c.Args, func(w Word) bool { return w.Text == "-i" })
	}
	return false
}
