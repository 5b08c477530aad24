// Package client asks a gateway for permission, on behalf of an agent or a program.
//
//	c := &client.Client{Session: "build-7"} // URL and token from UMPIRE_API and UMPIRE_AGENT_TOKEN
//	res, err := c.RequestExec(ctx, "make deploy", ".", "release 1.2")
//	var denied *client.Denied
//	switch {
//	case errors.As(err, &denied):
//		// tell the agent denied.Note
//	case err != nil:
//		// no one could be asked: treat it as a denial
//	default:
//		fmt.Print(res.Stdout)
//	}
//
// The Request methods return once the request is approved and, for commands and changes, carried
// out. If no rule settles a request, they wait for a person, also through failures of the gateway
// and of the network. They end when the request is denied or expires, or with the context, which
// also cancels the request. Submit and Wait do the same in two steps; Check asks only the rules.
//
// Nothing is permitted without a nil error. A *Denied is an answer, a *Fault means that the
// gateway refused the request, and ErrUnknown that a command may have run.
package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/umpire-dev/umpire"
)

// Client calls a gateway. It is safe for concurrent use.
type Client struct {
	// URL of the gateway. If empty: UMPIRE_API, SANDBOX_API or http://127.0.0.1:3700.
	// A comma-separated list of gateways that share a database is tried in order.
	URL     string
	Token   string       // agent token; UMPIRE_AGENT_TOKEN if empty
	Session string       // name of the run, for grants that last for a session
	HTTP    *http.Client // if nil, one that follows no redirects; yours may add the token itself

	turn uint32 // index of the URL in use; atomic
}

// Category is the type of permission that a Request asks for.
type Category string

// Categories.
const (
	CategoryNetwork    Category = "network"
	CategoryFilesystem Category = "filesystem"
	CategoryGit        Category = "git"
	CategoryPackages   Category = "packages"
	CategorySandbox    Category = "sandbox" // settings of the gateway
	CategoryExec       Category = "exec"
)

// Status is the state of a request. Only StatusApproved permits anything. Treat the zero value,
// and any status that you do not know, as a denial.
type Status string

// Statuses.
const (
	StatusPending    Status = "pending"
	StatusApproved   Status = "approved"
	StatusDenied     Status = "denied"
	StatusExpired    Status = "expired"
	StatusSuperseded Status = "superseded"
	StatusCancelled  Status = "cancelled"
	StatusConflict   Status = "conflict" // a file changed after the approval, so nothing was done
)

// Request is an agent's request for permission.
type Request struct {
	Category Category       `json:"category"`
	Action   string         `json:"action"`
	Reason   string         `json:"reason,omitempty"` // why, in the agent's words
	Metadata map[string]any `json:"metadata,omitempty"`
	Session  string         `json:"session,omitempty"` // Client.Session if empty
	// Key identifies the request: the gateway treats a second request with the same key as the
	// first one, sent again. A random key if empty.
	Key string `json:"key,omitempty"`
	// Lease is the time that the gateway keeps the request while no one waits for it. If zero,
	// RequestPermission uses two minutes, and Submit sets no limit.
	Lease time.Duration `json:"-"`
}

// MarshalJSON implements json.Marshaler. The gateway reads leases in milliseconds.
func (r Request) MarshalJSON() ([]byte, error) {
	type plain Request
	return json.Marshal(struct {
		plain
		Lease int64 `json:"lease,omitempty"`
	}{plain(r), r.Lease.Milliseconds()})
}

// Answer is the state of a request.
type Answer struct {
	ID     string `json:"id"`
	Status Status `json:"status"`
	Note   string `json:"note,omitempty"` // the person's message to the agent
}

// Result is the output of a command that ran.
type Result struct {
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	ExitCode int    `json:"exitCode"`
}

// ErrUnknown is the error for a command whose gateway stopped while it ran.
var ErrUnknown = errors.New("the gateway stopped while the command ran: its effects are unknown")

// Denied is the error for a request that was not approved.
type Denied struct {
	ID     string
	Status Status
	Note   string // the person's message to the agent
}

// Error implements error.
func (e *Denied) Error() string {
	s := "the request " + e.ID + " is " + string(e.Status)
	if e.Note != "" {
		s += ": " + e.Note
	}
	return s
}

// Fault is an error response of the gateway.
type Fault struct {
	Status int // status code of HTTP
	Msg    string
}

