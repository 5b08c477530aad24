package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/question"
)

// user is a home with a repository in it, whose policy is compiled in this process.
type user struct {
	t         *testing.T
	home, dir string
	log       func() []audit.Record
}

func newUser(t *testing.T, policy string) *user {
	t.Helper()
	u := &user{t: t, log: world(t)}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ATTENDED"} {
		t.Setenv(name, "")
	}
	u.home = os.Getenv("HOME")
	u.dir = filepath.Join(u.home, "proj")
	u.write("proj/.git/HEAD", "ref: refs/heads/main\n")
	if policy != "" {
		u.write(".config/umpire/policy.yaml", "version: 1\n"+policy)
	}
	return u
}

func (u *user) write(name, text string) {
	u.t.Helper()
	path := filepath.Join(u.home, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		u.t.Fatal(err)
	}
}

// compile does what `umpire policy compile` does for the hook.
func (u *user) compile(workspace, cache string) error {
	builtin, err := packs.Default()
	if err != nil {
		return err
	}
	at := project.Project{Dir: workspace, Workspace: workspace, Home: u.home}
	_, fault, err := at.Compile(cmp.Or(cache, filepath.Join(u.home, ".cache", "umpire")), builtin)
	return errors.Join(fault, err)
}

// hook returns a Hook of a client that says itself whether it can ask.
func (u *user) hook() *Hook {
	h := patient("generic")
	h.Compile = u.compile
	return h
}

func (u *user) box() question.Box {
	return question.Open(filepath.Join(u.home, "state", "umpire", "questions"))
}

// fields are those of one event of the generic client.
type fields map[string]any

func (u *user) payload(f fields) string {
	u.t.Helper()
	all := fields{"event": "call", "id": "t1", "tool": "bash", "dir": u.dir, "workspace": u.dir, "session": "s"}
	maps.Copy(all, f)
	if command, ok := all["command"]; ok {
		all["input"] = fields{"command": command}
		delete(all, "command")
	}
	text, err := json.Marshal(all)
	if err != nil {
		u.t.Fatal(err)
	}
	return string(text)
}

type said struct {
	Effect, Reason, Context string
	Output                  json.RawMessage
	stderr                  string
}

func (u *user) ask(h *Hook, payload string) said {
	u.t.Helper()
	a := h.Answer(strings.NewReader(payload), time.Minute)
	var s said
	if err := json.Unmarshal([]byte(a.Stdout), &s); err != nil {
		u.t.Fatalf("the answer is %+v: %v", a, err)
	}
	if want := map[string]int{"allow": 0, "ask": 3, "deny": 2}[s.Effect]; a.Exit != want {
		u.t.Errorf("exit status %d after %s, want %d", a.Exit, s.Effect, want)
	}
	s.stderr = a.Stderr
	return s
}

// last returns the newest record.
func (u *user) last() audit.Record {
	u.t.Helper()
	all := u.log()
	if len(all) == 0 {
		u.t.Fatal("the log is empty")
	}
	return all[len(all)-1]
}

const askMake = "rules:\n  - ask: exec(make *)\n    reason: deploys\n"

