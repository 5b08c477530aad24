package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// Submission is what an agent asks for.
type Submission struct {
	Category    approval.Category `json:"category"`
	Action      string            `json:"action"`
	Description string            `json:"description,omitempty"` // the agent's; people are shown the gateway's own
	Reason      string            `json:"reason,omitempty"`
	Metadata    json.RawMessage   `json:"metadata,omitempty"`
	Session     string            `json:"session,omitempty"`
	Key         string            `json:"key,omitempty"` // asked again with the same one, it is the same request
	ExpiresIn   int64             `json:"expiresIn,omitempty"`
	Lease       int64             `json:"lease,omitempty"` // ms: cancelled when nobody waits for it for that long
	Call        *Call             `json:"call,omitempty"`  // instead of category, action and metadata
	Ask         bool              `json:"ask,omitempty"`   // put it to a person, unless a rule denies it or a person's stored one allows it
}

// Effective is what would be done, of checked fields and in one spelling. An answer is
// bound to the digest of its JSON.
type Effective struct {
	Category approval.Category `json:"category"`

	Method string `json:"method,omitempty"` // network
	Scheme string `json:"scheme,omitempty"`
	Host   string `json:"host,omitempty"` // lower case, ASCII, without a final dot
	Port   string `json:"port,omitempty"`
	Path   string `json:"path,omitempty"`
	Query  string `json:"query,omitempty"`
	Body   string `json:"body,omitempty"` // SHA-256 of what is shown of the body, and its length

	Tool    string        `json:"tool,omitempty"` // filesystem: "Write", "Edit", "Change" or "sync"
	File    string        `json:"file,omitempty"` // clean, below the project's root
	Old     string        `json:"old,omitempty"`
	New     string        `json:"new,omitempty"`
	Changes []host.Change `json:"changes,omitempty"` // changes to apply; sync has none

	Branch string       `json:"branch,omitempty"` // git
	Push   *host.Update `json:"push,omitempty"`   // a commit that an agent pushed here; a mere question has none

	Manager string   `json:"manager,omitempty"` // packages
	Verb    string   `json:"verb,omitempty"`
	Names   []string `json:"names,omitempty"`
	Scripts bool     `json:"scripts,omitempty"` // packages may run their own

	Command string `json:"command,omitempty"` // exec
	Dir     string `json:"cwd,omitempty"`     // below the root, links followed; "" is the root
	Timeout int64  `json:"timeout,omitempty"` // ms
	// Files are what it would run, by content.
	Files []umpire.File `json:"files,omitempty"`

	Setting string          `json:"setting,omitempty"` // sandbox
	Value   json.RawMessage `json:"value,omitempty"`
	Was     json.RawMessage `json:"was,omitempty"` // the old value: an approved change without one is not applied

	Call *Call `json:"call,omitempty"` // of any category: nothing above is set but that

	seen   *disk.Seen    // what the last judgement looked at
	memory *taint.Memory // and what it noted of the files that the command downloads or makes
}

// badInput is a fault of the asker's, and not the gateway's.
type badInput struct{ msg string }

func (e badInput) Error() string { return e.msg }

func bad(format string, args ...any) error { return badInput{fmt.Sprintf(format, args...)} }

// metadata is what the categories may bring, all of it.
type metadata struct {
	Tool     string          `json:"toolName"`
	File     string          `json:"targetFile"`
	Content  *string         `json:"writeContent"`
	Edit     *edit           `json:"editContext"`
	Changes  []changeIn      `json:"changes"`
	Manager  string          `json:"manager"`
	Packages []string        `json:"packages"`
	Scripts  bool            `json:"scripts"`
	Verb     string          `json:"action"`
	Command  string          `json:"command"`
	Dir      string          `json:"cwd"`
	Timeout  int64           `json:"timeout"`
	Proposal *proposal       `json:"proposal"`
	Extra    json.RawMessage `json:"extra"` // the asker's own, shown and not judged
}

type edit struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
}

type proposal struct {
	Path   string          `json:"path"`
	Value  json.RawMessage `json:"value"`
	Reason string          `json:"reason"`
}

