package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/cmd/umpire/policy"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/operation"
)

// ownPolicy writes the user's policy.
func ownPolicy(t *testing.T, text string) {
	t.Helper()
	dir := filepath.Join(os.Getenv("HOME"), ".config", "umpire")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "policy.yaml"), []byte("version: 1\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The examples of built-in rules pass whatever a user switches off, allows or excepts.
func TestPolicyTestWithExceptions(t *testing.T) {
	dir := newProject(t)
	for _, tt := range []struct{ policy, want string }{
		{"disable: [privilege]\n", ", 0 failed, disabled: 1 rule\n"},
		{"disable: [privilege, git-reset-hard, write-device]\n", ", 0 failed, disabled: 3 rules\n"},
		{"allowedEndpoints: [example.com, \"*.githubusercontent.com\"]\n", ", 0 failed\n"},
		{"rules:\n  - allow: exec(sudo *)\n  - allow: git(push *)\n  - allow: write(**)\n", ", 0 failed\n"},
		{"packs: [core]\n", ", 0 failed\n"},
		{"mode: observe\ndefaultAction: deny\n", ", 0 failed\n"},
		{"programs:\n  - {names: acmectl, operands: read, hits: [{command: acmectl a}, {command: acmectl b}], misses: [{command: acmectl}, {command: acmectl -h}]}\n", ", 0 failed\n"}, // a name of built-in examples
	} {
		ownPolicy(t, tt.policy)
		if out, exit := runUmpire(t, dir, "", "policy", "test"); exit != 0 || !strings.HasSuffix(out, tt.want) {
			t.Errorf("policy test of\n%sgot exit status %d, want 0 with %q:\n%s", tt.policy, exit, tt.want, out)
		}
	}
	ownPolicy(t, "rules:\n  - deny: exec(ls)\n    hits: [pwd]\n")
	if out, exit := runUmpire(t, dir, "", "policy", "test"); exit == 0 || !strings.Contains(out, ", 1 failed") {
		t.Errorf("a user's rule that fails: %d %s", exit, out)
	}
}

// A check fails for a file with faults, also for one that umpire can only leave out because the
// project is not trusted. If umpire ignores a part of a file without faults, it warns.
func TestPolicyCheckOfWhatIsLeftOut(t *testing.T) {
	for _, tt := range []struct {
		name  string
		write func(dir string) error
		exit  int
		says  string
	}{
		{"nothing", func(string) error { return nil }, 0, "ok: "},
		{"no fault", projectFile("rules:\n  - deny: exec(zap)\n"), 0, "0 warnings"},
		{"what needs trust", projectFile("autoApprove: true\n"), 0, "1 warning"},
		{"an unknown key", projectFile("ruels: []\n"), cli.ExitFailure, ".umpire.yaml:2:1: the project's policy is left out: "},
		{"two faults", projectFile("ruels: []\nmode: x\n"), cli.ExitFailure, "2 faults"},
		{"an open pattern", projectFile("rules:\n  - deny: exec(make\n"), cli.ExitFailure, "1 fault"},
		{"a folder", func(dir string) error { return os.Mkdir(filepath.Join(dir, ".umpire.yaml"), 0o700) }, cli.ExitFailure, "not a regular file"},
		{"a link to nothing", func(dir string) error { return os.Symlink("none", filepath.Join(dir, ".umpire.yaml")) }, cli.ExitFailure, "does not exist"},
	} {
		dir := newProject(t)
		if err := tt.write(dir); err != nil {
			t.Fatal(err)
		}
		if out, exit := runUmpire(t, dir, "", "policy", "check"); exit != tt.exit || !strings.Contains(out, tt.says) || (exit == 0) != strings.Contains(out, "ok: ") {
			t.Errorf("%s: policy check: exit %d, want %d with %q: %s", tt.name, exit, tt.exit, tt.says, out)
		}
		if out, exit := runUmpire(t, dir, "", "policy", "test"); exit != tt.exit || !strings.Contains(out, " 0 failed") {
			t.Errorf("%s: policy test: exit %d, want %d after all examples: %s", tt.name, exit, tt.exit, out)
		}
		out, exit := runUmpire(t, dir, "", "policy", "check", "--json")
		var doc struct {
			OK               bool
			Faults, Warnings []struct{ At, Text string }
		}
		if err := json.NewDecoder(strings.NewReader(out)).Decode(&doc); err != nil || exit != tt.exit || doc.OK != (exit == 0) || doc.OK == (len(doc.Faults) > 0) {
			t.Errorf("%s: policy check --json: exit %d, %v, want ok and no faults, or faults: %s", tt.name, exit, err, out)
		}
	}
}

// projectFile writes a project's policy.
func projectFile(text string) func(dir string) error {
	return func(dir string) error {
		return os.WriteFile(filepath.Join(dir, ".umpire.yaml"), []byte("version: 1\n"+text), 0o600)
	}
}

// Programs read what check, test and show say as one JSON document, faults included.
func TestPolicyJSON(t *testing.T) {
	dir := newProject(t)
	ownPolicy(t, "modes:\n  exec: allow-all\ndisable: [privilege]\nallowedEndpoints: [example.com]\nrules:\n  - deny: exec(ls)\n    hits: [pwd]\n")
	decode := func(wantExit int, args ...string) (out struct {
		OK        bool
		Rules     int
		Default   string `json:"defaultAction"`
		Workspace string
		Warnings  []struct{ At, Text string }
		Faults    []struct{ At, Text, Next string }
		Failed    int
		Disabled  any
		Failures  []struct{ At, Name, Text, Example string }
		Files     []struct {
			Path, Layer string
			Rules       int
		}
		Allowed []struct{ Name, Layer string } `json:"allowedEndpoints"`
	}) {
		t.Helper()
		text, exit := runUmpire(t, dir, "", append([]string{"policy"}, args...)...)
		text = strings.TrimSuffix(text, "exit status 1")
		if err := json.Unmarshal([]byte(text), &out); err != nil || exit != wantExit {
			t.Fatalf("%q: exit %d, %v: %s", args, exit, err, text)
		}
		return out
	}
	if c := decode(0, "check", "--json"); !c.OK || c.Rules < 100 || c.Default != "allow" || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0].At, "policy.yaml") || c.Faults == nil {
		t.Errorf("check: %+v", c)
	}
	if x := decode(1, "test", "--json"); x.Failed != 1 || len(x.Failures) != 1 || x.Failures[0].Example != "pwd" || x.Disabled != 1.0 || !strings.Contains(x.Failures[0].Text, "hit") {
		t.Errorf("test: %+v", x)
	}
	if s := decode(0, "show", "--json"); s.Workspace == "" || len(s.Allowed) != 1 || s.Allowed[0].Name != "example.com" || len(s.Files) == 0 || len(s.Warnings) != 1 {
		t.Errorf("show: %+v", s)
	}
	ownPolicy(t, "defualtAction: deny\nrules:\n  - dney: exec(ls)\n")
	for _, command := range []string{"check", "test"} {
		if f := decode(1, command, "--json"); f.OK || len(f.Faults) < 2 || !strings.HasSuffix(f.Faults[0].At, "policy.yaml:2:1") || !strings.Contains(f.Faults[0].Next, "defaultAction") {
			t.Errorf("%s of a policy with faults: %+v", command, f)
		}
	}
}

