package policyfile

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The judge is switched on, off and on again in whatever form a file has it, and nothing else changes.
func TestPlanJudge(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		provider            string // ollama if empty
		set                 Provider
		err                 string
	}{
		{name: "no file", after: "version: 1\njudge:\n  enabled: true\n  providers: [ollama]\n"},
		{name: "no judge", before: "version: 1\n# mine\nrules:\n  - deny: exec(ls)", after: "version: 1\n# mine\nrules:\n  - deny: exec(ls)\njudge:\n  enabled: true\n  providers: [ollama]\n"},
		{name: "with a model", before: "version: 1\n", set: Provider{Model: "qwen3:8b", BaseURL: "http://127.0.0.1:9"},
			after: "version: 1\njudge:\n  enabled: true\n  providers: [ollama]\n  ollama: {model: \"qwen3:8b\", baseURL: \"http://127.0.0.1:9\"}\n"},
		{name: "on one line", before: "version: 1\njudge: {enabled: false, scope: all} # later\ndefaultAction: ask\n", after: "version: 1\njudge: {enabled: true, providers: [ollama], scope: all} # later\ndefaultAction: ask\n"},
		{name: "others on one line", before: "version: 1\njudge: {providers: [anthropic, ollama], enabled: false}\n", after: "version: 1\njudge: {enabled: true, providers: [ollama, anthropic]}\n"},
		{name: "a block", before: "version: 1\njudge:\n    # a note\n    scope: all\n    enabled: false # off\n    providers:\n      - anthropic\n    anthropic: {model: m}\ndefaultAction: ask\n",
			after: "version: 1\njudge:\n    enabled: true\n    providers: [ollama, anthropic]\n    # a note\n    scope: all\n    anthropic: {model: m}\ndefaultAction: ask\n"},
		{name: "a list as deep as its key", before: "version: 1\njudge:\n  providers:\n  - openai\n  scope: all\n", after: "version: 1\njudge:\n  enabled: true\n  providers: [ollama, openai]\n  scope: all\n"},
		{name: "again", before: "version: 1\njudge:\n  enabled: true\n  providers: [ollama]\n", after: "version: 1\njudge:\n  enabled: true\n  providers: [ollama]\n"},
		{name: "set up otherwise", before: "version: 1\njudge: {ollama: {model: a}}\n", set: Provider{Model: "b"}, err: "already has settings in"},
		{name: "a provider that does not exist", before: "version: 1\n", provider: "olama", set: Provider{Model: "b"}, err: `unknown provider "olama"`},
		{name: "an anchor", before: "version: 1\n\"judge\":\n  enabled: false\n", err: "cannot edit its judge"},
		{name: "over several lines", before: "version: 1\njudge: {enabled: false,\n  scope: all}\n", err: "cannot edit its judge"},
		{name: "a fault", before: "version: 1\njugde: {}\n", err: "jugde"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "policy.yaml")
			if tt.before != "" {
				if err := os.WriteFile(path, []byte(tt.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c, err := PlanJudge(path, cmp.Or(tt.provider, "ollama"), tt.set)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want one with %q", err, tt.err)
				}
				return
			}
			if err != nil || string(c.After) != tt.after {
				t.Fatalf("error %v, file\n%s\nwant\n%s", err, c.After, tt.after)
			}
			if err := c.Apply(); err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != tt.after {
				t.Errorf("error %v, the file has\n%s\nwant\n%s", err, b, tt.after)
			}
			off, err := PlanNoJudge(path)
			if err != nil || !strings.Contains(string(off.After), "enabled: false") {
				t.Fatalf("switched off: %v\n%s", err, off.After)
			}
			if err := off.Apply(); err != nil {
				t.Fatal(err)
			}
			if again, err := PlanNoJudge(path); err != nil || string(again.After) != string(off.After) {
				t.Errorf("switched off twice: %v\n%s\nwant no change of\n%s", err, again.After, off.After)
			}
			if c, err := PlanJudge(path, "ollama", Provider{}); err != nil || string(c.After) != tt.after {
				t.Errorf("switched off and on: %v\n%s\nwant\n%s", err, c.After, tt.after)
			}
		})
	}
}

// A judge that names no provider is switched off without a list of them.
func TestPlanNoJudge(t *testing.T) {
	for before, after := range map[string]string{
		"version: 1\njudge: {enabled: true}\n":                "version: 1\njudge: {enabled: false}\n",
		"version: 1\njudge:\n  scope: all\n  enabled: true\n": "version: 1\njudge:\n  enabled: false\n  scope: all\n",
		"version: 1\n": "version: 1\n", "": "",
	} {
		path := filepath.Join(t.TempDir(), "policy.yaml")
		if before != "" {
			if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if c, err := PlanNoJudge(path); err != nil || string(c.After) != after {
			t.Errorf("%q: got %q, %v, want %q", before, c.After, err, after)
		}
	}
}

// What was shown is what is written, or nothing is.
func TestJudgeChangedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	c, err := PlanJudge(path, "ollama", Provider{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("version: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(); err == nil || !strings.Contains(err.Error(), "in the meantime") {
		t.Error(err)
	}
}
