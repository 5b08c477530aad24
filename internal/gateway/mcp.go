package gateway

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/jsonfault"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Times of the MCP server.
const (
	mcpIdle       = 30 * time.Minute // idle time after which a client's session ends
	progressEvery = 10 * time.Second // between notices to a client that waits for a person
	mcpBegin      = 5                // sessions per second that one credential may begin
	mcpLease      = time.Minute      // lease of a question, see Submission.Lease
)

// mcpCall is the header that ties a message to its connection. The gateway overwrites a value that
// a client sends in it.
const mcpCall = "X-Umpire-Connection"

// mcp serves the tools with which agents ask. They call the same functions as REST, for clients
// that speak the Model Context Protocol over HTTP.
func (g *Gateway) mcp() handler {
	server := g.newMCP()
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{SessionTimeout: mcpIdle, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true}) // guarded checks Host and Origin
	// An MCP session is bound to the token that began it: the library refuses it to others.
	bind := auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		p, ok := ctx.Value(principalKey{}).(Principal)
		if !ok {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: p.ID, Expiration: g.now().Add(time.Hour), Extra: map[string]any{"principal": p}}, nil
	}, nil)(h)
	begun := &limiter{rate: mcpBegin, now: g.now, left: map[string]*bucket{}}
	return func(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
		// Each session stays in memory until it is idle for long: an agent must not fill the
		// memory.
		if r.Header.Get("Mcp-Session-Id") == "" && r.Method == http.MethodPost {
			if _, ok := begun.allow(p.ID); !ok {
				return 0, nil, fault{http.StatusTooManyRequests, "too many MCP sessions with this credential: use one session for many calls"}
			}
		}
		if r.Method == http.MethodPost {
			if err := unambiguous(w, r); err != nil {
				return 0, nil, err
			}
		}
		// A stream that only listens must not delay the shutdown of the gateway.
		ctx, cancel := context.WithCancel(context.WithValue(r.Context(), principalKey{}, p))
		defer cancel()
		defer context.AfterFunc(g.life, cancel)()
		id := approval.NewID(g.now())
		g.connections.Store(id, ctx)
		defer g.connections.Delete(id)
		r = r.WithContext(ctx)
		r.Header.Set(mcpCall, id)
		bind.ServeHTTP(w, r)
		return 0, nil, nil
	}
}

// unambiguous refuses a message that two parsers can read in two ways: what the gateway judges must
// be what people saw. The library reports all other faults of the message.
func unambiguous(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if ended := (fault{}); errors.As(err, &ended) { // of checkAfter
		return ended
	}
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
	if err == nil && jsonfault.Ambiguous(body) != nil {
		return bad("%v", jsonfault.ErrTwice)
	}
	return nil
}

// failing is a reader that ends with an error, or with the input if err is nil.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

type principalKey struct{}

// asker returns the principal that calls a tool, and a context that ends when the client cancels
// the call or closes its connection.
func (g *Gateway) asker(ctx context.Context, r *mcp.CallToolRequest) (context.Context, context.CancelFunc, Principal, error) {
	ctx, cancel := context.WithCancel(ctx)
	if r.Extra == nil || r.Extra.TokenInfo == nil {
		return ctx, cancel, Principal{}, errNobody
	}
	p, ok := r.Extra.TokenInfo.Extra["principal"].(Principal)
	if !ok {
		return ctx, cancel, Principal{}, errNobody
	}
	if c, ok := g.connections.Load(r.Extra.Header.Get(mcpCall)); ok {
		stop := context.AfterFunc(c.(context.Context), cancel)
		return ctx, func() { stop(); cancel() }, p, nil
	}
	return ctx, cancel, p, nil
}

// The arguments and results of the tools.
type (
	mcpPermissionIn struct {
		Category string         `json:"category" jsonschema:"network, filesystem, git, packages, sandbox or exec"`
		Action   string         `json:"action,omitempty" jsonschema:"the action, such as \"GET https://example.com/\", \"push feature\" or a command"`
		Reason   string         `json:"reason,omitempty" jsonschema:"why, in your own words; a person reads it"`
		Metadata map[string]any `json:"metadata,omitempty" jsonschema:"more fields of the category, such as toolName, targetFile and writeContent"`
		Session  string         `json:"session,omitempty" jsonschema:"your session, for grants that hold in it"`
	}
	mcpNetworkIn struct {
		Method  string `json:"method,omitempty" jsonschema:"GET if absent; CONNECT takes host:port as url"`
		URL     string `json:"url" jsonschema:"the address"`
		Reason  string `json:"reason,omitempty" jsonschema:"why, in your own words; a person reads it"`
		Session string `json:"session,omitempty" jsonschema:"your session, for grants that hold in it"`
	}
	mcpClaudeIn struct {
		Tool  string         `json:"tool_name" jsonschema:"the tool that is about to be called"`
		Input map[string]any `json:"input" jsonschema:"the input of the tool"`
		ID    string         `json:"tool_use_id,omitempty" jsonschema:"ID of the call"`
	}
	mcpAnswer struct {
		ID     string `json:"id"`
		Status string `json:"status" jsonschema:"approved, denied, expired, superseded or cancelled"`
		Note   string `json:"note,omitempty" jsonschema:"message of the person or the rule"`
	}
	mcpResult struct {
		mcpAnswer
		Stdout   string `json:"stdout,omitempty"`
		Stderr   string `json:"stderr,omitempty"`
		ExitCode *int   `json:"exitCode,omitempty" jsonschema:"absent if nothing ran"`
	}
	mcpChecked struct {
		Effect string `json:"effect" jsonschema:"allow, ask or deny"`
		Action string `json:"action" jsonschema:"the action as a person sees it"`
	}
)

