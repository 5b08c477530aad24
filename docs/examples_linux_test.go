package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// misunderstood is how umpire agent and umpire review, whose statuses have other meanings, and
// the shell refuse a command line that they do not understand.
var misunderstood = regexp.MustCompile(`unknown (command|flag|shorthand)|does not take|usage: umpire |: syntax error`)

// TestHelpExamples runs every example of every help text, each command's in a home of its own.
// There is no provider, gateway or agent there, so an example may fail, but never because
// umpire or the shell does not understand it.
func TestHelpExamples(t *testing.T) {
	root := build(t)
	found := 0
	everyHelp(t, filepath.Join(root, "bin", "umpire"), func(help string, words ...string) {
		_, text, ok := strings.Cut(help, "\nExamples:\n")
		text, _, _ = strings.Cut(text, "\n\n")
		if !ok {
			return
		}
		found++
		t.Run(strings.Join(words, " "), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, root, strings.Join(words, "-"))
			w.must("mkdir -p ~/src/shop", "export SHELL=/bin/bash http_proxy=http://127.0.0.1:1 https_proxy=http://127.0.0.1:1 ALL_PROXY=http://127.0.0.1:1")
			for _, name := range []string{"acmectl", "aider", "claude", "npx", "sudo"} {
				w.program(name, `[ "$1" != umpire ] || exec "$@" --dry-run; echo "usage: ${0##*/} [--help]"`)
			}
			for _, s := range stepsOf(text) {
				w.given(s.command)
				if strings.Contains(s.command, "guard serve") {
					w.serve(s.command)
					continue
				}
				if strings.Contains(s.command, "umpire serve") {
					s.command = strings.TrimSpace(s.command) + " --listen 127.0.0.1:0 --agents 127.0.0.1:0 --proxy 127.0.0.1:0 --max-uptime 100ms"
				}
				printed, status := w.run(s.command)
				short := strings.Contains(s.command, "...") || strings.Contains(printed, "no terminal to ask") ||
					words[len(words)-1] == "review" && regexp.MustCompile("there is no key|the diff is empty").MatchString(printed)
				if status == 64 && !short || misunderstood.MatchString(printed) {
					t.Errorf("%s\nends with %d: %s", s.command, status, printed)
				}
			}
		})
	})
	if found < 20 {
		t.Errorf("%d commands have examples: there are more", found)
	}
}

// program puts a shell script into the PATH.
func (w *world) program(name, script string) {
	w.Helper()
	if err := os.WriteFile(filepath.Join(w.bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		w.Fatal(err)
	}
}

// given makes the files that a command reads from.
func (w *world) given(command string) {
	w.Helper()
	file, err := syntax.NewParser().Parse(strings.NewReader(command), "")
	if err != nil {
		w.Fatalf("%s: %v", command, err)
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if r, ok := n.(*syntax.Redirect); ok && r.Op == syntax.RdrIn {
			w.write("shop/"+r.Word.Lit(), "{}\n")
		}
		return true
	})
}
