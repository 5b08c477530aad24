package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// blocks returns the indented blocks of a page, without their indentation.
func blocks(t *testing.T, page string) []string {
	t.Helper()
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	block := ""
	for line := range strings.Lines(string(b) + "\n-\n") {
		in, ok := strings.CutPrefix(line, "    ")
		switch {
		case ok:
			block += in
		case strings.TrimSpace(line) != "" && block != "":
			out = append(out, block)
			block = ""
		}
	}
	return out
}

// What docs/guard.md shows works.
func TestGuardDocs(t *testing.T) {
	page, err := filepath.Abs("../../docs/guard.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := project(t)
	t.Setenv("UMPIRE_CANARY_SEED", "a seed")
	config := ""
	call := regexp.MustCompile(`(?s)curl -s (?:-X (\w+) )?localhost:3704(\S+).*?-d '([^']*)'`)
	var calls [][]string
	scans := 0
	for _, block := range blocks(t, page) {
		if strings.HasPrefix(block, "guard:\n  enabled") {
			config = filepath.Join(dir, "guard.yaml")
			if err := os.WriteFile(config, []byte(block), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		calls = append(calls, call.FindAllStringSubmatch(block, -1)...)
		for line := range strings.Lines(block) {
			if text, ok := strings.CutPrefix(strings.TrimSpace(line), "$ echo '"); ok {
				text, args, _ := strings.Cut(text, "' | umpire ")
				if out, exit := run(t, dir, text+"\n", strings.Fields(args)...); exit != exitDeny || !strings.Contains(out, "reject") {
					t.Errorf("%s: exit %d, %s", line, exit, out)
				}
				scans++
			}
		}
	}
	if config == "" || len(calls) < 4 || scans == 0 {
		t.Fatalf("the page has changed: config %q, %d calls, %d scans", config, len(calls), scans)
	}
	if out, exit := run(t, dir, "Good morning.", "guard", "scan", "--config", config); exit != 0 {
		t.Errorf("exit %d, %s", exit, out)
	}
	at, _ := guardServer(t, "--config", config)
	for _, c := range calls {
		method := c[1]
		if method == "" {
			method = "POST"
		}
		code, body := ask(t, method, at+c[2], c[3], "Content-Type", "application/json")
		if code != 200 || !json.Valid([]byte(body)) {
			t.Errorf("%s %s %s: %d %s", method, c[2], c[3], code, body)
		}
		if strings.Contains(c[3], "reversible") && !strings.Contains(body, `"masks":{"[EMAIL_1]":"jane@example.com"}`) {
			t.Error(body)
		}
	}
}
