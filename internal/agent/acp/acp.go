// Package acp lets an editor drive the agent through the Agent Client Protocol, as JSON-RPC
// over standard input and output. Only the protocol goes to standard output. The editor is
// trusted; it gets texts of models and tools with control characters escaped.
package acp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
	"github.com/umpire-dev/umpire/internal/agent/session"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits of an editor's messages and sessions.
const (
	maxSessions = 32
	maxPrompt   = 16 << 20 // bytes
)

// Conversation is one session. A conversation.Conversation is one.
type Conversation interface {
	SendParts(ctx context.Context, text string, attached []agent.Part) iter.Seq2[agent.Event, error]
	Session() *session.Session
	Todo() []agent.Todo
	Close() error
}

// Opened is a conversation for an editor.
type Opened struct {
	Conversation
	End func() // stops everything that the conversation started
}

// Links are the messages that a conversation sends to the editor in addition to its events.
type Links struct {
	Asker  agent.Asker
	Output func(callID, piece string)
	Notice func(text string)
}

// Options configure the server.
type Options struct {
	// Open begins a conversation in a folder, or continues the session with an ID.
	Open func(ctx context.Context, dir, id string, l Links) (Opened, error)
	// List returns the sessions of a folder, or of all if it is empty.
	List    func(dir string) ([]session.Metadata, error)
	Version string
	Log     *slog.Logger
}

// Serve talks to an editor until the editor disconnects or ctx ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	s := &server{o: o, open: map[sdk.SessionId]*editorSession{}}
	s.conn = sdk.NewAgentSideConnection(s, out, in)
	if o.Log != nil {
		s.conn.SetLogger(o.Log)
	}
	select {
	case <-s.conn.Done():
	case <-ctx.Done():
	}
	return s.end()
}

type server struct {
	o    Options
	conn *sdk.AgentSideConnection

	mu   sync.Mutex
	open map[sdk.SessionId]*editorSession
}

var (
	_ sdk.Agent       = (*server)(nil)
	_ sdk.AgentLoader = (*server)(nil)
)

// editorSession is one session of an editor.
type editorSession struct {
	Opened
	s  *server
	id sdk.SessionId

	mu       sync.Mutex
	cancel   context.CancelFunc // cancels the running prompt
	rejected map[string]bool    // patterns about which the user does not want to be asked
	printed  map[string]string  // latest output of running calls
}

func (s *server) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for id, c := range s.open {
		c.stop()
		errs = append(errs, c.Close())
		c.End()
		delete(s.open, id)
	}
	return errors.Join(errs...)
}

func (c *editorSession) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel != nil {
		c.cancel()
	}
}

func (s *server) find(id sdk.SessionId) (*editorSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.open[id]
	if c == nil {
		return nil, sdk.NewInvalidParams(map[string]any{"sessionId": fmt.Sprintf("no session %q is open", id)})
	}
	return c, nil
}

// Initialize implements sdk.Agent.
func (s *server) Initialize(context.Context, sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	return sdk.InitializeResponse{
		ProtocolVersion: sdk.ProtocolVersionNumber,
		AgentInfo:       &sdk.Implementation{Name: "umpire", Title: new("Umpire"), Version: s.o.Version},
		AgentCapabilities: sdk.AgentCapabilities{
			LoadSession:         true,
			PromptCapabilities:  sdk.PromptCapabilities{Image: true, EmbeddedContext: true},
			SessionCapabilities: sdk.SessionCapabilities{Close: &sdk.SessionCloseCapabilities{}, List: &sdk.SessionListCapabilities{}},
		},
		AuthMethods: []sdk.AuthMethod{},
	}, nil
}

// Authenticate implements sdk.Agent: the key of the model is in the environment.
func (s *server) Authenticate(context.Context, sdk.AuthenticateRequest) (sdk.AuthenticateResponse, error) {
	return sdk.AuthenticateResponse{}, nil
}

// notFound is the protocol's code for a missing session or file.
const notFound = -32002

