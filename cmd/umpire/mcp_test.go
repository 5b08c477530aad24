package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	mcpcmd "github.com/umpire-dev/umpire/cmd/umpire/mcp"
)

// connect starts the server in a new home and returns a client of it.
func connect(t *testing.T) (s *mcp.ClientSession, dir string) {
	t.Helper()
	dir = newProject(t)
	t.Chdir(dir)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ours, theirs := mcp.NewInMemoryTransports()
	done := make(chan error, 1)
	go func() { done <- mcpcmd.ServeMCP(ctx, ours) }()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		<-done
	})
	return s, dir
}

func call(t *testing.T, s *mcp.ClientSession, tool string, args any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%d pieces of content", len(r.Content))
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

// The permission tool answers in the words that Claude Code expects, and leaves a record.
func TestPermissionTool(t *testing.T) {
	s, dir := connect(t)
	config := filepath.Join(os.Getenv("HOME"), ".config", "umpire")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ command, want, says string }{
		{"ls -la", "allow", ""},
		{"rm -rf ~", "deny", "delete-home"},
		{"sudo ls", "deny", "umpire approve "},
	} {
		text, failed := call(t, s, "permission", map[string]any{"tool_name": "Bash", "input": map[string]any{"command": tt.command}, "tool_use_id": "t1"})
		var got struct {
			Behavior string
			Input    struct{ Command string } `json:"updatedInput"`
			Message  string
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || failed {
			t.Fatalf("%s: the tool failed (%v), or its answer is no JSON: %v: %s", tt.command, failed, err, text)
		}
		if got.Behavior != tt.want || !strings.Contains(got.Message, tt.says) {
			t.Errorf("%s: got %s, want behavior %s with %q", tt.command, text, tt.want, tt.says)
		}
		// Without the input in the answer the client calls the tool with nothing.
		if tt.want == "allow" && got.Input.Command != tt.command {
			t.Errorf("%s: the answer has the input %+v", tt.command, got.Input)
		}
	}
	if _, err := os.Stat(filepath.Join(os.Getenv("HOME"), ".local/state/umpire/audit.jsonl")); err != nil {
		t.Errorf("%v, in %s", err, dir)
	}
}

func TestCheckTool(t *testing.T) {
	s, _ := connect(t)
	text, failed := call(t, s, "check", map[string]any{"command": "rm -rf ~"})
	if failed || !strings.Contains(text, `"effect":"deny"`) || !strings.Contains(text, "delete-home") {
		t.Errorf("check of rm -rf ~: failed %v, want deny by delete-home: %s", failed, text)
	}
	if text, failed = call(t, s, "check", map[string]any{"command": " "}); !failed || !strings.Contains(text, "no call to check") {
		t.Errorf("no call: %v %s", failed, text)
	}
	text, failed = call(t, s, "check", map[string]any{"tool": "Read", "input": map[string]any{"file_path": "go.mod"}})
	if failed || !strings.Contains(text, `"effect":"allow"`) {
		t.Errorf("check of a harmless command: failed %v, want allow: %s", failed, text)
	}
}

// A line that is not a message is answered as JSON-RPC wants it, and the next one is read. A
// client that ends its input with its last call still gets every answer.
func TestMCPLines(t *testing.T) {
	dir := newProject(t)
	const start = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	check := func(id int, command string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"check","arguments":{"command":%q}}}`, id, command)
	}
	for _, tt := range []struct {
		name string
		in   []string
		want map[string]int // answers by ID and code
	}{
		{"faults", []string{"hello", "{", "42", "[]", `{"jsonrpc":"2.0"}`, "", start, "trailing noise", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, ""},
			map[string]int{"<nil> -32700": 3, "<nil> -32600": 3, "1 0": 1, "2 0": 1}},
		{"calls", []string{start, check(2, "rm -rf /"), check(3, "ls"), check(4, "make")},
			map[string]int{"1 0": 1, "2 0": 1, "3 0": 1, "4 0": 1}},
		{"a canceled call", []string{start, check(2, "ls"), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`, check(3, "ls"), ""},
			map[string]int{"1 0": 1, "2 0": 1, "3 0": 1}},
		{"an unknown tool", []string{start, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"nothing"}}`},
			map[string]int{"1 0": 1, "2 -32602": 1}},
		{"nothing", nil, map[string]int{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, exit := runUmpire(t, dir, strings.Join(tt.in, "\n"), "mcp")
			got := map[string]int{}
			for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
				var a struct {
					ID    any
					Error struct{ Code int }
				}
				if err := dec.Decode(&a); err != nil {
					t.Fatalf("answer is no JSON: %v\n%s", err, out)
				}
				got[fmt.Sprint(a.ID, " ", a.Error.Code)]++
			}
			if !maps.Equal(got, tt.want) || exit != 0 {
				t.Errorf("%v, want %v; status %d\n%s", got, tt.want, exit, out)
			}
		})
	}
}

// deaf is an output that nobody reads any more.
type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A client that no longer reads does not hold the server.
func TestMCPOutputClosed(t *testing.T) {
	t.Chdir(newProject(t))
	cmd := mcpcmd.New()
	cmd.SetIn(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}`))
	cmd.SetOut(deaf{})
	cmd.SetArgs(nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := cmd.ExecuteContext(ctx); ctx.Err() != nil {
		t.Error("the server waits for answers that cannot be written:", err)
	}
}
