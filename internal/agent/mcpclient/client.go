package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits on a server's messages.
const (
	startTime      = 30 * time.Second
	lateTime       = 5 * time.Second
	maxTools       = 128
	maxDescription = 4 << 10
	maxSchema      = 64 << 10
	maxMessage     = 8 << 20
	maxOutput      = 100 << 10
	maxStarts      = 4 // of one server in one session
)

// Options configure how servers run.
type Options struct {
	State   string // a folder in umpire's state, for the pins
	Version string // umpire's version, reported to servers
	Dir     string // working directory of commands
	Environ []string
	// Approve asks a person about tools that are new or changed since their approval. If it is nil,
	// the model does not get such tools.
	Approve func(context.Context, Offer) (bool, error)
	// Late is called once if servers are slow to answer; may be nil.
	Late func()
	// Ready gets each server's tools and warnings as soon as the server answers; if nil, Connect
	// returns all of them.
	Ready func(tools []agent.Tool, warnings []string)
	// Box makes a sandbox for a program, as tool.Options.Box does. If it is nil, servers that
	// require a sandbox do not run.
	Box func(program, dir string) (sandbox.Config, func() error, error)
}

// Offer is a question to a person about a server. Its texts come from the server: code that shows
// them must escape them.
type Offer struct {
	Server  string
	Origin  string // the command or the URL
	New     []Info
	Changed []Info
}

// Info is a server's description of a tool.
type Info struct {
	Name        string // the agent's name for the tool
	Tool        string // the server's name for the tool
	Title       string
	Description string
	Schema      json.RawMessage
}

// Clients are the servers of one session.
type Clients struct {
	o       Options
	pins    *pins
	servers []*client
}

// client is one server. It is restarted if it has ended.
type client struct {
	Server
	all *Clients

	mu      sync.Mutex
	session *mcp.ClientSession
	gone    chan struct{}        // closed at the end of the session
	said    atomic.Pointer[tail] // standard error of a command; a call reads it while another call restarts the server
	starts  int
	closed  bool
	tools   map[string]Info // current tools, by the server's names

	stale atomic.Bool // the server reported that its tools have changed
}

// Connect starts all servers in parallel, and asks about the tools of one server after another as
// they answer. An unavailable server causes a warning.
func Connect(ctx context.Context, servers []Server, o Options) (c *Clients, tools []agent.Tool, warnings []string) {
	c = &Clients{o: o, pins: &pins{path: filepath.Join(o.State, "mcp-pins.json")}}
	faults := make([]error, len(servers))
	started := make(chan int, len(servers))
	for i, s := range servers {
		cl := &client{Server: s, all: c}
		c.servers = append(c.servers, cl)
		go func() {
			cl.mu.Lock()
			faults[i] = cl.start(ctx)
			cl.mu.Unlock()
			started <- i
		}()
	}
	offers := make([][]agent.Tool, len(servers))
	said := make([][]string, len(servers))
	taken := map[string]bool{}
	late := time.After(lateTime)
	for range servers {
		var i int
		select {
		case i = <-started: // a slow server does not delay the others
		case <-late:
			if o.Late != nil {
				o.Late()
			}
			i = <-started
		}
		offers[i], said[i] = c.servers[i].take(ctx, faults[i], taken)
		if o.Ready != nil {
			o.Ready(offers[i], said[i])
		}
	}
	return c, slices.Concat(offers...), slices.Concat(said...)
}

// take returns the tools of a server that has answered or failed. taken has the names already in
// use.
func (cl *client) take(ctx context.Context, fault error, taken map[string]bool) (tools []agent.Tool, warnings []string) {
	warn := func(text string) { warnings = append(warnings, fmt.Sprintf("MCP server %s: %s", cl.Name, text)) }
	if fault != nil {
		warn(visible.Clip(fault.Error(), 500))
		return nil, warnings
	}
	list, left, err := cl.offered(ctx)
	if err != nil {
		warn(visible.Clip(err.Error(), 500))
	}
	for _, l := range left {
		warn(l)
	}
	for _, info := range list {
		t := cl.tool(info)
		if taken[t.Name] {
			warn("two tools are named " + t.Name + ": ignored one")
			continue
		}
		taken[t.Name] = true
		tools = append(tools, t)
	}
	return tools, warnings
}

