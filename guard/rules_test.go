package guard_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/umpire-dev/umpire/guard"
)

func TestPatterns(t *testing.T) {
	for name, tt := range map[string]struct {
		rules []guard.Rule
		text  string
		want  string
		cat   guard.Category
	}{
		"mask":              {[]guard.Rule{{ID: "a", Action: guard.RuleMask, Pattern: `\bfoo\d+`}}, "foo1 xfoo2 foo3", "[MASKED] xfoo2 [MASKED]", ""},
		"replace":           {[]guard.Rule{{ID: "a", Action: guard.RuleReplace, Literals: []string{"a.b", "$1"}, Replacement: "$0"}}, "a.b axb $1", "$0 axb $0", ""},
		"remove":            {[]guard.Rule{{ID: "a", Action: guard.RuleReplace, Pattern: "x"}}, "axb", "ab", ""},
		"reject":            {[]guard.Rule{{ID: "a", Pattern: "x"}}, "axb", "", guard.Blocked},
		"case":              {[]guard.Rule{{ID: "a", Action: guard.RuleMask, Literals: []string{"éa"}, IgnoreCase: true}}, "ÉA éa", "[MASKED] [MASKED]", ""},
		"longest literal":   {[]guard.Rule{{ID: "a", Action: guard.RuleMask, Literals: []string{"a", "ab"}}}, "ab a", "[MASKED] [MASKED]", ""},
		"first in the list": {[]guard.Rule{{ID: "a", Action: guard.RuleMask, Pattern: "ab", Replacement: "1"}, {ID: "b", Action: guard.RuleMask, Pattern: "abc", Replacement: "2"}}, "abc", "1c", ""},
		"first in the text": {[]guard.Rule{{ID: "a", Action: guard.RuleMask, Pattern: "bc", Replacement: "1"}, {ID: "b", Action: guard.RuleMask, Pattern: "ab", Replacement: "2"}}, "abc", "2c", ""},
		"disabled":          {[]guard.Rule{{ID: "a", Disabled: true, Pattern: "x"}}, "x", "x", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := guard.NewOutput([]guard.OutputStage{must[guard.OutputStage](t)(guard.Patterns(tt.rules))})
			if got := p.Check(t.Context(), tt.text, guard.Answer{}); got.Text != tt.want || got.Category != tt.cat {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A bad rule is refused at the door, and says why.
func TestRuleRefused(t *testing.T) {
	for want, r := range map[string]guard.Rule{
		"lower-case letters":        {ID: "A b", Pattern: "x"},
		"1 to 64":                   {Pattern: "x"},
		"unknown action":            {ID: "a", Action: "delete", Pattern: "x"},
		"either":                    {ID: "a"},
		"either a":                  {ID: "a", Pattern: "x", Literals: []string{"y"}},
		"missing closing )":         {ID: "a", Pattern: "(x"},
		"no look-around":            {ID: "a", Pattern: "(?=x)y"},
		"empty text":                {ID: "a", Pattern: "x*"},
		"1001 bytes":                {ID: "a", Pattern: strings.Repeat("x", 1001)},
		"too complex":               {ID: "a", Pattern: "(a|b){900}(c|d){900}"},
		"a literal has":             {ID: "a", Literals: []string{"x", ""}},
		"101 literals":              {ID: "a", Literals: make([]string, 101)},
		"does not match its sample": {ID: "a", Pattern: "x", Samples: &guard.RuleSamples{Match: []string{"y"}}},
		"matches \"ax\", which":     {ID: "a", Pattern: "x", Samples: &guard.RuleSamples{NoMatch: []string{"ax"}}},
		"UTF-8":                     {ID: "a", Pattern: "\xff"},
		"have at most":              {ID: "a", Pattern: "x", Replacement: strings.Repeat("x", 1001)},
	} {
		_, err := guard.Patterns([]guard.Rule{{ID: "fine", Pattern: "x"}, r})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		rules := must[*guard.Rules](t)(guard.NewRules(nil, nil))
		if _, err := rules.Put("me", -1, r); err == nil || rules.Current().Version != 0 {
			t.Errorf("%s: put: %v", want, err)
		}
	}
	if _, err := guard.Patterns([]guard.Rule{{ID: "a", Pattern: "x"}, {ID: "a", Pattern: "y"}}); err == nil {
		t.Error("the same id twice")
	}
}

func TestRules(t *testing.T) {
	store := guard.FileRules{Path: filepath.Join(t.TempDir(), "rules.json")}
	var told []string
	rules := must[*guard.Rules](t)(guard.NewRules(store, func(s guard.RuleSet) { told = append(told, fmt.Sprintf("%d %s by %s", s.Version, s.Change, s.By)) }))
	p := guard.NewOutput([]guard.OutputStage{rules.Stage()})
	says := func(text string) string { return p.Check(t.Context(), text, guard.Answer{}).Text }
	if got := says("secret"); got != "secret" {
		t.Errorf("no rules: %q", got)
	}
	set := must[guard.RuleSet](t)(rules.Put("alice", 0, guard.Rule{ID: "one", Action: guard.RuleMask, Pattern: "secret"}))
	if got := says("a secret"); got != "a [MASKED]" || set.Version != 1 {
		t.Errorf("%q, version %d", got, set.Version)
	}
	if _, err := rules.Put("bob", 0, guard.Rule{ID: "one", Pattern: "x"}); !errors.Is(err, guard.ErrStale) {
		t.Errorf("two people at once: %v", err)
	}
	must[guard.RuleSet](t)(rules.Put("bob", 1, guard.Rule{ID: "one", Action: guard.RuleReplace, Pattern: "secret", Replacement: "thing"}))
	if got := says("a secret"); got != "a thing" {
		t.Errorf("%q", got)
	}
	must[guard.RuleSet](t)(rules.Delete("bob", -1, "one"))
	if got := says("a secret"); got != "a secret" {
		t.Errorf("%q", got)
	}
	if _, err := rules.Delete("bob", -1, "one"); !errors.Is(err, guard.ErrNoRule) {
		t.Error(err)
	}
	if _, err := rules.Rollback("bob", -1, 77); !errors.Is(err, guard.ErrNoVersion) {
		t.Error(err)
	}
	must[guard.RuleSet](t)(rules.Rollback("carol", 3, 1))
	if got := says("a secret"); got != "a [MASKED]" {
		t.Errorf("%q", got)
	}
	if want := "1 put one by alice|2 put one by bob|3 delete one by bob|4 rollback to 1 by carol"; strings.Join(told, "|") != want {
		t.Errorf("%q", told)
	}
	// Another process finds them all.
	again := must[*guard.Rules](t)(guard.NewRules(store, nil))
	if h := again.History(); len(h) != 5 || h[4].Version != 4 || len(h[4].Rules) != 1 {
		t.Errorf("%+v", h)
	}
	tests := must[[]guard.RuleTest](t)(again.Test(guard.Rule{ID: "x", Action: guard.RuleMask, Pattern: "b+"}, []string{"abba", "c"}))
	if len(tests) != 2 || tests[0].Text != "a[MASKED]a" || !tests[0].Matches || tests[1].Matches || tests[1].Text != "c" || again.Current().Version != 4 {
		t.Errorf("%+v", tests)
	}
}

// What could not be stored is not live either.
func TestRulesStoreFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	rules := must[*guard.Rules](t)(guard.NewRules(guard.FileRules{Path: filepath.Join(dir, "rules.json")}, nil))
	if _, err := rules.Put("me", -1, guard.Rule{ID: "a", Pattern: "x"}); err == nil || rules.Current().Version != 0 {
		t.Errorf("%v, version %d", err, rules.Current().Version)
	}
	if got := guard.NewOutput([]guard.OutputStage{rules.Stage()}).Check(t.Context(), "x", guard.Answer{}); got.Verdict != guard.Allowed {
		t.Errorf("%+v", got)
	}
	for _, bad := range []string{"{", `[{"version":1,"rules":[{"id":"a","pattern":"("}]}]`, `[{"vversion":1}]`} {
		path := filepath.Join(t.TempDir(), "rules.json")
		os.WriteFile(path, []byte(bad), 0o600)
		if _, err := guard.NewRules(guard.FileRules{Path: path}, nil); err == nil {
			t.Errorf("%s was loaded", bad)
		}
	}
}

func TestRulesConcurrent(t *testing.T) {
	rules := must[*guard.Rules](t)(guard.NewRules(nil, nil))
	p := guard.NewOutput([]guard.OutputStage{rules.Stage()})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for k := range 50 {
				rules.Put("me", -1, guard.Rule{ID: fmt.Sprintf("r%d", i), Action: guard.RuleMask, Pattern: fmt.Sprintf("x%d", k)})
				p.Check(t.Context(), "x1 x2", guard.Answer{})
			}
		})
	}
	wg.Wait()
	if v := rules.Current(); v.Version != 200 || len(v.Rules) != 4 || len(rules.History()) != 100 {
		t.Errorf("version %d, %d rules", v.Version, len(v.Rules))
	}
}

