package command

import (
	"path"
	"strings"
)

// configFiles are the files with code that a program of the Node world loads by itself.
// The first name of each is followed by the endings that it may have.
func configFiles(program string) ([]string, bool) {
	switch program {
	case "vite":
		return []string{"vite.config"}, true
	case "vitest":
		return []string{"vitest.config", "vite.config"}, true
	case "jest":
		return []string{"jest.config", "babel.config"}, true
	case "mocha":
		return []string{".mocharc"}, true
	case "ava":
		return []string{"ava.config"}, true
	case "karma":
		return []string{"karma.conf"}, true
	case "eslint":
		return []string{"eslint.config", ".eslintrc"}, true
	case "prettier":
		return []string{"prettier.config", ".prettierrc"}, true
	case "stylelint":
		return []string{"stylelint.config", ".stylelintrc"}, true
	case "rollup":
		return []string{"rollup.config"}, true
	case "webpack":
		return []string{"webpack.config"}, true
	case "next":
		return []string{"next.config", "postcss.config"}, true
	case "nuxt":
		return []string{"nuxt.config"}, true
	case "astro":
		return []string{"astro.config"}, true
	case "playwright":
		return []string{"playwright.config"}, true
	case "cypress":
		return []string{"cypress.config"}, true
	case "lint-staged":
		return []string{"lint-staged.config", ".lintstagedrc"}, true
	case "babel":
		return []string{"babel.config"}, true
	case "tailwindcss":
		return []string{"tailwind.config"}, true
	case "postcss":
		return []string{"postcss.config"}, true
	case "commitlint":
		return []string{"commitlint.config"}, true
	case "tsup":
		return []string{"tsup.config"}, true
	case "drizzle-kit":
		return []string{"drizzle.config"}, true
	case "semantic-release":
		return []string{"release.config"}, true
	case "svelte-kit":
		return []string{"svelte.config"}, true
	case "remix":
		return []string{"remix.config"}, true
	case "vue-cli-service":
		return []string{"vue.config"}, true
	case "metro":
		return []string{"metro.config"}, true
	case "ng":
		return nil, true
	}
	return nil, false
}