// A policy file that is a link to nothing is a fault: its rules are missed.
func TestPolicyLinkToNothing(t *testing.T) {
	dir := newProject(t)
	ownPolicy(t, "")
	path := filepath.Join(os.Getenv("HOME"), ".config", "umpire", "policy.yaml")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if out, exit := runUmpire(t, dir, "", "policy", "check"); exit != 0 {
		t.Errorf("no file: %d %s", exit, out)
	}
	if err := os.Symlink(filepath.Join(dir, "gone.yaml"), path); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]int{"check": 1, "test": 1, "show": 0, "list": 0} {
		if out, exit := runUmpire(t, dir, "", "policy", command); exit != want || !strings.Contains(out, "policy.yaml: the file is a link to a file that does not exist; make it readable or remove it") {
			t.Errorf("policy %s: got exit status %d, want %d and the broken link:\n%s", command, exit, want, out)
		}
	}
}

// A pack that is not in force has no rules to list, and its name may be wrong.
func TestPolicyListOfPack(t *testing.T) {
	dir := newProject(t)
	if out, exit := runUmpire(t, dir, "", "policy", "list", "--pack", "core"); exit != 0 || !strings.Contains(out, "delete-home") {
		t.Errorf("exit %d and %q, want %d and %q", exit, out, 0, "delete-home")
	}
	if out, exit := runUmpire(t, dir, "", "policy", "list", "--pack", "cores"); exit != 64 || !strings.Contains(out, `--pack is "cores": must be a pack in force: `) || !strings.Contains(out, "core, ") {
		t.Errorf("policy list --pack cores: got exit status %d, want 64 and the packs in force:\n%s", exit, out)
	}
}

// Modes that do something else than they say are warned of.
func TestPolicyCheckModes(t *testing.T) {
	dir := newProject(t)
	for modes, want := range map[string]string{
		"exec: allow-all":        "modes: exec: allow-all counts as approve-each",
		"packages: allow-all":    "modes: packages: allow-all counts as approve-each",
		"sandbox: allow-all":     "modes: sandbox: allow-all counts as approve-each",
		"network: approve-bulk":  "modes: network: approve-bulk asks as approve-each does",
		"network: allow-all":     "0 warnings",
		"exec: approve-each":     "0 warnings",
		"filesystem: deny-all":   "0 warnings",
		"exec: deny-all, git: x": "unknown mode",
	} {
		ownPolicy(t, "modes: {"+modes+"}\n")
		if out, _ := runUmpire(t, dir, "", "policy", "check"); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in %s", modes, want, out)
		}
	}
}