// Limits on what is asked for.
const (
	maxContent = host.MaxContent // bytes of a file
	maxNames   = 50              // packages
	maxTimeout = 3_600_000       // ms of a command
)

// effective reads a submission. What it does not understand is refused: a person must
// not be asked about something other than what would be done.
func effective(s *Submission) (e Effective, err error) {
	var m metadata
	if s.Call != nil {
		return e, e.call(s)
	}
	if len(s.Metadata) > 0 {
		dec := json.NewDecoder(bytes.NewReader(s.Metadata))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&m); err != nil {
			return e, bad("metadata: %v", err)
		}
	}
	e.Category = s.Category
	switch s.Category {
	case approval.Network:
		err = e.network(s.Action)
	case approval.Filesystem:
		err = e.filesystem(s.Action, &m)
	case approval.Git:
		branch, ok := strings.CutPrefix(s.Action, "push ")
		if e.Branch = branch; !ok || !goodBranch(branch) {
			err = bad("the action of git is \"push BRANCH\", with the name of a branch")
		}
	case approval.Packages:
		err = e.packages(&m)
	case approval.Exec:
		if e.Command, e.Dir, e.Timeout = m.Command, m.Dir, m.Timeout; e.Command == "" {
			e.Command = s.Action
		}
		switch {
		case strings.TrimSpace(e.Command) == "":
			err = bad("the command is empty")
		case len(e.Command) > approval.MaxAction:
			err = bad("the command is longer than %d bytes", approval.MaxAction)
		case m.Command != "" && s.Action != "" && m.Command != s.Action:
			err = bad("the action and the command differ: say the same in both, or leave one out")
		}
	case approval.Sandbox:
		err = e.setting(m.Proposal)
	default:
		err = bad("unknown category %q: use one of network, filesystem, git, packages, sandbox, exec", s.Category)
	}
	if err == nil && (e.Timeout < 0 || e.Timeout > maxTimeout) {
		err = bad("the timeout is in milliseconds, at most %d", maxTimeout)
	}
	return e, err
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// network reads "CONNECT host:port" or "METHOD URL".
func (e *Effective) network(action string) error {
	method, target, ok := strings.Cut(action, " ")
	if !ok || method == "" || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || strings.ContainsAny(target, " \t\r\n") {
		return bad("the action of network is \"CONNECT host:port\" or \"METHOD URL\"")
	}
	e.Method = method
	if method == "CONNECT" {
		i := strings.LastIndexByte(target, ':')
		if i < 0 {
			return bad("CONNECT needs host:port")
		}
		e.Host, e.Port = target[:i], target[i+1:]
	} else {
		u, err := url.Parse(target)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			return bad("%q must be an http or https address", target)
		}
		if e.Scheme, e.Host, e.Port, e.Path, e.Query = u.Scheme, u.Hostname(), u.Port(), (&url.URL{Path: path.Clean("/" + u.Path)}).EscapedPath(), u.RawQuery; e.Port == "" {
			e.Port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
		}
	}
	if e.Port == "" || len(e.Port) > 5 || strings.Trim(e.Port, "0123456789") != "" {
		return bad("%q is not a port", e.Port)
	}
	var err error
	if e.Host, err = egress.Host(e.Host); err != nil {
		return bad("%v", err)
	}
	return nil
}

// goodBranch follows git check-ref-format, and refuses what begins with a hyphen.
func goodBranch(b string) bool {
	// Names that git reads as something else than the branch.
	if strings.HasPrefix(b, "refs/") || strings.HasPrefix(b, "heads/") || strings.HasPrefix(b, "tags/") || strings.HasPrefix(b, "remotes/") || strings.ToUpper(b) == b && (b == "HEAD" || strings.HasSuffix(b, "_HEAD")) ||
		len(b) >= 40 && strings.Trim(b, "0123456789abcdef") == "" {
		return false
	}
	if b == "" || len(b) > 250 || b == "@" || strings.HasPrefix(b, "-") || strings.HasPrefix(b, "/") || strings.HasSuffix(b, "/") || strings.HasSuffix(b, ".") ||
		strings.Contains(b, "..") || strings.Contains(b, "//") || strings.Contains(b, "@{") || strings.ContainsAny(b, " ~^:?*[\\") || strings.ContainsFunc(b, unicode.IsControl) {
		return false
	}
	return !slices.ContainsFunc(strings.Split(b, "/"), func(p string) bool { return strings.HasPrefix(p, ".") || strings.HasSuffix(p, ".lock") })
}

