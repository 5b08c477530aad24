package policyfile_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

// keys returns the keys of a policy.
func keys(t *testing.T) []string {
	t.Helper()
	var s struct{ Properties map[string]any }
	if err := json.Unmarshal(policyfile.Schema(), &s); err != nil || len(s.Properties) == 0 {
		t.Fatalf("the schema has %d keys, %v", len(s.Properties), err)
	}
	return slices.Sorted(maps.Keys(s.Properties))
}

// Each key of a policy refuses what it cannot mean: nothing, a mapping of another one, an anchor, a
// second value. The error names the key.
func TestEveryKeyRefusesNonsense(t *testing.T) {
	for _, key := range keys(t) {
		for _, value := range []string{"", "~", "null", "{no-such-key: {no-such-key: 1}}", "[[[{no-such-key: 1}]]]", "&anchor x", "*alias", "!!binary x"} {
			text := "version: 1\n" + key + ": " + value + "\n"
			if key == "version" {
				text = key + ": " + value + "\n"
			}
			_, err := policyfile.Parse("p.yaml", []byte(text), policy.User)
			var es policyfile.Errors
			if !errors.As(err, &es) || !slices.ContainsFunc(es, func(e *policyfile.SourceError) bool { return e.File == "p.yaml" && e.Line > 0 }) {
				t.Errorf("%q: got %v, want an error with its place", text, err)
			}
		}
		if _, err := policyfile.Parse("p.yaml", []byte("version: 1\n"+key+": x\n"+key+": x\n"), policy.User); err == nil {
			t.Errorf("%s twice: got no error", key)
		}
		near := key + "x"
		if _, err := policyfile.Parse("p.yaml", []byte("version: 1\n"+near+": x\n"), policy.User); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("unknown key %q", near)) {
			t.Errorf("%s: got %v, want that the key is unknown", near, err)
		}
	}
}

// A pack has a name, and rules with an ID, a reason and two examples of each sort; it has no setting.
func TestPackFaults(t *testing.T) {
	const rule = "  - id: a\n    deny: exec(a *)\n    reason: why\n"
	const examples = "    hits: [a b, a c]\n    misses: [b, c]\n"
	whole := "version: 1\nname: p\nrules:\n" + rule + examples
	if _, err := policyfile.ParsePack("p.yaml", []byte(whole)); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"empty":      {"", "the pack is empty"},
		"no version": {strings.Replace(whole, "version: 1\n", "", 1), "no version"},
		"version":    {strings.Replace(whole, "version: 1\n", "version: 2\n", 1), "version 2"},
		"no name":    {strings.Replace(whole, "name: p\n", "", 1), "the pack has no name"},
		"no id":      {strings.Replace(whole, "id: a\n    ", "", 1), "a pack's rule has no id"},
		"no reason":  {strings.Replace(whole, "    reason: why\n", "", 1), "a pack's rule has no reason"},
		"one hit":    {strings.Replace(whole, "a b, a c", "a b", 1), "fewer than two hits or misses"},
		"one miss":   {strings.Replace(whole, "b, c]\n", "b]\n", 1), "fewer than two hits or misses"},
		"no hits":    {strings.Replace(whole, "    hits: [a b, a c]\n", "", 1), "fewer than two hits or misses"},
		"no misses":  {strings.Replace(whole, "    misses: [b, c]\n", "", 1), "fewer than two hits or misses"},
		"twice":      {whole + rule + examples, "its id is taken"},
	} {
		if _, err := policyfile.ParsePack("p.yaml", []byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
		if tt.text == "" {
			continue
		}
		if list, err := policyfile.ParsePacks(fstest.MapFS{"a.yaml": {Data: []byte(whole)}, "b.yaml": {Data: []byte(tt.text)}}); err == nil {
			t.Errorf("%s beside a good pack: got %d packs, want an error", name, len(list))
		}
	}
	for key, value := range map[string]string{
		"defaultAction": "deny", "autoApprove": "true", "packs": "[core]", "disable": "[x]", "observe": "[x]", "allowedEndpoints": "[h.example]", "programs": "[{names: x}]",
		"modes": "{network: deny-all}", "judge": "{enabled: true}", "audit": "{keep: 3}", "mode": "observe", "approval": "{cannotAsk: wait}", "box": "{memory: 1}",
	} {
		if _, err := policyfile.ParsePack("p.yaml", []byte(whole+key+": "+value+"\n")); err == nil || !strings.Contains(err.Error(), "a pack holds rules only") {
			t.Errorf("a pack with %s: got %v, want that it holds rules only", key, err)
		}
	}
	if list, err := policyfile.ParsePacks(fstest.MapFS{"b.yaml": {Data: []byte(strings.Replace(whole, "name: p", "name: b", 1))}, "a.yaml": {Data: []byte(whole)}, "c.txt": {Data: []byte("x")}}); err != nil || len(list) != 2 || list[0].Name != "p" || list[1].Name != "b" {
		t.Errorf("two packs: got %d, %v, want them in the order of their files", len(list), err)
	}
}

