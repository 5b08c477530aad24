// Package cell runs part of this program in a process without access to anything of value.
//
// The process is this program, started again with an empty environment and one pair of pipes.
// Before it reads hostile input, it gives up the file system except for one folder, the network,
// other processes, all privileges, and most system calls. Start reports missing kernel features,
// so that the caller can refuse.
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

// name is the command name of a cell process. It is not for people.
const name = "umpire-quarantine"

// Isolation is the required degree of isolation.
type Isolation string

// The isolations.
const (
	Auto    Isolation = "auto"    // every layer that the kernel supports
	Require Isolation = "require" // all layers, or ErrIsolation
	Off     Isolation = "off"     // only a separate process
)

// ErrIsolation means that a required layer is missing.
var ErrIsolation = errors.New("a layer of isolation is missing")

// Layer is one layer of a cell's isolation.
type Layer struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text,omitempty"` // reason why it is missing
}

// The layers.
const (
	Namespaces = "namespaces" // user, mount, PID, network, IPC and UTS namespaces
	Root       = "root"       // the folder is the root, read-only
	Limits     = "limits"     // resources, no core file, not dumpable
	Privileges = "privileges" // given up, and out of reach
	Landlock   = "landlock"   // the folder again, read-only
	Seccomp    = "seccomp"    // no system call that opens files, connects, or starts or inspects processes
)

// LayerNames lists the layers in the order of their setup.
func LayerNames() []string {
	return []string{Namespaces, Root, Limits, Privileges, Landlock, Seccomp}
}

// Options configure a cell.
type Options struct {
	Dir       string        // the only visible folder
	Isolation Isolation     // Auto if empty
	CPU       time.Duration // limit of processor time; ten minutes if zero
	Job       any           // input of the program inside

	program string   // another program, in tests
	skip    []string // layers to leave out, in tests
}

// setup is the first frame that a cell gets.
type setup struct {
	Dir  string          `json:"dir"`
	Skip []string        `json:"skip"`
	Own  bool            `json:"own"` // has separate namespaces
	CPU  uint64          `json:"cpu"` // seconds
	Job  json.RawMessage `json:"job"`
}

// Program runs inside a cell. Open runs while the folder dir can still be opened; Run runs after
// all layers are set up.
type Program struct {
	Open func(dir string) error
	Run  func(job json.RawMessage, c *Conn) error
}

// Cell is a running cell.
type Cell struct {
	*Conn
	Layers []Layer

	pid  int
	kill func()
	done chan struct{}
	err  error
}

const setUpTime = time.Minute

// Start starts a cell. It ends with ctx, or by Close.
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

// Close ends the cell, and waits for it.
func (c *Cell) Close() error {
	c.kill()
	<-c.done
	return errors.Join(c.in.Close(), c.out.Close())
}

// Main takes over the process if it was started as a cell, and otherwise returns. Call it first.
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

// maxFrame limits the size of one frame, in bytes.
const maxFrame = 32 << 20

// Conn exchanges frames: a kind and a value as JSON.
type Conn struct {
	in  io.ReadCloser
	out io.WriteCloser
	r   *bufio.Reader

	mu sync.Mutex // serializes writes
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
	b, err := io.ReadAll(io.LimitReader(c.r, int64(n))) // grows with the data received, not with the announced length
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
		_ = json.Unmarshal(f.Body, &why) // an empty reason is possible
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
