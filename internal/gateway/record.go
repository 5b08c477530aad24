package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/store"
)

// The store records every change in the transaction that makes it. This machine's audit log is a
// copy for people: a recorder follows the events, and writes each answer, result and change of
// settings as one line, even if the gateway crashed in between.
type recorder struct {
	g     *Gateway
	log   *audit.Log
	path  string // path of the file with the last copied event
	after int64
	told  bool // it logged that the database was set back
}

// Times of copying.
const (
	copyEvery = 100 * time.Millisecond // so that a burst is written together
	copyRetry = 3 * time.Second        // after an error, and for the folder of another gateway
	copyMost  = 1000                   // events at a time
)

// copyEvents writes the audit log until ctx ends. Of several gateways with one folder only one
// writes.
func (g *Gateway) copyEvents(ctx context.Context) {
	if g.audit == "" {
		return
	}
	for told := false; ; {
		err := g.copyWhile(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil && !errors.Is(err, errOther) && !told {
			g.log.Error("cannot write the audit log now", "error", err)
		}
		told = err != nil
		select {
		case <-time.After(copyRetry):
		case <-ctx.Done():
			return
		}
	}
}

// errOther means that another gateway writes to this folder.
var errOther = errors.New("another gateway writes the audit log")

// copyWhile copies events until an error or until ctx ends. Then it copies the remaining ones.
func (g *Gateway) copyWhile(ctx context.Context) error {
	unlock, err := store.Lock(ctx, filepath.Join(g.audit, "gateway.copy.lock"))
	if err != nil {
		return errors.Join(errOther, err)
	}
	defer func() { _ = unlock() }()
	r, err := g.newRecorder(ctx)
	if err != nil {
		return err
	}
	for {
		changed, stop := g.store.Changed("")
		more, err := r.step(ctx)
		if err != nil || ctx.Err() != nil {
			stop()
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), copyRetry)
			defer cancel()
			for ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
				if more, err = r.step(last); !more {
					break
				}
			}
			return err
		}
		if !more {
			select {
			case <-changed:
			case <-time.After(copyRetry):
			case <-ctx.Done():
			}
		}
		stop()
		select {
		case <-time.After(copyEvery):
		case <-ctx.Done():
		}
	}
}

// newRecorder returns a recorder that continues after the last copied event. The file may be older
// than the log, so it also reads the last lines of the log.
func (g *Gateway) newRecorder(ctx context.Context) (*recorder, error) {
	l, err := audit.Open(g.audit, audit.Options{Durable: true, Strict: true, Wait: 10 * time.Second})
	if err != nil {
		return nil, err
	}
	r := &recorder{g: g, log: l, path: filepath.Join(g.audit, "gateway.copied."+g.store.Name()), after: g.from}
	data, err := os.ReadFile(r.path)
	if errors.Is(err, os.ErrNotExist) {
		return r, r.save(ctx)
	}
	if err != nil {
		return nil, err
	}
	if r.after, err = strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err != nil {
		return nil, fmt.Errorf("cannot read from %s how far the audit log got: remove the file: %w", r.path, err)
	}
	info, err := os.Stat(r.path)
	if err != nil {
		return nil, err
	}
	for rec, err := range audit.Read(g.audit, audit.Query{Since: info.ModTime().Add(-time.Hour)}) {
		if audit.IsMissing(err) {
			break
		}
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if n, err := strconv.ParseInt(rec.Data["event"], 10, 64); err == nil && rec.Data["store"] == g.store.Name() {
			r.after = max(r.after, n)
		}
	}
	last, err := g.store.Head(ctx)
	r.after = min(r.after, last) // an older database took this one's place: its new events have old numbers
	return r, errors.Join(err, r.anchor(ctx))
}

// save stores the last copied event. It replaces the file in one step and does not sync it: if the
// file is older than the log, the log shows the rest.
func (r *recorder) save(ctx context.Context) error {
	if err := r.anchor(ctx); err != nil {
		return err
	}
	return atomicfile.WriteNoSync(r.path, []byte(strconv.FormatInt(r.after, 10)+"\n"), 0o600)
}

