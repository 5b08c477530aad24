package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
)

// localOllama is a server that has the models which an Ollama would.
func localOllama(t *testing.T, models string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/api/tags" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(models))
	}))
	t.Cleanup(srv.Close)
	t.Setenv("OLLAMA_HOST", strings.TrimPrefix(srv.URL, "http://"))
}

// One command has a local Ollama judge: it is offered, shows what it writes, asks, and
// leaves the rest of the policy alone.
func TestJudgeUseOllama(t *testing.T) {
	dir := newProject(t)
	for _, name := range []string{"ANTHROPIC_API_KEY", "GITHUB_TOKEN", "OPENAI_API_KEY", "OPENROUTER_API_KEY"} {
		t.Setenv(name, "")
	}
	localOllama(t, `{"models":[{"name":"nomic-embed-text"},{"name":"qwen3:8b"}]}`)
	ownPolicy(t, "# mine\nrules:\n  - deny: exec(frob)\n")
	path := filepath.Join(os.Getenv("HOME"), ".config", "umpire", "policy.yaml")
	read := func() string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	before := read()

	if out, _ := runUmpire(t, dir, "", "judge", "providers"); !strings.Contains(out, "run umpire judge use ollama") || !strings.Contains(out, "qwen3:8b") {
		t.Errorf("it is not offered: %s", out)
	}
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "ollama"); exit != cli.ExitUsage || !strings.Contains(out, "+  providers: [ollama]") || read() != before {
		t.Errorf("without a terminal: %d %s", exit, out)
	}
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "ollama", "--dry-run"); exit != 0 || !strings.Contains(out, "+judge:") || read() != before {
		t.Errorf("dry run: %d %s", exit, out)
	}
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "ollama", "--yes", "--model", "absent"); exit == 0 || !strings.Contains(out, "ollama pull") || read() != before {
		t.Errorf("a model that it has not: %d %s", exit, out)
	}
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "ollama", "--yes"); exit != 0 || !strings.Contains(out, "The judge is on") {
		t.Fatalf("exit %d and %q, want %d and %q", exit, out, 0, "The judge is on")
	}
	if now := read(); !strings.HasPrefix(now, before) || !strings.Contains(now, "  enabled: true\n") || !strings.Contains(now, "baseURL: ") {
		t.Errorf("settings: want what was there, and a judge that is on with its address:\n%s", now)
	}
	out, _ := runUmpire(t, dir, "", "judge", "providers")
	if strings.Contains(out, "judge use") || !strings.Contains(out, "qwen3:8b") || !strings.Contains(out, "available") {
		t.Errorf("afterwards: %s", out)
	}
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "ollama", "--yes"); exit != 0 || !strings.Contains(out, "nothing to do") {
		t.Errorf("again: %d %s", exit, out)
	}
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "anthropic", "--yes"); exit == 0 || !strings.Contains(out, "$ANTHROPIC_API_KEY is not set") {
		t.Errorf("without a key: %d %s", exit, out)
	}
	on := read()
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "off"); exit != cli.ExitUsage || read() != on {
		t.Errorf("off without a terminal: %d %s", exit, out)
	}
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "off", "--yes"); exit != 0 || !strings.Contains(out, "The judge is off") || read() != strings.Replace(on, "enabled: true", "enabled: false", 1) {
		t.Errorf("off: %d %s\n%s", exit, out, read())
	}
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "off", "--yes"); exit != 0 || !strings.Contains(out, "nothing to do") {
		t.Errorf("off again: %d %s", exit, out)
	}
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "ollama", "--yes"); exit != 0 || read() != on {
		t.Errorf("on again: %d %s", exit, out)
	}
	if out, exit := runUmpireBy(t, person(), dir, "", "judge", "use", "watson"); exit != cli.ExitUsage {
		t.Errorf("judge use watson: got exit status %d, want %d:\n%s", exit, cli.ExitUsage, out)
	}
}

// An agent cannot choose who judges it.
func TestJudgeUseByAgent(t *testing.T) {
	dir := newProject(t)
	localOllama(t, `{"models":[{"name":"qwen3:8b"}]}`)
	t.Setenv("CLAUDECODE", "1")
	if out, exit := runUmpire(t, dir, "", "judge", "use", "ollama", "--yes"); exit == 0 || strings.Contains(out, "The judge is on") {
		t.Errorf("judge use ollama without a model: got exit status %d, want a failure:\n%s", exit, out)
	}
	if _, err := os.Stat(filepath.Join(os.Getenv("HOME"), ".config", "umpire", "policy.yaml")); err == nil {
		t.Error("a policy was written")
	}
}

// What answers nothing, or has no model, is not offered.
func TestOllamaIsNotOffered(t *testing.T) {
	dir := newProject(t)
	for _, models := range []string{`{"models":[]}`, `no JSON`} {
		localOllama(t, models)
		if out, _ := runUmpire(t, dir, "", "judge", "providers"); strings.Contains(out, "judge use ollama") {
			t.Errorf("judge providers with %s: want no offer of ollama:\n%s", models, out)
		}
	}
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	if out, exit := runUmpire(t, dir, "", "judge", "use", "ollama", "--yes"); exit == 0 || !strings.Contains(out, "nothing answers at http://127.0.0.1:1") {
		t.Errorf("judge use ollama: got exit status %d, want a failure that names the address:\n%s", exit, out)
	}
}
