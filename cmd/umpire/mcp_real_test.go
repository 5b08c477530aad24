package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
)

// realClaude returns the path of the real Claude Code, "" unless UMPIRE_REAL_CLIENTS=1
// asks for tests with it.
func realClaude(t *testing.T) string {
	t.Helper()
	if os.Getenv("UMPIRE_REAL_CLIENTS") != "1" {
		return ""
	}
	cache := os.Getenv("REALCLIENTS_CACHE")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(dir, "umpire-realclients")
	}
	found, _ := filepath.Glob(filepath.Join(cache, "claude-*", "node_modules", ".bin", "claude"))
	if len(found) == 0 {
		t.Fatalf("Claude Code is not installed in %s", cache)
	}
	return found[len(found)-1]
}

// scriptedModel speaks for a model that calls one tool, once, and is content with what it
// hears. told gets the bodies of requests with a tool's result.
func scriptedModel(t *testing.T, tool, input string, told func(string)) *httptest.Server {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if !strings.HasSuffix(r.URL.Path, "/messages") {
			_, _ = io.WriteString(w, `{"input_tokens":1}`)
			return
		}
		done := strings.Contains(string(b), `"tool_result"`)
		if done {
			told(string(b))
		}
		start, delta, stop := `{"type":"text","text":""}`, `{"type":"text_delta","text":"All done."}`, "end_turn"
		if !done && strings.Contains(string(b), `"name":"`+tool+`"`) {
			start, delta, stop = `{"type":"tool_use","id":"toolu_1","name":"`+tool+`","input":{}}`, `{"type":"input_json_delta","partial_json":`+strconv.Quote(input)+`}`, "tool_use"
		}
		message := `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`
		if !strings.Contains(string(b), `"stream":true`) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, strings.Replace(message, `"content":[],"stop_reason":null`, `"content":[{"type":"text","text":"All done."}],"stop_reason":"end_turn"`, 1))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range [][2]string{
			{"message_start", `{"type":"message_start","message":` + message + `}`},
			{"content_block_start", `{"type":"content_block_start","index":0,"content_block":` + start + `}`},
			{"content_block_delta", `{"type":"content_block_delta","index":0,"delta":` + delta + `}`},
			{"content_block_stop", `{"type":"content_block_stop","index":0}`},
			{"message_delta", `{"type":"message_delta","delta":{"stop_reason":"` + stop + `"},"usage":{"output_tokens":1}}`},
			{"message_stop", `{"type":"message_stop"}`},
		} {
			_, _ = io.WriteString(w, "event: "+e[0]+"\ndata: "+e[1]+"\n\n")
		}
	}))
	t.Cleanup(up.Close)
	return up
}

// TestGatewayRealClaudeCode has the real Claude Code ask a gateway, by MCP, before it
// writes a file: what a person there approves is written, and what they deny is not. It
// needs the client installed, and UMPIRE_REAL_CLIENTS=1.
func TestGatewayRealClaudeCode(t *testing.T) {
	claude := realClaude(t)
	if claude == "" {
		return
	}
	dir := newProject(t)
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	g, err := gateway.New(t.Context(), gateway.Options{Store: s, Root: dir, Layers: policyfile.Paths{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(g.Handler())
	defer srv.Close()
	defer func() { _ = g.Close(context.WithoutCancel(t.Context()), true) }()
	secret, _, err := g.NewToken(t.Context(), gateway.Token{Kind: gateway.Agent, Name: "claude"})
	if err != nil {
		t.Fatal(err)
	}
	for _, approve := range []bool{true, false} {
		file := filepath.Join(dir, "notes-"+strconv.FormatBool(approve)+".md")
		told := make(chan string, 10)
		up := scriptedModel(t, "Write", `{"file_path":"`+file+`","content":"as asked\n"}`, func(body string) { told <- body })
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		asked := make(chan approval.Request, 1)
		go func() {
			for {
				changed, stop := s.Changed("")
				list, err := s.List(ctx, approval.Filter{States: []approval.State{approval.Pending}})
				if err == nil && len(list) > 0 {
					stop()
					_, _ = g.Answer(ctx, gateway.Principal{Kind: gateway.Operator, Name: "ada", Role: gateway.Approver}, list[0].ID, approve, gateway.Reply{Digest: list[0].Digest, Note: "so says ada"})
					asked <- list[0]
					return
				}
				select {
				case <-changed:
				case <-ctx.Done():
					stop()
					return
				}
				stop()
			}
		}()
		cmd := exec.CommandContext(ctx, claude, "-p", "Write the notes.", "--permission-prompt-tool", "mcp__umpire__permission", "--strict-mcp-config", "--mcp-config",
			`{"mcpServers":{"umpire":{"type":"http","url":"`+srv.URL+`/mcp","headers":{"Authorization":"Bearer `+secret+`"}}}}`)
		cmd.Dir = dir
		cmd.WaitDelay = time.Second
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + t.TempDir(), "TERM=dumb", "LANG=C.UTF-8",
			"ANTHROPIC_BASE_URL=" + up.URL, "ANTHROPIC_API_KEY=sk-ant-fake", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "All done.") {
			t.Fatalf("the client: %v, want \"All done.\" in the output:\n%s", err, out)
		}
		if r := <-asked; r.Category != approval.Filesystem || !strings.Contains(r.Action, file) {
			t.Errorf("a person is asked about %+v", r)
		}
		data, err := os.ReadFile(file)
		if approve && string(data) != "as asked\n" || !approve && err == nil {
			t.Errorf("approved %v: %q, %v", approve, data, err)
		}
		if body := <-told; !approve && !strings.Contains(body, "so says ada") {
			t.Errorf("the model does not hear why: %s", body)
		}
	}
}