// An ask goes to the client, or to a person elsewhere, and what that person said is for this
// call alone.
func TestWhoIsAsked(t *testing.T) {
	const always = "approval: {gateway: {url: 'http://127.0.0.1:1', always: true}}\n"
	pending := func(u *user) int {
		list, err := u.box().List(question.Pending)
		if err != nil {
			u.t.Fatal(err)
		}
		return len(list)
	}
	for name, c := range map[string]struct {
		policy string
		answer question.State // of a person, to the question of an earlier call that could not ask
		broken bool           // the folder of questions cannot be made
		send   fields
		cut    bool // the payload's last byte is missing
		effect string
		reason string
		says   string // the context for the model
		open   int    // questions that are open after it
		record audit.EventKind
	}{
		"the client":                           {send: fields{"can_ask": true}, effect: "ask", reason: "deploys", record: audit.Decision},
		"a person":                             {effect: "deny", reason: "`umpire approve ", open: 1, record: audit.Decision},
		"the client asks already":              {send: fields{"event": "permission"}, effect: "ask", reason: "deploys", record: audit.Decision},
		"a person approved":                    {answer: question.Approved, effect: "allow", reason: "approved by", says: "They say: be quick", record: audit.Approval},
		"a person denied":                      {answer: question.Denied, effect: "deny", reason: "A person denied this call", record: audit.Approval},
		"a person approved another":            {answer: question.Approved, send: fields{"session": "other"}, effect: "deny", reason: "`umpire approve ", open: 1, record: audit.Decision},
		"a person approved, the client asks":   {answer: question.Approved, send: fields{"can_ask": true}, effect: "ask", reason: "deploys", record: audit.Decision},
		"a person approved at the gateway":     {policy: always, answer: question.Approved, send: fields{"can_ask": true}, effect: "allow", reason: "approved by", says: "They say: be quick", record: audit.Approval},
		"a person denied at the gateway":       {policy: always, answer: question.Denied, send: fields{"can_ask": true}, effect: "deny", reason: "A person denied this call", record: audit.Approval},
		"nobody at the gateway":                {policy: always, send: fields{"can_ask": true}, effect: "ask", reason: "deploys", record: audit.Decision},
		"the client asks already, and gateway": {policy: always, answer: question.Approved, send: fields{"can_ask": true, "event": "permission"}, effect: "ask", reason: "deploys", record: audit.Decision},
		"nobody about what is damaged":         {cut: true, effect: "deny", reason: "damaged", record: audit.Decision},
		"an approval is not for the damaged":   {answer: question.Approved, cut: true, effect: "deny", reason: "damaged", record: audit.Decision},
		"nor at the gateway":                   {policy: always, answer: question.Approved, send: fields{"can_ask": true}, cut: true, effect: "ask", reason: "damaged", record: audit.Decision},
		"the question cannot be kept":          {broken: true, effect: "deny", reason: "The question could not be stored", record: audit.Decision},
		"what is denied is not asked about":    {answer: question.Approved, send: fields{"command": "rm -rf ~"}, effect: "deny", reason: "umpire denies this", record: audit.Decision},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t, askMake+c.policy)
			call := fields{"command": "make deploy"}
			if c.answer != "" {
				u.ask(u.hook(), u.payload(call))
				list, err := u.box().List(question.Pending)
				if err != nil || len(list) != 1 {
					t.Fatalf("%d questions, %v", len(list), err)
				}
				if _, err := u.box().Answer(list[0], c.answer, "ada", "be quick"); err != nil {
					t.Fatal(err)
				}
			}
			if c.broken {
				u.write("state/umpire/questions", "no folder")
			}
			maps.Copy(call, c.send)
			payload := u.payload(call)
			if c.cut {
				payload = payload[:len(payload)-1]
			}
			h := u.hook()
			h.Wait = func(context.Context, *Call, question.Question) (question.Question, bool) {
				return question.Question{}, false
			}
			got := u.ask(h, payload)
			if got.Effect != c.effect || !strings.Contains(got.Reason, c.reason) || got.Context != c.says {
				t.Errorf("said %+v, want %s with %q and the context %q", got, c.effect, c.reason, c.says)
			}
			if !c.broken && c.policy == "" {
				if n := pending(u); n != c.open {
					t.Errorf("%d open questions, want %d", n, c.open)
				}
			}
			r := u.last()
			if r.Kind != c.record || r.Effect != c.effect && c.record == audit.Approval {
				t.Errorf("the last record is %s", r.Raw)
			}
			if c.record == audit.Approval && (r.By != "ada" || r.Data["question"] == "" || r.Tool != "bash" || r.Action != "t1" || r.Point != audit.Hook || !strings.Contains(string(r.Params), "make deploy")) {
				t.Errorf("the record of an answer is %s", r.Raw)
			}
		})
	}
}

