package store

import (
	"context"
	"errors"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

const (
	pruneEvent = "prune"
	maxPrune   = 500 // requests, and events, to remove in one transaction
)

// pruned is the data of an event about removed events.
type pruned struct {
	Requests int    `json:"requests"`
	Events   int64  `json:"events"`
	Cut      int64  `json:"cut"`  // place of the last removed event
	Hash     string `json:"hash"` // hash of its checkpoint, from which the record continues
}

// Prune implements approval.Store. It keeps pending requests of any age, and records without a
// request. Of the removed events, it keeps the last checkpoint.
func (s *Store) Prune(ctx context.Context, before time.Time) (n int, err error) {
	err = s.change(ctx, func(b *batch) (err error) {
		n, err = b.prune(before)
		return err
	}, recordsLock)
	if err != nil {
		return 0, err
	}
	if n == 0 || s.postgres { // PostgreSQL frees unused space by itself
		return n, nil
	}
	return n, s.shrink(ctx)
}

// prune is Prune in a transaction.
func (b *batch) prune(before time.Time) (n int, err error) {
	m, err := b.mover()
	if err != nil {
		return 0, err
	}
	defer m.undo()
	var first, head int64
	var p pruned
	if err := b.tx.QueryRowContext(b.ctx, "SELECT cut, cut_hash, coalesce((SELECT max(last) FROM checkpoint), cut) FROM chain").Scan(&first, &p.Hash, &head); err != nil {
		return 0, dbError{err}
	}
	if err := m.begin(first, p.Hash); err != nil {
		return 0, err
	}
	room := first // events up to this place are removed, whatever their age
	if b.s.archive != nil && b.s.archive.most > 0 {
		room = max(first, head-b.s.archive.most)
	}
	p.Cut = first
	rows, err := b.tx.QueryContext(b.ctx, b.s.sql("SELECT at, last, hash FROM checkpoint WHERE last > ? ORDER BY id LIMIT ?"), first, maxPrune)
	if err != nil {
		return 0, dbError{err}
	}
	defer func() { _ = rows.Close() }()
	since := before.UnixMilli()
	for rows.Next() && p.Cut-first < maxPrune {
		var last, at int64
		var hash string
		if err := rows.Scan(&at, &last, &hash); err != nil {
			return 0, dbError{err}
		}
		if at >= before.UnixMilli() && last > room {
			break
		}
		p.Cut, p.Hash, since = last, hash, max(since, at)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return 0, dbError{err}
	}
	const old = "SELECT id FROM request WHERE id < ? AND state <> 'pending' ORDER BY id LIMIT ?"
	oldest := approval.NewID(time.UnixMilli(since))[:10]
	if _, err := m.remove("record", "kind = ? AND id IN ("+old+")", ExecutionRecord, oldest, maxPrune); err != nil {
		return 0, err
	}
	requests, err := m.remove("request", "id IN ("+old+")", oldest, maxPrune)
	if err != nil {
		return 0, err
	}
	p.Requests = int(requests)
	if p.Events = p.Cut - first; p.Events == 0 && requests == 0 {
		return 0, nil
	}
	if p.Events > 0 {
		if _, err := m.remove("event", "(chain, n) IN (SELECT e.chain, e.n FROM "+placed+" WHERE k.last > ? AND k.last <= ?)", first, p.Cut); err != nil {
			return 0, err
		}
		if _, err := m.remove("checkpoint", "last < ?", p.Cut); err != nil {
			return 0, err
		}
		if err := m.copyCheckpoint(p.Cut); err != nil {
			return 0, err
		}
		if err := b.exec("UPDATE chain SET cut = ?, cut_hash = ?", p.Cut, p.Hash); err != nil {
			return 0, err
		}
	}
	if err := b.event(pruneEvent, "", "", p); err != nil {
		return 0, err
	}
	return p.Requests + int(p.Events), m.keep()
}

// shrink returns free space to the disk, a little at a time.
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
