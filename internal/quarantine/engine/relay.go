package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/umpire-dev/umpire/internal/quarantine"
	"github.com/umpire-dev/umpire/internal/quarantine/reading"
)

// Command names that this program uses for a foreign client. They are not for people.
const (
	mcpName  = "quarantine-mcp"  // serves the three tools over stdio
	hookName = "quarantine-hook" // answers a client's hook before each tool call
)

// maxAsk limits the size of one message over the socket.
const maxAsk = 1 << 20

// relayCall is a request of a client's child process over the socket.
type relayCall struct {
	Hook   bool            `json:"hook"` // only asks for permission; runs nothing
	Client string          `json:"client,omitempty"`
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args"`
}

type relayReply struct {
	OK   bool   `json:"ok"`
	Text string `json:"text"`
	Args any    `json:"args,omitempty"` // for a hook: the parameters to call the tool with
}

// relay serves one agent's tools to the child processes of its client. Only the relay knows the
// agent and its rights: the children know a path and nothing else.
type relay struct {
	d    *reviewState
	a    *agent
	path string
	l    net.Listener
	stop context.CancelFunc
	wg   sync.WaitGroup
	mu   sync.Mutex // serializes calls
}

// newRelay listens in a folder that only this user can enter.
func newRelay(ctx context.Context, d *reviewState, a *agent, dir string) (*relay, error) {
	r := &relay{d: d, a: a, path: filepath.Join(dir, "umpire.sock")}
	var err error
	if r.l, err = new(net.ListenConfig).Listen(ctx, "unix", r.path); err != nil {
		return nil, err
	}
	if err := os.Chmod(r.path, 0o600); err != nil {
		return nil, errors.Join(err, r.l.Close())
	}
	ctx, r.stop = context.WithCancel(ctx)
	r.wg.Go(func() {
		for {
			c, err := r.l.Accept()
			if err != nil {
				return
			}
			stop := context.AfterFunc(ctx, func() { _ = c.Close() })
			r.wg.Go(func() {
				defer stop()
				defer func() { _ = c.Close() }()
				r.serve(ctx, c)
			})
		}
	})
	return r, nil
}

// serve answers one connection until it ends.
func (r *relay) serve(ctx context.Context, c io.ReadWriter) {
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, maxAsk)
	out := json.NewEncoder(c)
	for lines.Scan() {
		var q relayCall
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return
		}
		if err := out.Encode(r.answer(ctx, q)); err != nil {
			return
		}
	}
}

func (r *relay) answer(ctx context.Context, q relayCall) relayReply {
	r.mu.Lock()
	defer r.mu.Unlock()
	if q.Hook {
		return r.hook(q)
	}
	said, items := r.d.decide(r.a, q.Tool, q.Args, "")
	if !said.Allowed {
		return relayReply{Text: said.Reason}
	}
	out, shown, err := reading.Run(ctx, r.d.snap, q.Tool, said.Args, items)
	if err != nil {
		return relayReply{Text: err.Error()}
	}
	if r.a.output += len(out); r.a.output > maxOutput {
		return relayReply{Text: errOutput.Error()}
	}
	r.a.addUnsent(out, shown)
	return relayReply{OK: true, Text: out}
}

// close closes the relay and its connections, which a child that outlives its client would keep,
// and waits for running calls.
func (r *relay) close() {
	_ = r.l.Close()
	r.stop()
	r.wg.Wait()
}

// ask sends a request to the main process over its socket.
func ask(ctx context.Context, c net.Conn, q relayCall) (t relayReply, err error) {
	if deadline, ok := ctx.Deadline(); ok {
		_ = c.SetDeadline(deadline)
	}
	if err := json.NewEncoder(c).Encode(q); err != nil {
		return t, err
	}
	return t, json.NewDecoder(io.LimitReader(c, 4<<20)).Decode(&t)
}

func dial(ctx context.Context, path string) (net.Conn, error) {
	return (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, "unix", path)
}

// serveMCP serves the three tools in a process that the client starts. It decides nothing and reads
// nothing: every call goes to the main process.
func serveMCP(ctx context.Context, path string) error {
	c, err := dial(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	var mu sync.Mutex
	s := mcp.NewServer(&mcp.Implementation{Name: "umpire", Version: "1"}, nil)
	for _, t := range toolSpecs([]string{quarantine.Read, quarantine.Grep, quarantine.Glob}) {
		// Claude Code shows its model only part of a long result. This value is its maximum.
		whole := mcp.Meta{"anthropic/maxResultSizeChars": 500_000}
		s.AddTool(&mcp.Tool{Meta: whole, Name: externalNames[t.name], Description: t.text, InputSchema: t.schema, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
			func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				mu.Lock()
				defer mu.Unlock()
				said, err := ask(ctx, c, relayCall{Tool: t.name, Args: r.Params.Arguments})
				if err != nil {
					return nil, errors.New("umpire does not answer")
				}
				return &mcp.CallToolResult{IsError: !said.OK, Content: []mcp.Content{&mcp.TextContent{Text: said.Text}}}, nil
			})
	}
	return s.Run(ctx, &mcp.StdioTransport{MaxLineLength: maxAsk})
}

// externalNames maps tools to their names at the server: clients prefix them with its name.
var externalNames = map[string]string{quarantine.Read: "read", quarantine.Grep: "grep", quarantine.Glob: "glob"}

// child takes over the process if a client started it for the main process.
func child(args []string) (status int, ok bool) {
	switch {
	case len(args) == 3 && args[1] == mcpName:
		if err := serveMCP(context.Background(), args[2]); err != nil {
			fmt.Fprintf(os.Stderr, "umpire: %v\n", err)
			return 1, true
		}
		return 0, true
	case len(args) == 4 && args[1] == hookName:
		return answerHook(context.Background(), args[2], args[3], os.Stdin, os.Stdout, os.Stderr), true
	}
	return 0, false
}
