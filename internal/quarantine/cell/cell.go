// Package cell runs part of this program in a process that has nothing to steal.
//
// The process is this program, started again with an empty environment and one pair of pipes.
// Before it reads anything hostile it gives up the file system except for one folder, the
// network, other processes, every right, and most system calls. Missing kernel features are
// reported, so that the caller can refuse.
package cell

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// name is how this program is started as a cell. It is no command for people.
const name = "umpire-quarantine"

// Isolation says how much of it there must be.
type Isolation string

// The isolations.
const (
	Auto    Isolation = "auto"    // every layer that the kernel supports
	Require Isolation = "require" // all layers, or ErrIsolation
	Off     Isolation = "off"     // only a separate process
)

// ErrIsolation is returned where a layer is missing that must be there.
var ErrIsolation = errors.New("a layer of isolation is missing")

// Layer is one wall of a cell.
type Layer struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text,omitempty"` // why it is missing
}

// The layers.
const (
	Namespaces = "namespaces" // of users, mounts, processes, network, IPC and names
	Root       = "root"       // the folder is the root, read-only
	Limits     = "limits"     // resources, no core file, not dumpable
	Privileges = "privileges" // missing, and not available
	Landlock   = "landlock"   // the folder again, read-only
	Seccomp    = "seccomp"    // no call that opens, connects, starts or looks into processes
)

// LayerNames lists the layers in the order of their setup.
func LayerNames() []string {
	return []string{Namespaces, Root, Limits, Privileges, Landlock, Seccomp}
}

// Options configure a cell.
type Options struct {
	Dir       string        // the one folder that it sees
	Isolation Isolation     // Auto if empty
	CPU       time.Duration // processor time that it may use; ten minutes if zero
	Job       any           // for the program inside

	program string   // another program than this one, in tests
	skip    []string // layers that are left out, in tests
}

// setup is the first frame that a cell gets.
type setup struct {
	Dir  string          `json:"dir"`
	Skip []string        `json:"skip"`
	Own  bool            `json:"own"` // has separate namespaces
	CPU  uint64          `json:"cpu"` // seconds
	Job  json.RawMessage `json:"job"`
}

// Program runs inside. Open is called while the folder at dir can be opened, and Run after
// everything is closed off.
type Program struct {
	Open func(dir string) error
	Run  func(job json.RawMessage, c *Conn) error
}

// Cell is a cell that runs.
type Cell struct {
	*Conn
	Layers []Layer

	pid  int
	kill func()
	done chan struct{}
	err  error
}

// setUpTime is how long a cell may take to be set up.
const setUpTime = time.Minute

// Start starts a cell. It is ended with ctx, or by Close.
func Start(ctx context.Context, o Options) (*Cell, error) {
	job, err := json.Marshal(o.Job)
	if err != nil {
		return nil, err
	}
	s := setup{Dir: o.Dir, Skip: o.skip, CPU: uint64(max(o.CPU, time.Minute) / time.Second), Job: job}
	if o.CPU == 0 {
		s.CPU = 600
	}
	if o.Isolation == Off {
		s.Skip = LayerNames()
	}
	c, missing, err := spawn(o.program, !slices.Contains(s.Skip, Namespaces))
	if err != nil {
		return nil, fmt.Errorf("the reviewer's process does not start: %w", err)
	}
	s.Own = missing == nil && !slices.Contains(s.Skip, Namespaces)
	stop := context.AfterFunc(ctx, c.kill)
	go func() {
		<-c.done
		stop()
	}()
	fail := func(err error) (*Cell, error) {
		return nil, errors.Join(err, c.Close())
	}
	_ = c.in.(*os.File).SetReadDeadline(time.Now().Add(setUpTime))
	if err := c.Send("setup", s); err != nil {
		return fail(err)
	}
	var inside []Layer
	if err := c.expect("ready", &inside); err != nil {
		return fail(fmt.Errorf("the reviewer's process could not be set up: %w", err))
	}
	_ = c.in.(*os.File).SetReadDeadline(time.Time{})
	for _, n := range LayerNames() {
		l := Layer{Name: n, Text: "switched off"}
		switch i := slices.IndexFunc(inside, func(l Layer) bool { return l.Name == n }); {
		case n == Namespaces && missing != nil:
			l.Text = missing.Error()
		case n == Namespaces && s.Own:
			l = Layer{Name: n, OK: true}
		case i >= 0:
			l = inside[i]
		}
		c.Layers = append(c.Layers, l)
	}
	for _, l := range c.Layers {
		if o.Isolation == Require && !l.OK {
			return fail(fmt.Errorf("%w: %s: %s", ErrIsolation, l.Name, l.Text))
		}
	}
	return c, nil
}

// Close ends the cell, and waits for its end.
func (c *Cell) Close() error {
	c.kill()
	<-c.done
	return errors.Join(c.in.Close(), c.out.Close())
}

// Main takes the program over if it was started as a cell, and otherwise returns. Call
// it before anything else.
func Main(p Program) {
	if len(os.Args) != 1 || os.Args[0] != name {
		return
	}
	if err := run(p, newConn(os.NewFile(0, "in"), os.NewFile(1, "out"))); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

func run(p Program, c *Conn) error {
	var s setup
	if err := c.expect("setup", &s); err != nil {
		return err
	}
	layers, err := confine(&s, p.Open)
	if err != nil {
		return errors.Join(err, c.Send("failed", err.Error()))
	}
	if err := c.Send("ready", layers); err != nil {
		return err
	}
	return p.Run(s.Job, c)
}

// maxFrame bounds what is passed at once, in bytes.
const maxFrame = 32 << 20

// Conn passes frames: a kind and a value as JSON.
type Conn struct {
	in  io.ReadCloser
	out io.WriteCloser
	r   *bufio.Reader

	mu sync.Mutex // for writing
}

func newConn(in io.ReadCloser, out io.WriteCloser) *Conn {
	return &Conn{in: in, out: out, r: bufio.NewReader(in)}
}

// Frame is a received message.
type Frame struct {
	Kind string          `json:"kind"`
	Body json.RawMessage `json:"body"`
}

// Send passes a value to the other side.
func (c *Conn) Send(kind string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b, err := json.Marshal(Frame{kind, body})
	if err != nil {
		return err
	}
	if len(b) > maxFrame {
		return errors.New("the message is too large")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.out.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...))
	return err
}

// Receive waits for the next message of the other side.
func (c *Conn) Receive() (f Frame, err error) {
	var head [4]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return f, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxFrame {
		return f, errors.New("the other side sent too much")
	}
	b, err := io.ReadAll(io.LimitReader(c.r, int64(n))) // grows with what comes, not with what is announced
	if err != nil {
		return f, err
	}
	if len(b) < int(n) {
		return f, io.ErrUnexpectedEOF
	}
	return f, json.Unmarshal(b, &f)
}

// expect receives one frame of that kind.
func (c *Conn) expect(kind string, v any) error {
	f, err := c.Receive()
	if err != nil {
		return err
	}
	if f.Kind == "failed" {
		var why string
		_ = json.Unmarshal(f.Body, &why) // an empty reason is one as well
		return errors.New(why)
	}
	if f.Kind != kind {
		return fmt.Errorf("it said %q, and not %q", f.Kind, kind)
	}
	return json.Unmarshal(f.Body, v)
}

// Ask sends a value, and receives the answer of the same kind.
func (c *Conn) Ask(kind string, v, answer any) error {
	if err := c.Send(kind, v); err != nil {
		return err
	}
	return c.expect(kind, answer)
}
