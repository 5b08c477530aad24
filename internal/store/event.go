package store

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// Events implements approval.Store.
func (s *Store) Events(ctx context.Context, after int64, n int) (out []approval.Event, err error) {
	if n <= 0 || n > maxList {
		n = maxList
	}
	return s.readEvents(ctx, "seq > ? ORDER BY seq LIMIT "+strconv.Itoa(n), after)
}

func (s *Store) readEvents(ctx context.Context, where string, args ...any) (out []approval.Event, err error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	defer func() { err = unavailable(err) }()
	rows, err := s.db.QueryContext(ctx, s.sql("SELECT seq, at, kind, request, who, data, prev, hash FROM event WHERE "+where), args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e approval.Event
		var at int64
		var data []byte
		if err := rows.Scan(&e.Seq, &at, &e.Kind, &e.Request, &e.Who, &data, &e.Prev, &e.Hash); err != nil {
			return nil, err
		}
		e.At, e.Data = time.UnixMilli(at).UTC(), data
		out = append(out, e)
	}
	return out, rows.Err()
}

// errPruned says that what was to be verified has been removed meanwhile.
var errPruned = errors.New("older events were removed while the record was read")

// Verify reads all events that are kept and reports the first that does not follow from the
// one before. Where older ones were removed, an event that is kept has to say so.
func (s *Store) Verify(ctx context.Context) (n int64, err error) {
	for {
		if n, err = s.verify(ctx); !errors.Is(err, errPruned) {
			return n, err
		}
	}
}

type chain struct {
	seq, cut      int64
	hash, cutHash string
}

func (s *Store) chain(ctx context.Context) (c chain, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT seq, hash, cut, cut_hash FROM chain").Scan(&c.seq, &c.hash, &c.cut, &c.cutHash)
	return c, unavailable(err)
}

func (s *Store) verify(ctx context.Context) (n int64, err error) {
	begin, err := s.chain(ctx)
	if err != nil {
		return 0, err
	}
	prev, after := begin.cutHash, begin.cut
	vouched := begin.cut == 0
	for {
		events, err := s.Events(ctx, after, 1000)
		if err != nil {
			return n, err
		}
		if len(events) == 0 {
			end, err := s.chain(ctx)
			if err != nil {
				return n, err
			}
			switch {
			case end.cut != begin.cut:
				return n, errPruned
			case end.seq == after && end.hash == prev && vouched:
				return n, nil
			case end.seq == after && end.hash == prev:
				return n, errors.New("the record begins in the middle, and no event says that what came before was removed: the record was changed")
			case end.seq > after: // written meanwhile, or cut off
				if more, err := s.Events(ctx, after, 1); err != nil || len(more) > 0 {
					continue
				}
			}
			return n, errors.New("the record ends before the place that its head names: events are missing")
		}
		for i := range events {
			e := &events[i]
			if e.Seq != after+1 || e.Prev != prev || hashOf(e) != e.Hash {
				if end, err := s.chain(ctx); err != nil || end.cut != begin.cut {
					return n, errors.Join(err, errPruned)
				}
				return n, errors.New("event " + strconv.FormatInt(e.Seq, 10) + " does not follow from the one before: the record was changed")
			}
			var p pruned
			if e.Kind == pruneEvent && json.Unmarshal(e.Data, &p) == nil && p.Cut == begin.cut && p.Hash == begin.cutHash {
				vouched = true
			}
			prev, after = e.Hash, e.Seq
			n++
		}
	}
}

// Head returns the place of the last event.
func (s *Store) Head(ctx context.Context) (seq int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	err = s.db.QueryRowContext(ctx, "SELECT seq FROM chain").Scan(&seq)
	return seq, unavailable(err)
}
