package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/redact"
)

const (
	maxBatch     = 256              // limit of changes that are committed together
	commitWithin = 20 * time.Second // limit of one transaction
	queueWithin  = 30 * time.Second // how long a change waits for its turn
	lookWithin   = 10 * time.Second // to find out whether an interrupted commit succeeded
)

// errClosed is the error of a change after Close.
var errClosed = fmt.Errorf("%w: the store is closed", approval.ErrUnavailable)

// op is one change that waits for the writer.
type op struct {
	do       func(*batch) error
	locks    []string
	plain    *approval.Request    // PostgreSQL: a new request without dependencies; do is nil
	provided []approval.Condition // conditions of the change
	done     chan error
}

// recordsLock is held by changes of records: each may depend on several of them.
const recordsLock = "records"

// change makes the writer apply a change, and returns when it is committed. An error that do
// returns is an answer: its writes before that stay. The locks exclude conflicting changes by other
// gateways, beyond the changed rows.
func (s *Store) change(ctx context.Context, do func(*batch) error, locks ...string) error {
	return s.queue(ctx, op{do: do, locks: locks})
}

// queue makes the writer apply a change, and returns when it is committed.
func (s *Store) queue(ctx context.Context, o op) error {
	o.done = make(chan error, 1)
	select {
	case s.ops <- o:
	case <-s.closed:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(queueWithin):
		return fmt.Errorf("%w: too many writes are pending", approval.ErrUnavailable)
	}
	// From here on the change may be committed even if the caller gives up: its result must reach
	// the caller.
	return <-o.done
}

// batch is one transaction.
type batch struct {
	s        *Store
	ctx      context.Context
	tx       session
	end      func() error // commits; on PostgreSQL, with the pending statements
	left     []statement  // PostgreSQL: to be sent with the commit
	waits    map[string]int
	records  map[[2]string]string // the bodies of records that changes depend on
	now      time.Time            // the database's clock, which all gateways share
	n        int64                // number of the chain's last event
	hash     string               // its hash
	requests int64                // SQLite: number of requests before
	tip      checkpoint           // SQLite: the last checkpoint
	wrote    bool
	events   []approval.ChainEvent // to be written with the commit
	changed  []string              // requests whose waiters must be woken
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
		if s.postgres { // hold the lock of all records only briefly
			var records []op
			ops = slices.DeleteFunc(ops, func(o op) bool {
				own := slices.Contains(o.locks, recordsLock)
				if own {
					records = append(records, o)
				}
				return own
			})
			s.commit(records, maxTries)
		}
		s.commit(ops, maxTries)
		s.prepared.more(ctx)
	}
}

// maxTries limits the attempts of a change that the database aborted: because of a deadlock with
// another gateway, or because it closed the connection.
const maxTries = 5

