package store

import (
	"context"
	"errors"
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
	Cut      int64  `json:"cut"`  // place of the last event that was removed
	Hash     string `json:"hash"` // of its checkpoint, from which the record goes on
}

// Prune implements approval.Store. Pending requests of any age stay, and so do records without a
// request. Of the removed events, the last checkpoint stays.
func (s *Store) Prune(ctx context.Context, before time.Time) (n int, err error) {
	err = s.change(ctx, func(b *batch) error {
		n = 0
		const old = "SELECT id FROM request WHERE id < ? AND state <> 'pending' ORDER BY id LIMIT ?"
		oldest := approval.NewID(before)[:10]
		if err := b.exec("DELETE FROM record WHERE kind = ? AND id IN ("+old+")", ExecutionRecord, oldest, maxPrune); err != nil {
			return err
		}
		requests, err := b.count("DELETE FROM request WHERE id IN ("+old+")", oldest, maxPrune)
		if err != nil {
			return err
		}
		var first int64
		var p pruned
		if err := b.tx.QueryRowContext(b.ctx, "SELECT cut, cut_hash FROM chain").Scan(&first, &p.Hash); err != nil {
			return dbError{err}
		}
		p.Requests, p.Cut = int(requests), first
		rows, err := b.tx.QueryContext(b.ctx, s.sql("SELECT at, last, hash FROM checkpoint WHERE last > ? ORDER BY id LIMIT ?"), first, maxPrune)
		if err != nil {
			return dbError{err}
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() && p.Cut-first < maxPrune {
			var last, at int64
			var hash string
			if err := rows.Scan(&at, &last, &hash); err != nil {
				return dbError{err}
			}
			if at >= before.UnixMilli() {
				break
			}
			p.Cut, p.Hash = last, hash
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return dbError{err}
		}
		if p.Events = p.Cut - first; p.Events == 0 && requests == 0 {
			return nil
		}
		if p.Events > 0 {
			if err := b.exec("DELETE FROM event WHERE (chain, n) IN (SELECT e.chain, e.n FROM "+placed+" WHERE k.last > ? AND k.last <= ?)", first, p.Cut); err != nil {
				return err
			}
			if err := b.exec("DELETE FROM checkpoint WHERE last < ?", p.Cut); err != nil {
				return err
			}
			if err := b.exec("UPDATE chain SET cut = ?, cut_hash = ?", p.Cut, p.Hash); err != nil {
				return err
			}
		}
		n = p.Requests + int(p.Events)
		return b.event(pruneEvent, "", "", p)
	}, recordsLock)
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
