package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// doAdb reads commands for a phone. An emulator is temporary, but a phone may have the owner's apps
// and files.
func doAdb(c *Call) {
	_, serial := c.Opt("-s")
	if s, _ := c.Opt("-s"); c.Has("-e") || serial && strings.HasPrefix(s.Text, "emulator-") {
		return
	}
	if len(c.Operands) == 0 {
		return
	}
	rest := c.Following()
	switch verb := c.Operands[0].Text; verb {
	case "shell", "exec-out", "exec-in":
		phoneShell(c, rest)
	case "uninstall":
		phoneApp(c, verb, rest)
	case "push", "install", "install-multiple":
		for _, w := range c.Operands[1:] { // the last operand of push is on the phone
			if verb != "push" || w.Text != c.Operands[len(c.Operands)-1].Text {
				c.ReadFile(w)
			}
		}
	case "pull":
		if len(c.Operands) > 2 {
			c.WriteFile(c.Operands[len(c.Operands)-1], 0, Unseen(0))
		}
	case "tcpip", "disable-verity", "sideload", "restore":
		c.infra(verb, nil, rest, umpire.Mutate)
	case "backup":
		c.infra(verb, nil, rest, umpire.CarriesSecret)
	}
}

// phoneShell reads a command line for the shell of a phone word by word. It does not run it like
// other scripts, because its paths are not on this machine. Commands inside an app do not count.
func phoneShell(c *Call, ws []Word) {
	line := strings.Join(strings.FieldsFunc(joined(ws).Text, func(r rune) bool { return r == '\'' || r == '"' }), " ")
	for cmd := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(";|&\n", r) }) {
		f := strings.Fields(cmd)
		inApp := false
		for len(f) > 1 {
			switch {
			case f[0] == "su" && f[1] == "-c", f[0] == "su" && (f[1] == "0" || f[1] == "root"), f[0] == "sh" && f[1] == "-c":
				f = f[2:]
				continue
			case f[0] == "run-as" && len(f) > 2:
				f, inApp = f[2:], true
				continue
			case f[0] == "toybox", f[0] == "busybox":
				f = f[1:]
				continue
			}
			break
		}
		if len(f) > 0 && !inApp {
			phoneCommand(c, f)
		}
	}
}