// Close stops all servers.
func (c *Clients) Close() {
	var wg sync.WaitGroup
	for _, cl := range c.servers {
		wg.Go(cl.close)
	}
	wg.Wait()
}

func (cl *client) close() {
	cl.mu.Lock()
	session, gone := cl.session, cl.gone
	cl.closed, cl.session = true, nil
	cl.mu.Unlock()
	if session != nil {
		_ = session.Close() // the session ends in any case
		<-gone
	}
}

// origin describes for people how to reach a server.
func (cl *client) origin() string {
	if cl.URL != "" {
		return cl.URL
	}
	return strings.Join(append([]string{cl.Command}, cl.Args...), " ")
}

// start connects to a server and lists its tools. The caller holds mu.
func (cl *client) start(ctx context.Context) error {
	if cl.closed {
		return errors.New("it was closed")
	}
	if cl.starts++; cl.starts > maxStarts {
		return errors.New("it stopped too often: umpire does not restart it")
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	cl.said.Store(&tail{})
	transport, err := cl.transport()
	if err != nil {
		return err
	}
	mc := mcp.NewClient(&mcp.Implementation{Name: "umpire", Version: cl.all.o.Version}, &mcp.ClientOptions{
		Capabilities:           &mcp.ClientCapabilities{}, // no roots, no sampling, no questions
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { cl.stale.Store(true) },
		MultiRoundTrip:         &mcp.MultiRoundTripOptions{Disabled: true},
	})
	cl.stale.Store(false)
	session, err := mc.Connect(ctx, transport, nil)
	if err != nil {
		return cl.ended(fmt.Errorf("its answer is invalid: %w", err))
	}
	tools, err := list(ctx, cl.Name, session)
	if err != nil {
		_ = session.Close() // the other error is reported
		return cl.ended(fmt.Errorf("cannot list its tools: %w", err))
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = session.Wait() // only the end matters
	}()
	cl.session, cl.gone, cl.tools = session, gone, tools
	return nil
}

// ended adds a command's standard error to an error.
func (cl *client) ended(err error) error {
	if said := strings.TrimSpace(cl.said.Load().String()); said != "" {
		return fmt.Errorf("%w; it said: %s", err, visible.Clip(said, 1000))
	}
	return err
}

func list(ctx context.Context, server string, session *mcp.ClientSession) (map[string]Info, error) {
	m := map[string]Info{}
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if len(m) == maxTools {
			return nil, fmt.Errorf("it has more than %d tools", maxTools)
		}
		schema, err := json.Marshal(t.InputSchema)
		if err != nil {
			return nil, err
		}
		m[t.Name] = Info{Name: toolName(server, t.Name), Tool: t.Name, Title: t.Title, Description: t.Description, Schema: schema}
	}
	return m, nil
}

// usable returns the reason why a tool is unusable, or "".
func (i *Info) usable() string {
	var s jsonschema.Schema
	switch {
	case i.Tool == "" || len(i.Tool) > 256 || len(i.Title) > 1<<10:
		return "its name is empty or too long"
	case len(i.Description) > maxDescription:
		return fmt.Sprintf("its description has more than %d KiB", maxDescription>>10)
	case len(i.Schema) > maxSchema:
		return fmt.Sprintf("its schema has more than %d KiB", maxSchema>>10)
	case json.Unmarshal(i.Schema, &s) != nil || s.Type != "object":
		return "its schema must describe an object"
	}
	if _, err := s.Resolve(nil); err != nil {
		return "its schema cannot be used: " + visible.Clip(err.Error(), 200)
	}
	if _, ok := plain(i.Schema); !ok {
		return "its schema has hidden characters"
	}
	return ""
}