func (s *server) begin(ctx context.Context, dir, id string) (*editorSession, error) {
	if !filepath.IsAbs(dir) {
		return nil, sdk.NewInvalidParams(map[string]any{"cwd": "it must be absolute"})
	}
	s.mu.Lock()
	full := len(s.open) >= maxSessions
	s.mu.Unlock()
	if full {
		return nil, sdk.NewInvalidParams(map[string]any{"error": fmt.Sprintf("%d sessions are open: close one", maxSessions)})
	}
	c := &editorSession{s: s, rejected: map[string]bool{}, printed: map[string]string{}}
	var err error
	if c.Opened, err = s.o.Open(ctx, dir, id, Links{Asker: c, Output: c.output, Notice: c.notice}); err != nil {
		if errors.Is(err, session.ErrNone) {
			return nil, &sdk.RequestError{Code: notFound, Message: "Resource not found", Data: map[string]any{"sessionId": id}}
		}
		return nil, sdk.NewInternalError(map[string]any{"error": err.Error()})
	}
	c.id = sdk.SessionId(c.Session().Metadata().ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[c.id] = c
	return c, nil
}

// NewSession implements sdk.Agent. It does not start the tool servers that the editor names. It
// starts those of agent.json, which the user chose.
func (s *server) NewSession(ctx context.Context, r sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	c, err := s.begin(ctx, r.Cwd, "")
	if err != nil {
		return sdk.NewSessionResponse{}, err
	}
	return sdk.NewSessionResponse{SessionId: c.id}, nil
}

// LoadSession implements sdk.AgentLoader: it replays the conversation.
func (s *server) LoadSession(ctx context.Context, r sdk.LoadSessionRequest) (sdk.LoadSessionResponse, error) {
	c, err := s.begin(ctx, r.Cwd, string(r.SessionId))
	if err != nil {
		return sdk.LoadSessionResponse{}, err
	}
	for _, e := range conversation.Entries(c.Session().State()) {
		if err := c.again(ctx, e); err != nil {
			return sdk.LoadSessionResponse{}, err
		}
	}
	return sdk.LoadSessionResponse{}, nil
}

func (c *editorSession) again(ctx context.Context, e conversation.Entry) error {
	switch {
	case e.User != "":
		return c.update(ctx, sdk.UpdateUserMessageText(e.User))
	case e.Agent != "":
		return c.update(ctx, sdk.UpdateAgentMessageText(e.Agent))
	case e.Call != nil:
		if err := c.update(ctx, started(*e.Call)); err != nil || e.Result == nil {
			return err
		}
		return c.update(ctx, finished(agent.ToolResult{ToolName: e.Call.ToolName, ToolCallID: e.Call.ToolCallID, Result: *e.Result}))
	}
	return nil
}

// ListSessions implements sdk.Agent.
func (s *server) ListSessions(_ context.Context, r sdk.ListSessionsRequest) (sdk.ListSessionsResponse, error) {
	dir := ""
	if r.Cwd != nil {
		dir = *r.Cwd
	}
	list, err := s.o.List(dir)
	if err != nil {
		return sdk.ListSessionsResponse{}, sdk.NewInternalError(map[string]any{"error": err.Error()})
	}
	out := sdk.ListSessionsResponse{Sessions: []sdk.SessionInfo{}}
	for _, m := range list {
		out.Sessions = append(out.Sessions, sdk.SessionInfo{SessionId: sdk.SessionId(m.ID), Cwd: m.Cwd, Title: new(m.Name), UpdatedAt: new(m.UpdatedAt.UTC().Format(time.RFC3339))})
	}
	return out, nil
}

// CloseSession implements sdk.Agent.
func (s *server) CloseSession(_ context.Context, r sdk.CloseSessionRequest) (sdk.CloseSessionResponse, error) {
	c, err := s.find(r.SessionId)
	if err != nil {
		return sdk.CloseSessionResponse{}, err
	}
	s.mu.Lock()
	delete(s.open, r.SessionId)
	s.mu.Unlock()
	c.stop()
	err = c.Close()
	c.End()
	return sdk.CloseSessionResponse{}, err
}

// Cancel implements sdk.Agent.
func (s *server) Cancel(_ context.Context, n sdk.CancelNotification) error {
	if c, err := s.find(n.SessionId); err == nil { // otherwise there is nothing to cancel
		c.stop()
	}
	return nil
}

// Prompt implements sdk.Agent.
func (s *server) Prompt(ctx context.Context, r sdk.PromptRequest) (sdk.PromptResponse, error) {
	c, err := s.find(r.SessionId)
	if err != nil {
		return sdk.PromptResponse{}, err
	}
	text, parts, err := content(r.Prompt)
	if err != nil {
		return sdk.PromptResponse{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.mu.Lock()
	if c.cancel != nil {
		c.mu.Unlock()
		return sdk.PromptResponse{}, sdk.NewInvalidRequest(map[string]any{"error": "the session is already working on a prompt"})
	}
	c.cancel = cancel
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.cancel = nil
		c.mu.Unlock()
	}()
	var failed error
	fault := "" // latest error of the model's server, if no text followed
	for e, err := range c.SendParts(ctx, text, parts) {
		if err != nil {
			failed = err
			continue
		}
		switch e := e.(type) {
		case agent.Failure:
			fault = e.Error
		case agent.TurnStart, agent.TextDelta, agent.ToolCall:
			fault = ""
		}
		if err := c.event(ctx, e); err != nil && ctx.Err() == nil {
			return sdk.PromptResponse{}, err
		}
	}
	switch {
	case ctx.Err() != nil:
		return sdk.PromptResponse{StopReason: sdk.StopReasonCancelled}, nil
	case errors.Is(failed, agent.ErrTurns), errors.Is(failed, agent.ErrLoop), errors.Is(failed, agent.ErrCost):
		c.notice(failed.Error())
		return sdk.PromptResponse{StopReason: sdk.StopReasonMaxTurnRequests}, nil
	case failed != nil:
		return sdk.PromptResponse{}, sdk.NewInternalError(map[string]any{"error": failed.Error()})
	case fault == agent.Refused:
		return sdk.PromptResponse{StopReason: sdk.StopReasonRefusal}, nil
	case fault == agent.CutShort:
		return sdk.PromptResponse{StopReason: sdk.StopReasonMaxTokens}, nil
	case fault != "": // an error of the server is not a normal end of the turn
		return sdk.PromptResponse{}, sdk.NewInternalError(map[string]any{"error": fault})
	}
	return sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn}, nil
}

// content makes a message from an editor's blocks. It only mentions linked files: the agent reads
// them itself, under its policy.
func content(blocks []sdk.ContentBlock) (text string, parts []agent.Part, err error) {
	size := 0
	var b strings.Builder
	for _, block := range blocks {
		switch {
		case block.Text != nil:
			b.WriteString(block.Text.Text)
		case block.ResourceLink != nil:
			b.WriteString(" " + mentioned(block.ResourceLink.Uri) + " ")
		case block.Resource != nil && block.Resource.Resource.TextResourceContents != nil:
			t := block.Resource.Resource.TextResourceContents
			parts = append(parts, agent.Part{Text: fmt.Sprintf("[%s, attached by the editor]\n%s", visible.Line(t.Uri), t.Text)})
			size += len(t.Text)
		case block.Image != nil:
			data, err := base64.StdEncoding.DecodeString(block.Image.Data)
			if err != nil {
				return "", nil, sdk.NewInvalidParams(map[string]any{"image": "it is not base64"})
			}
			parts = append(parts, agent.Part{Image: &agent.Image{Type: block.Image.MimeType, Data: data}})
			size += len(data)
		default:
			return "", nil, sdk.NewInvalidParams(map[string]any{"prompt": "it has content that is not supported"})
		}
		if size+b.Len() > maxPrompt {
			return "", nil, sdk.NewInvalidParams(map[string]any{"prompt": fmt.Sprintf("it is larger than %d bytes", maxPrompt)})
		}
	}
	return b.String(), parts, nil
}

func mentioned(uri string) string {
	if u, err := url.Parse(uri); err == nil && u.Scheme == "file" {
		return `@"` + strings.ReplaceAll(u.Path, `"`, "") + `"`
	}
	return uri
}

func (c *editorSession) update(ctx context.Context, u sdk.SessionUpdate) error {
	return c.s.conn.SessionUpdate(ctx, sdk.SessionNotification{SessionId: c.id, Update: u})
}

func (c *editorSession) event(ctx context.Context, e agent.Event) error {
	switch e := e.(type) {
	case agent.TextDelta:
		return c.update(ctx, sdk.UpdateAgentMessageText(e.Text))
	case agent.ToolCall:
		return c.update(ctx, started(e))
	case agent.ToolResult:
		c.mu.Lock()
		delete(c.printed, e.ToolCallID)
		c.mu.Unlock()
		if err := c.update(ctx, finished(e)); err != nil {
			return err
		}
		if e.ToolName == "todo" {
			return c.update(ctx, plan(c.Todo()))
		}
	case agent.Failure:
		c.notice(e.Error)
	}
	return nil
}

// notice reports a message beside the answer, and logs it.
func (c *editorSession) notice(text string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := c.update(ctx, sdk.UpdateAgentThoughtText(visible.Block(text)+"\n")); err != nil && c.s.o.Log != nil {
		c.s.o.Log.Warn("could not send a notice", "error", err)
	}
}

const maxShown = 8 << 10 // bytes of a running call's output that the editor gets

// output sends the output of a running call.
func (c *editorSession) output(callID, piece string) {
	c.mu.Lock()
	text := c.printed[callID] + piece
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[len(text)-maxShown:], "")
	}
	c.printed[callID] = text
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := c.update(ctx, sdk.UpdateToolCall(sdk.ToolCallId(callID), sdk.WithUpdateStatus(sdk.ToolCallStatusInProgress), sdk.WithUpdateContent(block(text))))
	if err != nil && c.s.o.Log != nil {
		c.s.o.Log.Warn("could not send output", "error", err)
	}
}

