package store

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

const (
	pruneEvent = "prune"
	maxPrune   = 500 // requests, and events, that are removed in one transaction
)

// pruned is what an event says of others that were removed.
type pruned struct {
	Requests int    `json:"requests"`
	Events   int64  `json:"events"`
	Cut      int64  `json:"cut"`  // the last event that was removed
	Hash     string `json:"hash"` // its hash, from which the record goes on
}

// Prune implements approval.Store. Pending requests stay however old they are, and so do
// records without a request.
func (s *Store) Prune(ctx context.Context, before time.Time) (n int, err error) {
	err = s.change(ctx, func(b *batch) error {
		n = 0
		old, err := b.all("id < ? AND state <> 'pending' ORDER BY id LIMIT "+strconv.Itoa(maxPrune), approval.NewID(before)[:10])
		if err != nil {
			return err
		}
		for _, r := range old {
			if err := b.exec("DELETE FROM request WHERE id = ?", r.ID); err != nil {
				return err
			}
			if err := b.exec("DELETE FROM record WHERE kind = ? AND id = ?", ExecutionRecord, r.ID); err != nil {
				return err
			}
		}
		p := pruned{Requests: len(old)}
		var first int64
		if err := b.tx.QueryRowContext(b.ctx, "SELECT cut, cut_hash FROM chain").Scan(&first, &p.Hash); err != nil {
			return dbError{err}
		}
		p.Cut = first
		rows, err := b.tx.QueryContext(b.ctx, s.sql("SELECT seq, at, hash FROM event WHERE seq > ? ORDER BY seq LIMIT "+strconv.Itoa(maxPrune)), first)
		if err != nil {
			return dbError{err}
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var seq, at int64
			var hash string
			if err := rows.Scan(&seq, &at, &hash); err != nil {
				return dbError{err}
			}
			if at >= before.UnixMilli() {
				break
			}
			p.Cut, p.Hash = seq, hash
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return dbError{err}
		}
		if p.Events = p.Cut - first; p.Events == 0 && len(old) == 0 {
			return nil
		}
		if err := b.exec("DELETE FROM event WHERE seq <= ?", p.Cut); err != nil {
			return err
		}
		if err := b.exec("UPDATE chain SET cut = ?, cut_hash = ?", p.Cut, p.Hash); err != nil {
			return err
		}
		n = len(old) + int(p.Events)
		return b.event(pruneEvent, "", "", p)
	})
	if err != nil {
		return 0, err
	}
	if n == 0 || s.postgres { // PostgreSQL frees by itself what is not used
		return n, nil
	}
	return n, s.shrink(ctx)
}

// shrink gives what was removed back to the disk, a little at a time.
func (s *Store) shrink(ctx context.Context) error {
	rows, err := s.writer.QueryContext(ctx, "PRAGMA incremental_vacuum(1000)")
	if err != nil {
		return unavailable(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() { // each step frees one page
	}
	return unavailable(rows.Err())
}
