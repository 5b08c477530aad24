package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/cmd/umpire/setup"
)

// sessionLine is a call in Claude Code's format.
func sessionLine(t *testing.T, dir, command string, when time.Time) string {
	t.Helper()
	text, err := json.Marshal(command)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"sessionId":"s","cwd":%q,"timestamp":%q,"message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":%s}}]}}`+"\n", dir, when.UTC().Format(time.RFC3339), text)
}

func TestReplayFolder(t *testing.T) {
	dir := newProject(t)
	now := time.Now()
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	store := filepath.Join(os.Getenv("HOME"), ".claude", "projects")
	strict := filepath.Join(dir, "strict")
	put(filepath.Join(strict, ".umpire.yaml"), "version: 1\nrules:\n  - id: no-frob\n    deny: exec(frob *)\n    reason: not here\n")
	hostile := "git push --force origin '\x1b]0;x\x07\u202e</style><script>alert(1)</script>'"
	put(filepath.Join(store, "a", "1.jsonl"), sessionLine(t, dir, "ls", now)+sessionLine(t, dir, "frob x", now)+sessionLine(t, strict, "frob x", now)+
		sessionLine(t, dir, hostile, now)+sessionLine(t, dir, "git push --force origin feature", now)+sessionLine(t, dir, "rm -rf ~", now.AddDate(0, 0, -60)))
	page := filepath.Join(dir, "page.html")
	out, exit := runUmpire(t, dir, "", "replay", "--since", "30d", "--html", page)
	if exit != 0 || !strings.Contains(out, "5 calls: 2 allowed, 1 asked, 2 denied") || !strings.Contains(out, "no-frob: 0 asked, 1 denied") || !strings.Contains(out, "1.0 questions per day, 200.0 per 1,000") {
		t.Errorf("exit %d: %s", exit, out)
	}
	if strings.ContainsAny(out, "\x1b\x07\u202e") {
		t.Errorf("the output steers a terminal: %q", out)
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	_, style, _ := strings.Cut(text, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	sum := sha256.Sum256([]byte(style))
	if strings.Contains(text, "<script") || strings.ContainsAny(text, "\x1b\x07\u202e") || !strings.Contains(text, "<svg") || strings.Count(text, "</style>") != 1 ||
		!strings.Contains(strings.NewReplacer("&#43;", "+", "&#39;", "'").Replace(text), base64.StdEncoding.EncodeToString(sum[:])) || !strings.Contains(style, "{") {
		t.Errorf("the page's policy does not name the hash of its only style:\n%s", text)
	}
	out, exit = runUmpire(t, dir, "", "replay", "--json", store)
	var doc struct {
		Calls, Asked, Denied int
		Rules                []struct{ Rule string }
		ByDay                []struct{ Calls int }
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || exit != 0 || doc.Calls != 6 || doc.Denied != 3 || len(doc.Rules) != 4 || len(doc.ByDay) != 2 {
		t.Errorf("%v: exit %d: %s", err, exit, out)
	}
}

// A warning about lines that cannot be read says where the first one is.
func TestReplayNamesSkippedLine(t *testing.T) {
	dir := newProject(t)
	text := sessionLine(t, dir, "ls", time.Now()) + "{cut\n{cut\n"
	path := filepath.Join(dir, "s\x1b.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ in, arg, where string }{{"", path, strings.ReplaceAll(path, "\x1b", `\x1b`)}, {text, "-", "standard input"}} {
		if out, exit := runUmpire(t, dir, tt.in, "replay", tt.arg); exit != 0 || !strings.Contains(out, "not JSON: 2 lines; the first is "+tt.where+":2\n") {
			t.Errorf("%s: exit %d: %q", tt.where, exit, out)
		}
	}
}

// Secrets of a transcript are not shown again.
func TestReplayMasks(t *testing.T) {
	dir := newProject(t)
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	out, _ := runUmpire(t, dir, sessionLine(t, dir, "git push --force https://x:"+secret+"@github.com/a/b main", time.Now()), "replay", "--json", "--calls=false", "-")
	if strings.Contains(out, secret) || !strings.Contains(out, "push --force") {
		t.Errorf("report: want the command without the secret:\n%s", out)
	}
}

// On a machine without sessions, init says so and succeeds.
func TestHistoryOfNewMachine(t *testing.T) {
	t.Chdir(newProject(t))
	p := &scripted{}
	if err := setup.OfferHistory(t.Context(), p, true); err != nil || !strings.HasPrefix(p.String(), "No sessions of agents are recorded") {
		t.Errorf("OfferHistory: got %v, and on the terminal %q; want no error, and a reason", err, p)
	}
	p = &scripted{}
	if err := setup.OfferHistory(t.Context(), p, false); err != nil || p.Len() > 0 {
		t.Errorf("OfferHistory without --history: got %v, and on the terminal %q; want nothing", err, p)
	}
}

// A transcript can name any folder: rules are only offered for projects that are here, and no
// folder is made for them.
func TestHistoryOfProjectThatIsGone(t *testing.T) {
	dir := newProject(t)
	t.Chdir(dir)
	home := os.Getenv("HOME")
	gone := filepath.Join(home, "gone")
	store := filepath.Join(home, ".claude", "projects", "a")
	if err := os.MkdirAll(store, 0o755); err != nil {
		t.Fatal(err)
	}
	publish := func(dir string) string { return sessionLine(t, dir, "npm publish", time.Now()) }
	for name, tt := range map[string]struct {
		lines string
		here  bool
	}{"gone": {publish(gone), false}, "both": {publish(gone) + strings.Replace(publish(dir), `"s"`, `"s2"`, 1), true}} {
		if err := os.WriteFile(filepath.Join(store, "1.jsonl"), []byte(tt.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		p := &scripted{lines: []string{"p", "n", "q"}}
		if err := setup.OfferHistory(t.Context(), p, true); err != nil {
			t.Fatalf("%s: OfferHistory: %v", name, err)
		}
		if text := p.String(); strings.Contains(text, "p allow these in "+dir+",") != tt.here || strings.Contains(text, gone) {
			t.Errorf("%s: the offer is wrong (want one for this folder: %v):\n%s", name, tt.here, text)
		}
	}
	if _, err := os.Stat(gone); err == nil {
		t.Error("the folder was made")
	}
}

// Keys that cannot work are not offered: no rule can allow a call with another user's rights.
func TestHistoryOffersWhatCanWork(t *testing.T) {
	dir := newProject(t)
	t.Chdir(dir)
	store := filepath.Join(os.Getenv("HOME"), ".claude", "projects", "a")
	if err := os.MkdirAll(store, 0o755); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"sudo apt install jq": "no rule can allow them.\nk keep asking, l only log, q quit [k] ",
		"npm publish":         "k keep asking, p allow these in " + dir + ", a allow these always, l only log, q quit [k] ",
	} {
		if err := os.WriteFile(filepath.Join(store, "1.jsonl"), []byte(sessionLine(t, dir, command, time.Now())), 0o600); err != nil {
			t.Fatal(err)
		}
		p := &scripted{lines: []string{"q"}}
		if err := setup.OfferHistory(t.Context(), p, true); err != nil {
			t.Fatalf("%s: OfferHistory: %v", command, err)
		}
		if text := p.String(); !strings.Contains(text, want) {
			t.Errorf("%s: want %q in the offer:\n%s", command, want, text)
		}
	}
}

// A rule that asks in several projects is answered for those that the person picks.
func TestHistoryOfSeveralProjects(t *testing.T) {
	dir := newProject(t)
	t.Chdir(dir)
	home := os.Getenv("HOME")
	ownPolicy(t, "defaultAction: ask\n")
	store := filepath.Join(home, ".claude", "projects", "a")
	if err := os.MkdirAll(store, 0o755); err != nil {
		t.Fatal(err)
	}
	projects, lines := []string{}, ""
	for i, name := range []string{"first", "second", "third"} {
		path := filepath.Join(home, "src", name)
		if err := os.MkdirAll(filepath.Join(path, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		projects = append(projects, path)
		for n := range 4 - i {
			lines += strings.Replace(sessionLine(t, path, fmt.Sprintf("frob --part %d", n), time.Now()), `"s"`, fmt.Sprintf(`"%s"`, name), 1)
		}
	}
	if err := os.WriteFile(filepath.Join(store, "1.jsonl"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		said    string
		written []bool
	}{{"4", []bool{false, false, false}}, {"3, 1", []bool{true, false, true}}, {"a", []bool{true, true, true}}} {
		p := &scripted{lines: []string{"p", tt.said, "y", "y", "y", "q"}}
		if err := setup.OfferHistory(t.Context(), p, true); err != nil {
			t.Fatalf("answered %q: OfferHistory: %v", tt.said, err)
		}
		if text := p.String(); !strings.Contains(text, "p allow these in some of 3 projects,") || !strings.Contains(text, "1  "+projects[0]+" (4 questions)") {
			t.Errorf("answered %q: want an offer for 3 projects, the first with 4 questions:\n%s", tt.said, text)
		}
		for i, path := range projects {
			if _, err := os.Stat(filepath.Join(path, ".umpire.yaml")); (err == nil) != tt.written[i] {
				t.Errorf("%s: %s: %v, want written %v\n%s", tt.said, path, err, tt.written[i], p.String())
			}
			if err := os.RemoveAll(filepath.Join(path, ".umpire.yaml")); err != nil {
				t.Fatal(err)
			}
		}
	}
}