// A mode that does something else than its name says has a warning, for each kind.
func TestModesThatAreNot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policy.yaml")
	for k := umpire.Kind(0); k < 100; k++ {
		if _, err := umpire.ParseKind(k.String()); err != nil {
			continue
		}
		for _, m := range []policy.Mode{policy.ApproveEach, policy.ApproveBulk, policy.AllowAll, policy.DenyAll} {
			text := fmt.Sprintf("version: 1\nmodes: {%s: %s}\n", k, m)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, l, err := policyfile.Compile(policyfile.Paths{User: file}, nil)
			if err != nil {
				continue // text and the like have no mode
			}
			var said []string
			for _, w := range l.Warnings {
				said = append(said, w.Msg)
			}
			got := strings.Join(said, "\n")
			want := ""
			switch {
			case m == policy.ApproveBulk:
				want = fmt.Sprintf("modes: %s: %s asks as approve-each does", k, m)
			case m == policy.AllowAll && policy.Hardened(k):
				want = fmt.Sprintf("modes: %s: %s counts as approve-each", k, m)
			}
			if want == "" != (got == "") || !strings.HasPrefix(got, want) {
				t.Errorf("%s: the warnings are %q, want %q", text, got, want)
			}
		}
	}
}

// One rule of an answer that an editor took out does not keep the others.
func TestRevokeWhatIsLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	ids, err := policyfile.Add(path, policyfile.AllowRule{Pattern: "exec(a)", Platform: "umpire"}, policyfile.AllowRule{Pattern: "exec(b)", Platform: "umpire"}, policyfile.AllowRule{Pattern: "exec(c)", Platform: "umpire"})
	if err != nil || len(ids) != 3 {
		t.Fatalf("added %q, error %v; want 3 rules", ids, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from := strings.Index(string(data), "  - id: "+ids[1])
	to := strings.Index(string(data), "  - id: "+ids[2])
	if from < 0 || to < from {
		t.Fatalf("the rules are not in order:\n%s", data)
	}
	if err := os.WriteFile(path, slices.Concat(data[:from], data[to:]), 0o600); err != nil {
		t.Fatal(err)
	}
	taken, err := policyfile.Revoke(path, ids[0])
	if err != nil || !slices.Equal(taken, []string{ids[0], ids[2]}) || len(policyfile.Answers(path)) != 0 {
		t.Errorf("took %q, %v, left %q; want the two that are there", taken, err, policyfile.Answers(path))
	}
}

// A list that is written on one line is left alone, wherever it stands.
func TestObserveOnOneLine(t *testing.T) {
	for _, text := range []string{"observe: [a]\nversion: 1\n", "version: 1\nobserve: [a]\n", "version: 1\nobserve: []\nrules: []\n"} {
		path := filepath.Join(t.TempDir(), "policy.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := policyfile.ObserveRule(path, "b"); err == nil || !strings.Contains(err.Error(), "write each rule on a separate line") {
			t.Errorf("%q: got %v, want an error that says what to do", text, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q became %q, error %v; want it as it was", text, got, err)
		}
	}
	for _, id := range []string{"", "A", "-a", "a b", "a\n", strings.Repeat("a", 102)} {
		path := filepath.Join(t.TempDir(), "policy.yaml")
		if err := policyfile.ObserveRule(path, id); err == nil {
			t.Errorf("observes %q, which is no ID", id)
		}
		if _, err := policyfile.Revoke(path, id); err == nil {
			t.Errorf("revokes %q, which is no ID", id)
		}
	}
}