// Error implements error.
func (e *Fault) Error() string { return fmt.Sprintf("the gateway answered %d: %s", e.Status, e.Msg) }

// Times of waiting.
const (
	waitEach  = 50 * time.Second // for one HTTP call that waits for an answer
	callLimit = 70 * time.Second
	maxPause  = 3 * time.Second // between attempts while no gateway answers
	lease     = 2 * time.Minute // a killed program cancels nothing, and people must not answer for no one
	maxAnswer = 8 << 20         // bytes
)

// takeBack bounds how long cancelling a request may take. Tests change it.
var takeBack = 5 * time.Second

// RequestPermission makes a request, waits, and returns the answer. If the answer is no, the
// error is a *Denied.
func (c *Client) RequestPermission(ctx context.Context, r Request) (Answer, error) {
	r.Lease = cmp.Or(r.Lease, lease)
	a, err := c.Submit(ctx, r)
	if err != nil {
		return a, err
	}
	return c.Wait(ctx, a.ID)
}

// RequestNetwork requests access to a URL by a method, or to host:port by "CONNECT".
func (c *Client) RequestNetwork(ctx context.Context, method, target, reason string) (Answer, error) {
	return c.RequestPermission(ctx, Request{Category: CategoryNetwork, Action: method + " " + target, Reason: reason})
}

// Op is the kind of a Change.
type Op string

// Kinds of changes.
const (
	OpWrite  Op = "write"
	OpDelete Op = "delete"
	OpMove   Op = "move"
	OpChmod  Op = "chmod"
	OpLink   Op = "link"
	OpMkdir  Op = "mkdir"
)

// Change is one step in a set of changes to project files. Paths are relative to the root of
// the project.
type Change struct {
	Op      Op     `json:"op"`
	Path    string `json:"path"`
	From    string `json:"from,omitempty"`   // for OpMove
	Content []byte `json:"base64,omitempty"` // for OpWrite
	Mode    string `json:"mode,omitempty"`   // for OpWrite and OpChmod: octal, such as "755"
	Target  string `json:"target,omitempty"` // for OpLink
}

// MarshalJSON implements json.Marshaler. It keeps empty contents.
func (c Change) MarshalJSON() ([]byte, error) {
	type plain Change
	if c.Op != OpWrite || len(c.Content) > 0 {
		return json.Marshal(plain(c))
	}
	return json.Marshal(struct {
		plain
		Content string `json:"content"`
	}{plain: plain(c)})
}

// RequestWrite requests new content for a project file, and returns when the gateway has
// written it.
func (c *Client) RequestWrite(ctx context.Context, path, content, reason string) (Answer, error) {
	return c.RequestChanges(ctx, []Change{{Op: OpWrite, Path: path, Content: []byte(content)}}, reason)
}

// RequestChanges requests a set of changes, all or none, and returns when the gateway has
// applied them. If a file changed in the meantime, nothing is written and the error is a
// *Denied with StatusConflict.
func (c *Client) RequestChanges(ctx context.Context, set []Change, reason string) (Answer, error) {
	a, err := c.submit(ctx, "/api/files", map[string]any{"changes": set, "reason": reason, "session": c.Session, "key": newKey(), "lease": lease.Milliseconds()})
	if err != nil {
		return a, err
	}
	if a, err = c.Wait(ctx, a.ID); err != nil {
		return a, err
	}
	return a, c.outcome(ctx, "files", a.ID)
}

// outcome waits until the gateway has executed an approved request.
func (c *Client) outcome(ctx context.Context, kind, id string) error {
	for {
		var x struct {
			Status Status `json:"status"`
			Error  string `json:"error"`
		}
		err := c.patiently(ctx, func() error {
			return c.call(ctx, http.MethodGet, "/api/"+kind+"/"+url.PathEscape(id)+"?wait="+waitEach.String(), nil, &x)
		})
		switch {
		case err != nil:
			return err
		case x.Status == "completed":
			return nil
		case x.Status == StatusConflict:
			return &Denied{id, x.Status, x.Error}
		case x.Status == "failed" || x.Status == "unknown":
			return fmt.Errorf("the request was approved, but its execution ended as %s: %s", x.Status, x.Error)
		}
	}
}