// Each event goes to those that its policy and its content need, and to nobody else.
func TestWhoIsNeeded(t *testing.T) {
	const (
		judged  = "judge: {enabled: true}\n"
		waits   = "approval: {cannotAsk: wait}\n"
		always  = "approval: {gateway: {url: 'http://127.0.0.1:1', always: true}}\n"
		prompts = "guard: {prompts: true}\n"
		open    = "curl -o page.html https://example.org/page"
	)
	output := json.RawMessage(`{"text":"hello"}`)
	for name, c := range map[string]struct {
		policy string
		send   fields
		want   string // the doubles that are called, in their order
	}{
		"a session":                           {"", fields{"event": "session-start"}, "look"},
		"the end of one":                      {"", fields{"event": "session-end"}, ""},
		"a prompt":                            {prompts, fields{"event": "prompt", "text": "hello"}, "scan"},
		"a prompt without the guard":          {"", fields{"event": "prompt", "text": "hello"}, ""},
		"an empty prompt":                     {prompts, fields{"event": "prompt", "text": " \n"}, ""},
		"an observed prompt":                  {prompts + "mode: observe\n", fields{"event": "prompt", "text": "hello"}, ""},
		"a result":                            {"", fields{"event": "result", "command": "ls", "output": output}, "scan"},
		"a result without an answer":          {"", fields{"event": "result", "command": "ls"}, ""},
		"a result that passes":                {"guard: {toolOutput: pass}\n", fields{"event": "result", "command": "ls", "output": output}, ""},
		"a result that only warns":            {"guard: {toolOutput: warn}\n", fields{"event": "result", "command": "ls", "output": output}, "scan"},
		"an observed result":                  {"mode: observe\n", fields{"event": "result", "command": "ls", "output": output}, ""},
		"a harmless call":                     {judged + waits, fields{"command": "ls"}, ""},
		"an open call":                        {judged, fields{"command": open}, "judge"},
		"an open call without a judge":        {"", fields{"command": open}, ""},
		"an observed open call":               {judged + "mode: observe\n", fields{"command": open}, ""},
		"a denied call":                       {judged + waits, fields{"command": "rm -rf ~"}, ""},
		"an ask":                              {askMake, fields{"command": "make x"}, ""},
		"an ask that waits":                   {askMake + waits, fields{"command": "make x"}, "wait"},
		"an ask that the client can ask":      {askMake + waits, fields{"command": "make x", "can_ask": true}, ""},
		"an ask that goes elsewhere first":    {askMake + always, fields{"command": "make x", "can_ask": true}, "wait"},
		"an ask that the client asks already": {askMake + waits, fields{"command": "make x", "event": "permission"}, ""},
		"an open call that waits":             {judged + waits, fields{"command": open}, "judge wait"},
		"an open call that the client asks":   {judged + waits, fields{"command": open, "can_ask": true}, "judge"},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t, c.policy)
			u.ask(u.hook(), u.payload(fields{"command": "pwd"}))
			var called []string
			h := u.hook()
			h.Look = func(context.Context, *Call) (string, error) { called = append(called, "look"); return "said", nil }
			h.Scan = func(context.Context, *Call, func(string) error) error { called = append(called, "scan"); return nil }
			h.Judge = func(context.Context, *Call) (umpire.Verdict, error) {
				called = append(called, "judge")
				return umpire.Verdict{Effect: umpire.Ask, Source: "model", Reason: umpire.Reason{Rule: "judge", Text: "it is unclear"}}, nil
			}
			h.Wait = func(_ context.Context, _ *Call, q question.Question) (question.Question, bool) {
				called = append(called, "wait")
				if list, err := u.box().List(question.Pending); err != nil || len(list) != 1 || list[0].ID != q.ID {
					t.Errorf("it waits for %q, and the open questions are %v, %v", q.ID, list, err)
				}
				return q, false
			}
			s := u.ask(h, u.payload(c.send))
			if got := strings.Join(called, " "); got != c.want {
				t.Errorf("called %q, want %q", got, c.want)
			}
			if slices.Contains(called, "look") != (s.Context == "said") {
				t.Errorf("the context is %q after %q", s.Context, called)
			}
			if slices.Contains(called, "judge") && s.Effect == "allow" {
				t.Errorf("the judge asks, and the answer is %+v", s)
			}

			// What is needed is handed over where another process does it, as it came.
			var handed []string
			h = u.hook()
			h.HandOver = func(_ context.Context, payload []byte) (platform.HookOutput, error) {
				handed = append(handed, string(payload))
				return platform.HookOutput{Stdout: `{"effect":"allow"}`, Stderr: "theirs"}, nil
			}
			payload := u.payload(c.send)
			records := len(u.log())
			s = u.ask(h, payload)
			switch {
			case c.want == "" && len(handed) > 0:
				t.Errorf("it is handed over: %q", handed)
			case c.want != "" && (len(handed) != 1 || handed[0] != payload || s.stderr != "theirs"):
				t.Errorf("handed over %q, and the answer is %+v", handed, s)
			case c.want != "" && len(u.log()) != records:
				t.Errorf("what is handed over is recorded here as well: %s", u.last().Raw)
			}
		})
	}
}