// commit makes changes in one transaction. If the database refuses one of them, each is tried
// alone, so that one bad change does not fail the others.
func (s *Store) commit(ops []op, tries int) {
	if len(ops) == 0 {
		return
	}
	// Not the writer's context: complete what has begun.
	ctx, cancel := context.WithTimeout(context.Background(), commitWithin)
	defer cancel()
	b, results, err := s.try(ctx, ops)
	var cut cutOff
	if errors.As(err, &cut) {
		err = s.commitOutcome(b, ops, err)
	}
	if b != nil {
		s.versions.end(b.events)
	}
	again := tries > 1 && (deadlocked(err) || hungUp(err))
	if again || len(ops) > 1 && (concernsDataOnly(err) || deadlocked(err)) {
		for _, o := range ops {
			s.commit([]op{o}, tries-1)
		}
		return
	}
	one := concernsDataOnly(err)
	if one {
		err = errors.Join(err, s.leaveSharedChain(ctx))
	}
	switch err = unavailable(err); {
	case err == nil:
		s.refused.Store(nil)
		if len(b.events) > 0 {
			s.own.N, s.own.Head = b.n, b.hash
			s.merge.wrote(&b.events[len(b.events)-1])
		}
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

// commitOutcome returns nil if an interrupted commit succeeded, and the error otherwise. It must not
// report a failure if the commit succeeds later; "unknown" is the last resort. The numbers of
// requests were lost with the response.
func (s *Store) commitOutcome(b *batch, ops []op, cause error) error {
	ctx, cancel := context.WithTimeout(context.Background(), lookWithin)
	defer cancel()
	for {
		hash, err := s.hashAt(ctx, b.n)
		switch {
		case err == nil && hash == b.hash:
			if err = s.number(ctx, ops); err == nil {
				return nil
			}
		case err == nil, errors.Is(err, sql.ErrNoRows):
			return cause
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			// The chain may still get that event, so this writer continues with another chain.
			err := s.begin()
			return errors.Join(fmt.Errorf("cannot tell whether it was stored: %w", cause), err)
		}
	}
}

// number sets the numbers that new requests have in the database.
func (s *Store) number(ctx context.Context, ops []op) error {
	for _, o := range ops {
		if o.plain == nil {
			continue
		}
		err := s.db.QueryRowContext(ctx, s.sql("SELECT seq FROM request WHERE id = ?"), o.plain.ID).Scan(&o.plain.Seq)
		if err != nil && !errors.Is(err, sql.ErrNoRows) { // it was refused
			return err
		}
	}
	return nil
}

// leaveSharedChain begins a new chain if another process has extended this one: a machine that was copied
// while it ran has its keys twice.
func (s *Store) leaveSharedChain(ctx context.Context) error {
	var more int
	err := s.db.QueryRowContext(ctx, s.sql("SELECT count(*) FROM event WHERE chain = ? AND n > ?"), s.own.ID, s.own.N).Scan(&more)
	if err != nil || more == 0 {
		return err
	}
	return s.begin()
}

// hashAt returns the hash of an event of this writer's chain. On PostgreSQL it waits for a
// transaction that may still be running.
func (s *Store) hashAt(ctx context.Context, n int64) (hash string, err error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: !s.postgres})
	if err != nil {
		return "", err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	if s.postgres {
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", lockKey(s.own.ID)); err != nil {
			return "", err
		}
	}
	err = tx.QueryRowContext(ctx, s.sql("SELECT hash FROM event WHERE chain = ? AND n = ?"), s.own.ID, n).Scan(&hash)
	return hash, err
}

func (s *Store) begin() (err error) {
	own, err := newChain(s.name)
	if err != nil {
		return err
	}
	s.own = own
	s.merge.begin(own)
	return nil
}

// lockKey returns PostgreSQL's key for a lock.
func lockKey(name string) int64 {
	sum := sha256.Sum256([]byte(name))
	return int64(binary.BigEndian.Uint64(sum[:])) //nolint:gosec // any 64 bits will do
}

