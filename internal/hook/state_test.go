package hook

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/taint"
)

// Without a place for the log, the questions and the sessions, an answer says so, an ask is
// not waited for, and nothing is written into the folder that the hook runs in.
func TestNoPlaceForState(t *testing.T) {
	nowhere := errors.New("no home")
	const waits = "approval: {cannotAsk: wait}\n"
	for name, c := range map[string]struct {
		send           fields
		effect         string
		stderr, reason string // parts of the answer
	}{
		"what passes":              {fields{"command": "ls"}, "allow", "this call runs, but is not in the audit log: no home", ""},
		"what makes a file":        {fields{"command": "mkdir build"}, "allow", "not in the audit log: no home", ""},
		"what runs a file":         {fields{"command": "sh x.sh"}, "allow", "not in the audit log: no home", ""},
		"what the client asks":     {fields{"command": "make x", "can_ask": true}, "ask", "", "not in the audit log (no home)"},
		"what nobody can ask":      {fields{"command": "make x"}, "deny", "", "not in the audit log (no home)"},
		"what is denied":           {fields{"command": "rm -rf ~"}, "deny", "", "not in the audit log (no home)"},
		"a result":                 {fields{"event": "result", "command": "sh x.sh", "output": "x"}, "allow", "", ""},
		"a result that is damaged": {fields{"event": "result", "tool": "fetch", "output": "x", "dir": 1}, "allow", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t, askMake+waits)
			u.write("proj/x.sh", "ls\n")
			u.ask(u.hook(), u.payload(fields{"command": "pwd"})) // compiles the policy
			records := len(u.log())
			t.Chdir(t.TempDir())
			h := u.hook()
			h.State = func() (string, error) { return "", nowhere }
			h.Wait = func(_ context.Context, _ *Call, q question.Question) (question.Question, bool) {
				t.Errorf("it waits for an answer to %+v, which nobody can see", q)
				return q, false
			}
			h.Scan = func(_ context.Context, _ *Call, taint func(string) error) error {
				if err := taint("on purpose"); !errors.Is(err, nowhere) {
					t.Errorf("a mark: got %v, want %v", err, nowhere)
				}
				return nil
			}
			s := u.ask(h, u.payload(c.send))
			if s.Effect != c.effect || !strings.Contains(s.stderr, c.stderr) || c.stderr == "" && strings.Contains(s.stderr, "audit log: ") || !strings.Contains(s.Reason, c.reason) {
				t.Errorf("said %+v, want %s with %q, and %q on standard error", s, c.effect, c.reason, c.stderr)
			}
			if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
				t.Errorf("the working directory has %v, %v, want nothing", left, err)
			}
			if n := len(u.log()); n != records {
				t.Errorf("the log of the environment has %d records, want %d", n, records)
			}
		})
	}
}

// An answer whose record has no place says so.
func TestAnswerWithoutPlace(t *testing.T) {
	u := newUser(t, askMake)
	h := u.hook()
	h.State = func() (string, error) { return "", errors.New("no home") }
	t.Chdir(t.TempDir())
	h.answered("abc", "ada", umpire.Allow)
	if h.call.unrecorded == nil {
		t.Error("the answer counts as recorded")
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("the working directory has %v, %v, want nothing", left, err)
	}
}

// A session remembers what its calls download, but for calls that do not run.
func TestSessionRemembers(t *testing.T) {
	u := newUser(t, "rules:\n  - deny: exec(touch *)\n")
	for name, want := range map[string]bool{"a": true, "b": false} {
		command := "curl -o " + name + " https://example.org/page"
		if !want {
			command += " && touch x"
		}
		u.ask(u.hook(), u.payload(fields{"command": command}))
		m := taint.Open(filepath.Join(u.home, "state", "umpire", "taint")).Memory(umpire.Principal{Platform: "generic", Session: "s"}, disk.Birth)
		if _, _, got := m.Fetched(filepath.Join(u.dir, name)); got != want {
			t.Errorf("after %s: downloaded %s: %v, want %v", command, name, got, want)
		}
	}
}

// A judge decides what no rule decided, or tightens; it loosens no explicit denial.
func TestJudgeAfterRules(t *testing.T) {
	for _, c := range []struct {
		rules    umpire.Effect
		explicit bool
		judge    umpire.Effect
		want     umpire.Effect
	}{
		{umpire.Deny, true, umpire.Allow, umpire.Deny},
		{umpire.Deny, false, umpire.Allow, umpire.Allow},
		{umpire.Ask, true, umpire.Deny, umpire.Deny},
		{umpire.Allow, true, umpire.Deny, umpire.Deny},
		{umpire.Allow, false, umpire.Ask, umpire.Ask},
	} {
		h := patient("generic")
		h.call.Decision = umpire.Decision{Effect: c.rules, Explicit: c.explicit}
		h.Judge = func(context.Context, *Call) (umpire.Verdict, error) {
			return umpire.Verdict{Effect: c.judge, Source: "model", Reason: umpire.Reason{Rule: "judge"}}, nil
		}
		h.askJudge(t.Context())
		if got := h.call.Decision.Effect; got != c.want {
			t.Errorf("rules %v (explicit %v), judge %v: got %v, want %v", c.rules, c.explicit, c.judge, got, c.want)
		}
	}
}

// The generic form has no message without an event: an empty payload was meant as a call, and fails closed.
func TestGenericPayloadWithoutEvent(t *testing.T) {
	u := newUser(t, "")
	for payload, missing := range map[string]string{"": "it is empty", " ": "ends too early", "{}": "event is missing", "[]": "", "[[]]": "", "null": ""} {
		a := u.hook().Answer(strings.NewReader(payload), time.Minute)
		if a.Exit != 2 || !strings.Contains(a.Stdout, `"deny"`) || !strings.Contains(a.Stdout, missing) { // this client cannot ask
			t.Errorf("%q: got exit status %d and %s, want 2 and a denial that says %q", payload, a.Exit, a.Stdout, missing)
		}
	}
}

// A message without a call takes the policy's default.
func TestNoCallInPayload(t *testing.T) {
	u := newUser(t, "")
	for _, payload := range []string{"", "{}"} {
		h, again := patient("claude"), patient("claude")
		h.Compile, again.Compile = u.compile, u.compile
		_, err := h.receive(strings.NewReader(payload))
		if !errors.Is(err, errNoCall) {
			t.Errorf("%q: got %v, want %v", payload, err, errNoCall)
		}
		again.Answer(strings.NewReader(payload), time.Minute)
		if r := u.last(); r.Effect != umpire.Allow.String() {
			t.Errorf("%q: the record is %s, want allow", payload, r.Raw)
		}
	}
}
