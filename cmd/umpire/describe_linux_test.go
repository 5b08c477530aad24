package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program of this machine is described without anything of the user's, and the draft is a
// policy that can be tested, put in force and used.
func TestDescribe(t *testing.T) {
	dir := newProject(t)
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	marker := filepath.Join(dir, "marker")
	script := `#!/bin/sh
touch ` + marker + ` 2>/dev/null
if [ "$1" = purge ]; then
	echo 'Usage: acmectl purge [OPTIONS] TENANT'; echo; echo 'Options:'; echo '  -o, --output FILE  write the report to FILE'
	exit
fi
echo 'Usage: acmectl COMMAND'; echo; echo 'Commands:'; echo '  purge   Remove a tenant'; echo '  list    List tenants'
ls "$HOME" >&2
`
	if err := os.WriteFile(filepath.Join(bin, "acmectl"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	out, exit := runUmpire(t, dir, "", "describe", "acmectl")
	if exit != 0 {
		t.Fatalf("got exit status %d, want 0:\n%s", exit, out)
	}
	if _, err := os.Lstat(marker); err == nil {
		t.Error("the program wrote a file while it printed its help")
	}
	draft, _, _ := strings.Cut(out, "0 options and 2 commands")
	for _, want := range []string{"names: purge # Remove a tenant", "effects: destroys-data # guessed", "{names: [-o, --output], value: write}", "- acmectl purge x", "- acmectl list"} {
		if !strings.Contains(draft, want) {
			t.Errorf("the draft lacks %q:\n%s", want, draft)
		}
	}
	ownPolicy(t, strings.TrimPrefix(draft[strings.Index(draft, "version: 1"):], "version: 1\n"))
	if out, exit := runUmpire(t, dir, "", "policy", "test"); exit != 0 {
		t.Errorf("policy test: %d %s", exit, out)
	}
	if out, exit := runUmpire(t, dir, "", "check", "acmectl purge eu-1 --output ~/.bashrc"); exit == 0 || !strings.Contains(out, "infra(acmectl purge eu-1)") || !strings.Contains(out, "write(") {
		t.Errorf("check: %d %s", exit, out)
	}
	for _, c := range []struct {
		stdin string
		args  []string
		want  string
	}{
		{"Usage: x FILE\n  -o FILE  write to FILE\n", []string{"x", "--from", "-"}, "operands: [read]"},
		{"", []string{"x", "--from", "-"}, "found no option, operand or command of x"},
		{"", []string{"x", "--from", "nosuch"}, "nosuch"},
		{"", []string{"nosuch-program"}, `cannot find the program: exec: "nosuch-program"`},
		{"", []string{"a b"}, "is not the name of a program"},
	} {
		if out, _ := runUmpire(t, dir, c.stdin, append([]string{"describe"}, c.args...)...); !strings.Contains(out, c.want) {
			t.Errorf("%v: want %q, got\n%s", c.args, c.want, out)
		}
	}
}
