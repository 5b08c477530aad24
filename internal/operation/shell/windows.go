package shell

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/powershell"
)

// windows reads text for the shells of Windows in a separate shell state, so its folder and its
// variables end with it.
func (sh *shell) windows(lang, text string) {
	if !sh.step() {
		return
	}
	w := &windowsHost{sh: sh.within("")}
	w.sh.env.Map.Backslash = true
	if lang == "cmd" {
		defer func(was bool) { sh.shadowed = was }(sh.shadowed)
		sh.shadowed = true // cmd.exe searches for programs in the current folder first
		powershell.ReadCmd(text, w)
		return
	}
	sh.print(powershell.Read(text, w))
}

// windowsHost is the host of a script for PowerShell or cmd.exe.
type windowsHost struct {
	sh *shell // the script's state
}

var _ powershell.Host = (*windowsHost)(nil)

func (w *windowsHost) Run(args []command.Word, in command.Stream) (out command.Stream) {
	if len(args) == 0 || !w.sh.enter() {
		return command.Unseen(in.Taint)
	}
	defer w.sh.leave()
	sh := w.sh
	sh.stdin, sh.out = in, &out
	delete(sh.fds, 0)
	delete(sh.fds, 1)
	sh.program(args)
	sh.stdin, sh.out = command.Stream{}, nil
	return out
}

func (w *windowsHost) Script(lang string, s command.Stream) {
	if !w.sh.enter() {
		return
	}
	defer w.sh.leave()
	if lang == "powershell" && s.Seen && s.Taint&(command.FromNetwork|command.FromDecoder) == 0 && s.Text != umpire.Hole {
		return // the reader itself follows text that is known
	}
	w.sh.run(lang, s)
}

func (w *windowsHost) Write(file command.Word, s command.Stream, appended bool) {
	t := umpire.Truncate
	if appended {
		t = umpire.Append
	}
	w.sh.writeFile(file, s, t)
}

func (w *windowsHost) Read(file command.Word) command.Stream { return w.sh.readFile(file) }

func (w *windowsHost) Delete(p command.Word, recursive bool) {
	t := command.When(recursive, umpire.Recursive)
	command.NewCall(&host{sh: w.sh}, nil, "powershell", nil, command.Stream{}).Delete(p, t)
}

func (w *windowsHost) Fetch(url command.Word, sent command.Taint, upload bool) command.Stream {
	t := command.When(upload, umpire.Upload)
	command.NewCall(&host{sh: w.sh}, nil, "powershell", nil, command.Stream{}).Net(url, t, sent)
	return command.Unseen(command.FromNetwork)
}

func (w *windowsHost) Connect(to command.Word, shell bool) {
	t := command.When(shell, umpire.RemoteShell)
	command.NewCall(&host{sh: w.sh}, nil, "powershell", nil, command.Stream{}).Net(to, t, 0)
}

func (w *windowsHost) Var(name string) (command.Word, bool) {
	v, ok := w.sh.get(name)
	if _, own := w.sh.vars[name]; !own && command.KeyName(name) {
		v.Taint |= command.FromKey
	}
	return v, ok && v.Text != "" && v.Text != umpire.Hole && !strings.HasPrefix(v.Text, umpire.Hole)
}

func (w *windowsHost) Assigned(name string) bool          { _, ok := w.sh.vars[name]; return ok }
func (w *windowsHost) SetVar(name string, v command.Word) { w.sh.set(name, v) }

// windowsProgram reports whether a bare name may be a file in the current folder, where Windows
// searches first.
func windowsProgram(name string) bool {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		if anyof.Equal(strings.ToLower(name[i:]), ".exe", ".bat", ".cmd", ".com", ".scr", ".msi", ".ps1", ".vbs") {
			return true
		}
	}
	return false
}
