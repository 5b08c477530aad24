package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// Gateways that share a PostgreSQL give their events places in the record after committing them, so
// that no writer waits for another one. A checkpoint is one statement that holds no lock between
// round trips: if two gateways write the same number at once, one is refused and tries the next. A
// checkpoint exists only after all with smaller numbers, so a reader at a place has missed nothing
// before it.

const (
	mergeEvery  = 20 * time.Millisecond // a burst shares a checkpoint, and other gateways get a turn
	mergeRetry  = 50 * time.Millisecond
	closeWithin = 2 * time.Second
)

// merger writes the checkpoints of a gateway's chain; the writer only appends to it.
type merger struct {
	mu      sync.Mutex
	own     *chain        // ID and key only; the writer owns the rest
	last    tail          // the committed part of the chain, and the part with places
	changed chan struct{} // closed when more events have places
	wake    chan struct{}
	tip     checkpoint // the last known checkpoint; owned by the merging goroutine
}

// tail is the part of a chain that no checkpoint covers yet.
type tail struct {
	chain  string
	merged int64  // the last event with a place
	base   string // its hash
	n      int64  // the last event
	head   string // its hash
	at     time.Time
}

func (m *merger) begin(own *chain) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.wake == nil {
		m.wake, m.changed = make(chan struct{}, 1), make(chan struct{})
	}
	m.own, m.last = own, tail{chain: own.ID, base: own.Head, head: own.Head}
	m.wakeWaiting()
}

// wakeWaiting wakes callers that wait for places. The caller holds the lock.
func (m *merger) wakeWaiting() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// wrote records that the chain is committed up to that event.
func (m *merger) wrote(e *approval.ChainEvent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last.n, m.last.head, m.last.at = e.N, e.Hash, e.At
	m.nudge()
}

func (m *merger) nudge() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

func (m *merger) state() (*chain, tail) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.own, m.last
}

// placed records that a chain has places up to that event.
func (m *merger) placed(chain string, n int64, hash string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if chain == m.last.chain && n > m.last.merged {
		m.last.merged, m.last.base = n, hash
		m.wakeWaiting()
	}
}

// settled waits until all events that this store has written have places.
func (s *Store) settled(ctx context.Context) error {
	if !s.postgres || s.closed == nil {
		return nil
	}
	m := &s.merge
	m.mu.Lock()
	chain, n := m.last.chain, m.last.n
	m.mu.Unlock()
	for {
		m.mu.Lock()
		done, changed := m.last.chain != chain || m.last.merged >= n, m.changed
		m.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-s.closed:
			return errClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// mergeAlways gives events places until ctx ends: this gateway's, and from time to time those that
// others left behind.
func (s *Store) mergeAlways(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-s.merge.wake:
			err = s.mergeOwn(ctx)
		case <-look.C:
			err = s.sweep(ctx)
		}
		wait := mergeEvery
		if err != nil {
			s.merge.nudge()
			wait = mergeRetry
		}
		pause.Reset(wait)
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
	}
}

// mergeOwn covers the committed events of this gateway's chain.
func (s *Store) mergeOwn(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, commitWithin)
	defer cancel()
	for {
		own, t := s.merge.state()
		if t.n <= t.merged { // less if another gateway covered a commit whose answer is still on its way
			return nil
		}
		err := s.cover(ctx, own, &t)
		if err == nil {
			continue
		}
		if again := s.refresh(ctx, own.ID); again != nil || !concernsDataOnly(err) {
			return errors.Join(err, again)
		}
	}
}

// nextID is the ID of a checkpoint that follows the last one, or NULL, which the table refuses: a
// checkpoint after one that was removed would give events places that no reader looks at again, and
// one over removed events would name what is missing. It locks the first event and then the last
// checkpoint, because another gateway may be removing them, in this order.
const nextID = "coalesce((SELECT k.id + 1 FROM event e, checkpoint k WHERE k.id = ? AND k.hash = ? AND e.chain = ? AND e.n = ? FOR KEY SHARE)," +
	" (SELECT 1 WHERE ? = '' AND NOT EXISTS (SELECT 1 FROM checkpoint)))"

