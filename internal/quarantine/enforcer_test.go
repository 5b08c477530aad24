package quarantine

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"
)

// desk is an enforcer with a reviewer in session.
type desk struct {
	*Enforcer
	clock   *settable
	session Session
	refs    map[string]string // by path
	log     *sink
}

var material = []File{{"src/a.go", "d1"}, {"src/b.go", "d2"}, {"README", "d3"}}

func newDesk(t testing.TB, once bool) *desk {
	t.Helper()
	d := &desk{clock: &settable{time.Unix(1_700_000_000, 0)}, refs: map[string]string{}, log: &sink{}}
	c := DefaultConfig("/x")
	sessions, err := NewSessions(c.KeySize, d.clock.now)
	if err != nil {
		t.Fatal(err)
	}
	limiter := NewLimiter(c.Rate, c.MaxAgents, d.clock.now)
	log := newLog(d.log, io.Discard)
	if d.Enforcer, err = NewEnforcer(c, sessions, limiter, log, d.clock.now); err != nil {
		t.Fatal(err)
	}
	if d.session, err = sessions.Create("agent-1", true); err != nil {
		t.Fatal(err)
	}
	if err := limiter.Register("agent-1"); err != nil {
		t.Fatal(err)
	}
	refs, err := d.Issue(d.session.ID, material, once)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range material {
		d.refs[f.Path] = refs[i]
	}
	t.Cleanup(func() { sessions.DestroyAll(); _ = log.Close() })
	return d
}

func (d *desk) call(tool, args string) Decision {
	return d.Decide(ToolCall{Agent: "agent-1", Tool: tool, Args: json.RawMessage(args)})
}

func object(kv ...any) string {
	m := map[string]any{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i].(string)] = kv[i+1]
	}
	b, _ := json.Marshal(m)
	return string(b)
}

