package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// How a gateway hears of what another did: by a notice, which is lost while it is not
// connected, and by a look every now and then.
const (
	lookEvery = 2 * time.Second
	listenFor = 500 * time.Millisecond // before a lost connection is tried again

	touchedMost = 1000 // events at a time
)

// follow wakes waiters of what other gateways changed, until ctx ends.
func (s *Store) follow(ctx context.Context, url string) {
	for ctx.Err() == nil {
		s.listen(ctx, url)
		select {
		case <-ctx.Done():
		case <-time.After(listenFor):
		}
	}
}

func (s *Store) listen(ctx context.Context, url string) {
	dial, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(dial, url)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(dial, "LISTEN umpire"); err != nil {
		return
	}
	for {
		s.tell(ctx)
		wait, cancel := context.WithTimeout(ctx, lookEvery)
		_, err := conn.WaitForNotification(wait)
		late := wait.Err() != nil
		cancel()
		if ctx.Err() != nil || err != nil && !late {
			return
		}
	}
}

// tell wakes waiters of the events since the last look.
func (s *Store) tell(ctx context.Context) {
	for {
		ids, last, err := s.touched(ctx, s.seen)
		if err != nil || last == s.seen {
			return
		}
		s.seen = last
		s.hub.wake(ids...)
	}
}

// touched returns the requests that events after a place are about, and the last of those.
func (s *Store) touched(ctx context.Context, after int64) (ids []string, last int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	last = after
	rows, err := s.db.QueryContext(ctx, s.sql("SELECT "+place+", e.kind, e.request FROM "+placed+" WHERE k.last > ? AND k.first <= ? AND "+place+" > ? AND "+place+" <= ? ORDER BY 1"),
		after, after+touchedMost, after, after+touchedMost)
	if err != nil {
		return nil, after, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var kind, id string
		if err := rows.Scan(&last, &kind, &id); err != nil {
			return nil, after, err
		}
		s.versions.rise(kind)
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids, last, rows.Err()
}