// An approval that waits to be used is not waited for once more.
func TestApprovalInHandNeedsNoWait(t *testing.T) {
	u := newUser(t, askMake+"approval: {cannotAsk: wait}\n")
	call := u.payload(fields{"command": "make x"})
	h := u.hook()
	h.Wait = func(_ context.Context, _ *Call, q question.Question) (question.Question, bool) {
		answered, err := u.box().Answer(q, question.Approved, "ada", "")
		if err != nil {
			t.Error(err)
		}
		return answered, true
	}
	if s := u.ask(h, call); s.Effect != "allow" || !strings.Contains(s.Reason, "approved by ada") {
		t.Errorf("after an approval: %+v", s)
	}
	h = u.hook()
	h.Wait = func(_ context.Context, _ *Call, q question.Question) (question.Question, bool) {
		_, err := u.box().Answer(q, question.Approved, "ada", "")
		return q, err == nil
	}
	a := umpire.Action{Principal: umpire.Principal{Platform: "generic", Session: "s"}, Tool: "bash", Dir: u.dir, Input: json.RawMessage(`{"command":"make x"}`)}
	q, err := u.box().Ask(&a, nil, umpire.Decision{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := u.box().Answer(q, question.Approved, "ada", ""); err != nil {
		t.Fatal(err)
	}
	h.HandOver = func(context.Context, []byte) (platform.HookOutput, error) {
		t.Error("it is handed over")
		return platform.HookOutput{}, errors.New("not now")
	}
	if s := u.ask(h, call); s.Effect != "allow" {
		t.Errorf("with an approval in hand: %+v", s)
	}
}

// Whatever goes wrong on the way is in the record, and said where a call passes by it.
func TestFaultsAreTold(t *testing.T) {
	const open = "curl -o page.html https://example.org/page"
	broken := errors.New("it broke")
	for name, c := range map[string]struct {
		policy   string
		send     fields
		set      func(*Hook)
		effect   string
		stderr   string // part of standard error
		reason   string // part of the reason
		failure  string // part of the record's
		unjudged bool   // the record says that the call passed without all who should have judged it
	}{
		"the other process": {"judge: {enabled: true}\n", fields{"command": open}, func(h *Hook) {
			h.HandOver = func(context.Context, []byte) (platform.HookOutput, error) { return platform.HookOutput{}, broken }
		}, "allow", "judged only in part: it broke", "", "it broke", true},
		"the other process, of a session": {"", fields{"event": "session-start"}, func(h *Hook) {
			h.HandOver = func(context.Context, []byte) (platform.HookOutput, error) { return platform.HookOutput{}, broken }
		}, "allow", "", "", "it broke", false},
		"the other process, of a result": {"", fields{"event": "result", "command": "ls", "output": "x"}, func(h *Hook) {
			h.HandOver = func(context.Context, []byte) (platform.HookOutput, error) { return platform.HookOutput{}, broken }
		}, "allow", "", "", "tool output: it broke", false},
		"the judge": {"judge: {enabled: true}\n", fields{"command": open}, func(h *Hook) {
			h.Judge = func(context.Context, *Call) (umpire.Verdict, error) { return umpire.Verdict{}, broken }
		}, "allow", "judged only in part: judge: it broke", "", "judge: it broke", true},
		"a judge that says nothing": {"judge: {enabled: true}\n", fields{"command": open}, func(h *Hook) {
			h.Judge = func(context.Context, *Call) (umpire.Verdict, error) { return umpire.Verdict{}, nil }
		}, "allow", "judged only in part", "", errSilent.Error(), true},
		"a judge where the default asks": {"judge: {enabled: true}\ndefaultAction: ask\n", fields{"command": open, "can_ask": true}, func(h *Hook) {
			h.Judge = func(context.Context, *Call) (umpire.Verdict, error) { return umpire.Verdict{}, broken }
		}, "ask", "", "", "judge: it broke", false},
		"the look": {"", fields{"event": "session-start"}, func(h *Hook) {
			h.Look = func(context.Context, *Call) (string, error) { return "", broken }
		}, "allow", "", "", "it broke", false},
		"a judge that panics": {"judge: {enabled: true}\n", fields{"command": open, "can_ask": true}, func(h *Hook) {
			h.Judge = func(context.Context, *Call) (umpire.Verdict, error) { panic("it broke") }
		}, "ask", "", "could not judge this call: panic: it broke at ", "answer_test.go", false},
		"a judge that hangs": {"judge: {enabled: true}\n", fields{"command": open}, func(h *Hook) {
			h.Patience = -time.Second + 30*time.Millisecond
			h.Judge = func(context.Context, *Call) (umpire.Verdict, error) { select {} }
		}, "allow", "judged only in part: " + errTime.Error(), "", errTime.Error(), true},
		"a scan that hangs over a prompt": {"guard: {prompts: true}\n", fields{"event": "prompt", "text": "hello"}, func(h *Hook) {
			h.Patience = -time.Second + 30*time.Millisecond
			h.Scan = func(context.Context, *Call, func(string) error) error { select {} }
		}, "allow", "", "", errTime.Error(), false},
		"the policy's file": {"rulez: []\n", fields{"command": "ls"}, func(*Hook) {}, "allow", "judged only in part: the rules in the policy files are not in force", "", "rulez", true},
		"no way to compile": {askMake, fields{"command": "ls"}, func(h *Hook) {
			h.Compile = func(string, string) error { return broken }
		}, "allow", "not in force: the built-in policy is in force: it broke", "", "it broke", true},
		"a compiler that lies": {askMake, fields{"command": "ls"}, func(h *Hook) {
			h.Compile = func(string, string) error { return nil }
		}, "allow", "not in force: the built-in policy is in force: ", "", "the built-in policy is in force: ", true},
		"rules deny all the same": {askMake, fields{"command": "rm -rf ~"}, func(h *Hook) {
			h.Compile = func(string, string) error { return broken }
		}, "deny", "denies", "denies", "it broke", false},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t, c.policy)
			h := u.hook()
			c.set(h)
			s := u.ask(h, u.payload(c.send))
			if s.Effect != c.effect || !strings.Contains(s.stderr, c.stderr) || c.stderr == "" && s.stderr != "" || !strings.Contains(s.Reason, c.reason) {
				t.Errorf("said %+v, want %s with %q, and %q on standard error", s, c.effect, c.reason, c.stderr)
			}
			r := u.last()
			if !strings.Contains(r.Failure, c.failure) || (r.Data[audit.Unjudged] != "") != c.unjudged {
				t.Errorf("the record has the failure %q and the data %v, want %q and unjudged: %v", r.Failure, r.Data, c.failure, c.unjudged)
			}
			if len(u.log()) != 1 {
				t.Errorf("%d records, want one", len(u.log()))
			}
		})
	}
}

