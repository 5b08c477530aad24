package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Installed stands for the folder of an installed program if the folder is unknown.
const Installed = umpire.Hole + "/bin/"

// Lies returns the path that a look-up of a program, such as `which`, prints. The folder of a
// program other than umpire is unknown.
func Lies(name Word) Word {
	if name.Text == "" || !name.Known() || strings.Contains(name.Text, "/") {
		return name
	}
	if name.Text == "umpire" || name.Text == "umpire-hook" {
		return name.With("/usr/local/bin/" + name.Text) // this path counts as umpire's wherever umpire is installed
	}
	return name.With(Installed + name.Text)
}

// doWhich prints the paths of programs, one per line.
func doWhich(c *Call) {
	c.each(c.Operands, func(w Word) Word {
		at := Lies(w)
		if c.Program == "whereis" {
			at.Text = w.Text + ": /usr/bin/" + w.Text // scripts cut the path out of the line
		}
		return at
	})
}

// each prints the result of f for each operand, one per line.
func (c *Call) each(operands []Word, f func(Word) Word) {
	if len(operands) == 0 {
		return
	}
	out := Stream{Seen: true}
	for _, w := range operands {
		w = f(w)
		out.Text += w.Listed() + "\n"
		out.Taint |= w.Taint
	}
	c.SetOut(out)
}

func doBasename(c *Call) {
	names, suffix := c.Operands, ""
	if s, ok := c.Opt("-s"); ok {
		suffix = s.Text
	} else if len(names) == 2 && !c.Has("-a") {
		names, suffix = names[:1], names[1].Text
	}
	c.each(names, func(w Word) Word {
		last := path.Base(w.Text)
		if strings.Contains(last, umpire.Hole) {
			last = umpire.Hole // the unknown part may contain a slash
		} else if last != suffix {
			last = strings.TrimSuffix(last, suffix)
		}
		return w.With(last)
	})
}

func doDirname(c *Call) {
	c.each(c.Operands, func(w Word) Word {
		s := strings.TrimRight(w.Text, "/")
		switch {
		case w.Found:
			return w
		case strings.Contains(path.Base(s), umpire.Hole):
			return w.With(umpire.Hole)
		}
		return w.With(path.Dir(s))
	})
}

// doRealpath prints absolute paths. Without -f, readlink prints the target of a link.
func doRealpath(c *Call) {
	if strings.HasSuffix(c.Program, "readlink") && !c.Has("-f", "-e") {
		if len(c.Operands) == 1 {
			if to := c.Follow(c.Operands[0]); to.Text != c.Operands[0].Text {
				c.SetOut(Stream{Text: to.Text + "\n", Seen: true, Taint: to.Taint})
			}
		}
		return
	}
	if c.Has("--relative-to", "--relative-base") {
		return
	}
	c.each(c.Operands, func(w Word) Word {
		w.Text, _ = c.Path(c.Follow(w))
		return w
	})
}

// doWho prints the user's name, taken from the home folder.
func doWho(c *Call) {
	if c.Program == "id" && (!c.Has("-n") || !c.Has("-u") || len(c.Operands) > 0) {
		return
	}
	if home, _ := c.Path(Lit("~")); strings.HasPrefix(home, "/") {
		c.SetOut(Stream{Text: path.Base(home) + "\n", Seen: true, Taint: FromHost})
	}
}

// doGetent prints a user's line of the passwd database, with the home folder in it.
func doGetent(c *Call) {
	if user := c.Arg(1); c.Arg(0).Text == "passwd" && user.Text != "" && !strings.ContainsAny(user.Text, ":\n") {
		home, _ := c.Path(Lit("~"))
		home = path.Join(path.Dir(home), user.Text)
		if user.Text == "root" {
			home = "/root"
		}
		c.SetOut(Stream{Text: user.Text + ":x:1000:1000::" + home + ":/bin/bash\n", Seen: true, Taint: user.Taint})
	}
}

// doXdgUserDir prints the path of one of the desktop's folders in a home.
func doXdgUserDir(c *Call) {
	if name := strings.ToLower(c.Arg(0).Text); name != "" && c.Arg(0).Known() {
		dir := "~/" + strings.ToUpper(name[:1]) + name[1:]
		if name == "publicshare" {
			dir = "~/Public"
		}
		abs, _ := c.Path(Lit(dir))
		c.SetOut(Text(abs + "\n"))
	}
}

// doPgrep prints processes. A search by user alone finds all of the session's.
func doPgrep(c *Call) {
	for _, w := range c.Operands {
		c.Taints(processOf(w.Text))
	}
	if _, ok := c.Opt("-u"); ok && len(c.Operands) == 0 {
		c.Taints(OfSystem)
	}
}

// processOf classifies a process by the name, pattern or command line that finds it.
func processOf(name string) (t Taint) {
	name = strings.Trim(name, "^$ ")
	last := name[strings.LastIndexByte(name, '/')+1:]
	switch last {
	case ".", ".*", "", "systemd", "init", "launchd", "sshd", "ssh", "dbus-daemon", "Xorg", "gnome-shell", "WindowServer", "loginwindow", "kernel_task":
		return OfSystem
	case "auditd", "rsyslogd", "syslogd", "osqueryd", "falco", "journald", "systemd-journald":
		return OfRecorder
	}
	if plain := strings.NewReplacer("[", "", "]", "", `\`, "").Replace(last); plain == "umpire" || strings.HasPrefix(plain, "umpire ") || strings.HasPrefix(plain, "umpire-") {
		return OfUmpire
	}
	return 0
}

// processTraits returns the traits of ending a process with these taints.
func processTraits(t Taint) (out umpire.Trait) {
	if t&OfSystem != 0 {
		out |= umpire.Bulk
	}
	if t&OfRecorder != 0 {
		out |= umpire.AuditTamper
	}
	if t&OfUmpire != 0 {
		out |= umpire.SelfTamper
	}
	return out
}

// project returns the folder of the caller's project, or "".
func project(c *Call) string {
	dir, p := c.Path(Lit("."))
	for p&umpire.PlaceInWorkspace != 0 && len(dir) > 1 {
		if p&umpire.PlaceWorkspace != 0 {
			return dir
		}
		dir = path.Dir(dir)
		_, p = c.Path(Lit(dir))
	}
	if p&umpire.PlaceWorkspace != 0 {
		return dir
	}
	return ""
}

// doGitRevParse prints the path of the repository, or the hash of HEAD.
func doGitRevParse(c *Call) {
	gitPrograms(c)
	if len(c.Operands) == 1 && c.Operands[0].Text == "HEAD" && !slices.ContainsFunc(c.Args, func(w Word) bool {
		return strings.HasPrefix(w.Text, "-") && w.Text != "--verify" && !strings.HasPrefix(w.Text, "--short")
	}) {
		c.SetOut(Text(Number + "\n")) // a hash
		return
	}
	root := project(c)
	if root == "" {
		return
	}
	for _, o := range [...][2]string{{"--show-toplevel", ""}, {"--show-superproject-working-tree", ""}, {"--git-dir", "/.git"}, {"--absolute-git-dir", "/.git"}, {"--git-common-dir", "/.git"}} {
		if c.Has(o[0]) && len(c.Operands) == 0 {
			c.SetOut(Text(root + o[1] + "\n"))
			return
		}
	}
}
