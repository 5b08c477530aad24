package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

func pipInstall(c *Call, args []Word) {
	t := fromRegistry(c, "-i", "--extra-index-url", "--find-links", "-f")
	if len(c.All("--trusted-host")) > 0 {
		t |= umpire.SkipsCheck
	}
	args = append(append([]Word(nil), args...), c.All("-e")...)
	for _, w := range append(c.All("-r"), c.All("-c")...) {
		if strings.Contains(w.Text, "://") {
			t |= PackageSource(c, w)
		} else if s := c.File(w); s.Seen && strings.HasPrefix(w.Text, "/dev/fd/") { // -r <(echo x)
			args = append(args, lines(s, false)...)
		} else if w.Known() {
			t |= requirements(c, w.Text, 0)
		}
	}
	Packages(c, "install", args, t)
	for _, w := range args {
		dir, _, _ := strings.Cut(w.Text, "[")
		if dir != "." && dir != "" && (strings.HasPrefix(dir, "./") || strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "../")) {
			BuildsPackage(c, dir)
		}
		if dir == "." {
			BuildsPackage(c, ".")
		}
	}
}

func doPip(c *Call) {
	verb, args := c.Arg(0).Text, WordsAfter(c, 1)
	switch verb {
	case "install", "download", "wheel", "add", "update", "sync", "lock":
		if verb != "lock" && verb != "sync" || len(args) > 0 {
			pipInstall(c, args)
		}
	case "uninstall", "remove":
		t := When(slices.ContainsFunc(args, func(w Word) bool { return w.Text == umpire.Hole }), umpire.Bulk|umpire.Destroy) // pip freeze | xargs: all packages
		Packages(c, "remove", args, t)
	case "config":
		if len(args) > 1 && args[0].Text == "set" && (strings.Contains(args[1].Text, "index") || strings.Contains(args[1].Text, "trusted")) {
			Packages(c, "config", args, umpire.UntrustedSource|umpire.Mutate)
		}
	case "run":
		if len(args) == 0 || !ProjectScript(c, args[0].Text, args[1:]) {
			c.Exec(args, Run{Out: true})
		}
	case "publish":
		Packages(c, "publish", args, umpire.Upload|umpire.Mutate)
	case "cache":
	}
}

func doPipx(c *Call) {
	switch c.Arg(0).Text {
	case "run":
		a := WordsAfter(c, 1)
		if spec, ok := valueIn(a, "--spec"); ok {
			Packages(c, "run", []Word{spec}, PackageSource(c, spec))
		}
		if a = afterOptions(a, "--spec", "--python", "--index-url", "-i", "--pip-args"); len(a) > 0 {
			runPackage(c, a)
		}
	case "install", "upgrade", "inject", "reinstall":
		pipInstall(c, afterVerb(c))
	case "uninstall", "uninstall-all":
		Packages(c, "remove", WordsAfter(c, 1), 0)
	}
}

// afterVerb returns the operands after the first, without options. It is for programs whose
// parsing stops at the first operand.
func afterVerb(c *Call) (out []Word) {
	for _, w := range WordsAfter(c, 1) {
		if !strings.HasPrefix(w.Text, "-") {
			out = append(out, w)
		}
	}
	return out
}

// afterOptions removes leading options from a command vector. The options in values take the next
// word.
func afterOptions(args []Word, values ...string) []Word {
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		if args[0].Text == "--" {
			return args[1:]
		}
		n := 1
		for _, v := range values {
			if args[0].Text == v {
				n = 2
			}
		}
		args = args[min(n, len(args)):]
	}
	return args
}

