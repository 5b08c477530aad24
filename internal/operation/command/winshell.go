package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// doPowershell reads the command line of PowerShell itself. Its options may be abbreviated to any
// unambiguous prefix, and may begin with a slash.
func doPowershell(c *Call) {
	ws := c.Operands
	for i := 0; i < len(ws); i++ {
		t := strings.ToLower(ws[i].Text)
		if len(t) < 2 || t[0] != '-' && t[0] != '/' || strings.HasPrefix(t, "/") && strings.Contains(t[1:], "/") {
			// Windows PowerShell expects a command here, PowerShell 7 a file.
			if strings.HasSuffix(t, ".ps1") {
				c.RunFile("powershell", ws[i], Run{Out: true, Args: ws[i+1:]})
				return
			}
			c.Code("powershell", unquoteArgv(joined(ws[i:])), Run{Out: true})
			return
		}
		o := strings.TrimLeft(t, "-/")
		next := func() (Word, bool) {
			if i+1 < len(ws) {
				return ws[i+1], true
			}
			return Word{}, false
		}
		switch {
		case o == "?" || o == "h" || o == "help" || o == "version" || o == "v":
			return
		case strings.HasPrefix("command", o) || o == "commandwithargs" || o == "cwa":
			if w, ok := next(); ok && w.Text != "-" {
				c.Code("powershell", unquoteArgv(joined(ws[i+1:])), Run{Out: true})
				return
			}
			c.powershellStdin()
			return
		case strings.HasPrefix("encodedcommand", o) || o == "ec" || o == "e":
			w, _ := next()
			s := Stream{Taint: w.Taint, Pipe: true}
			if text, ok := decodeUTF16(w.Text); ok {
				s.Text, s.Seen = text, true
			}
			// The text is known, but base64 hides it from a reader, which is a reason to ask.
			c.Op(umpire.Exec, "powershell -EncodedCommand", umpire.Obfuscated|umpire.UnseenCode)
			c.Script("powershell", s, Run{Via: c.Program, Out: true, Traits: c.Traits})
			return
		case strings.HasPrefix("file", o):
			if w, ok := next(); ok && w.Text != "-" {
				c.RunFile("powershell", w, Run{Out: true, Args: ws[min(i+2, len(ws)):]})
				return
			}
			c.powershellStdin()
			return
		case strings.HasPrefix("executionpolicy", o) || o == "ep" || o == "exec", strings.HasPrefix("windowstyle", o), strings.HasPrefix("inputformat", o), strings.HasPrefix("outputformat", o), strings.HasPrefix("configurationname", o), strings.HasPrefix("psconsolefile", o), strings.HasPrefix("workingdirectory", o) || o == "wd", strings.HasPrefix("custompipename", o), strings.HasPrefix("settingsfile", o), strings.HasPrefix("encodedarguments", o):
			i++
		}
	}
	c.powershellStdin()
}

// unquoteArgv undoes the quoting of arguments on Windows: \" is a quote.
func unquoteArgv(w Word) Word {
	w.Text = strings.ReplaceAll(w.Text, `\"`, `"`)
	return w
}