// anchor keeps the last checkpoint of the store's record outside of the database. If the record
// lacks the kept checkpoint, anchor does not replace it: it proves that the database was set back.
func (r *recorder) anchor(ctx context.Context) error {
	kept, err := r.g.anchor()
	if err != nil {
		return err
	}
	now, err := r.g.store.Anchor(ctx, kept)
	if errors.Is(err, store.ErrSetBack) {
		if !r.told {
			r.g.log.Error("the record of requests lacks events that this gateway has seen", "kept", r.g.anchorPath(), "checkpoint", kept.ID, "error", err)
		}
		r.told = true
		return nil
	}
	if err != nil || now == kept || now.ID == 0 {
		return err
	}
	return atomicfile.WriteNoSync(r.g.anchorPath(), []byte(now.String()+"\n"), 0o600)
}

func (g *Gateway) anchorPath() string {
	return filepath.Join(g.audit, "gateway.checkpoint."+g.store.Name())
}

// anchor returns the checkpoint that was kept last, or the zero value.
func (g *Gateway) anchor() (store.Anchor, error) {
	if g.audit == "" {
		return store.Anchor{}, nil
	}
	data, err := os.ReadFile(g.anchorPath())
	if errors.Is(err, os.ErrNotExist) {
		return store.Anchor{}, nil
	}
	if err != nil {
		return store.Anchor{}, err
	}
	a, err := store.ParseAnchor(string(data))
	if err != nil {
		return a, fmt.Errorf("read %s: %w", g.anchorPath(), err)
	}
	return a, nil
}

// VerifyRecord verifies the chains of the store's record, and returns its number of events. The
// record must contain the checkpoint that this gateway kept last.
func (g *Gateway) VerifyRecord(ctx context.Context) (events int64, err error) {
	kept, err := g.anchor()
	if err != nil {
		return 0, err
	}
	if kept == (store.Anchor{}) {
		return g.store.Verify(ctx)
	}
	return g.store.Verify(ctx, kept)
}

func (r *recorder) step(ctx context.Context) (more bool, err error) {
	events, err := r.g.store.Events(ctx, r.after, copyMost)
	if err != nil || len(events) == 0 {
		return false, err
	}
	// In parts, because the log limits the bytes of one write, and notes of people can be long.
	for len(events) > 0 {
		n := min(len(events), 50)
		var lines []*audit.Event
		for i := range events[:n] {
			if line := r.line(&events[i]); line != nil {
				lines = append(lines, line)
			}
		}
		if err := r.log.Append(lines...); err != nil {
			return false, err
		}
		r.after = events[n-1].Seq
		events = events[n:]
	}
	return true, r.save(ctx)
}

// line returns the line of the audit log for an event, or nil if it needs none.
func (r *recorder) line(e *approval.ChainEvent) *audit.Event {
	if e.Kind == "execute" {
		return nil
	}
	out := &audit.Event{Time: e.At, Kind: audit.Config, Point: audit.Gateway, Version: r.g.version, By: e.Who,
		Data: map[string]string{"event": strconv.FormatInt(e.Seq, 10), "store": r.g.store.Name(), "what": e.Kind}}
	if e.Request != "" {
		out.Data["request"] = e.Request
	}
	var said map[string]any
	if json.Unmarshal(e.Data, &said) == nil {
		for k, v := range said {
			switch text, ok := v.(string); {
			case ok && k == "note":
				out.Note = text
			case ok:
				out.Data[k] = text
			default:
				out.Data[k] = fmt.Sprint(v)
			}
		}
	}
	switch e.Kind {
	case "request", "resolve", "vote":
		if e.Kind == "request" && approval.State(out.Data["status"]) == approval.Pending {
			return nil // the log has the decision of the rules already, and no one has answered
		}
		out.Kind, out.Principal.Session = audit.Approval, out.Data["session"]
		switch approval.State(out.Data["status"]) {
		case approval.Approved:
			out.Effect = umpire.Allow.String()
		case approval.Denied:
			out.Effect = umpire.Deny.String()
		}
	case "result":
		out.Kind = audit.Result
		if n, err := strconv.ParseInt(out.Data["ms"], 10, 64); err == nil {
			out.Millis = n
			delete(out.Data, "ms")
		}
	}
	return out
}