// offered returns the tools of a server that were approved in this form. It asks about the others.
func (cl *client) offered(ctx context.Context) (list []Info, left []string, err error) {
	cl.mu.Lock()
	now := make([]Info, 0, len(cl.tools))
	for _, i := range cl.tools {
		now = append(now, i)
	}
	cl.mu.Unlock()
	slices.SortFunc(now, func(a, b Info) int { return strings.Compare(a.Tool, b.Tool) })
	pinned, err := cl.all.pins.of(&cl.Server)
	if err != nil {
		return nil, nil, err
	}
	offer := Offer{Server: cl.Name, Origin: cl.origin()}
	for _, i := range now {
		if why := i.usable(); why != "" {
			left = append(left, fmt.Sprintf("ignored the tool %q: %s", visible.Clip(i.Tool, 64), why))
			continue
		}
		switch pin, ok := pinned[i.Tool]; {
		case !ok:
			offer.New = append(offer.New, i)
		case pin != i.hash():
			offer.Changed = append(offer.Changed, i)
		default:
			list = append(list, i)
		}
	}
	asked := slices.Concat(offer.New, offer.Changed)
	if len(asked) == 0 {
		return list, left, nil
	}
	if err := cl.all.approve(ctx, &cl.Server, offer); err != nil {
		return list, append(left, fmt.Sprintf("ignored %s: %v", plural.Count(len(asked), "tool"), err)), nil
	}
	return append(list, asked...), left, nil
}

// approve asks about tools and pins them.
func (c *Clients) approve(ctx context.Context, s *Server, offer Offer) error {
	if c.o.Approve == nil {
		return errors.New("they are new or have changed: start umpire agent at a terminal once to approve them")
	}
	yes, err := c.o.Approve(ctx, offer)
	if err != nil {
		return err
	}
	if !yes {
		return errors.New("they were not approved")
	}
	return c.pins.add(s, slices.Concat(offer.New, offer.Changed))
}

// tool adapts a server's tool to the agent. It counts as dangerous, whatever the server claims.
func (cl *client) tool(info Info) agent.Tool {
	schema, _ := plain(info.Schema) // usable has checked it
	return agent.Tool{
		Name:        info.Name,
		Description: visible.Block(info.Description),
		Schema:      schema,
		Dangerous:   true,
		Origin: func(json.RawMessage) string {
			return fmt.Sprintf("MCP server %s, tool %s", cl.Name, visible.Clip(info.Tool, 64))
		},
		Run: func(ctx context.Context, input json.RawMessage, _ *agent.Env) agent.Result {
			r, err := cl.call(ctx, info, input)
			if err != nil {
				return agent.Failed(visible.Block(err.Error()))
			}
			return r
		},
	}
}

// ready returns a session with a server in which a tool is unchanged since its approval.
func (cl *client) ready(ctx context.Context, info Info) (*mcp.ClientSession, error) {
	session, now, err := cl.current(ctx, info.Tool)
	if err != nil {
		return nil, err
	}
	pinned, err := cl.all.pins.of(&cl.Server)
	if err != nil {
		return nil, err
	}
	if pinned[info.Tool] == now.hash() {
		return session, nil
	}
	if why := now.usable(); why != "" {
		return nil, fmt.Errorf("the MCP server %s changed the tool %s: %s", cl.Name, info.Tool, why)
	}
	if err := cl.all.approve(ctx, &cl.Server, Offer{Server: cl.Name, Origin: cl.origin(), Changed: []Info{now}}); err != nil {
		return nil, fmt.Errorf("the MCP server %s changed the description of the tool %s: %w", cl.Name, info.Tool, err)
	}
	return session, nil
}