// drivePath restores the first backslashes of a path, such as C:WindowsTemp, from which a Unix
// shell has removed them.
func drivePath(w Word) Word {
	t := w.Text
	if len(t) < 3 || t[1] != ':' || t[2] == '\\' || t[2] == '/' || t[0]|0x20 < 'a' || t[0]|0x20 > 'z' {
		return w
	}
	rest := t[2:]
	for _, top := range []string{"Windows", "Program Files", "Users", "ProgramData"} {
		if len(rest) >= len(top) && strings.EqualFold(rest[:len(top)], top) {
			rest = top + `\` + rest[len(top):]
			break
		}
	}
	return w.With(t[:2] + `\` + strings.TrimSuffix(rest, `\`))
}

func (c *Call) powershellStdin() {
	if c.Stdin.Pipe || c.Stdin.Seen {
		c.Script("powershell", c.Stdin, Run{Via: c.Program, Out: true, Traits: c.Traits})
	}
}

// doCmd reads cmd /c and /k. The rest of the line is the command, as one text.
func doCmd(c *Call) {
	for i, w := range c.Operands {
		t := strings.ToLower(strings.TrimPrefix(w.Text, "/"))
		if !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, "-") {
			continue
		}
		t = strings.TrimPrefix(t, "/") // Git's bash for Windows needs //c
		if rest, ok := strings.CutPrefix(t, "c"); ok || strings.HasPrefix(t, "k") || strings.HasPrefix(t, "r") {
			text := joined(c.Operands[i+1:])
			if ok && rest != "" {
				text.Text = strings.TrimLeft(w.Text, "/-")[1:] + " " + text.Text
			}
			c.Code("cmd", text, Run{Out: true})
			return
		}
		if t == "?" {
			return
		}
	}
	if c.Stdin.Pipe || c.Stdin.Seen {
		c.Script("cmd", c.Stdin, Run{Via: c.Program, Traits: c.Traits})
	}
}

// decodeUTF16 decodes the value of -EncodedCommand: base64 of UTF-16.
func decodeUTF16(text string) (string, bool) {
	s, ok := decode64(text)
	if !ok || len(s) > 64<<10 {
		return "", false
	}
	var b strings.Builder
	for i := 0; i+1 < len(s); i += 2 {
		b.WriteRune(rune(s[i]) | rune(s[i+1])<<8)
	}
	return b.String(), true
}

func doInvokeItem(c *Call) {
	for _, w := range pathsOf(c) {
		c.Exec([]Word{w}, Run{})
	}
}

// doImportModule reads Import-Module and Add-Type, which run the code of a file or of a text.
func doImportModule(c *Call) {
	for _, w := range slices.Concat(c.All("-Name"), c.All("-Path"), c.All("-TypeDefinition"), c.Operands) {
		switch {
		case w.Taint&(FromNetwork|FromDecoder) != 0:
			c.Script("powershell", Unseen(w.Taint), Run{Via: c.Program})
		case c.Program == "import-module" && strings.ContainsAny(w.Text, `/\`):
			c.RunFile("powershell", w, Run{})
		case Share(w.Text) != "":
			c.RunFile("dll", w, Run{})
		}
	}
}

// doMshta reads mshta, which runs a page or a script URL with the user's rights.
func doMshta(c *Call) {
	for _, w := range c.Args {
		l := strings.ToLower(w.Text)
		switch {
		case strings.Contains(l, "://") && !strings.HasPrefix(l, "javascript:") && !strings.HasPrefix(l, "vbscript:"):
			c.Net(w, 0, 0)
			c.Op(umpire.Exec, Quote("mshta", []Word{w}), umpire.RemoteCode)
		case strings.HasPrefix(l, "javascript:") || strings.HasPrefix(l, "vbscript:"):
			c.Op(umpire.Exec, Quote("mshta", []Word{w}), umpire.UnseenCode|umpire.Obfuscated)
			if strings.Contains(l, "http") {
				c.Op(umpire.Exec, Quote("mshta", []Word{w}), umpire.RemoteCode)
			}
		}
	}
}

// doProxyExec reads signed Windows programs that run the code of others. Adversaries use them
// because an allowlist of signed programs lets them pass.
func doProxyExec(c *Call) {
	line := joined(c.Operands)
	l := strings.ToLower(line.Text)
	switch {
	case strings.Contains(l, "http://") || strings.Contains(l, "https://") || strings.Contains(l, `\\`) && strings.Contains(l, "."):
		c.Op(umpire.Exec, Quote(c.Program, c.Operands), umpire.RemoteCode)
	case strings.Contains(l, "javascript:") || strings.Contains(l, "vbscript:"):
		c.Op(umpire.Exec, Quote(c.Program, c.Operands), umpire.DecodedCode|umpire.Obfuscated)
	case strings.Contains(l, "comsvcs") && (strings.Contains(l, "minidump") || strings.Contains(l, "#24")):
		c.Op(umpire.System, "secret dump lsass", umpire.CarriesSecret)
	case strings.Contains(l, "shell32.dll,control_rundll") || c.Program == "msbuild":
	}
	for _, w := range c.Operands {
		if s := c.File(w); s.Taint&(FromNetwork|FromDecoder) != 0 {
			c.Script("dll", Stream{Taint: s.Taint, Pipe: true}, Run{Via: c.Program})
		}
	}
}

func doMsiexec(c *Call) {
	w, ok := c.Opt("/i")
	if !ok {
		return
	}
	if strings.Contains(w.Text, "://") {
		c.Net(w, 0, 0)
		c.Op(umpire.Exec, Quote("msiexec", c.Args), umpire.RemoteCode)
	}
	if s := c.File(w); s.Taint&FromNetwork != 0 {
		c.Op(umpire.Exec, Quote("msiexec", c.Args), umpire.RemoteCode)
	}
}

func doWscript(c *Call) {
	for _, w := range c.Operands[:min(1, len(c.Operands))] {
		if strings.Contains(w.Text, "://") {
			c.Op(umpire.Exec, Quote(c.Program, c.Operands), umpire.RemoteCode)
			return
		}
		c.RunFile("js", w, Run{})
	}
}

func doWmic(c *Call) {
	line := strings.ToLower(joined(c.Operands).Text)
	switch {
	case strings.Contains(line, "shadowcopy") && strings.Contains(line, "delete"):
		c.Op(umpire.System, "backup delete shadow-copies", umpire.DataStore|umpire.Irreversible|umpire.Destroy)
	case strings.Contains(line, "process") && strings.Contains(line, "call create"):
		for i, w := range c.Operands {
			if strings.EqualFold(w.Text, "create") {
				c.Code("cmd", joined(c.Operands[i+1:]), Run{})
				break
			}
		}
	case strings.Contains(line, "process") && (strings.Contains(line, "delete") || strings.Contains(line, "terminate")):
		c.Op(umpire.System, Quote("process kill-name", c.Operands), 0)
	case strings.Contains(line, "win32shutdown") || strings.Contains(line, "call reboot") || strings.Contains(line, "call shutdown"):
		c.Op(umpire.System, "power off wmic", 0)
	case strings.Contains(line, "cleareventlog"):
		c.Op(umpire.System, "log clear wmic", umpire.AuditTamper)
	case strings.Contains(line, "/format:") && strings.Contains(line, "http"):
		c.Op(umpire.Exec, Quote("wmic", c.Operands), umpire.RemoteCode)
	}
}

func doForfiles(c *Call) {
	dir, ok := c.Opt("/p")
	if !ok {
		dir = Lit(".")
	}
	if cmd, ok := c.Opt("/c"); ok {
		mask, _ := c.Opt("/m")
		name := c.findTarget(Lit("."), []Word{mask}).Text + ListMark
		text := strings.NewReplacer("@path", name, "@file", name, "@PATH", name, "@FILE", name).Replace(cmd.Text)
		c.Code("cmd", cmd.With(text), Run{Dir: &dir})
	}
}

func doPsexec(c *Call) {
	t := umpire.Privilege
	for i := 0; i < len(c.Operands); i++ {
		w := c.Operands[i]
		switch {
		case strings.HasPrefix(w.Text, `\\`):
			t |= umpire.Remote
			c.Net(w.With(strings.TrimLeft(w.Text, `\`)+":445"), 0, 0)
		case w.Text == "-u" || w.Text == "-p" || w.Text == "-w" || w.Text == "-n":
			i++
		case strings.HasPrefix(w.Text, "-"):
		default:
			c.Exec(c.Operands[i:], Run{Traits: t})
			return
		}
	}
}

func doRunas(c *Call) {
	for _, w := range c.Operands {
		c.Code("cmd", w, Run{Traits: umpire.Privilege})
	}
}

func doDoAsProxy(c *Call) {
	ws := c.Operands
	for len(ws) > 0 && (strings.HasPrefix(ws[0].Text, "-") || strings.HasPrefix(ws[0].Text, "/")) {
		ws = ws[1:]
	}
	c.Exec(ws, Run{Out: true})
}
