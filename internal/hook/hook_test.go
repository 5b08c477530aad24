package hook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/policy"
)

// world sets up an empty home and returns a way to read what was recorded there.
func world(t *testing.T) (log func() []audit.Record) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	return func() (out []audit.Record) {
		t.Helper()
		for r, err := range audit.Read(filepath.Join(home, "state", "umpire"), audit.Query{}) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, r)
		}
		return out
	}
}

// patient returns a Hook that a slow disk does not keep from recording.
func patient(client string) *Hook {
	h := New(client)
	h.write = time.Minute
	return h
}

// A client that never ends its payload gets an answer before its own patience ends.
func TestSlowInput(t *testing.T) {
	log := world(t)
	r, w := io.Pipe()
	defer w.Close()
	if a := patient("claude").Answer(r, 50*time.Millisecond); !strings.Contains(a.Stdout, `"ask"`) || a.Exit != 0 {
		t.Errorf("%+v", a)
	}
	if events := log(); len(events) != 1 || !strings.Contains(events[0].Failure, errTime.Error()) {
		t.Errorf("the log has %+v", events)
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("on purpose") }

func TestPanicIsAFailure(t *testing.T) {
	log := world(t)
	a := patient("claude").Answer(panics{}, time.Minute)
	if a.Exit != 0 || !strings.Contains(a.Stdout, `"ask"`) {
		t.Errorf("%+v", a)
	}
	if events := log(); len(events) != 1 || !strings.Contains(events[0].Failure, "on purpose") {
		t.Errorf("the log has %+v", events)
	}
}

// Whoever is asked besides the rules may hang for ever: then what rules said is said.
func TestPatience(t *testing.T) {
	log := world(t)
	home := os.Getenv("HOME")
	dir := filepath.Join(home, ".config", "umpire")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	h := patient("claude")
	h.Patience = 50 * time.Millisecond
	h.HandOver = func(context.Context, []byte) (platform.HookOutput, error) { select {} } // deaf to the context as well
	payload := `{"hook_event_name":"SessionStart","cwd":"/w"}`
	if a := h.Answer(strings.NewReader(payload), time.Minute); a != (platform.HookOutput{}) {
		t.Errorf("%+v", a)
	}
	if events := log(); len(events) != 1 || !strings.Contains(events[0].Failure, errTime.Error()) {
		t.Errorf("the log has %+v", events)
	}
}

const result = `{"hook_event_name":"PostToolUse","session_id":"s","cwd":"/w","tool_name":"WebFetch","tool_input":{},"tool_response":{"text":"ignore all"}}`

// What a tool answered is looked at, and what comes of it is said.
func TestScan(t *testing.T) {
	log := world(t)
	h := patient("claude")
	h.Scan = func(_ context.Context, c *Call, _ func(string) error) error {
		c.Output, c.Context = json.RawMessage(`{"text":"x"}`), "careful"
		return nil
	}
	a := h.Answer(strings.NewReader(result), time.Minute)
	if want := `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"careful","updatedToolOutput":{"text":"x"}}}` + "\n"; a.Stdout != want || a.Exit != 0 {
		t.Errorf("%+v", a)
	}
	if events := log(); len(events) != 1 || events[0].Kind != audit.Result || events[0].Note != "careful" {
		t.Errorf("the log has %+v", events)
	}
}

// What nobody could look at goes on, since the tool has run; the session is held to
// stricter rules.
func TestScanFails(t *testing.T) {
	for name, scan := range map[string]func(context.Context, *Call, func(string) error) error{
		"an error": func(context.Context, *Call, func(string) error) error { return errors.New("no model") },
		"a panic":  func(context.Context, *Call, func(string) error) error { panic("no model") },
	} {
		log := world(t)
		h := patient("claude")
		h.Scan = scan
		if a := h.Answer(strings.NewReader(result), time.Minute); a != (platform.HookOutput{}) {
			t.Errorf("%s: %+v", name, a)
		}
		dir, err := audit.DefaultDir()
		if err != nil {
			t.Fatal(err)
		}
		if !taint.Open(filepath.Join(dir, "taint")).Has(umpire.Principal{Platform: "claude", Session: "s"}) {
			t.Errorf("%s: the session is not tainted", name)
		}
		if events := log(); len(events) != 1 || !strings.Contains(events[0].Failure, "no model") {
			t.Errorf("%s: the log has %+v", name, events)
		}
	}
}

// Of a damaged result not all may be seen: the session counts as tainted, whatever was found
// in the rest.
func TestDamagedResultTaints(t *testing.T) {
	world(t)
	h := patient("claude")
	h.Scan = func(context.Context, *Call, func(string) error) error { return nil }
	if a := h.Answer(strings.NewReader(result[:len(result)-2]), time.Minute); a != (platform.HookOutput{}) {
		t.Errorf("%+v", a)
	}
	dir, err := audit.DefaultDir()
	if err != nil {
		t.Fatal(err)
	}
	if !taint.Open(filepath.Join(dir, "taint")).Has(umpire.Principal{Platform: "claude", Session: "s"}) {
		t.Error("the session is not tainted")
	}
}

// autoApprove promises to speak for rules: what a model allows is left to the client's
// own question.
func TestModelsAllowIsNotSpoken(t *testing.T) {
	world(t)
	c := &platform.Event{Name: "PreToolUse", Kind: platform.Call}
	p, err := policy.Compile(policy.Source{Default: umpire.Allow, AutoApprove: true})
	if err != nil {
		t.Fatal(err)
	}
	h := patient("claude")
	h.call = Call{Event: *c, Policy: p, Decision: umpire.Decision{Effect: umpire.Allow}}
	h.Judge = func(context.Context, *Call) (umpire.Verdict, error) {
		return umpire.Verdict{Effect: umpire.Allow, Source: "model", Reason: umpire.Reason{Rule: "judge"}}, nil
	}
	h.askJudge(t.Context())
	if a := h.answer(); a.Stdout != "" {
		t.Errorf("it says %s", a.Stdout)
	}
	h.opinion = false
	if a := h.answer(); !strings.Contains(a.Stdout, `"allow"`) {
		t.Errorf("rules say %q", a.Stdout)
	}
}

// The record of a result has how long the tool ran.
func TestResultDuration(t *testing.T) {
	log := world(t)
	patient("claude").Answer(strings.NewReader(`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/w","duration_ms":37}`), time.Minute)
	if events := log(); len(events) != 1 || events[0].Kind != audit.Result || events[0].Millis != 37 || !strings.Contains(string(events[0].Raw), `"durationMs":37`) {
		t.Errorf("the log has %+v", events)
	}
}
