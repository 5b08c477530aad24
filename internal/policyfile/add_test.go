package policyfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

func TestAddAndRevoke(t *testing.T) {
	rule := policyfile.AllowRule{Pattern: `exec(go test *)`, Platform: "umpire", Without: umpire.Force | umpire.RunsProgram, Reason: `allowed by "ada"`}
	other := policyfile.AllowRule{Pattern: `write(/home/dev/a b/**)`, Platform: "umpire", Reason: "x"}
	for name, c := range map[string]struct{ before, after string }{
		"no file":         {"", ""},
		"no rules":        {"version: 1\ndefaultAction: ask\n", ""},
		"rules":           {"# mine\nversion: 1\nrules: # all of them\n  - deny: exec(x)\n    reason: why\nmodes:\n  network: deny-all\n", ""},
		"no last newline": {"version: 1", ""},
		"empty lines":     {"version: 1\n\n\n", ""},
		"rules, windows":  {"version: 1\r\nrules:\r\n  - deny: exec(x)\r\n", ""},
	} {
		path := filepath.Join(t.TempDir(), "conf", "policy.yaml")
		if c.before != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(c.before), 0o640); err != nil {
				t.Fatal(err)
			}
		}
		ids, err := policyfile.Add(path, rule, other)
		if err != nil || len(ids) != 2 {
			t.Errorf("%s: added %q, error %v; want two rules", name, ids, err)
			continue
		}
		if again, err := policyfile.Add(path, rule); err != nil || again[0] != ids[0] {
			t.Errorf("%s, once more: %v", name, err)
		}
		b, _ := os.ReadFile(path)
		f, err := policyfile.Parse(path, b, policy.User)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, b)
		}
		n := 0
		for _, r := range f.Rules {
			if r.ID == ids[0] {
				n++
				if r.Effect != umpire.Allow || r.When.Without != rule.Without || r.Match[0].String() != rule.Pattern || r.Reason != rule.Reason {
					t.Errorf("%s: rule %+v, want it to allow %s without %v, because %q", name, r, rule.Pattern, rule.Without, rule.Reason)
				}
			}
		}
		if n != 1 {
			t.Errorf("%s: the rule is there %d times", name, n)
		}
		// What one answer wrote goes with one word.
		if taken, err := policyfile.Revoke(path, ids[1]); err != nil || len(taken) != 2 || taken[0] != ids[1] || taken[1] != ids[0] {
			t.Errorf("%s: revoked %q, error %v; want %s, then %s", name, taken, err, ids[1], ids[0])
		}
		b, _ = os.ReadFile(path)
		if want := strings.TrimSuffix(c.before, "\n") + "\n"; c.before != "" && string(b) != want {
			t.Errorf("%s: left\n%q\nwant\n%q", name, b, want)
		}
		for _, id := range []string{ids[0], "deny-exec-x"} {
			if _, err := policyfile.Revoke(path, id); !errors.Is(err, policyfile.ErrNoAnswer) {
				t.Errorf("%s: revoked %s, which is not there: %v", name, id, err)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.lock")); len(left) > 0 {
			t.Errorf("%s: left %q, want no lock", name, left)
		}
	}
}

func TestAddLeavesFaultyFilesAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	for _, text := range []string{"version: 1\nrulez: []\n", "version: 1\nrules: [{deny: exec(x)}]\n", "garbage"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := policyfile.Add(path, policyfile.AllowRule{Pattern: "exec(ls)", Platform: "umpire", Reason: "x"}); err == nil {
			t.Errorf("%q was changed", text)
		}
		if b, _ := os.ReadFile(path); string(b) != text {
			t.Errorf("%q became %q, want it as it was", text, b)
		}
	}
	if _, err := policyfile.Add(path, policyfile.AllowRule{Pattern: "nonsense", Platform: "umpire"}); err == nil {
		t.Error("no pattern was added")
	}
}

func TestAddAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := policyfile.Add(path, policyfile.AllowRule{Pattern: "exec(tool" + string(rune('a'+i)) + ")", Platform: "umpire", Reason: "x"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	b, _ := os.ReadFile(path)
	f, err := policyfile.Parse(path, b, policy.User)
	if err != nil || len(f.Rules) != 20 {
		t.Errorf("error %v, %d rules; want 20", err, len(f.Rules))
	}
}

// A rule for some tools, or for what comes from the network, is read back as it was meant.
func TestAddForTools(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	rules := []policyfile.AllowRule{
		{Pattern: `exec(git commit -m 'it is "x" \*')`, Platform: "umpire", Tools: []string{"bash"}, Without: umpire.Force, Reason: "x"},
		{Pattern: `exec(git commit -m 'it is "x" \*')`, Platform: "umpire", Tools: []string{"a", "b"}, Foreign: true, Reason: "x"},
	}
	has := func(id string) bool {
		b, err := os.ReadFile(path)
		return err == nil && strings.Contains(string(b), "id: "+id+"\n")
	}
	ids, err := policyfile.Add(path, rules...)
	if err != nil || len(ids) != 2 || ids[0] == ids[1] || !has(ids[0]) {
		t.Fatal(ids, err)
	}
	b, _ := os.ReadFile(path)
	f, err := policyfile.Parse(path, b, policy.User)
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	for i, r := range f.Rules {
		if r.Match[0].String() != rules[i].Pattern || strings.Join(r.When.Tools, " ") != strings.Join(rules[i].Tools, " ") || (r.When.Tainted == nil) != rules[i].Foreign || r.When.Without != rules[i].Without {
			t.Errorf("rule %+v, want %+v", r, rules[i])
		}
	}
	if _, err := policyfile.Revoke(path, ids[0]); err != nil || has(ids[0]) || has(ids[1]) {
		t.Error(err)
	}
}

// A rule that is only observed is an entry of a list, which goes as it came.
func TestObserveRule(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	for _, before := range []string{"", "version: 1\n", "version: 1\n\n", "# mine\nversion: 1\nobserve:\n  - privilege # loud\nrules:\n  - deny: exec(zap)\n"} {
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second changes nothing
			if err := policyfile.ObserveRule(path, "git-reset-hard"); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(path)
		if err != nil || strings.Count(string(data), "  - git-reset-hard\n") != 1 {
			t.Errorf("error %v, want git-reset-hard once in %s", err, data)
		}
		if _, err := policyfile.Revoke(path, "git-reset-hard"); err != nil {
			t.Fatal(err)
		}
		if data, err = os.ReadFile(path); err != nil || strings.TrimPrefix(string(data), "version: 1\n") != strings.TrimPrefix(before, "version: 1\n") {
			t.Errorf("%v: %q is not %q", err, data, before)
		}
		if _, err := policyfile.Revoke(path, "git-reset-hard"); err == nil {
			t.Error("revoked twice")
		}
	}
	if err := policyfile.ObserveRule(path, "x\nrules:"); err == nil {
		t.Error("an ID with a line break")
	}
}

// Answers lists all that Revoke can remove: rules of answers, and rules that are only observed. It
// ends where the list ends.
func TestAnswers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	for text, want := range map[string][]string{
		"":             nil,
		"version: 1\n": nil,
		"version: 1\nobserve:\n  - git-reset-hard\n  - git-clean-force\n": {"git-reset-hard", "git-clean-force"},
		"version: 1\nobserve: # for now\r\n  - git-reset-hard \r\n":       {"git-reset-hard"},
		"version: 1\nobserve:\n  - git-reset-hard\npacks:\n  - core\n":    {"git-reset-hard"},
		"version: 1\nobserve: [git-reset-hard]\n":                         nil, // not in the form that Revoke edits
		"version: 1\nobserve:\n  - git-reset-hard\nrules: [{dny: x}]\n":   nil, // with a fault, nothing can be removed
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := policyfile.Answers(path); !slices.Equal(got, want) {
			t.Errorf("%q: answers %q, want %q", text, got, want)
		}
	}
	if got := policyfile.Answers(filepath.Join(t.TempDir(), "none.yaml")); got != nil {
		t.Errorf("no file: answers %q, want none", got)
	}
}
