package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// A stored answer counts only if it is whole, for this question and of a time that can be. The
// clock may have jumped either way since.
func TestStoredAnswers(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	good := answer("deny", "high", 90, false, "bad")
	stored := func(key string, at time.Time, answer string) string {
		b, err := json.Marshal(cacheEntry{Key: key, At: at, Provider: "p", Model: "m", Answer: json.RawMessage(answer)})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, tt := range []struct {
		name, text string
		counts     bool
	}{
		{"now", stored("k", now, good), true},
		{"as old as may be", stored("k", now.Add(-time.Hour), good), true},
		{"older", stored("k", now.Add(-time.Hour-1), good), false},
		{"of a clock that is a little ahead", stored("k", now.Add(time.Minute), good), true},
		{"of the future", stored("k", now.Add(time.Minute+1), good), false},
		{"of another question", stored("x", now, good), false},
		{"an answer out of form", stored("k", now, `{"effect":"allow"}`), false},
		{"cut off", stored("k", now, good)[:40], false},
		{"empty", "", false},
		{"as large as may be", stored("k", now, good) + strings.Repeat(" ", maxEntry-len(stored("k", now, good))), true},
		{"larger", stored("k", now, good) + strings.Repeat(" ", maxEntry+1-len(stored("k", now, good))), false},
	} {
		c := &Cache{Dir: privateDir(t), Age: time.Hour, now: func() time.Time { return now }}
		if err := os.WriteFile(c.path("k"), []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		a, ok := c.Get("k")
		if ok != tt.counts || ok && (string(a.JSON) != good || a.Provider != "p" || a.Model != "m") {
			t.Errorf("%s: counts: %v (%+v), want %v", tt.name, ok, a, tt.counts)
		}
	}
	c := &Cache{Dir: privateDir(t), Age: time.Hour}
	if err := os.Mkdir(c.path("k"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Get("k"); ok {
		t.Error("a folder in place of the answer counts")
	}
	c.Put("k", model.Response{JSON: json.RawMessage(good)}) // cannot be stored
	c.Put("big", model.Response{JSON: json.RawMessage(`"` + strings.Repeat("x", maxEntry) + `"`)})
	c.Put("broken", model.Response{JSON: json.RawMessage(`{`)})
	list, err := os.ReadDir(c.Dir)
	if err != nil || len(list) != 1 {
		t.Errorf("%v is stored, %v; want only the folder", list, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Cache{nil, {Dir: file}, {Dir: filepath.Join(file, "x")}} {
		c.Put("k", model.Response{JSON: json.RawMessage(good)})
		if _, ok := c.Get("k"); ok {
			t.Errorf("%+v has an answer", c)
		}
	}
}

// Every field of a report is in the audit line.
func TestReportData(t *testing.T) {
	full := filled.Value[Report]()
	want := full.Data()
	for i := range reflect.TypeFor[Report]().NumField() {
		other := full
		f := reflect.ValueOf(&other).Elem().Field(i)
		switch f.Kind() {
		case reflect.Bool:
			f.SetBool(!f.Bool())
		case reflect.String:
			f.SetString("other")
		default:
			f.SetInt(f.Int() + int64(time.Hour))
		}
		if reflect.DeepEqual(other.Data(), want) {
			t.Errorf("%s is not in the data %v", reflect.TypeFor[Report]().Field(i).Name, want)
		}
	}
	if got := (&Report{}).Data(); !reflect.DeepEqual(got, map[string]string{"judge_ms": "0"}) {
		t.Errorf("without a model: %v", got)
	}
}

func TestPlace(t *testing.T) {
	for _, tt := range []struct{ workspace, dir, want string }{
		{"", "/a", "the directory is the workspace"},
		{"/a", "/a", "the directory is the workspace"},
		{"/a", "/a/", "the directory is the workspace"},
		{"/a", "/a/b/c", "the directory is inside the workspace"},
		{"/a", "/a/..b", "the directory is inside the workspace"},
		{"/a", "/", "the directory is outside the workspace"},
		{"/a", "/ab", "the directory is outside the workspace"},
		{"/a", "/a/../b", "the directory is outside the workspace"},
		{"/a", "b", "the directory is outside the workspace"},
	} {
		if got := place(&umpire.Action{Workspace: tt.workspace, Dir: tt.dir}); got != tt.want {
			t.Errorf("place of %q in %q = %q, want %q", tt.dir, tt.workspace, got, tt.want)
		}
	}
}

// The document shows so many operations and rules, and says how many more there are.
func TestDocumentBounds(t *testing.T) {
	for _, n := range []int{maxOps, maxOps + 1, maxOps + 5} {
		c := undecided(t, "curl x")
		c.Ops, c.Decision.Reasons = nil, nil
		for i := range n {
			c.Ops = append(c.Ops, umpire.Operation{Kind: umpire.Exec, Resource: fmt.Sprintf("tool%d <x>&y", i)})
			c.Decision.Reasons = append(c.Decision.Reasons, umpire.Reason{Rule: fmt.Sprintf("rule%d", i)})
		}
		text, whole, err := document(c)
		var s shown
		if err != nil || !whole || json.Unmarshal([]byte(text), &s) != nil {
			t.Fatalf("%s, whole: %v, %v", text, whole, err)
		}
		if len(s.Operations) != min(n, maxOps+1) || n > maxOps && s.Operations[maxOps].Does != fmt.Sprintf("and %d more", n-maxOps) || len(s.Rules) != maxRules || s.Rules[maxRules-1].Rule != fmt.Sprintf("rule%d", maxRules-1) {
			t.Errorf("of %d: %d operations, %d rules", n, len(s.Operations), len(s.Rules))
		}
		if !strings.Contains(text, "exec(tool0 <x>&y)") {
			t.Errorf("the first operation is not shown as it is written: %.300s", text)
		}
	}
}

// An answer out of form is none to rely on, and what the model is given ends with its call.
func TestUnclearAnswers(t *testing.T) {
	for _, text := range []string{"", "null", "{}", `"allow"`, `{"effect":"allow"}`, strings.Replace(answer("allow", "low", 100, false, "x"), "allow", "maybe", 1), answer("allow", "none", 100, false, "x"), answer("allow", "low", 101, false, "x")} {
		var given context.Context
		j := &Judge{Model: asking(func(ctx context.Context, r model.Request) (model.Response, error) {
			given = ctx
			return model.Response{JSON: json.RawMessage(text), Provider: "p"}, nil
		})}
		v, r, err := j.Judge(t.Context(), undecided(t, "curl https://example.org"))
		if err != nil || v.Effect != umpire.Ask || v.Reason.Rule != RuleUnclear || !strings.Contains(v.Reason.Text, "no clear answer") || r.Opinion != "" || given.Err() == nil {
			t.Errorf("%s: %+v, %+v, %v; want that a person is asked", text, v, r, err)
		}
	}
}

// A call whose input is no JSON is shown as a text, and one without an input as that.
func TestInputThatIsNotJSON(t *testing.T) {
	for _, input := range []string{"{", `{"command":`, `{"a":1}}`} {
		s := says(answer("allow", "low", 100, false, ""))
		c := undecided(t, "curl x")
		c.Action.Input = json.RawMessage(input)
		if _, _, err := (&Judge{Model: s}).Judge(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		data, _ := region(t, s.asked[0])
		var doc shown
		var text string
		if err := json.Unmarshal([]byte(data), &doc); err != nil || json.Unmarshal(doc.Input, &text) != nil || text != input {
			t.Errorf("%q is shown as %s, %v", input, data, err)
		}
	}
	c := undecided(t, "curl x")
	c.Action.Input = nil
	if _, user, whole, err := (&Judge{}).Prompt(c); err != nil || !whole || !strings.Contains(user, `"input":null`) {
		t.Errorf("without an input: %s, %v, %v", user, whole, err)
	}
}

// A model's error is no opinion, but what it cost is in the report.
func TestErrorsOfModel(t *testing.T) {
	for _, tt := range []struct {
		err  error
		rule string // of the question to a person; "" if the error is returned
	}{{model.ErrAnswer, RuleUnclear}, {model.ErrNone, ""}, {context.DeadlineExceeded, ""}} {
		j := &Judge{Timeout: time.Hour, Model: asking(func(ctx context.Context, r model.Request) (model.Response, error) {
			if limit, ok := ctx.Deadline(); !ok || time.Until(limit) > maxTimeout || r.MaxTokens != answerTokens || r.Schema.Name != schema.Name || !strings.Contains(r.System, "You judge one tool call") {
				t.Errorf("the model is asked %+v until %v", r, limit)
			}
			return model.Response{Provider: "p", Model: "m", InputTokens: 3, OutputTokens: 4, Cost: model.Cent}, fmt.Errorf("x: %w", tt.err)
		})}
		v, r, err := j.Judge(t.Context(), undecided(t, "curl x"))
		if (err == nil) != (tt.rule != "") || v.Reason.Rule != tt.rule || r.Provider != "p" || r.Model != "m" || r.In != 3 || r.Out != 4 || r.Cost != model.Cent || r.Opinion != "" {
			t.Errorf("%v: got %+v, %+v, %v", tt.err, v, r, err)
		}
	}
}

type asking func(context.Context, model.Request) (model.Response, error)

func (f asking) Ask(ctx context.Context, r model.Request) (model.Response, error) { return f(ctx, r) }
