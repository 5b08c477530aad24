package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

// editor is a client of the protocol, of the library that editors written in Go use.
type editor struct {
	acp.Client // nothing else of it is called
	answer     func(acp.RequestPermissionRequest) acp.RequestPermissionOutcome

	mu     sync.Mutex
	text   strings.Builder
	users  []string
	status map[string]acp.ToolCallStatus
	shown  string
	diffs  []acp.ToolCallContentDiff
	asked  []acp.RequestPermissionRequest
}

func (e *editor) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	u := n.Update
	switch {
	case u.AgentMessageChunk != nil && u.AgentMessageChunk.Content.Text != nil:
		e.text.WriteString(u.AgentMessageChunk.Content.Text.Text)
	case u.UserMessageChunk != nil && u.UserMessageChunk.Content.Text != nil:
		e.users = append(e.users, u.UserMessageChunk.Content.Text.Text)
	case u.ToolCall != nil:
		e.status[string(u.ToolCall.ToolCallId)] = u.ToolCall.Status
	case u.ToolCallUpdate != nil:
		if u.ToolCallUpdate.Status != nil {
			e.status[string(u.ToolCallUpdate.ToolCallId)] = *u.ToolCallUpdate.Status
		}
		for _, c := range u.ToolCallUpdate.Content {
			if c.Content != nil && c.Content.Content.Text != nil {
				e.shown += c.Content.Content.Text.Text + "\n"
			}
			if c.Diff != nil {
				e.diffs = append(e.diffs, *c.Diff)
			}
		}
	}
	return nil
}

func (e *editor) RequestPermission(_ context.Context, r acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	e.mu.Lock()
	e.asked = append(e.asked, r)
	e.mu.Unlock()
	return acp.RequestPermissionResponse{Outcome: e.answer(r)}, nil
}

// pick answers with the option of a kind, or says no.
func pick(kind acp.PermissionOptionKind) func(acp.RequestPermissionRequest) acp.RequestPermissionOutcome {
	return func(r acp.RequestPermissionRequest) acp.RequestPermissionOutcome {
		for _, o := range r.Options {
			if o.Kind == kind {
				return acp.NewRequestPermissionOutcomeSelected(o.OptionId)
			}
		}
		return acp.NewRequestPermissionOutcomeCancelled()
	}
}

// openEditor starts the real program and speaks the protocol with it.
func openEditor(t *testing.T, m *agentModel, home, dir string, e *editor) *acp.ClientSideConnection {
	t.Helper()
	e.status = map[string]acp.ToolCallStatus{}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program(t), "agent", "--acp") // the editor ends it
	cmd.Dir, cmd.Env, cmd.Stderr = dir, m.env(home), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close() // the editor goes away, and so does the agent
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("the agent ended with %v", err)
			}
		case <-time.After(time.Minute):
			t.Error("the agent does not end when its editor is gone")
			cmd.Process.Kill()
			<-done
		}
	})
	c := acp.NewClientSideConnection(e, in, out)
	r, err := c.Initialize(t.Context(), acp.InitializeRequest{ProtocolVersion: acp.ProtocolVersionNumber})
	if err != nil || r.ProtocolVersion != acp.ProtocolVersionNumber || !r.AgentCapabilities.LoadSession || r.AgentInfo == nil || r.AgentInfo.Name != "umpire" {
		t.Fatalf("Initialize: got %+v, %v, want protocol %d, sessions that can be loaded, and the name umpire", r, err, acp.ProtocolVersionNumber)
	}
	return c
}

func prompt(id acp.SessionId, text string) acp.PromptRequest {
	return acp.PromptRequest{SessionId: id, Prompt: []acp.ContentBlock{acp.TextBlock(text)}}
}

// drawsEdit reports whether an editor can draw how a file was and how it is; was is "-" if there
// was none.
func drawsEdit(d *acp.ToolCallContentDiff, path, was, is string) bool {
	return d != nil && d.Path == path && d.NewText == is && (d.OldText == nil && was == "-" || d.OldText != nil && *d.OldText == was)
}

