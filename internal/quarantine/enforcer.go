package quarantine

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// File is a file of the snapshot that references can point to.
type File struct {
	Path   string `json:"path"` // relative to the snapshot
	Digest string `json:"digest"`
}

// ToolCall is a tool call of an agent.
type ToolCall struct {
	Agent  string
	Tool   string
	Args   json.RawMessage
	Client string // owner of the tool: "", "claude" or "opencode"
}

// Decision is the answer to a call. The zero value denies.
type Decision struct {
	Allowed bool           `json:"allowed"`
	Reason  string         `json:"reason,omitempty"` // reason for the reviewer
	Event   *SecurityEvent `json:"securityEvent,omitempty"`

	Args  map[string]any `json:"-"` // checked arguments of an allowed call
	Files []File         `json:"-"` // the only files that an allowed call may open
}

// rateLimiter counts calls per minute.
type rateLimiter interface{ Take(agent string) Allowance }

// Enforcer decides on the calls of reviewers. A review has one.
type Enforcer struct {
	config   Config
	sessions *Sessions
	limiter  rateLimiter
	log      *Log
	clock    Clock

	mu     sync.Mutex
	scopes map[string]*scope // by session
}

// scope is the set of files that one session may read.
type scope struct {
	files map[string]File // by the path in a reference
	once  bool
	used  map[string]bool
}

// NewEnforcer returns an Enforcer for a valid configuration.
func NewEnforcer(c Config, s *Sessions, l rateLimiter, log *Log, clock Clock) (*Enforcer, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	return &Enforcer{config: c, sessions: s, limiter: l, log: log, clock: clock, scopes: map[string]*scope{}}, nil
}

// Issue lets a session read files, and returns a reference to each, or "" on failure. With once,
// each reference and range works one time.
func (e *Enforcer) Issue(session string, files []File, once bool) ([]string, error) {
	key, ok := e.sessions.Key(session)
	if !ok {
		return nil, errSession
	}
	refs := make([]string, len(files))
	sc := &scope{files: make(map[string]File, len(files)), once: once, used: map[string]bool{}}
	now := e.clock().Unix()
	for i, f := range files {
		r, err := Sign(key, session, "/"+f.Path, f.Digest, now)
		if errors.Is(err, errReference) || f.Digest == "" {
			continue
		}
		if err != nil {
			return nil, err
		}
		refs[i], sc.files[r.Path] = r.String(), f
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scopes[session] = sc
	return refs, nil
}

// Forget withdraws a session's files.
func (e *Enforcer) Forget(session string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.scopes, session)
}

// Check reports whether a session accepts a reference.
func (e *Enforcer) Check(session, uri string) Check {
	key, ok := e.sessions.Key(session)
	if !ok { // the session was destroyed, so all its references are void
		return Check{Error: SessionMismatch, Message: codeText[SessionMismatch]}
	}
	e.mu.Lock()
	sc := e.scopes[session]
	e.mu.Unlock()
	c := checker{session: session, key: key, ttl: e.config.ReferenceTTL, now: func() int64 { return e.clock().Unix() },
		digest: func(path string) (string, bool) {
			if sc == nil {
				return "", false
			}
			f, ok := sc.files[path]
			return f.Digest, ok
		}}
	return c.check(uri)
}

