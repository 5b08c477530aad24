package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

const (
	maxBatch     = 256              // changes that are committed together at most
	commitWithin = 20 * time.Second // one transaction
	queueWithin  = 30 * time.Second // how long a change waits for its turn
	lookWithin   = 10 * time.Second // for whether a commit that was cut off became durable
)

// errClosed is what a change gets that comes after Close.
var errClosed = fmt.Errorf("%w: the store is closed", approval.ErrUnavailable)

// op is one change that waits for the writer.
type op struct {
	do   func(*batch) error
	done chan error
}

// change has the writer make a change, and returns when it is durable. An error of do's
// own is an answer: what it wrote before stays.
func (s *Store) change(ctx context.Context, do func(*batch) error) error {
	o := op{do, make(chan error, 1)}
	late := time.NewTimer(queueWithin)
	defer late.Stop()
	select {
	case s.ops <- o:
	case <-s.closed:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return fmt.Errorf("%w: too much is being written", approval.ErrUnavailable)
	}
	// From here on it may become durable, whatever becomes of the caller: it must hear.
	return <-o.done
}

// batch is one transaction.
type batch struct {
	s        *Store
	ctx      context.Context
	tx       *sql.Tx
	now      time.Time // the database's clock, which all gateways share
	seq      int64
	hash     string
	requests int64
	wrote    bool
	events   []approval.Event // to be written with the commit
	changed  []string         // requests to wake waiters of
}

func (s *Store) write(ctx context.Context) {
	for {
		var ops []op
		select {
		case <-ctx.Done():
			return
		case o := <-s.ops:
			ops = append(ops, o)
		}
	more:
		for len(ops) < maxBatch {
			select {
			case o := <-s.ops:
				ops = append(ops, o)
			default:
				break more
			}
		}
		s.commit(ops)
	}
}

// commit makes changes in one transaction. If the database refuses what one of them writes,
// each is tried by itself, so that nobody pays for another's.
func (s *Store) commit(ops []op) {
	// Not the writer's context: what was begun is ended.
	ctx, cancel := context.WithTimeout(context.Background(), commitWithin)
	defer cancel()
	b, results, err := s.try(ctx, ops)
	var cut cutOff
	if errors.As(err, &cut) {
		err = s.landed(b, err)
	}
	if b != nil {
		s.versions.end(b.events)
	}
	if ofOne(err) && len(ops) > 1 {
		for _, o := range ops {
			s.commit([]op{o})
		}
		return
	}
	one := ofOne(err)
	switch err = unavailable(err); {
	case err == nil:
		s.refused.Store(nil)
		s.hub.wake(b.changed...)
	case !one:
		s.refused.Store(&err)
	}
	for i, o := range ops {
		if err != nil {
			o.done <- err
		} else {
			o.done <- results[i]
		}
	}
}

// landed returns nil if a commit that was cut off became durable, and why not otherwise. To
// tell an asker that something failed which then happens would be a lie; to say that it is
// not known is the last resort.
func (s *Store) landed(b *batch, cause error) error {
	ctx, cancel := context.WithTimeout(context.Background(), lookWithin)
	defer cancel()
	head := "SELECT seq FROM chain"
	if s.postgres {
		head += " FOR UPDATE" // the transaction may still be under way: this waits for its end
	}
	for {
		var seq int64
		var hash string
		err := s.db.QueryRowContext(ctx, head).Scan(&seq)
		if err == nil {
			err = s.db.QueryRowContext(ctx, s.sql("SELECT hash FROM event WHERE seq = ?"), b.seq).Scan(&hash)
		}
		switch {
		case err == nil && hash == b.hash:
			return nil
		case err == nil, errors.Is(err, sql.ErrNoRows):
			return cause
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("whether it was kept is not known: %w", cause)
		}
	}
}