func TestDecide(t *testing.T) {
	d := newDesk(t, false)
	a, b := d.refs["src/a.go"], d.refs["src/b.go"]
	tests := []struct {
		name, tool, args string
		event            EventType // "" if it is allowed
		severity         Severity
		files            int
	}{
		{"read", Read, object("ref", a), "", "", 1},
		{"read by another spelling", Read, object("file_path", a, "offset", 3, "limit", 10), "", "", 1},
		{"read several", Read, object("ref", []string{a, b}), "", "", 2},
		{"grep all", Grep, object("pattern", "x"), "", "", 3},
		{"grep one", Grep, object("pattern", "x", "path", a, "glob", "*.go", "max", 5), "", "", 1},
		{"glob", Glob, object("pattern", "**"), "", "", 3},

		{"a shell", "Bash", object("command", "id"), ToolBlocked, Critical, 0},
		{"an agent", "Task", `{}`, ToolBlocked, Critical, 0},
		{"a skill", "Skill", `{}`, ToolBlocked, High, 0},
		{"a server's tool", "mcp__x__y", `{}`, ToolBlocked, High, 0},
		{"a list of todos", "TodoWrite", `{}`, ToolBlocked, Medium, 0},
		{"another case", "read", object("ref", a), ToolBlocked, High, 0},
		{"a space", "Read ", object("ref", a), ToolBlocked, High, 0},
		{"a look-alike", "Rеad", object("ref", a), ToolBlocked, High, 0},
		{"an empty name", "", object("ref", a), ToolBlocked, High, 0},

		{"a plain path", Read, object("ref", "/src/a.go"), InvalidReference, High, 0},
		{"a path of the machine", Read, object("file_path", "/etc/passwd"), InvalidReference, High, 0},
		{"no location", Read, `{}`, InvalidReference, High, 0},
		{"an empty list", Read, `{"ref":[]}`, InvalidReference, High, 0},
		{"a list with a plain path", Read, object("ref", []string{a, "/etc/passwd"}), InvalidReference, High, 0},
		{"a list in a list", Read, object("ref", [][]string{{a}}), InvalidReference, High, 0},
		{"an object for a location", Read, object("ref", map[string]string{"x": a}), InvalidReference, High, 0},
		{"no location but null", Read, `{"ref":null}`, InvalidReference, High, 0},
		{"two spellings", Read, object("ref", a, "file_path", a), InvalidReference, High, 0},
		{"a good and a bad spelling", Read, object("ref", a, "path", "/etc/passwd"), InvalidReference, High, 0},
		{"the same key twice", Read, `{"ref":"` + a + `","ref":"/etc/passwd"}`, InvalidReference, High, 0},
		{"an unknown argument", Read, object("ref", a, "command", "id"), InvalidReference, High, 0},
		{"a reference elsewhere", Grep, object("pattern", a), InvalidReference, High, 0},
		{"a broken reference elsewhere", Grep, object("pattern", "x", "glob", "TYPED:/x"), InvalidReference, High, 0},
		{"a plain path to grep", Grep, object("pattern", "x", "path", "/"), InvalidReference, High, 0},
		{"a way up to glob", Glob, object("pattern", "*", "path", "../.."), InvalidReference, High, 0},
		{"no pattern", Grep, `{}`, InvalidReference, High, 0},
		{"an offset that is a text", Read, object("ref", a, "offset", "1"), InvalidReference, High, 0},
		{"a negative offset", Read, object("ref", a, "offset", -1), InvalidReference, High, 0},
		{"no JSON", Read, `{`, InvalidReference, High, 0},
		{"a list of arguments", Read, `[]`, InvalidReference, High, 0},
		{"nothing", Read, ``, InvalidReference, High, 0},
		{"arguments without end", Read, `{"ref":"` + strings.Repeat("a", maxArgs) + `"}`, InvalidReference, High, 0},
		{"a forged MAC", Read, object("ref", a[:strings.Index(a, "hmac=")+5]+strings.Repeat("0", 64)+a[strings.Index(a, "&ts"):]), MACFailed, Critical, 0},
		{"another session", Read, object("ref", strings.Replace(a, d.session.ID, sidB, 1)), OtherSession, Critical, 0},
	}
	for _, tt := range tests {
		got := d.call(tt.tool, tt.args)
		if got.Allowed != (tt.event == "") || len(got.Files) != tt.files {
			t.Errorf("%s: decision %+v, want %d files and the event %q", tt.name, got, tt.files, tt.event)
			continue
		}
		if !got.Allowed && (got.Event == nil || got.Event.Type != tt.event || got.Event.Severity != tt.severity || got.Reason == "") {
			t.Errorf("%s: decision %+v with the event %+v, want a reason and a %v %s", tt.name, got, got.Event, tt.severity, tt.event)
		}
		for _, f := range got.Files {
			if f.Digest == "" {
				t.Errorf("%s: a file without a digest", tt.name)
			}
		}
	}
	if s, _ := d.sessions.Get(d.session.ID); s.ToolCalls != len(tests) {
		t.Errorf("%d calls were counted", s.ToolCalls)
	}
	_ = d.Enforcer.log.Flush()
	if all := strings.Join(d.log.writes, ""); strings.Contains(all, "hmac=0") || !strings.Contains(all, `"label":"AS-001"`) {
		t.Errorf("the log: %s", all)
	}
}

func TestDecideAgents(t *testing.T) {
	d := newDesk(t, false)
	read := object("ref", d.refs["README"])
	if got := d.Decide(ToolCall{Agent: "nobody", Tool: Read, Args: json.RawMessage(read)}); got.Allowed || got.Event.Severity != Critical {
		t.Errorf("an agent without a session: %+v", got)
	}
	if _, err := d.sessions.Create("main", false); err != nil {
		t.Fatal(err)
	}
	if got := d.Decide(ToolCall{Agent: "main", Tool: "Bash"}); !got.Allowed {
		t.Errorf("an agent that is not in quarantine: %+v", got)
	}
	// A second reviewer has no use of the first one's references.
	other, err := d.sessions.Create("agent-2", true)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.limiter.(*Limiter).Register("agent-2"); err != nil {
		t.Fatal(err)
	}
	if got := d.Decide(ToolCall{Agent: "agent-2", Tool: Read, Args: json.RawMessage(read)}); got.Allowed || got.Event.Type != InvalidReference {
		t.Errorf("before it was given files: %+v", got)
	}
	if _, err := d.Issue(other.ID, material, false); err != nil {
		t.Fatal(err)
	}
	if got := d.Decide(ToolCall{Agent: "agent-2", Tool: Read, Args: json.RawMessage(read)}); got.Allowed || got.Event.Type != OtherSession {
		t.Errorf("another agent's reference: %+v", got)
	}
	d.sessions.Deactivate(d.session.ID)
	if got := d.call(Read, read); got.Allowed || got.Event.Type != OtherSession {
		t.Errorf("after it ended: %+v", got)
	}
	d.sessions.Destroy(d.session.ID)
	if got := d.call("Bash", `{}`); got.Allowed {
		t.Errorf("after its session was destroyed: %+v", got)
	}
	if _, err := d.sessions.Create("agent-1", true); err != nil { // the same agent, a later session
		t.Fatal(err)
	}
	s, _ := d.sessions.Of("agent-1")
	if _, err := d.Issue(s.ID, material, false); err != nil {
		t.Fatal(err)
	}
	if got := d.call(Read, read); got.Allowed || got.Event.Type != OtherSession {
		t.Errorf("an old reference in a later session: %+v", got)
	}
	if c := d.Check(d.session.ID, d.refs["README"]); c.Valid {
		t.Error("a reference of a destroyed session is valid")
	}
}