// maxDiff limits the file contents that the editor gets for one call, in bytes. Above it, the
// editor gets the diff as text.
const maxDiff = 2 << 20

// diffs returns edits in the form that an editor draws, with the original contents of the files.
// plain reports that the contents hide nothing from a reader; otherwise an escaped version must
// accompany them.
func diffs(files []agent.Edited) (list []sdk.ToolCallContent, plain bool) {
	size, plain := 0, true
	for _, f := range files {
		if size += len(f.Before) + len(f.After); size > maxDiff {
			return nil, false
		}
		plain = plain && visible.Block(f.After) == f.After && visible.Block(f.Before) == f.Before
		if f.New {
			list = append(list, sdk.ToolDiffContent(f.Path, f.After))
		} else {
			list = append(list, sdk.ToolDiffContent(f.Path, f.After, f.Before))
		}
	}
	return list, plain && len(list) > 0
}

func block(text string) []sdk.ToolCallContent {
	return []sdk.ToolCallContent{sdk.ToolContent(sdk.TextBlock(visible.Block(text)))}
}

var kinds = map[string]sdk.ToolKind{"read_file": sdk.ToolKindRead, "glob": sdk.ToolKindSearch, "grep": sdk.ToolKindSearch, "tree": sdk.ToolKindSearch,
	"write_file": sdk.ToolKindEdit, "edit_file": sdk.ToolKindEdit, "multi_edit": sdk.ToolKindEdit, "bash": sdk.ToolKindExecute, "todo": sdk.ToolKindThink}