// phoneCommand records what one command in the shell of a phone removes or changes. f has at least
// one word.
func phoneCommand(c *Call, f []string) {
	ops := Lits(slices.DeleteFunc(slices.Clone(f[1:]), func(s string) bool { return strings.HasPrefix(s, "-") })...)
	switch f[0] {
	case "pm", "cmd":
		if f[0] == "cmd" && len(ops) > 1 && ops[0].Text == "package" {
			ops = ops[1:]
		}
		if len(ops) > 0 && (ops[0].Text == "uninstall" || ops[0].Text == "clear" || ops[0].Text == "disable" || ops[0].Text == "disable-user") {
			phoneApp(c, ops[0].Text, ops[1:])
		}
	case "rm", "rmdir", "dd", "mkfs", "mke2fs", "make_f2fs", "blkdiscard":
		for _, w := range ops {
			to, writes := strings.CutPrefix(w.Text, "of=")
			if f[0] == "dd" && !writes {
				continue
			}
			if t, lost := phonePath(to, slices.ContainsFunc(f, func(s string) bool { return strings.HasPrefix(s, "-") && strings.ContainsAny(s, "rR") })); lost {
				c.infra("delete", nil, []Word{w}, t)
			}
		}
	case "recovery", "wipe":
		c.infra("wipe", nil, ops, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
	case "settings", "setprop", "content":
		if len(ops) > 0 && (ops[0].Text == "delete" || strings.Contains(joined(ops).Text, "adb_") || strings.Contains(joined(ops).Text, "package_verifier")) {
			c.infra(f[0], nil, ops, umpire.Mutate)
		}
	}
}

// phoneApp records a change to an app, unless the name of its package marks it as a developer's own
// build.
func phoneApp(c *Call, verb string, ws []Word) {
	for _, w := range ws {
		if !strings.Contains(w.Text, ".") {
			continue
		}
		for part := range strings.SplitSeq(strings.ToLower(w.Text), ".") {
			if anyof.Equal(part, "debug", "dev", "test", "tests", "staging", "example", "sample", "demo", "local", "internal", "androidtest", "benchmark") {
				return
			}
		}
		c.infra(verb, nil, []Word{w}, umpire.Destroy|umpire.Mutate)
		return
	}
}

// phonePath returns the traits of removing a path on a phone, and whether data may be lost.
func phonePath(p string, tree bool) (umpire.Trait, bool) {
	const own = umpire.Destroy | umpire.Mutate
	p = path.Clean(p)
	for _, s := range [...]string{"/data/local/tmp/", "/sdcard/Android/data/", "/sdcard/Android/obb/", "/storage/emulated/0/Android/data/", "/data/data/", "/data/user/0/", "/sdcard/Android/media/"} {
		if rest, ok := strings.CutPrefix(p+"/", s); ok && rest != "" && !strings.HasPrefix(rest, "*") {
			return own, false // scratch folders, and an app's private files
		}
	}
	top := strings.Count(strings.Trim(p, "/"), "/") < 2
	switch {
	case strings.HasPrefix(p, "/dev/"), tree && (p == "/" || top), strings.HasPrefix(p, "/system"), strings.HasPrefix(p, "/vendor"):
		return own | umpire.Irreversible | umpire.DataStore, true
	case tree, strings.Contains(p, "*"):
		return own, true
	}
	return 0, false
}

// doAvrdude reads -U MEMORY:w:VALUE. Fuses and locks of a chip may be impossible to reset.
func doAvrdude(c *Call) {
	for _, w := range c.All("-p") {
		memory, rest, _ := strings.Cut(w.Text, ":")
		if op, file, ok := strings.Cut(rest, ":"); ok && strings.Contains(file, ".") { // flash:w:a.hex:i
			file, _, _ = strings.Cut(file, ":")
			if op == "r" {
				c.WriteFile(w.With(file), 0, Unseen(0))
			} else {
				c.ReadFile(w.With(file))
			}
		}
		if strings.HasPrefix(rest, "w:") && (strings.Contains(memory, "fuse") || memory == "lock") {
			c.infra("write", []string{memory}, nil, umpire.Destroy|umpire.Mutate|umpire.Irreversible)
		}
	}
}

// doSteam reads the +command words of steamcmd.
func doSteam(c *Call) {
	for _, w := range c.Args {
		if w.Text == "+run_app_build" || w.Text == "+build_installer" || w.Text == "+workshop_build_item" {
			c.infra("publish", nil, nil, umpire.Mutate|umpire.Upload)
		}
	}
}

func doElectronBuilder(c *Call) {
	if w, ok := c.Opt("-p"); ok && w.Text != "never" {
		c.infra("publish", nil, nil, umpire.Mutate|umpire.Upload)
	}
}

// doXcrun reads the tools of Xcode. The content of a simulator is temporary, but a person set up
// the simulator itself.
func doXcrun(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	rest := c.Following()
	switch tool := c.Operands[0].Text; tool {
	case "simctl":
		verb := Word{}
		for i, w := range rest {
			if !strings.HasPrefix(w.Text, "-") {
				verb, rest = w, rest[i+1:]
				break
			}
		}
		switch verb.Text {
		case "delete":
			if len(rest) == 1 && rest[0].Text == "unavailable" {
				return
			}
			c.infra("delete", []string{"simulator"}, rest, umpire.Destroy|umpire.Mutate)
		case "erase":
			c.infra("erase", []string{"simulator"}, rest, 0)
		case "spawn":
			if i := slices.IndexFunc(rest, func(w Word) bool { return !strings.HasPrefix(w.Text, "-") }); i >= 0 && i+1 < len(rest) {
				c.Exec(rest[i+1:], Run{Via: "simctl spawn", Out: true}) // it sees the files of this machine
			}
		}
	case "altool":
		if slices.ContainsFunc(rest, func(w Word) bool { return strings.HasPrefix(w.Text, "--upload") || w.Text == "--notarize-app" }) {
			c.infra("upload", nil, nil, umpire.Mutate|umpire.Upload)
		}
	case "notarytool":
		if len(rest) > 0 && rest[0].Text == "submit" {
			c.infra("upload", []string{"submit"}, nil, umpire.Mutate|umpire.Upload)
		}
	default:
		c.Exec(c.Args[c.first:], Run{Out: true})
	}
}
