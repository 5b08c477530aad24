package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The tables of Go are those that the descriptions make.
func TestTablesAreUpToDate(t *testing.T) {
	table, code, err := compile("..")
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{rowsFile: table, codeFile: code} {
		if got, err := os.ReadFile(filepath.Join("..", file)); err != nil || string(got) != want {
			t.Errorf("run make generate: %s is not what the families say (%v)", file, err)
		}
	}
}

// compiled compiles one family beside a file of Go.
func compiled(t *testing.T, family string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "programs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"call.go": "package command\n\nfunc doCat(c *Call) {}\n", "programs/my-tools.yaml": "family: tools\nprograms:\n" + family} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(dir); err != nil {
		return "", err
	}
	out, err := os.ReadFile(filepath.Join(dir, rowsFile))
	return string(out), err
}

func TestCompile(t *testing.T) {
	for text, want := range map[string]string{
		"  - names: [a, b]\n":                                                             "|a b\n|b\t>a\n",
		"  - names: [c, b]\n  - {names: a, like: c}\n":                                    "|a\t>c\n|b\t>c\n|c b a\n",
		"  - {names: a, effects: changes}\n  - {names: b, like: a}\n":                     "|a\t\t\t\t1\n|b\t\t\t\t1\n",
		"  - {names: a, operands: read}\n":                                                "|a\t\tr*\n",
		"  - {names: a, operands: [read, unknown]}\n":                                     "|a\t\tr\n",
		"  - {names: a, operands: [read..., write]}\n":                                    "|a\t\tr* w\n",
		"  - {names: a, operands: [data, command]}\n":                                     "|a\t\t_ C\t1\n",
		"  - {names: a, operands: command, style: mixed}\n":                               "|a\t\tC\n",
		"  - {names: a, style: [windows, case-fold]}\n":                                   "|a\t\t\t544\n",
		"  - {names: a, reads: doCat, language: js, operands: script}\n":                  "|a\t\tx*\t\t\tjs\tdoCat\n",
		"  - {names: a, options: [{names: [-n, --try], tries: true}]}\n":                  "|a\t-n,--try+inert\n",
		"  - {names: a, options: [{names: -c, value: data, attached: true}]}\n":           "|a\t-c?=_\n",
		"  - {names: a, options: [{names: -f, traits: force, effects: destroys}]}\n":      "|a\t-f+force+destroys\n",
		"  - {names: a, commands: [{names: [x, y], operands: delete}]}\n":                 "|a\n\tx y\t\td*\n",
		"  - {names: a, commands: [{names: x, commands: [{names: y}]}, {names: z}]}\n":    "|a\n\tx\n\t\ty\n\tz\n",
		"  - {names: a, commands: [{names: x}]}\n  - {names: b, like: a x}\n":             "|a\n\tx\n|b\n",
		"  - {names: a, commands: [{names: x, operands: read}, {names: y, like: a x}]}\n": "\ty\t\tr*\n",
		"  - {names: a, complete: words, elsewhere: [-x, --y]}\n":                         "|a\t\t\t\t\t\t\twords\t\t\t-x --y\n",
		"  - {names: a, looks: [ls, show *], project: any}\n":                             "|a\t\t\t\t\t\t\t\tls,show *\tany\n",
		"  - {names: a, project: build}\n  - {names: b, like: a}\n":                       "|b\n",
		"  - {names: a, hits: [a b], misses: [a --help]}\n":                               "|a\n",
	} {
		if got, err := compiled(t, text); err != nil || !strings.Contains(got, want) {
			t.Errorf("%s\n\tlacks %s: %v\n%s", text, want, err, got)
		}
	}
}

// Each fault has its line.
func TestCompileFaults(t *testing.T) {
	for text, want := range map[string]string{
		"  - names: a\n  - names: a\n":                                     "programs/my-tools.yaml:4:5: a is described twice",
		"  - {names: a, reads: doDog}\n":                                   "3:5: package command has no function doDog",
		"  - {names: a, reads: projectfile.doDog}\n":                       "3:5: package projectfile has no function doDog",
		"  - {names: a, reads: cat}\n":                                     `"cat" is not the name of a function`,
		"  - {names: a, like: b}\n":                                        "the file does not describe b",
		"  - {names: a, like: a}\n":                                        "name that one",
		"  - names: x\n  - {names: b, like: x}\n  - {names: c, like: b}\n": "b is like another one itself",
		"  - {names: a, like: b, operands: read}\n":                        "may have only names, style, examples",
		"  - {names: a, style: fast}\n":                                    `unknown style "fast"`,
		"  - {names: a, style: mixed}\n":                                   `unknown style "mixed"`,
		"  - {names: a, operands: reed}\n":                                 `unknown role "reed"`,
		"  - {names: a, operands: [unknown, read]}\n":                      `unknown role "unknown"`,
		"  - {names: a, effects: breaks}\n":                                `unknown effect "breaks"`,
		"  - {names: a, options: [{names: -x, traits: inert}]}\n":          `unknown trait "inert"`,
		"  - {names: a, options: [{names: '-f=r'}]}\n":                     "is not the name of an option",
		"  - {names: a, complete: perhaps}\n":                              `"perhaps" is not always, options or words`,
		"  - {names: a, looks: ['show $x']}\n":                             `"show $x" is not a command`,
		"  - {names: a, project: 'a,b'}\n":                                 `"a,b" is not a word`,
		"  - {names: a, elsewhere: x}\n":                                   `"x" is not the name of an option`,
		"  - {names: a, reeds: doCat}\n":                                   `unknown key "reeds"`,
		"  - {names: a, commands: [{names: x}, {names: [y, x]}]}\n":        "x is described twice",
	} {
		if _, err := compiled(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n\tlacks %s: %v", text, want, err)
		}
	}
}
