package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/tool"
)

// use gives the agent its real tools.
func (w *world) use(t *testing.T) {
	t.Helper()
	w.caller.Remove("bash")
	home := filepath.Dir(w.dir)
	if err := w.caller.Add(tool.New(tool.Options{Protected: []string{w.state}, State: w.state, Home: home})...); err != nil {
		t.Fatal(err)
	}
}

// Rules hold for where a path leads, whatever it is called.
func TestLinksAreJudgedByWhereTheyLead(t *testing.T) {
	w := newWorld(t, "rules:\n  - deny: read(~/private/**)\n  - deny: write(~/private/**)\n  - allow: write(${workspace}/**)\n")
	w.use(t)
	home := filepath.Dir(w.dir)
	for name, content := range map[string]string{"private/key": "hunter2", "proj/notes": "text"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"key": "../private/key", "dir": filepath.Join(home, "private"), "own": "notes"} {
		if err := os.Symlink(to, filepath.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		tool, input string
		runs        bool
	}{
		{"read_file", `{"file_path":"notes"}`, true},
		{"read_file", `{"file_path":"own"}`, true},
		{"read_file", `{"file_path":"key"}`, false},
		{"read_file", `{"file_path":"dir/key"}`, false},
		{"read_file", `{"file_path":"dir/../private/key"}`, false},
		{"grep", `{"pattern":"hunter","path":"dir"}`, false},
		{"write_file", `{"file_path":"new","content":"x"}`, true},
		{"write_file", `{"file_path":"key","content":"x"}`, false},
		{"edit_file", `{"file_path":"dir/key","old_string":"hunter2","new_string":"x"}`, false},
		{"multi_edit", `{"edits":[{"file_path":"notes","old_string":"text","new_string":"x"},{"file_path":"key","old_string":"hunter2","new_string":"x"}]}`, false},
	} {
		res, back, err := w.do(t, "1", c.tool, c.input)
		if err != nil || res.Success != c.runs || !c.runs && !strings.HasPrefix(res.Error, agent.Blocked) || strings.Contains(back.Text, "hunter2") {
			t.Errorf("%s %s: %+v, %v", c.tool, c.input, res, err)
		}
	}
}

// A file that is swapped between the question and the answer is not written.
func TestSwapBetweenQuestionAndAnswer(t *testing.T) {
	w := newWorld(t, "defaultAction: ask\n")
	w.use(t)
	path := filepath.Join(w.dir, "f")
	if err := os.WriteFile(path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	swap := true
	w.caller.Asker = asker(func(_ context.Context, q agent.Question) (agent.Answer, error) {
		if !q.Preview.Diff || !strings.Contains(q.Preview.Text, "-one") {
			t.Errorf("the preview is %+v", q.Preview)
		}
		if swap {
			return agent.Answer{Choice: agent.Once, By: "ada"}, os.WriteFile(path, []byte("one, swapped"), 0o600)
		}
		return agent.Answer{Choice: agent.Once, By: "ada"}, nil
	})
	in, err := json.Marshal(map[string]string{"file_path": path, "old_string": "one", "new_string": "two"})
	if err != nil {
		t.Fatal(err)
	}
	res, _, err := w.do(t, "1", "edit_file", string(in))
	if data, _ := os.ReadFile(path); err != nil || res.Success || string(data) != "one, swapped" {
		t.Errorf("%+v, %v; the file has %q", res, err, data)
	}
	swap = false
	if err := os.WriteFile(path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if res, _, err := w.do(t, "2", "edit_file", string(in)); err != nil || !res.Success {
		t.Errorf("%+v, %v", res, err)
	}
}