func doUv(c *Call) {
	verb, args := c.Arg(0).Text, WordsAfter(c, 1)
	switch verb {
	case "run":
		uvSources(c, args)
		args = afterOptions(args, "--with", "--from", "-p", "--python", "--extra", "--group", "--directory", "--project", "--env-file", "--index", "--index-url", "--with-requirements", "--package", "-i", "--default-index", "--extra-index-url", "--with-editable")
		if len(args) > 0 && (strings.HasSuffix(args[0].Text, ".py") || args[0].Text == "-" || CodeAddress(args[0].Text)) {
			args = append(Lits("python3"), args...)
		}
		if len(args) == 0 || !ProjectScript(c, args[0].Text, args[1:]) {
			c.Exec(args, Run{Out: true})
		}
	case "tool":
		if len(args) > 1 && args[0].Text == "run" {
			c.Exec(append(Lits("uvx"), args[1:]...), Run{Out: true})
		} else if len(args) > 1 && args[0].Text == "install" {
			Packages(c, "install", afterOptions(args[1:]), 0)
		}
	case "pip":
		if len(args) > 0 {
			if args[0].Text == "install" { // pip does not read uv's settings
				c.fetchesElsewhere()
			}
			words := append(Lits("pip"), args...)
			if args[0].Text == "compile" { // it is a program of its own
				words = append(Lits("pip-compile"), args[1:]...)
			}
			c.Exec(words, Run{Out: true})
		}
	case "add", "sync", "lock":
		Packages(c, "install", afterVerb(c), uvIndex(c, args))
	case "build":
		dir := "."
		if ops := afterVerb(c); len(ops) > 0 {
			dir = ops[0].Text
		}
		BuildsPackage(c, dir)
	case "remove":
		Packages(c, "remove", afterVerb(c), 0)
	case "publish":
		Packages(c, "publish", nil, umpire.Upload|umpire.Mutate)
	}
}

// uvSources records the packages that uv run adds, but not files of the project.
func uvSources(c *Call, args []Word) {
	for i, w := range args {
		if !strings.HasPrefix(w.Text, "-") {
			continue
		}
		name, value, _ := ValueAt(args, i)
		if anyof.Equal(name, "--with", "--with-editable", "--with-requirements") {
			for _, spec := range strings.Split(value, ",") {
				if w := w.With(spec); name == "--with" || PackageSource(c, w) != 0 {
					Packages(c, "run", []Word{w}, 0)
				}
			}
		}
	}
}

// uvIndex returns traits of the registries that options select.
func uvIndex(c *Call, args []Word) (t umpire.Trait) {
	for i, w := range args {
		name, value, _ := ValueAt(args, i)
		if anyof.Equal(name, "--index", "--index-url", "--default-index", "--extra-index-url", "-i") {
			t |= registryTraits(c, w.With(value))
		}
	}
	return t
}

func doPoetry(c *Call) {
	verb, args := c.Arg(0).Text, WordsAfter(c, 1)
	switch verb {
	case "run":
		args = afterOptions(args, "-e", "--env", "-P", "-C")
		if len(args) == 0 || !ProjectScript(c, args[0].Text, args[1:]) {
			c.Exec(args, Run{Out: true})
		}
	case "add", "install", "update", "sync":
		Packages(c, "install", afterVerb(c), 0)
	case "remove":
		Packages(c, "remove", afterVerb(c), 0)
	case "publish":
		if !HasText(args, "--dry-run") {
			Packages(c, "publish", args, umpire.Upload|umpire.Mutate)
		}
	case "config", "source":
		if strings.Contains(Quote("", args), "://") {
			Packages(c, verb, args, umpire.UntrustedSource|umpire.Mutate)
		}
	}
}

func doConda(c *Call) {
	verb, args := c.Arg(0).Text, WordsAfter(c, 1)
	lost := umpire.Bulk | umpire.Destroy // the loss of an environment
	for i, w := range args {
		if i > 0 && (args[i-1].Text == "-n" || args[i-1].Text == "--name") && w.Known() && TestName(w.Text) {
			lost = 0
		}
	}
	if verb != "run" && (HasText(args, "--dry-run") || HasText(args, "-d")) {
		return
	}
	switch verb {
	case "run":
		c.Exec(afterOptions(args, "-n", "--name", "-p", "--prefix", "--cwd"), Run{Out: true})
	case "install", "create", "update", "upgrade":
		Packages(c, "install", afterVerb(c), 0)
	case "remove", "uninstall":
		t := When(HasText(args, "--all"), lost)
		Packages(c, "remove", args, t)
	case "env":
		if len(args) > 0 && args[0].Text == "remove" {
			Packages(c, "remove", args, lost)
		}
	case "config":
		if strings.Contains(Quote("", args), "://") {
			Packages(c, verb, args, umpire.UntrustedSource|umpire.Mutate)
		}
	}
}