func kind(tool string) sdk.ToolKind {
	if k, ok := kinds[tool]; ok {
		return k
	}
	return sdk.ToolKindOther
}

// title describes a call in a few words.
func title(tool string, input json.RawMessage) string {
	var in map[string]any
	if json.Unmarshal(input, &in) == nil {
		for _, k := range []string{"command", "file_path", "pattern", "path"} {
			if s, ok := in[k].(string); ok && s != "" {
				return visible.Clip(tool+" "+s, 120)
			}
		}
	}
	return visible.Clip(tool, 120)
}

func started(e agent.ToolCall) sdk.SessionUpdate {
	return sdk.StartToolCall(sdk.ToolCallId(e.ToolCallID), title(e.ToolName, e.Input), sdk.WithStartKind(kind(e.ToolName)),
		sdk.WithStartStatus(sdk.ToolCallStatusPending), sdk.WithStartRawInput(e.Input))
}

func finished(e agent.ToolResult) sdk.SessionUpdate {
	status, text := sdk.ToolCallStatusCompleted, e.Result.Output
	shown, plain := diffs(e.Result.Files)
	if plain {
		text = ""
	}
	if !e.Result.Success {
		status = sdk.ToolCallStatusFailed
		text = strings.TrimSpace(text + "\n" + e.Result.Error)
	}
	for _, n := range e.Result.Notes {
		text += "\n" + n
	}
	if text != "" || len(shown) == 0 {
		shown = append(shown, block(strings.TrimPrefix(text, "\n"))...)
	}
	return sdk.UpdateToolCall(sdk.ToolCallId(e.ToolCallID), sdk.WithUpdateStatus(status), sdk.WithUpdateContent(shown))
}

func plan(list []agent.Todo) sdk.SessionUpdate {
	var out []sdk.PlanEntry
	for _, t := range list {
		status := sdk.PlanEntryStatusPending
		switch {
		case t.Done:
			status = sdk.PlanEntryStatusCompleted
		case t.Now:
			status = sdk.PlanEntryStatusInProgress
		}
		out = append(out, sdk.PlanEntry{Content: visible.Line(t.Text), Priority: sdk.PlanEntryPriorityMedium, Status: status})
	}
	return sdk.UpdatePlan(out...)
}

// The answers that an editor can return.
const (
	allowOnce    = "allow-once"
	allowAlways  = "allow-always"
	rejectOnce   = "reject-once"
	rejectAlways = "reject-always"
)