// try makes changes in one transaction. It returns a batch if it began to commit its events, or had
// none.
func (s *Store) try(ctx context.Context, ops []op) (b *batch, results []error, err error) {
	b = &batch{s: s, ctx: ctx, now: time.Now(), n: s.own.N, hash: s.own.Head}
	begin := b.beginSQLite
	if s.postgres {
		begin = b.beginPostgres
	}
	undo, err := begin(ops)
	if err != nil {
		return nil, nil, err
	}
	defer undo()
	results, err = b.apply(ops)
	if err != nil {
		return nil, nil, err
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
	s.ends = nil // read again if the commit fails
	if err := b.end(); err != nil {
		return b, results, err
	}
	s.ends = &ends{b.requests, b.tip}
	return b, results, nil
}

// beginSQLite begins a transaction. undo ends it if it was not committed.
func (b *batch) beginSQLite(ops []op) (undo func(), err error) {
	tx, err := b.s.writer.BeginTx(b.ctx, nil)
	if err != nil {
		return nil, err
	}
	undo = func() { _ = tx.Rollback() } // no effect after a commit
	b.tx, b.end = tx, func() error { return b.cut(tx.Commit()) }
	if known := b.s.ends; known != nil {
		b.requests, b.tip = known.requests, known.tip
	} else {
		err = tx.QueryRowContext(b.ctx, "SELECT c.requests, coalesce(k.id, 0), coalesce(k.last, c.cut), coalesce(k.hash, '') FROM chain c"+
			" LEFT JOIN checkpoint k ON k.id = (SELECT max(id) FROM checkpoint)").Scan(&b.requests, &b.tip.ID, &b.tip.Last, &b.tip.Hash)
	}
	if err == nil {
		err = b.readConditions(ops)
	}
	if err != nil {
		undo()
		return nil, err
	}
	return undo, nil
}

// cut marks an error of a commit: events may have been committed.
func (b *batch) cut(err error) error {
	if err != nil && len(b.events) > 0 {
		return cutOff{err}
	}
	return err
}

// ends is the state from which SQLite's only writer continues: the number of requests, and the last
// checkpoint.
type ends struct {
	requests int64
	tip      checkpoint
}

// apply makes changes and returns the answer of each. Its error is the database's.
func (b *batch) apply(ops []op) (results []error, err error) {
	results = make([]error, len(ops))
	for i := range ops {
		results[i] = b.provided(ops[i].provided)
	}
	var fault dbError
	if err := b.insertPlain(ops, results); errors.As(err, &fault) {
		return nil, fault.error
	}
	for i, o := range ops {
		if o.plain != nil || results[i] != nil {
			continue
		}
		if results[i] = o.do(b); errors.As(results[i], &fault) {
			return nil, fault.error
		}
	}
	return results, nil
}

// flush writes the events. SQLite has one writer, so the checkpoint is written with them; gateways
// on one PostgreSQL would wait for each other, and write it later.
func (b *batch) flush() error {
	last := &b.events[len(b.events)-1]
	if b.s.postgres {
		last.Signature = b.s.own.sign(signsHead, last.Hash)
		b.left = append(b.left, b.insertArrays())
		return nil
	}
	const most = 64
	for events := range slices.Chunk(b.events, most) {
		var args []any
		for i := range events {
			e := &events[i]
			args = append(args, e.Chain, e.N, e.At.UnixMilli(), e.Kind, e.Request, e.Who, string(e.Data), e.Prev, e.Hash, e.Signature)
		}
		const row = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
		if err := b.exec("INSERT INTO event ("+eventColumns+") VALUES "+row+strings.Repeat(", "+row, len(events)-1), args...); err != nil {
			return err
		}
	}
	first := &b.events[0]
	c := checkpoint{At: last.At, Chain: first.Chain, N: first.N, Base: first.Prev, Head: last.Hash}
	c.follow(&b.tip, int64(len(b.events)), b.s.own)
	if err := b.exec(insertCheckpoint, c.row()...); err != nil {
		return err
	}
	b.tip = c
	return b.exec("UPDATE chain SET requests = ?", b.requests)
}

const eventColumns = "chain, n, at, kind, request, who, data, prev, hash, signature"

// insertArrays returns the statement that writes the events. It is the same for any number of
// events, so the database prepares it once.
func (b *batch) insertArrays() statement {
	var n, at []int64
	texts := make([][]string, 7)
	for i := range b.events {
		e := &b.events[i]
		n, at = append(n, e.N), append(at, e.At.UnixMilli())
		for k, text := range []string{e.Kind, e.Request, e.Who, string(e.Data), e.Prev, e.Hash, e.Signature} {
			texts[k] = append(texts[k], text)
		}
	}
	args := []any{b.s.own.ID, n, at}
	for _, t := range texts {
		args = append(args, t)
	}
	const types = "CAST(? AS BIGINT[]), CAST(? AS BIGINT[])"
	return statement{text: b.s.sql("INSERT INTO event (" + eventColumns + ") SELECT CAST(? AS TEXT), * FROM unnest(" + types + strings.Repeat(", CAST(? AS TEXT[])", len(texts)) + ")"), args: args}
}

func (b *batch) exec(text string, args ...any) error {
	_, err := b.count(text, args...)
	return err
}

// exec1 runs a statement that changes one row. It returns sql.ErrNoRows if it changed none.
func (b *batch) exec1(text string, args ...any) error {
	rows, err := b.count(text, args...)
	if err == nil && rows == 0 {
		return sql.ErrNoRows
	}
	return err
}

// count runs a statement and returns the number of changed rows.
func (b *batch) count(text string, args ...any) (rows int64, err error) {
	var r sql.Result
	if b.s.postgres {
		r, err = b.tx.ExecContext(b.ctx, b.s.sql(text), args...)
	} else {
		r, err = b.s.prepared.exec(b.ctx, b.s.writer, b.tx.(*sql.Tx), text, args)
	}
	if err == nil {
		b.wrote = true
		rows, err = r.RowsAffected()
	}
	if err != nil {
		return 0, dbError{err}
	}
	return rows, nil
}

// event records a change, chained to the previous event. Secrets in data are masked before the hash:
// the record is kept, shown, exported and archived, and it verifies everywhere.
func (b *batch) event(kind, request, who string, data any) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return dbError{err}
	}
	raw = redact.JSON(raw)
	e := approval.ChainEvent{Chain: b.s.own.ID, N: b.n + 1, At: b.now.UTC().Truncate(time.Millisecond), Kind: kind, Request: request, Who: who, Data: raw, Prev: b.hash}
	e.Hash = hashOf(&e)
	b.events = append(b.events, e)
	b.n, b.hash = e.N, e.Hash
	if request != "" {
		b.changed = append(b.changed, request)
	}
	return nil
}
