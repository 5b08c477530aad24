package store

import (
	"context"
	"encoding/json"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/umpire-dev/umpire/internal/approval"
)

// A gateway learns of another's changes by notification and by polling, because notifications are
// lost while it is not connected.
const (
	lookEvery = 2 * time.Second
	listenFor = 500 * time.Millisecond // pause before reconnecting

	// followEvery is the pause after a read. Every gateway gets a notification of every commit, and
	// one read serves a burst. The first change after a pause is read at once.
	followEvery = 20 * time.Millisecond

	hearMost = 1000 // events at a time
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
		if done, err := s.hear(ctx); err == nil { // otherwise the next look does it
			done()
		}
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

// newest has the newest events, up to a place in the record. The audit log, notifications, the
// executor and each open page follow the record: the database reads an event once for all of them.
type newest struct {
	turn chan struct{}         // has room for one goroutine, which may use the fields below
	list []approval.ChainEvent // all events after one place, up to the last one
	from int64
	last int64
}

// newestMost limits the events in memory. Those before them are read from the database.
const newestMost = 1024

// hear reads the events since the last call. Unless it fails, its caller may use s.newest until it
// calls done.
func (s *Store) hear(ctx context.Context) (done func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	select {
	case s.newest.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	done = func() { <-s.newest.turn }
	for {
		end := s.newest.last + hearMost
		list, err := s.events(ctx, s.db, s.newest.last, hearMost)
		if err != nil {
			done()
			return nil, err
		}
		s.publishEvents(list)
		if s.newest.last < end { // fewer than hearMost says nothing: some may have been removed
			return done, nil
		}
	}
}

// publishEvents keeps new events, and wakes those who wait for them: other gateways may have written them.
func (s *Store) publishEvents(list []approval.ChainEvent) {
	l := &s.newest
	ids := make([]string, len(list))
	for i, e := range list {
		if e.Kind == pruneEvent { // the record may have lost those before
			l.list, l.from = nil, l.last
		}
		l.list, l.last, ids[i] = append(l.list, e), e.Seq, e.Request
		if len(e.Data) > 0 && !json.Valid(e.Data) { // damaged, perhaps only by this read: a reader reads it again
			l.list, l.from = nil, l.last
		}
		if s.postgres {
			s.versions.rise(e.Kind)
		}
	}
	if over := len(l.list) - newestMost; over > 0 {
		l.from = l.list[over-1].Seq
		l.list = slices.Delete(l.list, 0, over)
	}
	if s.postgres && len(list) > 0 {
		s.hub.wake(ids...)
	}
}

// recent returns at most n of the newest events, after a place in the record, or false if older ones
// follow that place.
func (s *Store) recent(ctx context.Context, after int64, n int) (out []approval.ChainEvent, known bool, err error) {
	done, err := s.hear(ctx)
	if err != nil {
		return nil, false, err
	}
	defer done()
	l := &s.newest
	if after < l.from {
		return nil, false, nil
	}
	i := sort.Search(len(l.list), func(i int) bool { return l.list[i].Seq > after })
	return slices.Clone(l.list[i:min(i+n, len(l.list))]), true, nil
}
