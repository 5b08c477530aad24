package main

import (
	"context"
	"encoding/json"
	"errors"
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
			t.Fatalf("%s: %v: %s", tt.command, err, text)
		}
		if got.Behavior != tt.want || !strings.Contains(got.Message, tt.says) {
			t.Errorf("%s: %s", tt.command, text)
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
		t.Errorf("%v %s", failed, text)
	}
	text, failed = call(t, s, "check", map[string]any{"tool": "Read", "input": map[string]any{"file_path": "go.mod"}})
	if failed || !strings.Contains(text, `"effect":"allow"`) {
		t.Errorf("%v %s", failed, text)
	}
}

// A line that is not a message is answered as JSON-RPC wants it, and the next one is read.
func TestMCPLineFaults(t *testing.T) {
	t.Chdir(newProject(t))
	in := strings.Join([]string{
		"hello", "{", "42", "[]", `{"jsonrpc":"2.0"}`, "",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		"trailing noise", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, "",
	}, "\n")
	stdin, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, stdout := io.Pipe()
	cmd := mcpcmd.New()
	cmd.SetIn(stdin)
	cmd.SetOut(stdout)
	cmd.SetArgs(nil)
	done := make(chan error, 1)
	go func() {
		err := cmd.ExecuteContext(t.Context())
		_ = stdout.CloseWithError(io.EOF) // never fails
		done <- err
	}()
	if _, err := feed.WriteString(in); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for dec := json.NewDecoder(answers); ; {
		var a struct {
			ID    any
			Error struct{ Code int }
		}
		if err := dec.Decode(&a); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if got[fmt.Sprint(a.ID, " ", a.Error.Code)]++; a.ID == 2.0 { // the last
			if err := feed.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := map[string]int{"<nil> -32700": 3, "<nil> -32600": 3, "1 0": 1, "2 0": 1}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
