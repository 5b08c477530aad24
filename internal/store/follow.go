package store

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// A gateway learns of another's changes by notification and by polling, because notifications are
// lost while it is not connected.
const (
	lookEvery = 2 * time.Second
	listenFor = 500 * time.Millisecond // pause before reconnecting

	// followEvery is the pause after a read. Every gateway gets a notification of every commit, and
	// one read serves a burst. The first change after a pause is read at once.
	followEvery = 20 * time.Millisecond

	touchedMost = 1000 // events at a time
)

// follow wakes waiters of changes by other gateways, until ctx ends.
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
	heard := make(chan struct{}, 1)
	reading, end := context.WithCancel(ctx)
	var reader sync.WaitGroup
	defer reader.Wait()
	reader.Go(func() {
		defer close(heard)
		for {
			if _, err := conn.WaitForNotification(reading); err != nil {
				return
			}
			select {
			case heard <- struct{}{}:
			default: // the next read covers this one as well
			}
		}
	})
	defer end() // runs before waiting for the reader
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		<-pause.C
		s.tell(ctx)
		pause.Reset(followEvery)
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		case _, ok := <-heard:
			if !ok {
				return
			}
		}
	}
}

// tell wakes waiters of the events since the last read.
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

// touched returns the requests of events after a place, and the place of the last event.
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