// Decide decides on a call. Any fault in it denies the call.
func (e *Enforcer) Decide(c ToolCall) (d Decision) {
	s := Session{Agent: c.Agent}
	defer func() {
		if r := recover(); r != nil {
			d = e.deny(s, c, ToolBlocked, Critical, "the decision failed", map[string]any{"client": c.Client})
		}
	}()
	known, ok := e.sessions.Of(c.Agent)
	if !ok {
		// Never answer "not in quarantine": an agent whose session was destroyed must not be free.
		return e.deny(s, c, ToolBlocked, Critical, "this agent has no session", map[string]any{"client": c.Client})
	}
	s = known
	if !s.Quarantine {
		return Decision{Allowed: true}
	}
	if !s.Active {
		return e.deny(s, c, OtherSession, "", codeText[SessionMismatch], map[string]any{"code": SessionMismatch})
	}
	if a := e.limiter.Take(c.Agent); !a.Allowed {
		return e.deny(s, c, RateExceeded, "", a.Reason, map[string]any{"count": a.Count})
	}
	if err := e.sessions.Count(s.ID); err != nil {
		return e.deny(s, c, ToolBlocked, Critical, "this agent has no session", map[string]any{"client": c.Client})
	}
	if !slices.Contains(e.config.AllowedTools, c.Tool) {
		t := classify(c.Tool)
		return e.deny(s, c, ToolBlocked, t.Risk, "this tool is blocked: a review has "+listed(e.config.AllowedTools)+" and nothing else",
			map[string]any{"risk": t.Risk, "label": t.Label, "category": t.Category, "client": c.Client})
	}
	args, locations, err := readArgs(c)
	if err != nil {
		return e.deny(s, c, InvalidReference, "", err.Error(), map[string]any{"code": Malformed, "client": c.Client})
	}
	return e.locate(s, c, args, locations)
}

// locate checks every location of a call.
func (e *Enforcer) locate(s Session, c ToolCall, args map[string]any, locations []string) Decision {
	e.mu.Lock()
	sc := e.scopes[s.ID]
	e.mu.Unlock()
	if sc == nil {
		return e.deny(s, c, InvalidReference, "", codeText[NotInScope], map[string]any{"code": NotInScope})
	}
	d := Decision{Allowed: true, Args: args}
	for _, uri := range locations {
		check := e.Check(s.ID, uri)
		if check.Valid && sc.once && c.Tool == Read {
			first, most := span(args)
			use := fmt.Sprintf("%x %d %d", check.Reference.MAC, first, most)
			e.mu.Lock()
			if sc.used[use] {
				check = Check{Error: InvalidMAC, Message: codeText[InvalidMAC], Reference: check.Reference}
			}
			sc.used[use] = true
			e.mu.Unlock()
		}
		if !check.Valid {
			kind, context := InvalidReference, map[string]any{"code": check.Error}
			switch check.Error {
			case InvalidMAC:
				kind = MACFailed
			case SessionMismatch:
				kind = OtherSession
			case Expired:
				kind = ReferenceExpired
				context = map[string]any{"code": check.Error, "age": int64(check.Age / time.Second), "ttl": int64(e.config.ReferenceTTL / time.Second)}
			case Malformed, NotInScope:
			}
			return e.deny(s, c, kind, "", check.Message, context)
		}
		d.Files = append(d.Files, sc.files[check.Reference.Path])
	}
	if len(locations) == 0 { // all files of the session
		for _, path := range slices.Sorted(maps.Keys(sc.files)) {
			d.Files = append(d.Files, sc.files[path])
		}
	}
	return d
}

// maxLines is the default and maximum number of lines of a Read.
const maxLines = 2000

// span returns the range of lines that a Read returns. No line, line 0 and line 1 give the same
// range.
func span(args map[string]any) (first, most int64) {
	first, _ = args["offset"].(int64)
	most, _ = args["limit"].(int64)
	if first = max(first, 1); most <= 0 || most > maxLines {
		most = maxLines
	}
	return first, most
}

// deny records a refusal. If severity is empty, the event type determines it.
func (e *Enforcer) deny(s Session, c ToolCall, t EventType, severity Severity, reason string, context map[string]any) Decision {
	if v, err := DecodeStrict(c.Args); err == nil {
		context["args"] = v
	} else {
		context["args"] = string(c.Args)
	}
	ev := NewEvent(e.clock(), t, s, reason, context)
	ev.Tool = c.Tool
	if severity != "" {
		ev.Severity = severity
	}
	e.log.Add(ev)
	return Decision{Reason: reason, Event: &ev}
}

func listed(names []string) string {
	switch len(names) {
	case 1:
		return names[0]
	case 2:
		return names[0] + " and " + names[1]
	}
	out := ""
	for i, n := range names {
		if i > 0 {
			out += ", "
		}
		out += n
	}
	return out
}