// mcpTool adds a tool. It returns faults of the caller to the client, and logs those of the
// gateway.
func mcpTool[In, Out any](g *Gateway, s *mcp.Server, name, about string, f func(ctx context.Context, r *mcp.CallToolRequest, p Principal, in In) (Out, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: about}, func(ctx context.Context, r *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		var out Out
		ctx, cancel, p, err := g.asker(ctx, r)
		defer cancel()
		if err == nil {
			out, err = f(ctx, r, p, in)
		}
		if err != nil && ctx.Err() == nil {
			status, msg := Status(err)
			if status == http.StatusInternalServerError {
				g.log.Error("a tool failed", "tool", name, "error", err)
			}
			err = errors.New(msg)
		}
		return nil, out, err
	})
}

func (g *Gateway) newMCP() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "umpire", Version: g.version}, &mcp.ServerOptions{
		Instructions: "Ask here before an action leaves your sandbox. Each call waits until a rule or a person answers. Do not repeat a denied action."})
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (out mcp.Result, err error) {
			defer func() {
				if p := recover(); p != nil { // the library answers in goroutines of its own, where a panic ends the gateway
					g.log.Error("a message of MCP failed", "method", method, "panic", p, "stack", string(debug.Stack()))
					out, err = nil, errors.New("the gateway could not handle this message")
				}
			}()
			out, err = next(ctx, method, r)
			if call, ok := out.(*mcp.CallToolResult); ok && call != nil && call.GetError() != nil { // the library's errors use terms of Go: reword them
				call.Content = nil
				call.SetError(jsonfault.Words(call.GetError()))
			}
			return out, err
		}
	})
	mcpTool(g, s, "request_permission", "Asks for permission and waits for the answer. If the request is approved, act on it yourself; the gateway itself only runs commands and installs packages.",
		func(ctx context.Context, r *mcp.CallToolRequest, p Principal, in mcpPermissionIn) (mcpAnswer, error) {
			sub := Submission{Category: approval.Category(in.Category), Action: in.Action, Reason: in.Reason, Session: in.Session}
			if in.Metadata != nil {
				sub.Metadata = encode(in.Metadata)
			}
			req, err := g.submitAndWait(ctx, r, p, sub)
			return answerOf(&req), err
		})
	mcpTool(g, s, "request_network", "Asks for permission to contact an address, and waits for the answer.",
		func(ctx context.Context, r *mcp.CallToolRequest, p Principal, in mcpNetworkIn) (mcpAnswer, error) {
			in.Method = cmp.Or(in.Method, http.MethodGet)
			req, err := g.submitAndWait(ctx, r, p, Submission{Category: approval.Network, Action: in.Method + " " + in.URL, Reason: in.Reason, Session: in.Session})
			return answerOf(&req), err
		})
	mcpTool(g, s, "request_exec", "Asks to run a shell command in the project folder on the gateway's host. Waits for approval, runs it, and returns its output.",
		submits[execIn](g))
	mcpTool(g, s, "request_package_install", "Asks to install packages on the gateway's host. Waits for approval, runs the package manager, and returns its output.",
		submits[packagesIn](g))
	mcpTool(g, s, "check", "Returns the decision on a request: allow, deny or ask. Asks no one and stores nothing.",
		func(_ context.Context, _ *mcp.CallToolRequest, p Principal, in mcpPermissionIn) (mcpChecked, error) {
			sub := Submission{Category: approval.Category(in.Category), Action: in.Action, Session: in.Session}
			if in.Metadata != nil {
				sub.Metadata = encode(in.Metadata)
			}
			d, title, err := g.Check(p, sub)
			return mcpChecked{effectWord(d.Effect), title}, err
		})
	mcp.AddTool(s, &mcp.Tool{Name: "permission", Description: "Decides whether a tool may be called, as Claude Code's --permission-prompt-tool. Waits for a person if no rule settles the call."}, g.claudePermission)
	return s
}

func effectWord(e umpire.Effect) string {
	return map[umpire.Effect]string{umpire.Allow: "allow", umpire.Ask: "ask", umpire.Deny: "deny"}[e]
}

