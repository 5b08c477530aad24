package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/store"
)

// maxLive is the limit of a running command's output that is kept for viewers, in bytes. The result
// has more.
const maxLive = 256 << 10

// liveOutput is the output of a running command. Each viewer reads at its own pace. A slow one
// misses output, so that the command never waits.
type liveOutput struct {
	mu      sync.Mutex // guards the fields below
	chunks  []chunk
	first   int // number of chunks that were dropped
	size    int
	changed chan struct{} // closed at the next change
	over    bool
	// held is the end of each stream that is not shown yet, so that a secret never passes in two
	// parts.
	held map[string][]byte
}

// maxHeldBack is the limit of output that is held back, in bytes.
const maxHeldBack = 16 << 10

type chunk struct {
	Stream string `json:"stream"`
	Text   string `json:"text"`
}

func newLive() *liveOutput {
	return &liveOutput{changed: make(chan struct{}), held: map[string][]byte{}}
}

func (l *liveOutput) write(stream string, p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := append(l.held[stream], p...)
	whole := bytes.LastIndexByte(held, '\n') + 1
	if at := bytes.LastIndex(held, []byte("-----BEGIN ")); at >= 0 && !bytes.Contains(held[at:], []byte("-----END ")) {
		whole = min(whole, at) // a private key has many lines
	}
	if len(held) > maxHeldBack {
		whole = max(whole, len(held)-maxHeldBack/2)
	}
	l.held[stream] = bytes.Clone(held[whole:])
	l.show(stream, held[:whole])
}

// flush shows the output that was held back, at the end of the command.
func (l *liveOutput) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for stream, held := range l.held {
		l.show(stream, held)
		delete(l.held, stream)
	}
}

// show releases a part of a stream to the viewers, with secrets masked. The caller holds the lock.
func (l *liveOutput) show(stream string, p []byte) {
	if len(p) == 0 {
		return
	}
	text := redact.Readable(strings.ToValidUTF8(string(p), "\uFFFD"))
	l.chunks = append(l.chunks, chunk{stream, text})
	for l.size += len(text); (l.size > maxLive || len(l.chunks) > 8192) && len(l.chunks) > 1; l.first++ {
		l.size -= len(l.chunks[0].Text)
		l.chunks = l.chunks[1:]
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *liveOutput) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	close(l.changed)
	l.changed = make(chan struct{})
}

// after returns the chunks after the first n, the number to continue from, and a channel that is
// closed at the next change.
func (l *liveOutput) after(n int) (list []chunk, next int, over bool, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n = max(n, l.first)
	return append(list, l.chunks[n-l.first:]...), l.first + len(l.chunks), l.over, l.changed
}

// liveOutputs holds the output of the commands that run here.
type liveOutputs struct {
	mu sync.Mutex // guards m
	m  map[string]*liveOutput
}

func (o *liveOutputs) add(id string) *liveOutput {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.m == nil {
		o.m = map[string]*liveOutput{}
	}
	o.m[id] = newLive()
	return o.m[id]
}

func (o *liveOutputs) get(id string) *liveOutput {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.m[id]
}

// finish reports the end of a command to its viewers, and drops its output.
func (o *liveOutputs) finish(id string) {
	o.mu.Lock()
	live := o.m[id]
	delete(o.m, id)
	o.mu.Unlock()
	if live != nil {
		live.end()
	}
}

// output streams the output of a command, one JSON object per line. The last one has the result. With
// own, an agent sees only the output of its own requests.
func (g *Gateway) output(own bool) handler {
	return func(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
		req, err := g.store.Get(r.Context(), r.PathValue("id"))
		if own {
			req, err = g.own(r.Context(), r.PathValue("id"), p)
		}
		if err == nil {
			var p Plan
			if p, err = StoredPlan(&req); err == nil && (!runs(p) || runsAgain(p)) {
				err = noCommand(&req)
			}
		}
		if err != nil {
			return 0, nil, err
		}
		w.Header().Set("Content-Type", "application/x-ndjson")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		g.follow(r.Context(), w, req.ID)
		return 0, nil, nil
	}
}

// noCommand returns the fault for a request that runs no command and so has no output.
func noCommand(r *approval.Request) error {
	return fault{http.StatusNotFound, fmt.Sprintf("req-%d is a %s request: it runs no command and has no output; umpire queue show req-%d shows it", r.Seq, r.Category, r.Seq)}
}

// unread returns the text of an error that hides the result of a command, and logs the error.
func (g *Gateway) unread(ctx context.Context, id string, err error) string {
	if ctx.Err() == nil {
		g.log.Error("cannot read how a command ended", "request", id, "error", err)
	}
	_, msg := Status(err)
	return msg
}

func (g *Gateway) follow(ctx context.Context, w http.ResponseWriter, id string) {
	out, control := json.NewEncoder(escaped{w}), http.NewResponseController(w)
	_ = control.Flush() // shows the viewer that the stream has begun
	live := g.live.get(id)
	for live == nil && g.life.Err() == nil { // it may be claimed and not begun while others run before it
		x, err := g.execution(ctx, id)
		if errors.Is(err, store.ErrNoRecord) { // or approved and not claimed
			var r approval.Request
			if r, err = g.store.Get(ctx, id); err == nil && r.State == approval.Approved {
				x.Node = g.node
			}
		}
		if err != nil || x.Completed > 0 || x.Node != g.node {
			break
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-g.life.Done():
		case <-ctx.Done():
			return
		}
		live = g.live.get(id)
	}
	for n := 0; live != nil; {
		if ctx.Err() != nil {
			return // checked here too, because the output may never pause
		}
		list, next, over, changed := live.after(n)
		for _, c := range list {
			_ = control.SetWriteDeadline(time.Now().Add(time.Minute))
			if out.Encode(c) != nil {
				return // the client is gone
			}
		}
		if n = next; len(list) > 0 {
			_ = control.Flush()
			continue
		}
		if over {
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
	x, err := g.execution(ctx, id)
	end := map[string]any{}
	switch {
	case errors.Is(err, store.ErrNoRecord):
		end["status"] = "pending"
		r, err := g.store.Get(ctx, id)
		if err != nil {
			end = map[string]any{"error": g.unread(ctx, id, err)}
			break
		}
		end["status"] = r.State
	case err != nil:
		end["error"] = g.unread(ctx, id, err)
	case x.Completed == 0:
		end["status"], end["node"] = x.Status, x.Node // another gateway runs it and has the output
	default:
		if live == nil {
			_, _ = out.Encode(chunk{"stdout", x.Result.Stdout}), out.Encode(chunk{"stderr", x.Result.Stderr})
		}
		end["status"], end["exitCode"] = x.Status, x.Result.ExitCode
	}
	_ = out.Encode(end)
}