func FuzzRule(f *testing.F) {
	f.Add("a+b|c", "aab c", uint64(1))
	f.Add(`(?m)^a.*?\b$|x{2,4}y?`, "aq\nxxxy", uint64(2))
	f.Add(`\b$|xa`, "aq\nx^xy", uint64(2)) // nothing, somewhere
	f.Add(`(?i)k[^a]\B.`, "Kbcd k\xff", uint64(3))
	f.Fuzz(func(t *testing.T, pattern, text string, seed uint64) {
		stage, err := guard.Patterns([]guard.Rule{{ID: "a", Action: guard.RuleMask, Pattern: pattern}, {ID: "b", Action: guard.RuleMask, Pattern: "b.d"}})
		if err != nil || len(text) > 1000 {
			return
		}
		p := guard.NewOutput([]guard.OutputStage{stage})
		want := p.Check(t.Context(), text, guard.Answer{})
		if got, _, _, err := stream(p, text, seed, 1+int(seed%9)); err != nil || got != want.Text {
			t.Errorf("%q on %q: %v: got %q, want %q", pattern, text, err, got, want.Text)
		}
	})
}

func BenchmarkPatterns(b *testing.B) {
	var list []guard.Rule
	for i := range 20 {
		list = append(list, guard.Rule{ID: fmt.Sprintf("r%d", i), Action: guard.RuleMask, Pattern: fmt.Sprintf(`word%d-[a-z]{3,8}`, i)})
	}
	p := guard.NewOutput([]guard.OutputStage{must[guard.OutputStage](b)(guard.Patterns(list))})
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 22)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		p.Check(b.Context(), text, guard.Answer{})
	}
}
