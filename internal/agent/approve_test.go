package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/question"
)

// answerElsewhere answers the question with an ID as `umpire approve` does.
func (w *world) answerElsewhere(t *testing.T, id string, s question.State) {
	t.Helper()
	box := question.Open(filepath.Join(w.state, "questions"))
	q, err := box.Find(id)
	if err == nil {
		_, err = box.Answer(q, s, "ada", "")
	}
	if err != nil {
		t.Error(err)
	}
}

// An asker that hears too late that its question was settled has no say any more, and keeps
// nobody from being asked.
func TestLateAsker(t *testing.T) {
	for name, late := range map[string]func() (agent.Answer, error){
		"always": func() (agent.Answer, error) { return agent.Answer{Choice: agent.Always}, nil },
		"stop":   func() (agent.Answer, error) { return agent.Answer{Choice: agent.Stop}, nil },
		"error":  func() (agent.Answer, error) { return agent.Answer{}, errors.New("late") },
		"panic":  func() (agent.Answer, error) { panic("late") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldIn(t, t.TempDir(), "")
			hold, ended, shown := make(chan struct{}), make(chan struct{}), 0
			w.caller.Asker = asker(func(_ context.Context, q agent.Question) (agent.Answer, error) {
				if shown++; shown > 1 {
					return agent.Answer{Choice: agent.No}, nil
				}
				w.answerElsewhere(t, q.ID, question.Approved)
				defer close(ended)
				<-hold
				return late()
			})
			if res, _, err := w.do(t, "a", "bash", `{"command":"make a"}`); !res.Success || err != nil {
				t.Errorf("approved elsewhere: %+v, %v", res, err)
			}
			// The first asker still hangs: the second question is shown all the same.
			if res, _, _ := w.do(t, "b", "bash", `{"command":"make a"}`); res.Success || shown != 2 {
				t.Errorf("%d questions were shown: %+v", shown, res)
			}
			close(hold)
			<-ended
			if res, _, _ := w.do(t, "c", "bash", `{"command":"make a"}`); res.Success || shown != 3 || len(w.caller.Allowed()) > 0 {
				t.Errorf("%d questions were shown, allowed are %q: %+v", shown, w.caller.Allowed(), res)
			}
		})
	}
}

// Every longer answer of a session counts, and none covers more than it showed.
func TestEveryAnswerCounts(t *testing.T) {
	w := newWorld(t, "rules:\n  - ask: exec(make deploy*)\n")
	asked := 0
	w.caller.Asker = asker(func(_ context.Context, q agent.Question) (agent.Answer, error) {
		if asked++; q.Session == "" {
			t.Errorf("%s: no longer answer is on offer: %s", q.Input, q.NoSession)
		}
		return agent.Answer{Choice: agent.Session}, nil
	})
	for i, command := range []string{"make a", "make b", "a && b", "python3 x.py", "git commit -m hi", "git commit -m \"it's\"", "make deploy", "make deploy all", "npm install left-pad",
		"git push origin feature/x", "curl -o out https://h.example/a", "git clone https://github.com/a/b", "touch u1", "rm u1", "cat a | sort > b"} {
		in, _ := json.Marshal(map[string]string{"command": command})
		for k := range 2 {
			before := asked
			if res, _, err := w.do(t, string(rune('a'+i)), "bash", string(in)); !res.Success || err != nil || len(res.Notes) > 0 {
				t.Errorf("%s: %+v, %v", command, res, err)
			}
			if (asked > before) != (k == 0) {
				t.Errorf("%s, call %d: asked %v", command, k+1, asked > before)
			}
		}
	}
	// Of `touch u1` nothing else that writes is allowed.
	for _, command := range []string{"touch u2", "echo x > u1", "echo x > u3"} {
		before := asked
		in, _ := json.Marshal(map[string]string{"command": command})
		if w.do(t, "z", "bash", string(in)); asked == before {
			t.Errorf("%s was not asked about", command)
		}
	}
	if !strings.Contains(strings.Join(w.caller.Allowed(), "\n"), "exec(make b)") {
		t.Errorf("%q", w.caller.Allowed())
	}
}