func answerOf(r *approval.Request) mcpAnswer { return mcpAnswer{r.ID, string(r.State), r.Note} }

// submitAndWait submits a request and waits for its answer. If the client disconnects, the request
// is cancelled.
func (g *Gateway) submitAndWait(ctx context.Context, r *mcp.CallToolRequest, p Principal, s Submission) (approval.Request, error) {
	if s.Session == "" && r.Session.ID() != "" {
		s.Session = "mcp-" + hashToken(r.Session.ID())[:12]
	}
	s.Lease = jsonfault.Positive(mcpLease.Milliseconds()) // if this gateway dies, no client waits for the answer
	req, err := g.Submit(ctx, p, s)
	if err != nil || req.State.Final() {
		return req, err
	}
	id := req.ID // a copy, because the goroutine below must not read req while Wait's result is assigned
	tell := func(ctx context.Context, n int) {
		token := r.Params.GetProgressToken()
		if token == nil {
			return
		}
		// A client that gets no answer is gone, which ctx reports.
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(n), Message: "waiting for a person to answer: " + id})
	}
	waiting, done := context.WithCancel(ctx)
	told := make(chan struct{})
	go func() {
		defer close(told)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for n := 0; waiting.Err() == nil; n++ {
			tell(waiting, n)
			select {
			case <-tick.C:
			case <-waiting.Done():
			}
		}
	}()
	req, err = g.queue.Wait(ctx, id)
	done()
	<-told
	if err != nil && ctx.Err() != nil {
		g.takeBack(context.WithoutCancel(ctx), id)
	}
	return req, err
}

// takeBack cancels a question whose asker is gone.
func (g *Gateway) takeBack(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if _, err := g.queue.Cancel(ctx, id); err != nil && !errors.Is(err, approval.ErrSettled) {
		g.log.Error("cannot end an abandoned question", "request", id, "error", err)
	}
}

// submits returns a tool that submits its input and runs what is approved.
func submits[In interface{ submission() (Submission, error) }](g *Gateway) func(context.Context, *mcp.CallToolRequest, Principal, In) (mcpResult, error) {
	return func(ctx context.Context, r *mcp.CallToolRequest, p Principal, in In) (mcpResult, error) {
		sub, err := in.submission()
		if err != nil {
			return mcpResult{}, err
		}
		return g.submitAndRun(ctx, r, p, sub)
	}
}

// submitAndRun is like submitAndWait for requests that the gateway carries out, and also waits for
// their end. A command that runs already continues if the asker disconnects.
func (g *Gateway) submitAndRun(ctx context.Context, r *mcp.CallToolRequest, p Principal, s Submission) (mcpResult, error) {
	req, err := g.submitAndWait(ctx, r, p, s)
	out := mcpResult{mcpAnswer: answerOf(&req)}
	if err != nil || req.State != approval.Approved {
		return out, err
	}
	x, err := g.waitExecution(ctx, req.ID)
	if err != nil {
		return out, err
	}
	out.Status, out.Stdout, out.Stderr, out.ExitCode = x.Status, x.Result.Stdout, x.Result.Stderr, &x.Result.ExitCode
	return out, nil
}

// claudePermission answers in the format that Claude Code expects of its --permission-prompt-tool.
// Every result other than an approval is a denial.
func (g *Gateway) claudePermission(ctx context.Context, r *mcp.CallToolRequest, in mcpClaudeIn) (*mcp.CallToolResult, any, error) {
	ctx, cancel, p, err := g.asker(ctx, r)
	defer cancel()
	if err != nil {
		return nil, nil, err // the client takes a failed tool for a denial
	}
	input := encode(in.Input)
	answer := map[string]any{"behavior": "deny"}
	req, err := g.submitAndWait(ctx, r, p, Submission{Call: &Call{Platform: "claude", Tool: in.Tool, Input: input, Dir: g.root, Workspace: g.root}})
	switch {
	case err != nil && ctx.Err() == nil:
		_, answer["message"] = Status(err)
		g.log.Warn("could not ask a person about a call", "error", err)
	case err != nil:
		return nil, nil, err
	case req.State == approval.Approved:
		answer = map[string]any{"behavior": "allow", "updatedInput": input}
	default:
		answer["message"] = deniedText(&req)
	}
	text := encode(answer)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil, nil
}

// deniedText explains a denial to a model, with the next step.
func deniedText(r *approval.Request) string {
	text := map[approval.State]string{
		approval.Denied: "A person denied this call. Do not try it again.", approval.Expired: "Nobody answered in time. Ask the user, or do something else.",
	}[r.State]
	switch {
	case r.State == approval.Denied && r.ByRules():
		text = "A rule denies this call."
	case text == "", r.State == approval.Denied && r.ResolvedBy == approval.ByAuto:
		text = "The question was " + string(r.State) + "."
	}
	if r.Note != "" {
		text += " " + visible.Clip(r.Note, 1000)
	}
	return text
}
