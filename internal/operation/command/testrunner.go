package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// doTestRunner reads the code that test runners, linters and bundlers run in addition to their
// settings ([Call.LoadsProject]).
func doTestRunner(c *Call) {
	if c.Inert() {
		return
	}
	switch c.Program {
	case "pytest", "py.test":
		pytestFiles(c)
	case "jest", "vitest", "mocha", "ava", "tap":
		for _, w := range c.Operands {
			if scriptName(w.Text) {
				startsFile(c, "js", w.Text)
			}
		}
	case "rspec":
		rspecFiles(c)
	case "phpunit":
		for _, w := range c.Operands {
			if strings.HasSuffix(w.Text, ".php") {
				startsFile(c, "php", w.Text)
			}
		}
	case "nodemon":
		for i, w := range c.Args {
			if (w.Text == "--exec" || w.Text == "-x") && i+1 < len(c.Args) {
				c.Shell(c.Args[i+1], Run{Out: true})
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
			c.Shell(w, Run{})
		}
	}
}

// rspecFiles reads the helpers that .rspec names, and the tests.
func rspecFiles(c *Call) {
	c.loadsFiles("ruby", []string{"spec/spec_helper.rb", "spec/support/*.rb"})
	if f, ok := c.startedFile(".rspec"); ok {
		words := strings.Fields(f.Text)
		for i, w := range words {
			if n, ok := strings.CutPrefix(w, "--require="); ok {
				words[i] = n
			} else if i == 0 || words[i-1] != "--require" && words[i-1] != "-r" {
				continue
			}
			n := strings.TrimSuffix(words[i], ".rb") + ".rb"
			startsFile(c, "ruby", n, "spec/"+n, "lib/"+n)
		}
	}
	for _, w := range c.Operands {
		if strings.HasSuffix(w.Text, ".rb") {
			startsFile(c, "ruby", w.Text)
		}
	}
}

// pytestFiles reads the plug-ins, settings and tests that pytest loads.
func pytestFiles(c *Call) {
	for _, w := range c.All("-p") {
		loadsModule(c, w.Text)
	}
	for _, w := range c.Operands {
		f, _, _ := strings.Cut(w.Text, "::")
		if strings.HasSuffix(f, ".py") {
			startsFile(c, "python", f)
		}
		if f != "." {
			startsFile(c, "python", "conftest.py") // loadsConftest reads those in other folders
		}
	}
	loadsConftest(c)
}

func configOption(c *Call) (Word, bool) {
	for i, w := range c.Args {
		name, value, attached := strings.Cut(w.Text, "=")
		if name == "--config" || name == "-c" {
			if !attached && i+1 < len(c.Args) {
				value = c.Args[i+1].Text
			}
			return w.With(value), value != "" && scriptName(value)
		}
	}
	return Word{}, false
}

// severalScripts runs the scripts that match a pattern such as dev:*.
func severalScripts(c *Call, pattern string) {
	pattern, _, _ = strings.Cut(strings.Trim(pattern, `"'`), " ")
	if !strings.Contains(pattern, "*") {
		packageScripts(c, "package.json", nil, pattern)
		return
	}
	if f, ok := manifestIn(c, "", "package.json"); ok {
		f.tree(datafile.JSON).Get("scripts").Each(func(name string, _ *datafile.Value) {
			if ok, _ := path.Match(pattern, name); ok {
				packageScripts(c, "package.json", nil, name)
			}
		})
	}
}
