package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model that is asked for and not there is a fault of the file, with its line and column.
func TestGuardModelsMissing(t *testing.T) {
	dir := newProject(t)
	for _, name := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "GITHUB_TOKEN"} {
		t.Setenv(name, "")
	}
	unknown := newFakeModel(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error":{"message":"the model does not exist"}}`)
	})
	path := filepath.Join(dir, "guard.yaml")
	for text, want := range map[string][]string{
		"guard:\n  injectionJudge: true\n":                                                   {"guard.yaml:2:19: injectionJudge: ", "a model is needed"},
		"guard:\n  classification:\n    enabled: true\n    model: true\n":                    {"guard.yaml:4:12: classification.model: ", "a model is needed"},
		"guard:\n  classification: {enabled: true, model: true}\n  injectionJudge: true\n":   {"guard.yaml:2:42: classification.model", "guard.yaml:3:19: injectionJudge"},
		"guard:\n  classifier: {protocol: llama-gard, url: x}\n":                             {`guard.yaml:2:26: classifier.protocol: unknown protocol "llama-gard"`},
		"guard:\n  classifier:\n    protocol: llama-guard\n    url: http://127.0.0.1:1/v1\n": {"guard.yaml:3:13: classifier.model: missing"},
		"guard:\n  classifier:\n    protocol: moderation\n    model: m\n    key: env:NO_SUCH_KEY\n    url: http://127.0.0.1:1/v1\n": {
			"guard.yaml:5:10: classifier.key: $NO_SUCH_KEY is not set"},
		"guard:\n  classifier:\n    protocol: moderation\n    url: " + unknown.URL + "\n    model: omni\n": {"guard.yaml:5:12: classifier.model: the service knows no such model"},
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, exit := runUmpire(t, dir, "", "guard", "serve", "--listen", "127.0.0.1:0", "--config", path)
		if exit != 1 {
			t.Errorf("%s: exit %d", text, exit)
		}
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s: %q is not in\n%s", text, w, out)
			}
		}
	}
}

// A server with a classifier asks it, holds to its failure mode and counts the failures.
func TestGuardServeClassifier(t *testing.T) {
	down := false
	m := newFakeModel(t, func(w http.ResponseWriter, _ *http.Request) {
		if down {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		fmt.Fprint(w, `[[{"label":"INJECTION","score":0.97},{"label":"SAFE","score":0.03}]]`)
	})
	for mode, verdict := range map[string]string{"open": `"verdict":"allow"`, "closed": `"verdict":"reject"`} {
		down = false
		dir := newProject(t)
		path := filepath.Join(dir, "guard.yaml")
		text := "guard:\n  classifier: {protocol: text-classification, url: " + m.URL + ", ask: always, failure: " + mode + "}\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		at, end := guardServer(t, "--config", path)
		input := func(text string) string {
			code, got := ask(t, "POST", at+"/v1/guard/input", `{"text":"`+text+`"}`, "Content-Type", "application/json")
			if code != 200 {
				t.Fatalf("got status %d, want 200: %s", code, got)
			}
			return got
		}
		if got := input("What is the capital of France?"); !strings.Contains(got, "PROMPT_INJECTION") {
			t.Errorf("%s: the attack: want PROMPT_INJECTION: %s", mode, got)
		}
		down = true
		got := input("What is the capital of Spain?")
		if !strings.Contains(got, verdict) {
			t.Errorf("%s: the harmless text: want %s: %s", mode, verdict, got)
		}
		log, err := end()
		if err != nil || strings.Contains(log, "Spain") {
			t.Errorf("the server ended: %v; its log must not hold what was checked:\n%s", err, log)
		}
		if mode == "open" && !strings.Contains(log, "a model failed") {
			t.Errorf("the failure is not in the log: %s", log)
		}
	}
}

// Without a configuration a text has at most 10,000 characters, also in scripts whose
// characters have several bytes.
func TestGuardServeLength(t *testing.T) {
	newProject(t)
	at, end := guardServer(t)
	for _, c := range []string{"a ", "é "} {
		for n, want := range map[int]string{4999: `"verdict":"allow"`, 5001: "INVALID_INPUT"} {
			_, got := ask(t, "POST", at+"/v1/guard/input", `{"text":"`+strings.Repeat(c, n)+`"}`, "Content-Type", "application/json")
			if !strings.Contains(got, want) {
				t.Errorf("%d times %q: %.200s", n, c, got)
			}
		}
	}
	if _, err := end(); err != nil {
		t.Error(err)
	}
}