// A message that must carry a call, but says nothing about it, cannot be judged: the default action
// applies, and a call that passes by it is told and counted.
func TestCallsWithoutContent(t *testing.T) {
	for payload, why := range map[string]string{
		`{"event":"call","tool":"shell","inptu":{"command":"rm -rf ~"},"dir":"/srv"}`: "input is missing",
		`{"event":"call","tool":"shell","input":null,"dir":"/srv"}`:                   "input is missing",
		`{"event":"call","tool":"shell","input":"","dir":"/srv"}`:                     "input is empty",
		`{"event":"call","tool":"shell","input":[ ],"dir":"/srv"}`:                    "input is empty",
		`{"event":"call","tool":"shell","input":7,"dir":"/srv"}`:                      "input is not an object",
		`{"event":"call","tool":"shell","input":"true","dir":"/srv"}`:                 "input is not an object",
		`{"event":"permission","tool":"shell","dir":"/srv"}`:                          "input is missing",
		`{"event":"cal","tool":"shell","dir":"/srv"}`:                                 "input is missing",
		`{"event":"cal"}`: `the event "cal" is unknown`,
	} {
		for policy, want := range map[string]string{"": "allow", "rules:\n  - allow: tool(shell)\n": "allow", "defaultAction: deny\nrules:\n  - allow: tool(shell)\n": "deny"} {
			u := newUser(t, policy)
			s := u.ask(u.hook(), payload)
			r := u.last()
			if s.Effect != want || !strings.Contains(s.stderr, why) || !strings.Contains(r.Failure, why) || (r.Data[audit.Unjudged] != "") != (want == "allow") {
				t.Errorf("%s with %q: said %+v, recorded %q and %v; want %s and %q", payload, policy, s, r.Failure, r.Data, want, why)
			}
		}
	}
	for _, payload := range []string{
		`{"event":"call","tool":"list","input":{},"dir":"/srv"}`, `{"event":"call","tool":"shell","input":"ls","dir":"/tmp"}`, `{"event":"call","tool":"shell","input":["ls"],"dir":"/tmp"}`,
		`{"event":"cal","tool":"shell","input":{"command":"ls"},"dir":"/srv"}`, `{"event":"notice"}`, `{"event":"result","tool":"shell"}`, `{"event":"PostToolUse","tool":"shell","input":{"command":"ls"}}`,
	} {
		u := newUser(t, "")
		if s := u.ask(u.hook(), payload); s.Effect != "allow" || s.stderr != "" || u.last().Failure != "" {
			t.Errorf("%s: said %+v and recorded %q, want nothing", payload, s, u.last().Failure)
		}
	}
}