func TestDecideLimitAndExpiry(t *testing.T) {
	d := newDesk(t, false)
	read := object("ref", d.refs["README"])
	for i := range 100 {
		if got := d.call(Read, read); i < 99 && !got.Allowed {
			t.Fatalf("call %d: decision %+v, want it allowed", i+1, got)
		}
	}
	if got := d.call("Bash", `{}`); got.Allowed || got.Event.Type != RateExceeded || !strings.Contains(got.Reason, "100/100") {
		t.Errorf("call 101: decision %+v, want %s with 100/100", got, RateExceeded)
	}
	d.clock.t = d.clock.t.Add(time.Hour)
	if got := d.call(Read, read); !got.Allowed {
		t.Errorf("after exactly an hour: %+v", got)
	}
	d.clock.t = d.clock.t.Add(time.Second)
	got := d.call(Read, read)
	if got.Allowed || got.Event.Type != ReferenceExpired || got.Event.Context["age"] != int64(3601) || got.Event.Context["ttl"] != int64(3600) {
		t.Errorf("a second later: %+v", got.Event)
	}
}

func TestOnce(t *testing.T) {
	d := newDesk(t, true)
	one, page := object("ref", d.refs["README"]), object("ref", d.refs["README"], "offset", 2001)
	if !d.call(Read, one).Allowed || !d.call(Read, page).Allowed {
		t.Error("the first time")
	}
	ref := d.refs["README"]
	same := []string{one, page, object("ref", ref, "offset", 0), object("ref", ref, "offset", 1), object("ref", ref, "limit", 0), object("ref", ref, "limit", 2000), object("ref", ref, "offset", 1, "limit", 1<<30),
		object("path", ref), object("file_path", ref, "offset", 2001, "limit", 5000)}
	for _, again := range same {
		if got := d.call(Read, again); got.Allowed || got.Event.Type != MACFailed {
			t.Errorf("the second time: %+v", got)
		}
	}
}

type panicking struct{}

func (panicking) Take(string) Allowance { panic("boom") }

func TestAPanicDenies(t *testing.T) {
	d := newDesk(t, false)
	d.limiter = panicking{}
	if got := d.call(Read, object("ref", d.refs["README"])); got.Allowed || got.Event == nil || got.Event.Severity != Critical {
		t.Errorf("decision %+v, want a denial with a critical event", got)
	}
}

// Nothing that a reviewer sends opens a file that it has no reference for.
func FuzzDecide(f *testing.F) {
	f.Add("Read", `{"ref":"/etc/passwd"}`)
	f.Add("Grep", `{"pattern":"x","path":"typed://"}`)
	f.Add("Bash", `{"command":"id"}`)
	d := newDesk(f, false)
	f.Fuzz(func(t *testing.T, tool, args string) {
		d.clock.t = d.clock.t.Add(time.Minute) // no limit
		got := d.call(tool, args)
		if !got.Allowed {
			if got.Event == nil || len(got.Files) > 0 {
				t.Errorf("decision %+v, want an event and no files", got)
			}
			return
		}
		if tool != Grep && tool != Glob { // it knows none of the references
			t.Errorf("%s %s was allowed", tool, args)
		}
	})
}
