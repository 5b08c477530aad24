// Package mcp has `umpire mcp`, which answers Claude Code's permission prompts.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/hook"
	"github.com/umpire-dev/umpire/internal/mcpline"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/slowpath"
	"github.com/umpire-dev/umpire/internal/version"
)

// maxFrame limits one message of the client, in bytes: tools may receive whole files.
const maxFrame = 10 << 20

// New returns `umpire mcp`.
func New() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve decisions as MCP tools on standard input and output",
		Long: `Serve decisions over the Model Context Protocol (MCP), on standard input and output:

  permission  answers permission prompts of Claude Code; denies calls that need a person
  check       returns the decision on a call without running it`,
		Example: `  claude mcp add umpire -- umpire mcp
  claude -p 'fix the tests' --permission-prompt-tool mcp__umpire__permission`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := ServeMCP(cmd.Context(), stdio(cmd.InOrStdin(), cmd.OutOrStdout())); err != nil {
				return fmt.Errorf("the MCP connection ended: %w; coding agents start this command", err)
			}
			return nil
		},
	}
}

// stdio returns a transport of lines. It answers a line that is not a message with an error, and
// continues with the next line. At the end of the input it waits for the answers.
func stdio(in io.Reader, out io.Writer) mcp.Transport {
	w := &locked{w: out}
	r := mcpline.NewReader(in, maxFrame, func(f *mcpline.Fault) error {
		_, err := w.Write(f.Answer())
		return err
	})
	return mcpline.Drained(&mcp.IOTransport{Reader: io.NopCloser(r), Writer: w, MaxLineLength: maxFrame + 1})
}

// locked keeps lines of two goroutines apart.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// Close implements io.Closer. It does nothing: the process keeps its standard output until it ends.
func (*locked) Close() error { return nil }

// permissionIn is the input of the tool that --permission-prompt-tool names.
type permissionIn struct {
	Tool  string         `json:"tool_name" jsonschema:"the tool that is about to be called"`
	Input map[string]any `json:"input" jsonschema:"its input"`
	ID    string         `json:"tool_use_id,omitempty" jsonschema:"ID of the call"`
}

// permissionOut is the response, sent as text.
type permissionOut struct {
	Behavior string          `json:"behavior"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
	Message  string          `json:"message,omitempty"`
}

type checkIn struct {
	Command string         `json:"command,omitempty" jsonschema:"a shell command, if no tool is named"`
	Tool    string         `json:"tool,omitempty" jsonschema:"the tool"`
	Input   map[string]any `json:"input,omitempty" jsonschema:"its input"`
	Dir     string         `json:"dir,omitempty" jsonschema:"the working directory, absolute"`
}

type checkOut struct {
	Effect     string   `json:"effect" jsonschema:"allow, ask or deny"`
	Reason     string   `json:"reason"`
	Operations []string `json:"operations" jsonschema:"the operations of the call"`
}

// ServeMCP answers permission prompts on a transport until ctx ends.
func ServeMCP(ctx context.Context, t mcp.Transport) error {
	s := mcp.NewServer(&mcp.Implementation{Name: "umpire", Version: version.String()}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "permission", Description: "Decides whether a tool may be called, as Claude Code's --permission-prompt-tool."},
		func(_ context.Context, _ *mcp.CallToolRequest, in permissionIn) (*mcp.CallToolResult, any, error) {
			text, err := permission(in)
			if err != nil {
				return nil, nil, err // the client treats a failed tool as a denial
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "check", Description: "Returns umpire's decision on a shell command or another tool call, without running it."},
		func(_ context.Context, _ *mcp.CallToolRequest, in checkIn) (*mcp.CallToolResult, checkOut, error) {
			out, err := mcpCheck(in)
			return nil, out, err
		})
	return s.Run(ctx, t)
}

// permission decides on a call in the same way as the hook.
func permission(in permissionIn) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	input, err := json.Marshal(in.Input)
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(map[string]any{"event": "call", "tool": in.Tool, "input": json.RawMessage(input), "dir": dir, "id": in.ID,
		"session": os.Getenv("CLAUDE_CODE_SESSION_ID")})
	if err != nil {
		return "", err
	}
	a := slowpath.New("generic").Answer(bytes.NewReader(payload), hook.RulesTime)
	if a.Exit == 0 {
		fmt.Fprint(os.Stderr, a.Stderr) // report calls that run without a complete check
	}
	var said struct {
		Effect umpire.Effect   `json:"effect"`
		Reason string          `json:"reason"`
		Input  json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal([]byte(a.Stdout), &said); err != nil {
		return "", fmt.Errorf("umpire did not answer: %w", err)
	}
	out := permissionOut{Behavior: "deny", Message: said.Reason}
	if said.Effect == umpire.Allow {
		if out = (permissionOut{Behavior: "allow", Input: said.Input}); len(said.Input) == 0 {
			out.Input = input
		}
	}
	b, err := json.Marshal(out)
	return string(b), err
}

func mcpCheck(in checkIn) (checkOut, error) {
	a := &umpire.Action{Tool: in.Tool, Dir: in.Dir, Principal: umpire.Principal{Platform: "mcp"}}
	var err error
	switch {
	case in.Tool == "" && strings.TrimSpace(in.Command) == "":
		return checkOut{}, errors.New("no call to check: pass a command, or a tool with its input")
	case in.Tool == "":
		a.Tool, in.Input = "Bash", map[string]any{"command": in.Command}
	}
	if a.Input, err = json.Marshal(in.Input); err != nil {
		return checkOut{}, err
	}
	at, err := project.At(in.Dir)
	if err != nil {
		return checkOut{}, err
	}
	a.Dir = at.Dir
	platform.Complete(a, "", os.Getenv)
	p, _, _, err := at.InForce()
	if err != nil {
		return checkOut{}, err
	}
	ops, d, err := project.Decide(p, a)
	if err != nil {
		return checkOut{}, err
	}
	out := checkOut{Effect: d.Effect.String(), Reason: platform.Reason(d, ops), Operations: []string{}}
	for _, op := range ops {
		out.Operations = append(out.Operations, op.String())
	}
	return out, nil
}