// RequestExec requests a shell command on the gateway's host and returns its result. If a file
// that the command would run changed in the meantime, the command does not run and the error
// is a *Denied with StatusConflict.
func (c *Client) RequestExec(ctx context.Context, command, dir, reason string) (Result, error) {
	return c.run(ctx, "exec", map[string]any{"command": command, "cwd": dir, "reason": reason, "session": c.Session, "key": newKey(), "lease": lease.Milliseconds()})
}

// RequestPackageInstall requests the installation of packages on the gateway's host.
func (c *Client) RequestPackageInstall(ctx context.Context, manager string, names []string, reason string) (Result, error) {
	return c.run(ctx, "packages", map[string]any{"manager": manager, "packages": names, "reason": reason, "session": c.Session, "key": newKey(), "lease": lease.Milliseconds()})
}

// RequestConfigChange requests a change of a gateway setting.
func (c *Client) RequestConfigChange(ctx context.Context, path string, value any, reason string) (Answer, error) {
	return c.RequestPermission(ctx, Request{Category: CategorySandbox, Action: "config change: " + path, Reason: reason,
		Metadata: map[string]any{"proposal": map[string]any{"path": path, "value": value, "reason": reason}}})
}

// Check returns the decision of the gateway's rules on a request, without making the request.
// On an error, the effect is umpire.Deny.
func (c *Client) Check(ctx context.Context, r Request) (umpire.Effect, error) {
	var out struct {
		Effect umpire.Effect `json:"effect"`
	}
	r = c.filled(r)
	if err := c.patiently(ctx, func() error { return c.call(ctx, http.MethodPost, "/api/check", r, &out) }); err != nil {
		return umpire.Deny, err
	}
	return out.Effect, nil
}

// Pending lists the pending requests of this token, oldest first.
func (c *Client) Pending(ctx context.Context) ([]Answer, error) {
	var out struct {
		Pending []Answer `json:"pending"`
	}
	err := c.patiently(ctx, func() error { return c.call(ctx, http.MethodGet, "/api/queue", nil, &out) })
	return out.Pending, err
}

// Cancel cancels a request and reports whether it was still pending.
func (c *Client) Cancel(ctx context.Context, id string) (ok bool, err error) {
	var out struct {
		OK bool `json:"ok"`
	}
	err = c.call(ctx, http.MethodDelete, "/api/queue/"+url.PathEscape(id), nil, &out)
	return out.OK, err
}

// Submit makes a request and does not wait for an answer. If ctx ends before the gateway
// confirms it, Submit cancels the request.
func (c *Client) Submit(ctx context.Context, r Request) (Answer, error) {
	return c.submit(ctx, "/api/queue", c.filled(r))
}

func (c *Client) filled(r Request) Request {
	r.Session = cmp.Or(r.Session, c.Session)
	if r.Key == "" {
		r.Key = newKey()
	}
	return r
}

// submit sends a request. It does not abort a call when ctx ends: the gateway may have the
// request already, and a person would then answer for no one.
func (c *Client) submit(ctx context.Context, path string, in any) (a Answer, err error) {
	err = c.patiently(ctx, func() error {
		sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
		defer cancel()
		defer context.AfterFunc(ctx, func() { time.AfterFunc(takeBack, cancel) })()
		return c.call(sending, http.MethodPost, path, in, &a)
	})
	if err == nil && ctx.Err() != nil {
		c.takeBack(ctx, a.ID)
		err = ctx.Err()
	}
	return a, err
}

// takeBack cancels a request that no one waits for any more. If that fails, the request
// expires with its lease.
func (c *Client) takeBack(ctx context.Context, id string) {
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), takeBack)
	defer cancel()
	_ = c.patiently(end, func() error {
		_, err := c.Cancel(end, id)
		return err
	})
}

// Wait waits for the answer to a request. If ctx ends first, Wait cancels the request.
func (c *Client) Wait(ctx context.Context, id string) (a Answer, err error) {
	a.ID, a.Status = id, StatusPending
	for {
		err = c.patiently(ctx, func() error {
			return c.call(ctx, http.MethodGet, "/api/queue/"+url.PathEscape(id)+"?wait="+waitEach.String(), nil, &a)
		})
		if ctx.Err() != nil {
			c.takeBack(ctx, id)
			return a, ctx.Err()
		}
		switch {
		case err != nil:
			return a, err
		case a.Status == StatusApproved:
			return a, nil
		case a.Status != StatusPending:
			return a, &Denied{a.ID, a.Status, a.Note}
		}
	}
}

