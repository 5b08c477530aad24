package docs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rule says how to check the blocks, or the commands in a block, that begin with a text.
type rule struct {
	page, begin string
	not         string                                // why it cannot run here
	is          func(t *testing.T, w *world, b block) // what a block is that has no commands
	status      int                                   // that a command without output ends with
	before      func(w *world)                        // prepares what a command needs
	terminal    string                                // what a person answers the command at a terminal, "-" for nothing
	writes      string                                // the file that the shown output is put into beforehand
	used        bool
}

func find(rules []*rule, page, text string) *rule {
	for _, r := range rules {
		if r.page == page && strings.HasPrefix(text, r.begin) {
			r.used = true
			return r
		}
	}
	return &rule{}
}

// TestDocs checks every block of the documents: commands run and print the output shown,
// files pass their loaders, code compiles. The rules list the exceptions, each with its reason.
func TestDocs(t *testing.T) {
	root := build(t)
	t.Run("pages", func(t *testing.T) {
		for _, page := range pages(t) {
			list := blocksOf(t, page)
			if len(list) == 0 {
				continue
			}
			t.Run(page, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, root, page)
				for _, b := range list {
					w.check(b)
				}
				for _, r := range rules {
					if r.page == page && !r.used {
						t.Errorf("no block or command begins with %q: remove the rule", r.begin)
					}
				}
			})
		}
	})
	t.Run("comparison", func(t *testing.T) { compare(t, newWorld(t, root, "calls.md")) })
	for _, r := range rules {
		if !slices.Contains(pages(t), r.page) {
			t.Errorf("there is no page %s", r.page)
		}
	}
}

var compared = regexp.MustCompile("(?m)^\\| `(.*)` \\| (allow|ask|deny) \\| (?:allow|ask|deny) \\|$")

// compare checks the answers that docs/comparison.md shows for umpire. Those of the peer are
// checked by `make compare`.
func compare(t *testing.T, w *world) {
	page, err := os.ReadFile("comparison.md")
	if err != nil {
		t.Fatal(err)
	}
	w.write("shop/package.json", `{"scripts":{"clean":"rm -rf ~/Documents","build":"tsc"}}`)
	w.must("echo b > a.txt") // git reset --hard loses it
	rows := compared.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 20 {
		t.Fatalf("found %d calls in the table", len(rows))
	}
	statuses := map[int]string{0: "allow", 2: "deny", 3: "ask"}
	for _, row := range rows {
		call := strings.ReplaceAll(row[1], `\|`, "|")
		_, status := w.run("umpire check " + quoted(call))
		if got := statuses[status]; got != row[2] {
			t.Errorf("%s: umpire says %s (exit status %d), the page shows %s", call, got, status, row[2])
		}
	}
}

// quoted returns text as one word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func (w *world) check(b block) {
	w.Helper()
	r := find(rules, b.page, b.text)
	if r.is != nil || !strings.HasPrefix(b.text, "$ ") && !commands(b.text) {
		switch {
		case r.is != nil:
			r.is(w.T, w, b)
		case r.not == "":
			line, _, _ := strings.Cut(b.text, "\n")
			w.Errorf("%s no check: add a rule for this block to docs/rules_linux_test.go: %s", b, line)
		}
		return
	}
	for _, s := range stepsOf(b.text) {
		if ours := ofRepository(s.command); ours != nil {
			if err := ours(); err != nil {
				w.Errorf("%s: %s: %v", b, strings.TrimSpace(s.command), err)
			}
			continue
		}
		r := find(rules, b.page, s.command)
		if r.not != "" && r.begin != "" { // a rule for a whole page is for blocks
			continue
		}
		if r.before != nil {
			r.before(w)
		}
		if r.writes != "" {
			w.write(r.writes, s.output+"\n")
		}
		words := strings.Fields(s.command)
		if len(words) > 2 && words[0] == "umpire" && (words[1] == "serve" || words[1] == "guard" && words[2] == "serve") {
			if said := strings.TrimSpace(w.serve(s.command)); s.output != "" && !matches(s.output, said, w.ids) {
				w.Errorf("%s: %s\nshown:\n%s\nprinted:\n%s", b, s.command, s.output, said)
			}
			continue
		}
		var printed string
		var status int
		if r.terminal != "" {
			printed, status = w.atTerminal(s.command, strings.Trim(r.terminal, "-"))
		} else {
			printed, status = w.run(s.command)
		}
		switch {
		case s.output == "" && status != r.status:
			w.Errorf("%s: %s\nends with %d: %s", b, s.command, status, printed)
		case s.output != "" && !matches(s.output, printed, w.ids):
			w.Errorf("%s: %s\nshown:\n%s\nprinted:\n%s", b, s.command, s.output, printed)
		}
	}
}

// commands reports whether a block without prompts is one of commands.
func commands(text string) bool {
	for _, s := range stepsOf(text) {
		word, _, _ := strings.Cut(strings.TrimSpace(s.command), " ")
		switch word {
		case "umpire", "curl", "export", "git", "cd":
		default:
			if ofRepository(s.command) != nil {
				continue
			}
			return false
		}
	}
	return true
}

// ofRepository returns a check of the names in a command for the repository: a target of
// make, a package with its flags and benchmarks, a script. Such commands are not run: they
// measure for minutes, or run this test. It returns nil for other commands.
func ofRepository(command string) func() error {
	words := strings.Fields(command)
	for len(words) > 0 && strings.Contains(words[0], "=") {
		words = words[1:]
	}
	switch {
	case len(words) > 1 && words[0] == "make":
		return func() error { return hasTarget(words[1]) }
	case len(words) > 2 && words[0] == "go" && (words[1] == "run" || words[1] == "test"):
		return func() error { return hasPackage(words[2:]) }
	case len(words) == 1 && strings.HasPrefix(words[0], "scripts/"):
		return func() error { _, err := exec.LookPath("../" + words[0]); return err }
	}
	return nil
}

func hasTarget(name string) error {
	file, err := os.ReadFile("../Makefile")
	if err == nil && !strings.Contains(string(file), "\n"+name+": ") {
		err = fmt.Errorf("the Makefile has no target %s", name)
	}
	return err
}

// hasPackage checks the arguments of go run and go test: the packages exist and have the
// flags and tests that the other arguments name.
func hasPackage(args []string) error {
	source := ""
	for _, arg := range args {
		if !strings.HasPrefix(arg, "./") {
			continue
		}
		files, err := filepath.Glob(filepath.Join("..", arg, "*.go"))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("there is no package %s", arg)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			source += string(text)
		}
	}
	if source == "" {
		return errors.New("no package is named")
	}
	for i, arg := range args {
		name, ok := strings.CutPrefix(arg, "-")
		value := ""
		if i+1 < len(args) {
			value = strings.Trim(args[i+1], "'")
		}
		switch {
		case !ok || slices.Contains([]string{"benchtime", "benchmem", "count"}, name) || name == "run" && (value == "^$" || value == "xxx"):
		case name == "run" || name == "bench":
			kind := map[string]string{"run": "Test", "bench": "Benchmark"}[name]
			if !regexp.MustCompile(`func ` + kind + `\w*` + strings.TrimPrefix(value, kind)).MatchString(source) {
				return fmt.Errorf("there is no %s %s", kind, value)
			}
		case !strings.Contains(source, `"`+name+`"`):
			return fmt.Errorf("there is no flag -%s", name)
		case name == "what":
			for _, v := range strings.Split(value, "|") {
				if !strings.Contains(source, `"`+v+`"`) {
					return fmt.Errorf("-what has no %s", v)
				}
			}
		}
	}
	return nil
}
