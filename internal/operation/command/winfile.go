package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// pathsOf returns the paths that a cmdlet gets by -Path, as operands, or through the pipe.
func pathsOf(c *Call) []Word {
	ws := append(c.All("-Path"), c.Operands...)
	if len(ws) == 0 && c.Stdin.Seen {
		for line := range strings.SplitSeq(strings.TrimSpace(c.Stdin.Text), "\n") {
			if line = strings.TrimSpace(line); line != "" {
				ws = append(ws, OfText(Word{Text: line, Taint: c.Stdin.Taint, Marks: Marks{Glob: strings.ContainsAny(line, "*?")}}))
			}
		}
	} else if len(ws) == 0 && c.Stdin.Pipe {
		ws = []Word{{Text: umpire.Hole, Taint: c.Stdin.Taint}}
	}
	return ws
}

func virtualDrive(p string) bool {
	l := strings.ToLower(p)
	return anyof.HasPrefix(l, "env:", "alias:", "function:", "variable:", "psdrive:", "wsman:")
}

// printsEnvironment records that a cmdlet prints a variable whose name is that of a secret, or all of
// them: Get-Content Env:GITHUB_TOKEN.
func (c *Call) printsEnvironment(w Word) {
	drive, name, _ := strings.Cut(w.Text, ":")
	name = strings.ToUpper(strings.Trim(name, `\/`))
	if strings.EqualFold(drive, "env") && (name == "" || strings.Contains(name, "*") || secretName(name) || KeyName(name)) {
		secretRead(c, "environment", w)
	}
}

func doRemoveItem(c *Call) {
	t := umpire.Trait(0)
	if _, ok := c.Opt("-Filter"); ok || len(c.All("-Include")) > 0 {
		t |= umpire.Filtered
	}
	piped := len(c.Operands) == 0 && len(c.All("-Path")) == 0
	ws := pathsOf(c)
	for _, w := range ws {
		if _, p := c.Path(w); piped && !w.Found && p&umpire.PlaceInWorkspace != 0 && strings.Trim(w.Text[strings.LastIndexByte(w.Text, '/')+1:], "*.?") != "" {
			t |= umpire.Filtered // files with a name that Get-ChildItem searched for
		}
		switch {
		case registry(w.Text):
			c.registryOp("delete", w)
		case virtualDrive(w.Text) || strings.HasPrefix(strings.ToLower(w.Text), "cert:"):
		case builtBeside(ws, w):
			c.deleteBuilt(w, t)
		default:
			c.Delete(w, t)
		}
	}
}

func doDel(c *Call) {
	for _, w := range c.Operands {
		if c.Program == "deltree" {
			c.Traits |= umpire.Recursive
		}
		c.Delete(drivePath(w), 0)
	}
}

// doRmdir reads rmdir, which removes empty folders. With a switch of cmd.exe it is the Windows
// command, which may remove a tree.
func doRmdir(c *Call) {
	if slices.ContainsFunc(c.Args, func(w Word) bool { return strings.EqualFold(w.Text, "/s") || strings.EqualFold(w.Text, "/q") }) {
		NewCall(c.Host, c.Host.Model("rd"), "rd", c.Args, c.Stdin).Perform()
		return
	}
	for _, w := range c.Operands {
		w.Found = false // it stands for no files
		c.Delete(w, 0)
	}
}

func doClearContent(c *Call) {
	for _, w := range pathsOf(c) {
		if registry(w.Text) {
			c.registryOp("delete", w)
			continue
		}
		c.WriteFile(w, umpire.Truncate, Text(""))
	}
}

func doSetContent(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	v, ok := c.Opt("-Value")
	if ok && len(ws) == 0 {
		ws = pathsOf(c)
	}
	if len(ws) == 0 {
		return
	}
	s := c.Stdin
	if ok {
		s = Stream{Text: v.Text, Seen: true, Taint: v.Taint, Pipe: true}
	} else if len(ws) > 1 {
		s = Stream{Text: ws[1].Text, Seen: true, Taint: ws[1].Taint, Pipe: true}
	}
	t := umpire.Truncate
	if c.Program == "add-content" || c.Has("-Append") {
		t = umpire.Append
	}
	c.WriteFile(ws[0], t, s)
}

func doGetContent(c *Call) {
	ws := pathsOf(c)
	if c.Program == "select-string" {
		ws = c.All("-Path")
		if len(c.Operands) > 1 {
			ws = append(ws, c.Operands[1:]...)
		}
	}
	out := Stream{}
	for _, w := range ws {
		if virtualDrive(w.Text) {
			c.printsEnvironment(w)
			c.Taints(FromEnv)
			continue
		}
		c.ReadFile(w)
		out = c.File(w)
	}
	if len(ws) == 1 && out.Seen && c.Program == "get-content" {
		c.SetOut(out)
	}
}