// run submits a command that the gateway runs itself, and waits for its result.
func (c *Client) run(ctx context.Context, kind string, in map[string]any) (Result, error) {
	a, err := c.submit(ctx, "/api/"+kind, in)
	if err != nil {
		return Result{}, err
	}
	if _, err := c.Wait(ctx, a.ID); err != nil {
		return Result{}, err
	}
	for {
		var x struct {
			Status Status  `json:"status"`
			Result *Result `json:"result"`
			Error  string  `json:"error"`
		}
		err := c.patiently(ctx, func() error {
			return c.call(ctx, http.MethodGet, "/api/"+kind+"/"+url.PathEscape(a.ID)+"?wait="+waitEach.String(), nil, &x)
		})
		switch {
		case err != nil:
			return Result{}, err
		case x.Status == "unknown":
			return Result{}, ErrUnknown
		case x.Status == StatusConflict: // a file that the command would have run has changed
			if x.Result != nil {
				x.Error = x.Result.Stderr
			}
			return Result{}, &Denied{a.ID, x.Status, x.Error}
		case x.Result != nil:
			return *x.Result, nil
		}
	}
}

// patiently retries while a gateway is unreachable or fails, and moves to the next gateway if there
// are several. It does not retry a request that a gateway refused.
func (c *Client) patiently(ctx context.Context, do func() error) error {
	pause := 100 * time.Millisecond
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		turn := atomic.LoadUint32(&c.turn)
		err := do()
		var f *Fault
		var m *misuse
		if err == nil || errors.As(err, &m) || errors.As(err, &f) && f.Status < 500 && f.Status != http.StatusTooManyRequests {
			return err
		}
		atomic.CompareAndSwapUint32(&c.turn, turn, turn+1) // other goroutines may have moved on already
		if ctx.Err() == nil && n%len(c.urls()) != 0 {
			continue
		}
		// Jitter: the clients of a failed gateway must not all return at the same moment.
		wait := pause/2 + mathrand.N(pause)
		pause = min(2*pause, maxPause)
		if sleep(ctx, wait) != nil {
			return errors.Join(ctx.Err(), err)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, as documented
	return hex.EncodeToString(b[:])
}

// stay follows no redirects: the token goes to the named gateway only.
var stay = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// urls returns the URLs of the gateways.
func (c *Client) urls() []string {
	base := c.URL
	for _, name := range []string{"UMPIRE_API", "SANDBOX_API"} {
		if base == "" {
			base = os.Getenv(name)
		}
	}
	base = cmp.Or(base, "http://127.0.0.1:3700")
	list := strings.Split(base, ",")
	for i, u := range list {
		list[i] = strings.TrimSuffix(strings.TrimSpace(u), "/")
	}
	return list
}

// where returns the URL of the gateway to use, and its token.
func (c *Client) where() (base, token string) {
	urls := c.urls()
	if token = c.Token; token == "" {
		token = os.Getenv("UMPIRE_AGENT_TOKEN")
	}
	return urls[int(atomic.LoadUint32(&c.turn))%len(urls)], token
}

// misuse is an error in the use of a Client. A retry cannot help.
type misuse struct{ text string }

func (m *misuse) Error() string { return m.text }

func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	base, token := c.where()
	if u, err := url.Parse(base); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return &misuse{fmt.Sprintf("the gateway's address is %q: must be a URL such as http://127.0.0.1:3700; set URL or UMPIRE_API", base)}
	}
	h := c.HTTP
	if h == nil {
		if token == "" { // the caller's HTTP client may add one
			return &misuse{"the client has no agent token: set Token or UMPIRE_AGENT_TOKEN to the output of `umpire token add --agent NAME`"}
		}
		h = stay
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r < ' ' || r > '~' }) { // net/http refuses it in a header
		return &misuse{"the agent token contains an invalid character: copy it again"}
	}
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return &misuse{err.Error()}
		}
		body = bytes.NewReader(data)
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, base+path, body)
	if err != nil {
		return &misuse{err.Error()}
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := h.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return err
	case len(data) > maxAnswer:
		return &Fault{res.StatusCode, "the answer is too large"}
	case res.StatusCode >= 300:
		var said struct {
			Error string `json:"error"`
		}
		if json.Unmarshal(data, &said) != nil || said.Error == "" {
			said.Error = res.Status
		}
		return &Fault{res.StatusCode, said.Error}
	case out == nil:
		return nil
	}
	return json.Unmarshal(data, out)
}