// Ask implements agent.Asker: the editor asks its user.
func (c *editorSession) Ask(ctx context.Context, q agent.Question) (agent.Answer, error) {
	c.mu.Lock()
	no := q.Session != "" && c.rejected[q.Session]
	c.mu.Unlock()
	if no {
		return agent.Answer{Note: "the user does not want to be asked about this again", By: "the editor"}, nil
	}
	options := []sdk.PermissionOption{{OptionId: allowOnce, Kind: sdk.PermissionOptionKindAllowOnce, Name: "Allow once"}}
	until, verdict := "always", agent.Always
	if q.Always == "" {
		until, verdict = "in this session", agent.Session
	}
	// The narrowest first, each named by its rules. The ID identifies the answer.
	lasting := map[sdk.PermissionOptionId]int{}
	if q.Session != "" {
		for i, rules := range append([]string{q.Session}, q.Wider...) {
			id := sdk.PermissionOptionId(allowAlways)
			if i > 0 {
				id = sdk.PermissionOptionId(fmt.Sprintf("%s-%d", allowAlways, i))
			}
			lasting[id] = i
			options = append(options, sdk.PermissionOption{OptionId: id, Kind: sdk.PermissionOptionKindAllowAlways, Name: fmt.Sprintf("Allow %s: %s", until, visible.Line(strings.ReplaceAll(rules, "\n", ", ")))})
		}
	}
	options = append(options, sdk.PermissionOption{OptionId: rejectOnce, Kind: sdk.PermissionOptionKindRejectOnce, Name: "Reject"})
	if q.Session != "" {
		options = append(options, sdk.PermissionOption{OptionId: rejectAlways, Kind: sdk.PermissionOptionKindRejectAlways, Name: "Reject in this session: " + visible.Line(strings.ReplaceAll(q.Session, "\n", ", "))})
	}
	shown := block(facts(q))
	drawn, plain := diffs(q.Preview.Files)
	shown = append(shown, drawn...)
	if q.Preview.Text != "" && !plain {
		shown = append(shown, block(q.Preview.Text)...)
	}
	r, err := c.s.conn.RequestPermission(ctx, sdk.RequestPermissionRequest{SessionId: c.id, Options: options, ToolCall: sdk.ToolCallUpdate{
		ToolCallId: sdk.ToolCallId(q.CallID), Title: new(title(q.Tool, json.RawMessage(q.Input))), Kind: new(kind(q.Tool)),
		Status: sdk.Ptr(sdk.ToolCallStatusPending), RawInput: json.RawMessage(q.Input), Content: shown}})
	if err != nil {
		return agent.Answer{}, err
	}
	a := agent.Answer{By: "the editor"}
	if r.Outcome.Selected == nil {
		a.Choice = agent.Stop
		return a, nil
	}
	chosen := r.Outcome.Selected.OptionId
	if wider, offered := lasting[chosen]; offered {
		a.Choice, a.Wider = verdict, wider
		return a, nil
	}
	switch chosen {
	case allowOnce:
		a.Choice = agent.Once
	case rejectAlways:
		c.mu.Lock()
		c.rejected[q.Session] = q.Session != ""
		c.mu.Unlock()
	}
	return a, nil
}

// facts lists the facts about a call that a person needs in addition to the command.
func facts(q agent.Question) string {
	list := []string{q.Reason}
	if q.Dir != "" {
		list = append(list, "In "+visible.Line(q.Dir))
	}
	for _, f := range q.Preview.Outside {
		list = append(list, "OUTSIDE the workspace: "+visible.Line(f))
	}
	switch {
	case q.Session == "" && q.NoSession != "":
		list = append(list, "Once only: "+visible.Line(q.NoSession))
	case q.Always == "" && q.NoAlways != "":
		list = append(list, "Not permanently: "+visible.Line(q.NoAlways))
	}
	if q.Sandbox != "" {
		return strings.Join(append(list, "It runs "+q.Sandbox+"."), "\n")
	}
	return strings.Join(append(list, "Sandbox: none"), "\n")
}

// SetSessionMode implements sdk.Agent. There are no modes.
func (s *server) SetSessionMode(context.Context, sdk.SetSessionModeRequest) (sdk.SetSessionModeResponse, error) {
	return sdk.SetSessionModeResponse{}, sdk.NewMethodNotFound(sdk.AgentMethodSessionSetMode)
}

// SetSessionConfigOption implements sdk.Agent. There are no options.
func (s *server) SetSessionConfigOption(context.Context, sdk.SetSessionConfigOptionRequest) (sdk.SetSessionConfigOptionResponse, error) {
	return sdk.SetSessionConfigOptionResponse{}, sdk.NewMethodNotFound(sdk.AgentMethodSessionSetConfigOption)
}

// ResumeSession implements sdk.Agent. Sessions are loaded instead.
func (s *server) ResumeSession(context.Context, sdk.ResumeSessionRequest) (sdk.ResumeSessionResponse, error) {
	return sdk.ResumeSessionResponse{}, sdk.NewMethodNotFound(sdk.AgentMethodSessionResume)
}