func doGetChildItem(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	if len(ws) == 0 {
		ws = []Word{Lit(".")}
	}
	names := append(c.All("-Filter"), c.All("-Include")...)
	var roots []Word
	var b strings.Builder
	for _, w := range ws {
		if strings.HasPrefix(strings.ToLower(w.Text), "env:") {
			if name := strings.Trim(w.Text[4:], `\/`); strings.Trim(name, "*") == "" {
				c.SetOut(Unseen(FromEnv)) // who prints it shows the environment
				return
			}
			c.printsEnvironment(w)
			continue
		}
		if w.Glob { // with -Recurse, a name to search for
			at := strings.LastIndexAny(w.Text, `/\`) + 1
			names, roots = append(names, Lit(w.Text[at:])), append(roots, w.fixed(cmp.Or(w.Text[:at], ".")))
		} else {
			roots = append(roots, w)
		}
		b.WriteString(w.Text)
		if c.Program == "get-childitem" && !w.Glob {
			name := Lit("*")
			if len(names) > 0 {
				name = names[0]
			}
			b.WriteString("/" + name.Text)
		}
		b.WriteString("\n")
	}
	if c.Has("-Recurse") {
		narrow := When(slices.ContainsFunc(names, func(w Word) bool { return strings.Trim(w.Text, "*.?") != "" }), umpire.Filtered)
		c.printsFound(roots, names, narrow)
		return
	}
	c.SetOut(Text(b.String()))
}

func doCopyItem(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	to, ok := c.Opt("-Destination")
	if !ok && len(ws) > 1 {
		to, ws, ok = ws[len(ws)-1], ws[:len(ws)-1], true
	}
	for _, w := range ws {
		if registry(w.Text) {
			return
		}
		c.ReadFile(w)
		if ok {
			s := c.File(w)
			s.Taint |= c.Out.Taint
			c.WriteFile(to, umpire.Overwrite, s)
		}
	}
}

func doMoveItem(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	to, ok := c.Opt("-Destination")
	if !ok && len(ws) > 1 {
		to, ws, ok = ws[len(ws)-1], ws[:len(ws)-1], true
	}
	for _, w := range ws {
		s := c.File(w)
		c.Delete(w, 0)
		if ok && c.Program == "move-item" {
			c.WriteFile(to, umpire.Overwrite, s)
		}
	}
}

func doNewItem(c *Call) {
	typ, _ := c.Opt("-ItemType")
	name, _ := c.Opt("-Name")
	v, _ := c.Opt("-Value")
	for _, w := range append(c.All("-Path"), c.Operands...) {
		if name.Text != "" {
			w = inDir(w, name)
		}
		switch {
		case registry(w.Text):
			c.registryOp("add", w)
		case strings.EqualFold(typ.Text, "Directory") || typ.Text == "" && !c.Has("-Value", "-Force"):
		case strings.EqualFold(typ.Text, "SymbolicLink"), strings.EqualFold(typ.Text, "Junction"), strings.EqualFold(typ.Text, "HardLink"):
			c.WriteFile(w, 0, c.File(v))
			c.Link(w, v)
		default:
			c.WriteFile(w, umpire.Truncate, Stream{Text: v.Text, Seen: true, Taint: v.Taint, Pipe: true})
		}
	}
}

// doMklink reads mklink. The name of the link comes before its target.
func doMklink(c *Call) {
	if len(c.Operands) == 2 {
		c.WriteFile(c.Arg(0), 0, c.File(c.Arg(1)))
		c.Link(c.Arg(0), c.Arg(1))
	}
}

func doSetACL(c *Call) {
	for _, w := range pathsOf(c)[:min(1, len(pathsOf(c)))] {
		c.WriteFile(w, umpire.Permissions, Stream{})
	}
}

func doRecycleBin(c *Call) {
	if !c.Inert() {
		c.Delete(Lit("~/.local/share/Trash/files"), umpire.Recursive)
	}
}

func doTakeown(c *Call) {
	if f, ok := c.Opt("/f"); ok {
		c.WriteFile(drivePath(f), umpire.Ownership, Stream{})
	}
}

func doIcacls(c *Call) {
	t := umpire.Permissions
	line := strings.ToLower(joined(c.Args).Text)
	if !strings.Contains(line, "/grant") && !strings.Contains(line, "/deny") && !strings.Contains(line, "/reset") && !strings.Contains(line, "/setowner") && !strings.Contains(line, "/inheritance") && !strings.Contains(line, "/remove") && !strings.Contains(line, "/g ") && !strings.Contains(line, "/p ") {
		return
	}
	if strings.Contains(line, "everyone") || strings.Contains(line, "*s-1-1-0") || strings.Contains(line, "users:") && strings.Contains(line, "f") {
		t |= umpire.Loosened | umpire.WorldWritable
	}
	if len(c.Operands) > 0 {
		c.WriteFile(drivePath(c.Operands[0]), t, Stream{})
	}
}

func doRobocopy(c *Call) {
	if len(c.Operands) < 2 {
		return
	}
	c.ReadFile(c.Operands[0])
	c.WriteFile(c.Operands[1], umpire.Recursive|umpire.Overwrite, Unseen(c.Out.Taint))
	if c.Has("/mir", "/purge") {
		c.Delete(c.Operands[1], umpire.Recursive|umpire.Force)
	}
	if c.Has("/move", "/mov") {
		c.Delete(c.Operands[0], umpire.Recursive)
	}
}

// registry reports whether a path is in the Windows registry.
func registry(p string) bool {
	l := strings.ToLower(strings.TrimPrefix(p, "Registry::"))
	return anyof.HasPrefix(l, "hklm:", "hkcu:", "hkcr:", "hku:", "hkey_", "hklm\\", "hkcu\\", "hkcr\\", "hku\\", "registry::")
}

func (c *Call) registryOp(verb string, key Word) {
	t := umpire.Mutate
	// Compare without backslashes, because a Unix shell removes an unquoted one.
	l := strings.NewReplacer(`\`, "", "/", "", ":", "", " ", "").Replace(strings.ToLower(key.Text))
	for _, k := range []string{"currentversionrun", "winlogon", "imagefileexecutionoptions", "appinit_dlls", "shellopencommand", "currentcontrolsetservices", "sessionmanager", "inprocserver32"} {
		if strings.Contains(l, k) {
			t |= umpire.Persistence
		}
	}
	for _, k := range []string{"windowsdefender", "enablelua", "policiessystem", "disableantispyware", "controllsa", "amsi", "scriptblocklogging", "terminalserver", "securityhealth", "wdigest"} {
		if strings.Contains(l, k) {
			t |= umpire.Loosened
		}
	}
	for _, k := range []string{"software", "system", "sam", "security", "software*", "system*"} {
		if verb == "delete" && (l == "hklm"+k || l == "hkey_local_machine"+k || l == "hkcu"+k || l == "hkey_current_user"+k || l == "hklm") {
			t |= umpire.Bulk | umpire.Irreversible
		}
	}
	if verb == "delete" {
		t |= umpire.Destroy
	}
	c.Op(umpire.System, Quote("registry "+verb, []Word{key}), t)
}

func doItemProperty(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	if len(ws) == 0 || !registry(ws[0].Text) {
		return
	}
	n, _ := c.Opt("-Name")
	key := ws[0]
	if n.Text != "" {
		key.Text += `\` + n.Text
	}
	verb := "set"
	if c.Program == "remove-itemproperty" {
		verb = "delete"
	}
	c.registryOp(verb, key)
	if v, ok := c.Opt("-Value"); ok && strings.Contains(strings.ToLower(key.Text), `\run`) {
		c.Code("cmd", v, Run{Traits: umpire.Persistence})
	}
}

func doReg(c *Call) {
	if len(c.Operands) < 2 {
		return
	}
	key := c.Operands[1]
	if v, ok := c.Opt("/v"); ok {
		key.Text += `\` + v.Text
	}
	l := strings.ToLower(key.Text)
	switch strings.ToLower(c.Operands[0].Text) {
	case "delete":
		c.registryOp("delete", key)
	case "add", "copy", "restore", "load", "unload":
		c.registryOp("set", key)
		if d, ok := c.Opt("/d"); ok && strings.Contains(l, "run") {
			c.Code("cmd", d, Run{Traits: umpire.Persistence})
		}
	case "import":
		c.ReadFile(c.Operands[1])
		c.registryOp("set", Lit(umpire.Hole))
	case "save", "export":
		if strings.HasPrefix(l, "hk") && anyof.HasSuffix(l, "sam", "security", `system`) {
			c.Op(umpire.System, Quote("secret dump registry", c.Operands[1:2]), umpire.CarriesSecret)
		}
	}
}

func doRegedit(c *Call) {
	if c.Has("/s") || len(c.Operands) > 0 {
		c.registryOp("set", Lit("file"))
	}
}