// doTestRunner reads the settings that test runners, linters and bundlers run as code.
func doTestRunner(c *Call) {
	if c.Inert() {
		return
	}
	if names, ok := configFiles(c.Program); ok {
		if w, given := configOption(c); given {
			startsFile(c, "js", w.Text)
		} else {
			var files []string
			for _, n := range names {
				for _, ext := range []string{".js", ".mjs", ".cjs", ".ts", ".mts"} {
					files = append(files, n+ext)
				}
			}
			startsFile(c, "js", c.present(".", files)...)
		}
	}
	switch c.Program {
	case "pytest", "py.test":
		startsFile(c, "python", "conftest.py", "tests/conftest.py", "test/conftest.py")
		for _, w := range c.Operands {
			f, _, _ := strings.Cut(w.Text, "::")
			if strings.HasSuffix(f, ".py") {
				startsFile(c, "python", f)
			}
			startsFile(c, "python", path.Join(f, "conftest.py"))
			if dir := path.Dir(f); dir != "." && dir != "tests" && dir != "test" {
				startsFile(c, "python", path.Join(dir, "conftest.py"))
			}
		}
	case "pylint":
		pylintHook(c)
	case "jest", "vitest", "mocha", "ava", "tap":
		for _, w := range c.Operands {
			if scriptName(w.Text) {
				startsFile(c, "js", w.Text)
			}
		}
		if f, ok := c.startedFile("package.json"); ok && c.Program == "jest" && strings.Contains(f.Text, "global") {
			for _, key := range []string{"globalSetup", "globalTeardown"} {
				if n := f.tree(readJSON).str("jest", key); n != "" {
					startsFile(c, "js", strings.TrimPrefix(n, "<rootDir>/"))
				}
			}
		}
	case "rspec":
		startsFile(c, "ruby", "spec/spec_helper.rb")
		for _, w := range c.Operands {
			if strings.HasSuffix(w.Text, ".rb") {
				startsFile(c, "ruby", w.Text)
			}
		}
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
		if f, ok := c.startedFile("nodemon.json"); ok {
			t := f.tree(readJSON)
			for _, v := range []*tree{t.get("exec"), t.get("events", "start"), t.get("events", "restart")} {
				if v != nil {
					f.run(v.line, v.text, Run{})
				}
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
	case "lint-staged":
		lintStaged(c)
	}
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

// severalScripts runs the scripts that a pattern such as dev:* names.
func severalScripts(c *Call, pattern string) {
	pattern, _, _ = strings.Cut(strings.Trim(pattern, `"'`), " ")
	if !strings.Contains(pattern, "*") {
		packageScripts(c, "package.json", nil, pattern)
		return
	}
	if f, ok := manifestIn(c, "", "package.json"); ok {
		n := 0
		f.tree(readJSON).get("scripts").each(func(name string, _ *tree) {
			if ok, _ := path.Match(pattern, name); ok && n < maxFolders {
				n++
				packageScripts(c, "package.json", nil, name)
			}
		})
	}
}

// lintStaged runs the commands for staged files.
func lintStaged(c *Call) {
	for _, n := range c.present(".", []string{"package.json", ".lintstagedrc", ".lintstagedrc.json", ".lintstagedrc.yaml", ".lintstagedrc.yml"}) {
		f, ok := c.startedFile(n)
		if !ok || n == "package.json" && !strings.Contains(f.Text, `"lint-staged"`) {
			continue
		}
		t := f.tree(readJSON)
		if n == "package.json" {
			t = t.get("lint-staged")
		} else if !strings.HasPrefix(strings.TrimSpace(f.Text), "{") {
			t = f.tree(readYAML)
		}
		t.each(func(_ string, v *tree) {
			for _, l := range v.list() {
				f.run(l.line, l.text, Run{Env: binaries(c, ".")})
			}
		})
	}
}

// pylintHook runs the code that pylint's settings have it run first.
func pylintHook(c *Call) {
	for _, n := range []string{"pylintrc", ".pylintrc", "setup.cfg", "pyproject.toml"} {
		if f, ok := c.startedFile(n); ok {
			t := f.tree(readTOML).get("tool", "pylint")
			if n != "pyproject.toml" {
				t = f.tree(readINI)
			}
			t.each(func(_ string, section *tree) {
				if v := section.get("init-hook"); v != nil {
					c.Code("python", Word{Text: strings.Trim(v.text, `"'`), Taint: f.Taint}, f.at(v.line, Run{}))
				}
			})
		}
	}
}

// readINI reads sections of keys, whose values may go on in indented lines.
func readINI(text string) *tree {
	root := &tree{line: 1}
	section, last := root, (*tree)(nil)
	for i, line := range strings.Split(text, "\n") {
		s := strings.TrimSpace(line)
		switch {
		case s == "" || s[0] == '#' || s[0] == ';':
		case s[0] == '[' && strings.HasSuffix(s, "]"):
			section, last = root.make(i+1, []string{strings.TrimSpace(s[1 : len(s)-1])}), nil
		case (line[0] == ' ' || line[0] == '\t') && last != nil:
			last.kids = append(last.kids, &tree{line: i + 1, text: s})
			last.text += "\n" + s
		default:
			j := strings.IndexAny(s, "=:")
			if j < 0 || i > maxNodes {
				continue
			}
			last = section.make(i+1, []string{strings.ToLower(strings.TrimSpace(s[:j]))})
			*last = tree{line: i + 1, text: strings.TrimSpace(s[j+1:])}
			if last.text != "" {
				last.kids = []*tree{{line: i + 1, text: last.text}}
			}
		}
	}
	return root
}