// cover writes a checkpoint over a tail.
func (s *Store) cover(ctx context.Context, by *chain, t *tail) error {
	c := checkpoint{At: t.at, Chain: t.chain, N: t.merged + 1, Base: t.base, Head: t.head}
	c.follow(&s.merge.tip, t.n-t.merged, by)
	insert := strings.Replace(insertCheckpoint, "?", nextID, 1)
	args := append([]any{s.merge.tip.ID, c.Prev, c.Chain, c.N, c.Prev}, c.row()[1:]...)
	if _, err := s.db.ExecContext(ctx, s.sql("WITH c AS ("+insert+" RETURNING id) SELECT pg_notify('umpire', '') FROM c"), args...); err != nil {
		return err
	}
	s.merge.tip = c
	s.merge.placed(t.chain, t.n, t.head)
	return nil
}

// refresh reads the last checkpoint, and how far the last one of a chain reaches. If all of them were
// removed, so were the events that they cover.
func (s *Store) refresh(ctx context.Context, chain string) (err error) {
	_, t := s.merge.state()
	if s.merge.tip, err = s.lastCheckpoint(ctx, s.db); err != nil {
		return err
	}
	n, head := t.n, t.head
	err = s.db.QueryRowContext(ctx, s.sql("SELECT * FROM (SELECT n + last - first, head FROM checkpoint WHERE chain = ? ORDER BY n DESC LIMIT 1) AS k"+
		" UNION ALL SELECT * FROM (SELECT n - 1, prev FROM event WHERE chain = ? ORDER BY n LIMIT 1) AS e ORDER BY 1 DESC LIMIT 1"), chain, chain).Scan(&n, &head)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	s.merge.placed(chain, n, head)
	return nil
}

// lastCheckpoint returns the last checkpoint. If there is none, only its last place is set.
func (s *Store) lastCheckpoint(ctx context.Context, q rowQuerier) (c checkpoint, err error) {
	err = c.scan(q.QueryRowContext(ctx, "SELECT "+columns+" FROM checkpoint ORDER BY id DESC LIMIT 1").Scan)
	if errors.Is(err, sql.ErrNoRows) {
		c = checkpoint{}
		err = q.QueryRowContext(ctx, "SELECT cut FROM chain").Scan(&c.Last)
	}
	return c, err
}

// rowQuerier is a transaction or the database.
type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// sweep covers events that other gateways wrote but did not cover, if their writer signed them.
func (s *Store) sweep(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	tails, err := s.tails(ctx, s.db)
	if err != nil || len(tails) == 0 {
		return err
	}
	own, _ := s.merge.state()
	for i := range tails {
		t := &tails[i]
		if t.chain == own.ID || !signed(t.chain, signsHead, t.head, t.signature) {
			continue
		}
		if err := s.refresh(ctx, own.ID); err != nil {
			return err
		}
		if err := s.cover(ctx, own, &t.tail); err != nil && !concernsDataOnly(err) {
			return err // if refused, another gateway covers it, or this one later
		}
	}
	return nil
}

// signedTail is a tail with the signature of its last event.
type signedTail struct {
	tail
	signature string
}

// tails returns the events of all chains that no checkpoint covers.
func (s *Store) tails(ctx context.Context, q querier) (out []signedTail, err error) {
	// The index yields the chains one by one. If all checkpoints of a chain were removed, it begins
	// with its first event.
	rows, err := q.QueryContext(ctx, `WITH RECURSIVE
		c (chain) AS (SELECT min(chain) FROM event UNION ALL SELECT (SELECT min(chain) FROM event WHERE chain > c.chain) FROM c WHERE c.chain IS NOT NULL),
		t (chain, n, merged) AS (SELECT chain, (SELECT max(n) FROM event WHERE event.chain = c.chain),
			coalesce((SELECT n + last - first FROM checkpoint k WHERE k.chain = c.chain ORDER BY n DESC LIMIT 1), (SELECT min(n) - 1 FROM event WHERE event.chain = c.chain))
			FROM c WHERE chain IS NOT NULL)
		SELECT t.chain, t.merged, f.prev, t.n, l.hash, l.at, l.signature FROM t
			JOIN event f ON f.chain = t.chain AND f.n = t.merged + 1 JOIN event l ON l.chain = t.chain AND l.n = t.n WHERE t.n > t.merged`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var t signedTail
		var at int64
		if err := rows.Scan(&t.chain, &t.merged, &t.base, &t.n, &t.head, &at, &t.signature); err != nil {
			return nil, err
		}
		t.at = time.UnixMilli(at).UTC()
		out = append(out, t)
	}
	return out, rows.Err()
}