// try makes changes in one transaction. It returns a batch if it began to commit its events,
// or had none.
func (s *Store) try(ctx context.Context, ops []op) (b *batch, results []error, err error) {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = tx.Rollback() }()
	b = &batch{s: s, ctx: ctx, tx: tx, now: time.Now()}
	if s.postgres {
		var ms int64
		// The clock is read with the lock held, so that times rise along the chain.
		err = tx.QueryRowContext(ctx, "WITH head AS MATERIALIZED (SELECT seq, hash, requests FROM chain FOR UPDATE)"+
			" SELECT seq, hash, requests, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) FROM head").Scan(&b.seq, &b.hash, &b.requests, &ms)
		b.now = time.UnixMilli(ms)
	} else {
		err = tx.QueryRowContext(ctx, "SELECT seq, hash, requests FROM chain").Scan(&b.seq, &b.hash, &b.requests)
	}
	if err != nil {
		return nil, nil, err
	}
	for _, o := range ops {
		err := o.do(b)
		var fault dbError
		if errors.As(err, &fault) {
			return nil, nil, fault.error
		}
		results = append(results, err)
	}
	if !b.wrote && len(b.events) == 0 { // nothing changed
		return b, results, nil
	}
	if len(b.events) > 0 {
		if err := b.flush(); err != nil {
			return nil, nil, err
		}
	}
	s.versions.begin(b.events)
	if err := tx.Commit(); err != nil {
		if len(b.events) > 0 {
			err = cutOff{err}
		}
		return b, results, err
	}
	return b, results, nil
}

// flush writes the events and the head of their chain. On PostgreSQL it is one statement, with
// the notice to other gateways: they wait for the lock meanwhile, and each trip counts.
func (b *batch) flush() error {
	const most = 64
	head, events := "UPDATE chain SET seq = ?, hash = ?, requests = ?", b.events
	for len(events) > most {
		text, args := inserted(events[:most])
		if err := b.exec(text, args...); err != nil {
			return err
		}
		events = events[most:]
	}
	text, args := inserted(events)
	if b.s.postgres {
		return b.exec("WITH e AS ("+text+"), c AS ("+head+") SELECT pg_notify('umpire', '')", append(args, b.seq, b.hash, b.requests)...)
	}
	if err := b.exec(text, args...); err != nil {
		return err
	}
	return b.exec(head, b.seq, b.hash, b.requests)
}

func inserted(events []approval.Event) (text string, args []any) {
	for _, e := range events {
		args = append(args, e.Seq, e.At.UnixMilli(), e.Kind, e.Request, e.Who, string(e.Data), e.Prev, e.Hash)
	}
	row := "(?, ?, ?, ?, ?, ?, ?, ?)"
	return "INSERT INTO event (seq, at, kind, request, who, data, prev, hash) VALUES " + row + strings.Repeat(", "+row, len(events)-1), args
}

func (b *batch) exec(text string, args ...any) error {
	if _, err := b.tx.ExecContext(b.ctx, b.s.sql(text), args...); err != nil {
		return dbError{err}
	}
	b.wrote = true
	return nil
}

// event records a change, chained to the one before.
func (b *batch) event(kind, request, who string, data any) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return dbError{err}
	}
	e := approval.Event{Seq: b.seq + 1, At: b.now.UTC().Truncate(time.Millisecond), Kind: kind, Request: request, Who: who, Data: raw, Prev: b.hash}
	e.Hash = hashOf(&e)
	b.events = append(b.events, e)
	b.seq, b.hash = e.Seq, e.Hash
	if request != "" {
		b.changed = append(b.changed, request)
	}
	return nil
}

// hashOf names an event by all that it says and by the event before.
func hashOf(e *approval.Event) string {
	h := sha256.New()
	for _, s := range []string{strconv.FormatInt(e.Seq, 10), strconv.FormatInt(e.At.UnixMilli(), 10), e.Kind, e.Request, e.Who, string(e.Data), e.Prev} {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))
}