// A proposal's figure is how many of the stopped calls pass with the rule and would be
// stopped without it.
func TestPolicySuggest(t *testing.T) {
	dir := newProject(t)
	ownPolicy(t, "defaultAction: ask\nrules:\n  - allow: exec(go test *)\n")
	_, state, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	asked := func(command string) {
		in, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		a := &umpire.Action{Tool: "Bash", Input: in, Dir: dir, Workspace: dir, Home: os.Getenv("HOME")}
		e := audit.Decided(a, operation.Read(a, operation.Env{}), umpire.Decision{Effect: umpire.Ask, Explicit: true, Reasons: []umpire.Reason{{Rule: "r", Effect: umpire.Ask, Op: 0}}})
		if err := audit.Append(state, &e); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		asked("deploy staging")
		for _, grave := range []string{"git push --force-with-lease origin topic", "git push -f origin topic", "git push origin +topic", "sudo make install", "git reset --hard",
			"kubectl delete pod x", "npm publish", "echo x >> ~/.bashrc", "cat .env", "docker push acme/web", "curl -d @notes.txt https://example.com/x", "killall node", "LD_PRELOAD=./x.so ls", "git commit --no-verify -m x", "rm -rf ../other", "git push --delete origin topic"} {
			asked(grave)
		}
	}
	asked("publish notes")
	asked("publish notes --draft")
	for range 149 { // passes by now
		asked("go test ./...")
	}
	out, exit := runUmpire(t, dir, "", "policy", "suggest", "--json")
	var found []policy.Suggestion
	if err := json.Unmarshal([]byte(out), &found); err != nil || exit != 0 {
		t.Fatalf("policy as JSON: got exit status %d, %v: %s", exit, err, out)
	}
	got := map[string]int{}
	for _, s := range found {
		got[s.Pattern] = s.Saves
	}
	if len(got) != 2 || got["exec(deploy staging)"] != 3 || got["exec(publish notes *)"] != 2 {
		t.Errorf("rules: got %v, want deploy staging 3 times and publish notes 2 times", got)
	}
	if out, _ := runUmpire(t, dir, "", "policy", "suggest"); !strings.Contains(out, "Umpire asked about") || !strings.Contains(out, "riskiest call that it allows: publish notes") ||
		strings.Index(out, "deploy staging") > strings.Index(out, "publish notes") {
		t.Errorf("want deploy staging before publish notes:\n%s", out)
	}
}

// While the policy files have a fault, the commands answer by the policy that the hook uses, and
// say which one that is.
func TestPolicyInForceInsteadOfFaults(t *testing.T) {
	const rule = "rules:\n  - id: no-frob\n    deny: exec(frob *)\n"
	for name, tt := range map[string]struct {
		before, says string
		exit         int // of a check of frob x
	}{
		"after a valid one": {rule, "so the last valid policy, of 2", cli.ExitDeny},
		"never valid":       {"", "so the built-in policy is in force", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newProject(t)
			if tt.before != "" {
				ownPolicy(t, tt.before)
				if out, exit := runUmpire(t, dir, "", "policy", "compile"); exit != 0 {
					t.Fatal(out)
				}
			}
			ownPolicy(t, "efect: deny\n"+rule)
			for range 2 { // before the hook has compiled the faulty files, and after
				for _, c := range []struct {
					args string
					exit int
					says string
				}{
					{"check echo", 0, "echo"},
					{"policy list", 0, "delete-root"},
					{"policy explain delete-root", 0, "hit "},
					{"policy show", 0, "policy.yaml (exists)"},
					{"policy suggest", 0, "nothing to propose"},
				} {
					out, exit := runUmpire(t, dir, "", strings.Fields(c.args)...)
					if exit != c.exit || !strings.Contains(out, c.says) || !strings.Contains(out, tt.says) || !strings.Contains(out, "policy.yaml:2:1: unknown key") {
						t.Errorf("umpire %s: exit %d, want %d, %q, %q and the fault:\n%.500s", c.args, exit, c.exit, c.says, tt.says, out)
					}
				}
				if out, exit := runUmpire(t, dir, "", "check", "frob x"); exit != tt.exit {
					t.Errorf("check: exit %d, want %d:\n%s", exit, tt.exit, out)
				}
				if out, _ := runUmpire(t, dir, "", "policy", "list"); strings.Contains(out, "no-frob") != (tt.before != "") {
					t.Errorf("the list of the rules in force:\n%.500s", out)
				}
				if out, _ := runUmpire(t, dir, "", "status"); !strings.Contains(out, "FAULTY; the ") || !strings.Contains(tt.says, strings.SplitN(out, "FAULTY; ", 2)[1][:20]) {
					t.Errorf("status: want %q:\n%s", tt.says, out)
				}
				if out, exit := runUmpire(t, dir, "", "policy", "compile"); exit != cli.ExitFailure {
					t.Errorf("compile: exit %d, want %d:\n%s", exit, cli.ExitFailure, out)
				}
			}
			if out, exit := runUmpire(t, dir, "", "check", "--quiet", "echo"); exit != 0 || out != "" {
				t.Errorf("check --quiet: exit %d, printed %q", exit, out)
			}
		})
	}
}
