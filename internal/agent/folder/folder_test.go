package folder_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/folder"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestContext(t *testing.T) {
	base := t.TempDir()
	root, dir, config := filepath.Join(base, "p"), filepath.Join(base, "p", "a", "b"), filepath.Join(base, "config")
	write(t, filepath.Join(config, "AGENTS.md"), "mine")
	write(t, filepath.Join(base, "AGENTS.md"), "above the project")
	write(t, filepath.Join(root, "AGENTS.md"), "root")
	write(t, filepath.Join(root, "CLAUDE.md"), "not beside AGENTS.md")
	write(t, filepath.Join(root, "a", "CLAUDE.md"), "a")
	write(t, filepath.Join(root, "a", "CONTEXT.md"), "not in between")
	if err := os.MkdirAll(filepath.Join(dir, "AGENTS.md"), 0o755); err != nil { // cannot be read: the next one is tried
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".agent", "context.md"), strings.Repeat("ü", 9_000))
	var warned []string
	files := folder.Context(config, root, dir, false, func(s string) { warned = append(warned, s) })
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if want := []string{filepath.Join(config, "AGENTS.md"), "../../AGENTS.md", "../CLAUDE.md", ".agent/context.md"}; !reflect.DeepEqual(names, want) {
		t.Errorf("%q", names)
	}
	last := files[len(files)-1]
	if last.Text != strings.Repeat("ü", 4_000) || !last.Cut || !files[0].Yours || files[1].Yours {
		t.Errorf("%d characters, %v", len([]rune(last.Text)), last.Cut)
	}
	if len(warned) != 2 || !strings.Contains(warned[0], "could not be read") || !strings.Contains(warned[1], "18000 bytes") {
		t.Errorf("%q", warned)
	}
	tools := []agent.Tool{{Name: "bash", Description: "runs a command\nmore", Dangerous: true}, {Name: "tree", Description: "shows"}}
	p := folder.System(dir, tools, files, true)
	for _, want := range []string{"- bash (needs approval): runs a command\n", "- tree: shows\n", "# Project context from ../../AGENTS.md\n\nroot", "(truncated to 4000 characters)"} {
		if !strings.Contains(p, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
	if !strings.HasSuffix(p, "Working directory: "+dir) {
		t.Error("the last line is not the working directory")
	}
	p = folder.System(dir, tools, files, false)
	if strings.Contains(p, "root\n") || !strings.Contains(p, "mine") || len(folder.Untrusted(files, false)) != 3 {
		t.Error("an untrusted folder speaks in the system prompt")
	}
}

// A context file of a stranger's project may be a link to what is the user's own.
func TestContextLeadsOut(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "p")
	write(t, filepath.Join(base, "diary.txt"), "private")
	write(t, filepath.Join(base, "folder", "context.md"), "private")
	write(t, filepath.Join(root, "docs", "agents.md"), "own")
	for name, c := range map[string]struct {
		link, to string
		trusted  bool
		want     string
	}{
		"within":             {"AGENTS.md", "docs/agents.md", false, "own"},
		"out":                {"AGENTS.md", "../diary.txt", false, ""},
		"out, absolute":      {"CLAUDE.md", filepath.Join(base, "diary.txt"), false, ""},
		"out by its folder":  {".agent", "../folder", false, ""},
		"out, but trusted":   {"AGENTS.md", "../diary.txt", true, "private"},
		"within and trusted": {"AGENTS.md", "docs/agents.md", true, "own"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.Symlink(c.to, filepath.Join(root, c.link)); err != nil {
				t.Fatal(err)
			}
			defer os.Remove(filepath.Join(root, c.link))
			got, warned := "", 0
			for _, f := range folder.Context("", root, root, c.trusted, func(string) { warned++ }) {
				got += f.Text
			}
			if got != c.want || (c.want == "") != (warned > 0) {
				t.Errorf("%q, %d warnings", got, warned)
			}
		})
	}
}

// A folder that is a link is trusted with what is read through it.
func TestTrustThroughALink(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "docs", "context.md"), "run make")
	if err := os.Symlink("docs", filepath.Join(dir, ".agent")); err != nil {
		t.Fatal(err)
	}
	digest := func() string {
		files, err := folder.Surface(dir, dir)
		if err != nil {
			t.Fatal(err)
		}
		return folder.Digest(files)
	}
	before := digest()
	write(t, filepath.Join(dir, "docs", "context.md"), "run curl")
	if digest() == before {
		t.Error("other instructions have the same digest")
	}
}

func TestTrust(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "p")
	write(t, filepath.Join(dir, "AGENTS.md"), "x")
	trust := folder.Trust{Path: filepath.Join(base, "state", "trust.json")}
	digest := func() string {
		files, err := folder.Surface(dir, dir)
		if err != nil {
			t.Fatal(err)
		}
		return folder.Digest(files)
	}
	has := func() bool {
		ok, err := trust.Has(dir, digest())
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if has() {
		t.Error("trusted before anybody said so")
	}
	if err := trust.Set(dir, digest()); err != nil || !has() {
		t.Error("not trusted", err)
	}
	for _, change := range []func(){
		func() { write(t, filepath.Join(dir, "AGENTS.md"), "y") },
		func() { write(t, filepath.Join(dir, ".env"), "A=1") },
		func() { write(t, filepath.Join(dir, ".mcp.json"), "{}") },
		func() { write(t, filepath.Join(dir, ".agent", "skills", "x.md"), "do") },
		func() { os.Remove(filepath.Join(dir, "AGENTS.md")) },
		func() {
			os.Symlink(filepath.Join(base, "elsewhere"), filepath.Join(dir, "AGENTS.md"))
			write(t, filepath.Join(base, "elsewhere"), "z")
		},
		func() { write(t, filepath.Join(base, "elsewhere"), "changed") },
	} {
		change()
		if has() {
			t.Error("still trusted after a change")
		}
		if err := trust.Set(dir, digest()); err != nil || !has() {
			t.Error("not trusted", err)
		}
	}
	write(t, filepath.Join(dir, "main.go"), "package main")
	if !has() {
		t.Error("a change of an ordinary file took the trust")
	}
	if err := trust.Set(dir, ""); err != nil || has() {
		t.Error("the trust was not taken back", err)
	}
	write(t, trust.Path, "{")
	if ok, err := trust.Has(dir, digest()); ok || err == nil {
		t.Error("a damaged list is believed")
	}
}

func TestEnv(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".env"), "#"+strings.Repeat("c", 1<<21)+"\nPROVIDER=ollama\nexport MODEL_ID = \"a b\" \nLD_PRELOAD=/evil\nOLLAMA_BASE_URL=http://x # note\n")
	got, err := folder.Env(dir, "PROVIDER", "MODEL_ID", "OLLAMA_BASE_URL")
	if want := map[string]string{"PROVIDER": "ollama", "MODEL_ID": "a b", "OLLAMA_BASE_URL": "http://x"}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}
