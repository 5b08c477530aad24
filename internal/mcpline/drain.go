package mcpline

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Drained returns a transport whose input ends only after every call read from it is answered.
// The SDK cancels running calls at the end of its input, and a client that pipes its calls ends
// the input after the last one.
func Drained(t mcp.Transport) mcp.Transport { return drained{t} }

type drained struct{ mcp.Transport }

// Connect implements [mcp.Transport].
func (d drained) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := d.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{Connection: c, changed: make(chan struct{}, 1), closed: make(chan struct{})}, nil
}

// conn counts the calls in flight. The SDK answers each call that it read, a canceled one as
// well, until an answer cannot be written.
type conn struct {
	mcp.Connection
	changed chan struct{} // receives a value after each answer
	once    sync.Once
	closed  chan struct{}

	mu     sync.Mutex
	calls  int
	broken bool // an answer could not be written
}

// Read implements [mcp.Connection].
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if call, ok := m.(*jsonrpc.Request); ok && err == nil && call.IsCall() {
		c.mu.Lock()
		c.calls++
		c.mu.Unlock()
	}
	for errors.Is(err, io.EOF) && c.waits() {
		select {
		case <-c.changed:
		case <-c.closed:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return m, err
}

func (c *conn) waits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls > 0 && !c.broken
}

// Write implements [mcp.Connection].
func (c *conn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	_, answer := m.(*jsonrpc.Response)
	c.mu.Lock()
	if answer {
		c.calls--
	}
	c.broken = c.broken || err != nil
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default: // the reader has not handled the previous value yet, and will count both
	}
	return err
}

// Close implements [mcp.Connection].
func (c *conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