func (e *Effective) packages(m *metadata) error {
	e.Manager, e.Verb, e.Names, e.Scripts, e.Dir, e.Timeout = m.Manager, m.Verb, m.Packages, m.Scripts, m.Dir, m.Timeout
	if e.Verb == "" {
		e.Verb = "install"
	}
	if len(e.Names) == 0 || len(e.Names) > maxNames {
		return bad("name between 1 and %d packages", maxNames)
	}
	if err := host.CheckPackages(e.Manager, e.Verb, e.Names, e.Scripts); err != nil {
		return bad("%v", err)
	}
	return nil
}

// Title is the action in the gateway's own words: short, and all of it from checked
// fields.
func (e *Effective) Title() string {
	if e.Call != nil {
		return e.Call.title()
	}
	switch e.Category {
	case approval.Network:
		if e.Method == "CONNECT" {
			return "CONNECT " + joinHost(e.Host, e.Port)
		}
		host := e.Host
		if e.Port != map[string]string{"http": "80", "https": "443"}[e.Scheme] || strings.Contains(host, ":") {
			host = joinHost(e.Host, e.Port)
		}
		return e.Method + " " + e.Scheme + "://" + host + e.Path + e.query()
	case approval.Filesystem:
		return e.fileTitle()
	case approval.Git:
		if e.Push != nil {
			return pushTitle(e.Push)
		}
		return "push " + e.Branch
	case approval.Packages:
		return e.Manager + " " + e.Verb + " " + strings.Join(e.Names, " ")
	case approval.Exec:
		return e.Command
	}
	return "config change: " + e.Setting
}

// query is the query for a title, with secrets masked: what it sends out is to be seen. A long
// one is cut, which is said; the card has all of it.
func (e *Effective) query() string {
	if e.Query == "" {
		return ""
	}
	q := redact.Readable(e.Query)
	if len(q) > maxQueryTitle {
		q = strings.ToValidUTF8(q[:maxQueryTitle], "") + fmt.Sprintf("... (%d bytes)", len(e.Query))
	}
	return "?" + q
}

// maxQueryTitle bounds a query in a title, in bytes.
const maxQueryTitle = 200

func joinHost(host, port string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]:" + port
	}
	return host + ":" + port
}

