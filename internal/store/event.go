package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/visible"
)

// placed selects the events with a place in the record: all except those whose checkpoint is not
// written yet. Places have no gaps, so a range of them limits what is read.
const placed = "checkpoint k JOIN event e ON e.chain = k.chain AND e.n >= k.n AND e.n <= k.n + k.last - k.first"

// place is the position of an event in the record.
const place = "(k.first + e.n - k.n)"

// Events returns at most n events after a place in the record.
func (s *Store) Events(ctx context.Context, after int64, n int) (out []approval.ChainEvent, err error) {
	if n <= 0 || n > maxList {
		n = maxList
	}
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	if err := s.settled(ctx); err != nil {
		return nil, unavailable(err)
	}
	if s.closed != nil {
		if out, known, err := s.recent(ctx, after, n); known || err != nil {
			return out, unavailable(err)
		}
	}
	return s.events(ctx, s.db, after, n)
}

// events returns the events at the n places after one. Places before the cut are empty.
func (s *Store) events(ctx context.Context, q rowsQuerier, after int64, n int) (out []approval.ChainEvent, err error) {
	for {
		out, err = s.readEvents(ctx, q, "k.last > ? AND k.first <= ? AND "+place+" > ? AND "+place+" <= ? ORDER BY 1", after, after+int64(n), after, after+int64(n))
		if err != nil || len(out) > 0 {
			return out, err
		}
		var cut int64
		if err := q.QueryRowContext(ctx, "SELECT cut FROM chain").Scan(&cut); err != nil || cut <= after {
			return nil, unavailable(err)
		}
		after = cut
	}
}

// rowsQuerier is a transaction or the database.
type rowsQuerier interface {
	querier
	rowQuerier
}

func (s *Store) readEvents(ctx context.Context, q querier, where string, args ...any) (out []approval.ChainEvent, err error) {
	defer func() { err = unavailable(err) }()
	rows, err := q.QueryContext(ctx, s.sql("SELECT "+place+", e.chain, e.n, e.at, e.kind, e.request, e.who, e.data, e.prev, e.hash, e.signature FROM "+placed+" WHERE "+where), args...)
	if err != nil {
		return nil, err
	}
	return scanEvents(rows)
}

// rowFault is an error about a row that no gateway wrote.
type rowFault struct{ error }

func (f rowFault) Unwrap() error { return f.error }

func scanEvents(rows *sql.Rows) (out []approval.ChainEvent, err error) {
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e approval.ChainEvent
		var at int64
		var data []byte
		if err := rows.Scan(&e.Seq, &e.Chain, &e.N, &at, &e.Kind, &e.Request, &e.Who, &data, &e.Prev, &e.Hash, &e.Signature); err != nil {
			return nil, cmp.Or(rows.Err(), error(rowFault{fmt.Errorf("event %d of chain %s has a value of the wrong type: the record was changed: %w", e.N, shown(e.Chain), err)}))
		}
		e.At, e.Data = time.UnixMilli(at).UTC(), data
		out = append(out, e)
	}
	return out, rows.Err()
}

// Head returns the place of the last event.
func (s *Store) Head(ctx context.Context) (seq int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	if err := s.settled(ctx); err != nil {
		return 0, unavailable(err)
	}
	c, err := s.lastCheckpoint(ctx, s.db)
	return c.Last, unavailable(err)
}

// Anchor is the number and the hash of a checkpoint. Keep it where the writers of the database
// cannot change it: it proves later that the database was not rolled back or replaced. The zero
// value fits any record.
type Anchor struct {
	ID   int64
	Hash string
}

func (a Anchor) String() string { return strconv.FormatInt(a.ID, 10) + ":" + a.Hash }

// ParseAnchor parses the output of String.
func ParseAnchor(text string) (a Anchor, err error) {
	id, hash, _ := strings.Cut(strings.TrimSpace(text), ":")
	a.ID, err = strconv.ParseInt(id, 10, 64)
	if sum, bad := hex.DecodeString(hash); err != nil || bad != nil || len(sum) != sha256.Size || a.ID < 1 {
		return Anchor{}, fmt.Errorf("%q must be a checkpoint as number:hash", visible.Clip(text, 100))
	}
	a.Hash = hash
	return a, nil
}

// ErrSetBack means that the record lacks a checkpoint that was seen in it before.
var ErrSetBack = errors.New("the database was reset to an older state or replaced: restore the right one. If you restored a backup on purpose, remove the kept checkpoint")

// Anchor returns an anchor of the current record, which follows an earlier one. It returns
// ErrSetBack if the record lacks the earlier one, unless that is older than the kept part.
func (s *Store) Anchor(ctx context.Context, earlier Anchor) (Anchor, error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	var kept int
	err := s.db.QueryRowContext(ctx, s.sql("SELECT count(*) FROM checkpoint WHERE id = ? AND hash = ? OR id > ? AND NOT EXISTS (SELECT 1 FROM checkpoint WHERE id <= ?)"),
		earlier.ID, earlier.Hash, earlier.ID, earlier.ID).Scan(&kept)
	if err != nil {
		return Anchor{}, unavailable(err)
	}
	if kept == 0 && earlier != (Anchor{}) {
		return Anchor{}, ErrSetBack
	}
	c, err := s.lastCheckpoint(ctx, s.db)
	return Anchor{c.ID, c.Hash}, unavailable(err)
}