// An editor draws edits by itself, of the texts of the files. What hides in them is told in
// letters as well.
func TestAgentDiffsInEditor(t *testing.T) {
	home, dir := agentHome(t, "")
	a, b := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
	put(t, a, "one\ntwo\n")
	m := scriptModel(t, "openai", 7,
		step{calls: calls("edit_file", `{"file_path":"a.txt","old_string":"two","new_string":"2"}`)},
		step{calls: calls("multi_edit", `{"edits":[{"file_path":"a.txt","old_string":"one","new_string":"1"},{"file_path":"a.txt","old_string":"2","new_string":"3"}]}`)},
		step{calls: calls("write_file", `{"file_path":"b.txt","content":"a\u202eb\n"}`)},
		step{calls: calls("edit_file", `{"file_path":"a.txt","old_string":"nowhere","new_string":"x"}`)}, step{text: "Done."})
	e := &editor{answer: pick(acp.PermissionOptionKindAllowOnce)}
	c := openEditor(t, m, home, dir, e)
	s, err := c.NewSession(t.Context(), acp.NewSessionRequest{Cwd: dir, McpServers: []acp.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Prompt(t.Context(), prompt(s.SessionId, "edit")); err != nil {
		t.Fatal(err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	want := []struct{ path, was, is string }{{a, "one\ntwo\n", "one\n2\n"}, {a, "one\n2\n", "1\n3\n"}, {b, "-", "a\u202eb\n"}}
	if len(e.asked) != len(want) || len(e.diffs) != len(want) {
		t.Fatalf("asked %d times, %d edits: %+v", len(e.asked), len(e.diffs), e.diffs)
	}
	for i, w := range want {
		var told string
		drawn := false
		for _, c := range e.asked[i].ToolCall.Content {
			drawn = drawn || drawsEdit(c.Diff, w.path, w.was, w.is)
			if c.Content != nil {
				told += c.Content.Content.Text.Text
			}
		}
		if hides := strings.Contains(told, `\u202e`); !drawn || !drawsEdit(&e.diffs[i], w.path, w.was, w.is) || hides != (w.path == b) {
			t.Errorf("edit %d: asked %q, drawn %v; then %+v", i, told, drawn, e.diffs[i])
		}
	}
	if !strings.Contains(e.shown, `+a\u202eb`) || !strings.Contains(e.shown, "a.txt") || strings.Contains(e.shown, "-two") {
		t.Errorf("in letters: %s", e.shown)
	}
}

func TestAgentInEditor(t *testing.T) {
	home, dir := agentHome(t, "")
	put(t, filepath.Join(dir, "a.txt"), "old\n")
	write := `{"file_path":"a.txt","content":"new\n"}`
	m := scriptModel(t, "openai", 7,
		step{text: "I write.", calls: calls("write_file", write)}, step{text: "Not allowed."},
		step{calls: calls("write_file", write)}, step{text: "Written."},
		step{calls: calls("read_file", `{"file_path":"a.txt"}`, "write_file", `{"file_path":"a.txt","content":"newer\n"}`)}, step{text: "Again."})
	e := &editor{answer: pick(acp.PermissionOptionKindRejectOnce)}
	c := openEditor(t, m, home, dir, e)
	ctx := t.Context()
	if _, err := c.NewSession(ctx, acp.NewSessionRequest{Cwd: "relative", McpServers: []acp.McpServer{}}); err == nil {
		t.Error("a relative folder was taken")
	}
	if _, err := c.Prompt(ctx, prompt("nope", "x")); err == nil {
		t.Error("a session that is none was taken")
	}
	s, err := c.NewSession(ctx, acp.NewSessionRequest{Cwd: dir, McpServers: []acp.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	file := func() string {
		b, err := os.ReadFile(filepath.Join(dir, "a.txt"))
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
	r, err := c.Prompt(ctx, prompt(s.SessionId, "write it"))
	if err != nil || r.StopReason != acp.StopReasonEndTurn || file() != "old\n" || e.text.String() != "I write.Not allowed." || e.status["call_1"] != acp.ToolCallStatusFailed {
		t.Errorf("denied write: got %+v, %v, file %q, text %q, calls %v; want the old file and a failed call", r, err, file(), e.text.String(), e.status)
	}
	q := e.asked[0]
	if len(q.Options) != 6 || !strings.HasSuffix(q.Options[1].Name, "write("+dir+"/a.txt)") || !strings.HasSuffix(q.Options[3].Name, "write("+dir+"/**)") || len(q.ToolCall.Content) != 2 || !drawsEdit(q.ToolCall.Content[1].Diff, filepath.Join(dir, "a.txt"), "old\n", "new\n") {
		t.Errorf("the question lacks something: %+v", q)
	}
	if facts := q.ToolCall.Content[0].Content.Content.Text.Text; !strings.Contains(facts, "In "+dir) || !strings.Contains(facts, "Sandbox: none") {
		t.Errorf("the question says %q", facts)
	}
	e.answer = pick(acp.PermissionOptionKindAllowAlways)
	if r, err = c.Prompt(ctx, prompt(s.SessionId, "write it now")); err != nil || file() != "new\n" || e.status["call_2"] != acp.ToolCallStatusCompleted {
		t.Errorf("allowed write: got %+v, %v, file %q, calls %v; want the new file and a completed call", r, err, file(), e.status)
	}
	if r, err = c.Prompt(ctx, prompt(s.SessionId, "once more")); err != nil || file() != "newer\n" || len(e.asked) != 2 {
		t.Errorf("%+v, %v: asked %d times", r, err, len(e.asked))
	}
	if b, err := os.ReadFile(filepath.Join(home, ".config", "umpire", "policy.yaml")); err != nil || !strings.Contains(string(b), "write("+dir+"/a.txt)") || strings.Contains(string(b), "/**)") {
		t.Errorf("policy of the user: want a rule for that one file: %s, %v", b, err)
	}
	if l, err := c.ListSessions(ctx, acp.ListSessionsRequest{Cwd: new(dir)}); err != nil || len(l.Sessions) != 1 || l.Sessions[0].SessionId != s.SessionId {
		t.Errorf("ListSessions: got %+v, %v, want session %s alone", l, err, s.SessionId)
	}
	if _, err := c.CloseSession(ctx, acp.CloseSessionRequest{SessionId: s.SessionId}); err != nil {
		t.Error(err)
	}
	if _, err := c.LoadSession(ctx, acp.LoadSessionRequest{Cwd: dir, SessionId: s.SessionId, McpServers: []acp.McpServer{}}); err != nil || len(e.users) != 3 || e.users[0] != "write it" {
		t.Errorf("LoadSession: got %v, with the user's messages %q; want 3, the first \"write it\"", err, e.users)
	}
	var none *acp.RequestError
	if _, err := c.LoadSession(ctx, acp.LoadSessionRequest{Cwd: dir, SessionId: "none", McpServers: []acp.McpServer{}}); !errors.As(err, &none) || none.Code != -32002 {
		t.Errorf("a session that is not there: %v", err)
	}
}

// An answer that ends in an error of the server's is an error for the editor, too.
func TestAgentAnswerEndsInAnErrorInEditor(t *testing.T) {
	home, dir := agentHome(t, "")
	finished := func(reason string) step {
		return step{raw: `data: {"choices":[{"delta":{"content":"half"},"finish_reason":"` + reason + `"}]}` + "\n\ndata: [DONE]\n\n"}
	}
	m := scriptModel(t, "openai", 0, step{raw: `data: {"error":{"message":"the upstream died"}}` + "\n\ndata: [DONE]\n\n"}, finished("stop"), finished("length"), finished("content_filter"))
	c := openEditor(t, m, home, dir, &editor{})
	s, err := c.NewSession(t.Context(), acp.NewSessionRequest{Cwd: dir, McpServers: []acp.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	var fault *acp.RequestError
	if _, err := c.Prompt(t.Context(), prompt(s.SessionId, "go")); !errors.As(err, &fault) || !strings.Contains(fmt.Sprint(fault.Data), "the upstream died") {
		t.Errorf("Prompt: got error %v, want the upstream's", err)
	}
	for _, want := range []acp.StopReason{acp.StopReasonEndTurn, acp.StopReasonMaxTokens, acp.StopReasonRefusal} {
		if r, err := c.Prompt(t.Context(), prompt(s.SessionId, "again")); err != nil || r.StopReason != want {
			t.Errorf("%+v, %v, not %s", r, err, want)
		}
	}
}

// A canceled prompt ends, with what it was doing, and the next one goes on.
func TestAgentCanceledInEditor(t *testing.T) {
	home, dir := agentHome(t, "")
	m := scriptModel(t, "anthropic", 5, step{text: "one two three four five", hang: true}, step{calls: calls("bash", `{"command":"make"}`)}, step{text: "Well."})
	asked := make(chan struct{})
	e := &editor{}
	c := openEditor(t, m, home, dir, e)
	s, err := c.NewSession(t.Context(), acp.NewSessionRequest{Cwd: dir, McpServers: []acp.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	e.answer = func(acp.RequestPermissionRequest) acp.RequestPermissionOutcome {
		close(asked)
		if err := c.Cancel(context.WithoutCancel(t.Context()), acp.CancelNotification{SessionId: s.SessionId}); err != nil {
			t.Error(err)
		}
		return acp.NewRequestPermissionOutcomeCancelled()
	}
	go func() {
		<-m.hanging
		if err := c.Cancel(context.WithoutCancel(t.Context()), acp.CancelNotification{SessionId: s.SessionId}); err != nil {
			t.Error(err)
		}
	}()
	for range 2 { // in the stream, then in the question
		r, err := c.Prompt(t.Context(), prompt(s.SessionId, "go"))
		if err != nil && !errors.Is(err, context.Canceled) || err == nil && r.StopReason != acp.StopReasonCancelled {
			t.Errorf("cancelled Prompt: got %+v, %v, want stop reason cancelled", r, err)
		}
	}
	<-asked
	if r, err := c.Prompt(t.Context(), prompt(s.SessionId, "and now?")); err != nil || r.StopReason != acp.StopReasonEndTurn || !strings.HasSuffix(e.text.String(), "Well.") {
		t.Errorf("Prompt after a cancelled one: got %+v, %v, text %q, want the turn to end with \"Well.\"", r, err, e.text.String())
	}
}