// current returns a session with a server, restarted if it has ended, and the tool's current
// description.
func (cl *client) current(ctx context.Context, tool string) (*mcp.ClientSession, Info, error) {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	if cl.session != nil {
		select {
		case <-cl.gone:
			cl.session = nil
		default:
		}
	}
	if cl.session == nil {
		if err := cl.start(ctx); err != nil {
			return nil, Info{}, fmt.Errorf("the MCP server %s stopped, and could not be restarted: %w", cl.Name, err)
		}
	}
	if cl.stale.Swap(false) {
		limit, cancel := context.WithTimeout(ctx, startTime)
		defer cancel()
		tools, err := list(limit, cl.Name, cl.session)
		if err != nil {
			cl.stale.Store(true)
			return nil, Info{}, fmt.Errorf("cannot list the tools of the MCP server %s: %w", cl.Name, err)
		}
		cl.tools = tools
	}
	now, ok := cl.tools[tool]
	if !ok {
		return nil, Info{}, fmt.Errorf("the MCP server %s no longer has the tool %s", cl.Name, tool)
	}
	return cl.session, now, nil
}

// call runs a tool.
func (cl *client) call(ctx context.Context, info Info, input json.RawMessage) (r agent.Result, err error) {
	session, err := cl.ready(ctx, info)
	if err != nil {
		return r, err
	}
	limit, cancel := context.WithTimeout(ctx, cl.timeout())
	defer cancel()
	res, err := session.CallTool(limit, &mcp.CallToolParams{Name: info.Tool, Arguments: input})
	switch {
	case err == nil:
		return result(res), nil
	case ctx.Err() != nil:
		return r, errors.New("the call was cancelled")
	case limit.Err() != nil:
		return r, fmt.Errorf("the MCP server %s did not answer within %s", cl.Name, plural.Duration(cl.timeout()))
	case errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrSessionMissing):
		cl.drop(session)
		return r, cl.ended(fmt.Errorf("the MCP server %s stopped during the call: %w", cl.Name, err))
	}
	return r, fmt.Errorf("the MCP server %s refused the call: %w", cl.Name, err)
}

// drop closes a broken session; the next call starts another one.
func (cl *client) drop(session *mcp.ClientSession) {
	_ = session.Close() // the session has ended
	cl.mu.Lock()
	defer cl.mu.Unlock()
	if cl.session == session {
		cl.session = nil
	}
}

// result returns a tool's answer as text. People and the model see the same text: a server cannot
// show them different things.
func result(res *mcp.CallToolResult) agent.Result {
	var b strings.Builder
	add := func(s string) {
		if b.Len() > 0 && s != "" {
			b.WriteByte('\n')
		}
		b.WriteString(s)
	}
	for _, c := range res.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			add(c.Text)
		case *mcp.ImageContent:
			add(fmt.Sprintf("[left out: an image of type %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.AudioContent:
			add(fmt.Sprintf("[left out: a sound of type %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.ResourceLink:
			add(fmt.Sprintf("[a link to %s]", c.URI))
		case *mcp.EmbeddedResource:
			if c.Resource != nil && c.Resource.Text != "" {
				add(c.Resource.Text)
			} else {
				add("[left out: a resource that is not text]")
			}
		default:
			add("[left out: content of an unknown kind]")
		}
	}
	if b.Len() == 0 && res.StructuredContent != nil {
		if text, err := json.Marshal(res.StructuredContent); err == nil {
			add(string(text))
		}
	}
	text := agent.Clip(strings.ToValidUTF8(b.String(), "\uFFFD"), maxOutput)
	r := agent.Result{Success: !res.IsError, Output: text}
	if res.IsError {
		if r.Error = text; text == "" {
			r.Error = "the tool failed, and did not say why"
		}
	}
	return r
}

// tail keeps the end of the data written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p[max(0, len(p)-most):]...)
	t.b = bytes.Clone(t.b[max(0, len(t.b)-most):])
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b)
}
