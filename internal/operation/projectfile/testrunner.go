package projectfile

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// doTestRunner reads the code that test runners, linters and bundlers run in addition to their
// settings ([Load]).
func doTestRunner(c *command.Call) {
	if c.Inert() {
		return
	}
	switch c.Program {
	case "pytest", "py.test":
		pytestFiles(c)
	case "vite":
		if dir, ok := c.Opt("--outDir"); ok && c.Has("--emptyOutDir") {
			t := umpire.Recursive
			if _, p := c.Path(dir); p&umpire.PlaceOutside != 0 { // keeps .git
				t |= umpire.Filtered
			}
			c.Delete(dir, t)
		}
	case "jest", "vitest", "mocha", "ava", "tap":
		for _, w := range c.Operands {
			if command.ScriptName(w.Text) {
				command.StartsFile(c, "js", w.Text)
			}
		}
	case "rspec":
		rspecFiles(c)
	case "phpunit":
		for _, w := range c.Operands {
			if strings.HasSuffix(w.Text, ".php") {
				command.StartsFile(c, "php", w.Text)
			}
		}
	case "nodemon":
		for i, w := range c.Args {
			if (w.Text == "--exec" || w.Text == "-x") && i+1 < len(c.Args) {
				c.Shell(c.Args[i+1], command.Run{Out: true})
			}
		}
	case "npm-run-all", "run-s", "run-p":
		for _, w := range c.Operands {
			severalScripts(c, w.Text)
		}
	case "concurrently":
		for _, w := range c.Operands {
			if name, ok := strings.CutPrefix(w.Text, "npm:"); ok {
				severalScripts(c, name)
				continue
			}
			c.Shell(w, command.Run{})
		}
	}
}

// rspecFiles reads the helpers that .rspec names, and the tests.
func rspecFiles(c *command.Call) {
	loadsFiles(c, "ruby", []string{"spec/spec_helper.rb", "spec/support/*.rb"})
	if f, ok := c.StartedFile(".rspec"); ok {
		words := strings.Fields(f.Text)
		for i, w := range words {
			if n, ok := strings.CutPrefix(w, "--require="); ok {
				words[i] = n
			} else if i == 0 || words[i-1] != "--require" && words[i-1] != "-r" {
				continue
			}
			n := strings.TrimSuffix(words[i], ".rb") + ".rb"
			command.StartsFile(c, "ruby", n, "spec/"+n, "lib/"+n)
		}
	}
	for _, w := range c.Operands {
		if strings.HasSuffix(w.Text, ".rb") {
			command.StartsFile(c, "ruby", w.Text)
		}
	}
}

// pytestFiles reads the plug-ins, settings and tests that pytest loads.
func pytestFiles(c *command.Call) {
	for _, w := range c.All("-p") {
		loadsModule(c, w.Text)
	}
	if w, ok := c.Var("PYTEST_ADDOPTS"); ok {
		runSetting(command.Started{Call: c, Name: "PYTEST_ADDOPTS"}, "pytest", &datafile.Value{Text: w.Text})
	}
	for _, w := range c.Operands {
		f, _, _ := strings.Cut(w.Text, "::")
		if strings.HasSuffix(f, ".py") {
			command.StartsFile(c, "python", f)
		}
		if f != "." {
			command.StartsFile(c, "python", "conftest.py") // loadsConftest reads those in other folders
		}
	}
	loadsConftest(c)
}

// configOption returns the script of settings that an option names.
func configOption(c *command.Call) (string, bool) {
	value, _ := command.ConfigValue(c, "--config", "-c")
	return value, value != "" && command.ScriptName(value)
}

// severalScripts runs the scripts that match a pattern such as dev:*.
func severalScripts(c *command.Call, pattern string) {
	pattern, _, _ = strings.Cut(strings.Trim(pattern, `"'`), " ")
	if !strings.Contains(pattern, "*") {
		command.PackageScripts(c, "package.json", nil, pattern)
		return
	}
	if f, ok := command.ManifestIn(c, "", "package.json"); ok {
		f.Tree(datafile.JSON).Get("scripts").Each(func(name string, _ *datafile.Value) {
			if ok, _ := path.Match(pattern, name); ok {
				command.PackageScripts(c, "package.json", nil, name)
			}
		})
	}
}