// Digest names what would be done.
func (e *Effective) Digest() string {
	b, err := json.Marshal(e)
	if err != nil { // Value is JSON: it was decoded
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// action is the same for the policy: the call that an agent would make of its own.
func (e *Effective) action(p Principal, session, root string) *umpire.Action {
	a := &umpire.Action{Principal: umpire.Principal{Platform: "gateway", Session: session, User: p.Name}, Dir: root, Workspace: root}
	input := map[string]any{}
	switch e.Category {
	case approval.Network:
		a.Tool = "WebFetch"
		if e.Method == "CONNECT" {
			input["url"] = "https://" + joinHost(e.Host, e.Port)
		} else {
			input["url"] = e.Scheme + "://" + joinHost(e.Host, e.Port) + e.Path
			if e.Query != "" { // what is sent out by a query is sent out
				input["url"] = input["url"].(string) + "?" + e.Query
			}
		}
	case approval.Filesystem:
		a.Tool, input["file_path"] = "Edit", path.Join(root, e.File)
		if e.Tool == "Change" { // the operations are read change by change
			a.Tool, input = "Write", map[string]any{"changes": e.texts()}
		} else if e.Tool == "Write" {
			a.Tool, input["content"] = "Write", string(e.Changes[0].Content)
		} else {
			input["old_string"], input["new_string"] = e.Old, e.New
		}
	case approval.Git:
		if a.Tool, input["command"] = "Bash", "git push origin "+quote(e.Branch); e.Push != nil {
			input["command"] = pushCommand(e.Push)
		}
	case approval.Packages:
		words := []string{e.Manager, e.Verb}
		if e.Verb == "remove" && e.Manager != "bun" && e.Manager != "cargo" && e.Manager != "yarn" && e.Manager != "pnpm" && e.Manager != "uv" {
			words[1] = "uninstall"
		}
		if e.Manager == "go" && e.Verb == "add" {
			words[1] = "get"
		}
		for _, n := range e.Names {
			words = append(words, quote(n))
		}
		a.Tool, input["command"] = "Bash", strings.Join(words, " ")
	case approval.Exec:
		a.Tool, input["command"] = "Bash", e.Command
		if e.Dir != "" {
			input["cwd"] = e.Dir
		}
	default:
		a.Tool, input["path"] = "umpire_config_change", ""
	}
	a.Input, _ = json.Marshal(input) // strings always marshal
	return a
}

// quote makes one word of a text, for the shell reading.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// hardened categories are never let through by their mode or by the default.
func hardened(c approval.Category) bool {
	return c == approval.Exec || c == approval.Packages || c == approval.Sandbox
}

// decide puts what would be done before the policy: by rules, else by the category's
// mode, else Ask.
func (g *Gateway) decide(e *Effective, p Principal, session string) (umpire.Decision, []umpire.Operation, *umpire.Action) {
	now := g.current()
	return g.decideWith(e, p, session, now.policy, now.given(p, session))
}

// given is what people answered for a session. A grant is one agent's: that another names the
// same session is no reason to trust it.
func (b *inForce) given(p Principal, session string) *granted {
	if session == "" {
		return nil
	}
	return b.sessions[sessionKey(p.ID, session)]
}

func (g *Gateway) decideWith(e *Effective, p Principal, session string, pol *policy.Policy, given *granted) (umpire.Decision, []umpire.Operation, *umpire.Action) {
	d, ops, a := g.weigh(e, p, session, pol, given)
	switch {
	case len(e.Changes) > 0:
		careful(&d, ops)
		if d.Effect == umpire.Allow {
			if file := g.onlyWide(a, ops, pol); file != "" && !given.has(d) {
				d.Add(umpire.Reason{Rule: "file-runs-code", Effect: umpire.Ask, Op: -1,
					Text: "programs run code from " + visible.Line(strings.TrimPrefix(file, g.root+"/")) + ", or agents obey it: a rule has to name it"})
			}
		}
	case e.Push != nil:
		carefulPush(&d, e.Push)
	case e.Scripts && d.Effect == umpire.Allow: // a rule speaks of names, and not of what they run
		d.Effect = umpire.Ask
	case e.Dir != "" && e.Call == nil && d.Effect == umpire.Allow:
		d.Add(umpire.Reason{Rule: "other-folder", Effect: umpire.Ask, Op: -1, Text: "rules speak about the project's own folder, and this runs in " + visible.Line(e.Dir)})
	}
	return d, ops, a
}

func (g *Gateway) weigh(e *Effective, p Principal, session string, pol *policy.Policy, given *granted) (umpire.Decision, []umpire.Operation, *umpire.Action) {
	a, env := e.action(p, session, g.root), operation.Env{ReadFile: platform.ReadFile, ReadDir: platform.ReadDir}
	if e.Call != nil {
		a, env = e.Call.action(), operation.Env{}
		a.Principal.Session, a.Principal.User = session, p.Name
	} else {
		platform.Complete(a, "", func(string) string { return "" })
	}
	if a.Home == "" {
		a.Home = g.home
	}
	if e.Category == approval.Sandbox { // always put to a person
		return umpire.Decision{Effect: umpire.Ask, Explicit: true}, []umpire.Operation{{Kind: umpire.Sandbox, Resource: "config " + e.Setting}}, a
	}
	a.Tainted = g.tainted(a.Principal)
	if e.Call == nil {
		e.seen = disk.See(disk.New(a.Home, a.Workspace, a.Temp), platform.MaxFile, platform.ReadFile)
		env.Disk, env.ReadFile = e.seen.View, e.seen.ReadFile
		if e.Category == approval.Exec && session != "" && g.audit != "" {
			own := umpire.Principal{Session: sessionKey(p.ID, session)} // another agent may give the same name
			e.memory = taint.Open(filepath.Join(g.audit, "taint")).Memory(own, disk.Birth)
			env.Session = e.memory
		}
	}
	env.Programs = pol.Programs()
	ops := operation.Read(a, env)
	if e.Tool == "Change" {
		ops = e.fileOperations(a)
	}
	if e.Category == approval.Network && e.Call == nil && e.Method != "CONNECT" {
		withRequest(ops, e)
	}
	if len(ops) == 1 && (ops[0].Idle() || ops[0].Resource == ":") && e.Category == approval.Exec && e.Call == nil {
		// What does nothing but print has no operation of its own, and rules may still name it.
		ops = []umpire.Operation{{Kind: umpire.Exec, Resource: strings.Join(strings.Fields(e.Command), " ")}}
	}
	d := pol.Decide(a, ops)
	if e.Category == approval.Git && e.Call == nil && d.Effect != umpire.Deny {
		// Nothing is run for the agent: rules for git settle it, without one for the program.
		ops = slices.DeleteFunc(ops, func(o umpire.Operation) bool { return o.Kind == umpire.Exec })
		d = pol.Decide(a, ops)
	}
	decide := func(ops []umpire.Operation) umpire.Decision {
		d := pol.Decide(a, ops)
		if allows := func(d umpire.Decision) bool { return d.Explicit && d.Effect == umpire.Allow }; allows(d) && otherPort(e) && !namesPort(d, pol.Decide(a, withoutPort(ops, e.Port))) {
			d.Effect = umpire.Ask // a rule for a host is one for its web server, unless it names the port
		}
		return d
	}
	if e.Category == approval.Git || e.Category == approval.Packages || e.Category == approval.Exec {
		if by := byAspects(e, a, ops, d, pol); by.Explicit && by.Effect != d.Effect {
			return by, ops, a
		}
	}
	if d.Effect == umpire.Deny {
		return d, ops, a
	}
	if given != nil && given.deny != nil {
		if s := given.deny.Decide(a, ops); s.Explicit && s.Effect == umpire.Deny {
			return s, ops, a
		}
	}
	if d = decide(ops); d.Explicit && d.Effect == umpire.Allow {
		return d, ops, a
	}
	if s, ok := given.covers(e, a, ops, decide); ok {
		return s, ops, a
	}
	if d.Explicit {
		return d, ops, a
	}
	d.Effect = umpire.Ask
	if !hardened(e.Category) {
		kind, _ := umpire.ParseKind(string(e.Category)) // every category is a kind
		if kind == umpire.Filesystem {
			kind = umpire.Write
		}
		switch m := pol.Mode(kind); {
		case m == policy.AllowAll:
			d.Effect = umpire.Allow
		case m == policy.DenyAll:
			d.Add(umpire.Reason{Rule: "mode", Effect: umpire.Deny, Op: -1, Text: "the mode of " + string(e.Category) + " is deny-all"})
		}
	}
	return d, ops, a
}

// tainted reports whether a session met what tries to steer the agent. The marks are in the
// state folder of this machine.
func (g *Gateway) tainted(p umpire.Principal) bool {
	return g.audit != "" && taint.Open(filepath.Join(g.audit, "taint")).Has(p)
}

// withRequest has the operation say what is asked of the host: a tool that fetches has no
// method, and rules may name one, and a path. The query is data, and no part of either.
func withRequest(ops []umpire.Operation, e *Effective) {
	for i := range ops {
		if ops[i].Kind == umpire.Network {
			ops[i].Resource = e.Method + " " + joinHost(e.Host, e.Port) + e.Path
		}
	}
}

// understood reads a submission, and refuses one for a folder outside of the project.
func (g *Gateway) understood(s *Submission) (Effective, error) {
	e, err := effective(s)
	if err == nil && e.Dir != "" {
		e.Dir, err = g.belowRoot(e.Dir)
	}
	return e, err
}

// Submit puts a submission through the pipeline. The request that it returns is stored:
// it is settled already where rules or the mode answer.
func (g *Gateway) Submit(ctx context.Context, p Principal, s Submission) (approval.Request, error) {
	e, err := g.understood(&s)
	if err != nil {
		return approval.Request{}, err
	}
	diff, err := g.bind(ctx, &e)
	if err != nil {
		if old, none := g.store.ByKey(ctx, p.ID, s.Key); none == nil { // it was asked for before, and may be done
			return old, nil
		}
		return approval.Request{}, err
	}
	return g.submit(ctx, p, s, &e, diff)
}

// submit asks for what was read of a submission. People are shown the difference.
func (g *Gateway) submit(ctx context.Context, p Principal, s Submission, e *Effective, diff string) (approval.Request, error) {
	if err := g.catchUp(ctx); err != nil {
		return approval.Request{}, err
	}
	d, ops, a := g.decide(e, p, s.Session)
	if s.Ask {
		d = g.asked(e, p, s.Session, d, ops, a)
	}
	if e.Category == approval.Packages && e.Call == nil && e.Verb != "remove" && d.Effect == umpire.Ask {
		diff += g.lookup.About(ctx, e.Manager, e.Names)
	}
	if e.Category == approval.Filesystem {
		s.Metadata = nil // the contents are kept once
	}
	body, err := json.Marshal(struct {
		Effective  *Effective         `json:"effective"`
		Operations []umpire.Operation `json:"operations,omitempty"`
		Reasons    []umpire.Reason    `json:"reasons,omitempty"`
		Ask        bool               `json:"ask,omitempty"`
		Said       json.RawMessage    `json:"said,omitempty"` // the agent's own fields, as they came
		Words      string             `json:"description,omitempty"`
		Diff       string             `json:"diff,omitempty"` // for people: what changes, with secrets masked, or what registries say
	}{e, ops, d.Reasons, s.Ask, s.Metadata, s.Description, diff})
	if err != nil {
		return approval.Request{}, err
	}
	r := approval.Request{Agent: p.ID, Session: s.Session, Category: e.Category, Action: e.Title(), Reason: s.Reason, Metadata: body, Digest: e.Digest(), Key: s.Key,
		Description: describe(e, d)}
	r.Target = e.target()
	if s.ExpiresIn > 0 {
		r.Expires = g.now().Add(min(durationMS(s.ExpiresIn), maxExpiry))
	}
	if !p.Expires.IsZero() && (r.Expires.IsZero() || p.Expires.Before(r.Expires)) && p.Expires.Before(g.now().Add(g.expiry())) {
		r.Expires = p.Expires
	}
	if r.Lease = durationMS(s.Lease); r.Lease != 0 && (r.Lease < approval.MinLease || r.Lease > approval.MaxLease) {
		return approval.Request{}, bad("a lease is in milliseconds, from %d to %d", approval.MinLease.Milliseconds(), approval.MaxLease.Milliseconds())
	}
	switch d.Effect {
	case umpire.Allow:
		r.State, r.ResolvedBy = approval.Approved, approval.ByAuto
	case umpire.Deny:
		r.State, r.ResolvedBy = approval.Denied, approval.ByAuto
		r.Note = platform.Reason(d, ops)
	default:
		r.Needs, r.Most = g.needs[e.Category], g.options.Waiting
	}
	for _, reason := range d.Reasons {
		if reason.Effect == d.Effect && r.State != "" {
			r.Rule = reason.Rule
			break
		}
	}
	if err := r.Check(); err != nil {
		return approval.Request{}, bad("%v", err)
	}
	stored, err := g.queue.Ask(ctx, r)
	if err == nil {
		err = g.endRevoked(context.WithoutCancel(ctx), p, stored)
	}
	if err != nil {
		return stored, err
	}
	g.metrics.requests.WithLabelValues(string(stored.Category), string(stored.State)).Inc()
	g.record(a, ops, d, stored)
	return stored, g.supersede(ctx, &stored, e)
}
