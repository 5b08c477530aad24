//go:build unix

package store

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// Each reader gets each event of the record once and in order, at any pace and however others read:
// while gateways write, remove, start and end, while transactions commit late, while readers give up,
// and while the database fails. A reader that no change wakes ends this test by its deadline.
func TestFollowersMissNothing(t *testing.T) {
	t.Parallel()
	for name, where := range map[string]string{"sqlite": t.TempDir(), "postgres": storetest.Database(t)} {
		t.Run(name, func(t *testing.T) { testFollowers(t, where, false) })
		t.Run(name+" while events are removed", func(t *testing.T) { testFollowers(t, where, true) })
	}
}

func testFollowers(t *testing.T, where string, prune bool) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	faults := &storetest.Faults{}
	opens := 0
	s, err := OpenThrough(ctx, where, func(driver, dsn string) (*sql.DB, error) {
		if opens++; driver == "pgx" && opens > 1 { // the writer needs the driver's own connection
			return sql.Open(driver, dsn)
		}
		return faults.Connect(driver, dsn)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	stores := []*Store{s}
	if s.postgres {
		stores = append(stores, opened(t, where), opened(t, where))
	}
	end := asked("end")
	begin, err := s.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var following, writing sync.WaitGroup
	var followers []*follower
	for _, s := range stores {
		for _, n := range []int{1, 7, 1000} {
			f := &follower{s: s, n: n, after: begin, until: end.ID}
			followers = append(followers, f)
			following.Go(func() { f.follow(ctx) })
		}
	}
	for i := range 6 {
		writing.Go(func() {
			disturb(ctx, t, stores[i%len(stores)], faults, prune, rand.New(rand.NewPCG(1, uint64(i))))
		})
	}
	if s.postgres {
		writing.Go(func() { commitLate(ctx, t, stores[1], where) })
	}
	writing.Wait()
	faults.Arm(0)
	if _, _, err := s.Submit(ctx, end); err != nil {
		t.Fatal(err)
	}
	following.Wait()
	events, err := s.readEvents(ctx, s.db, "true ORDER BY 1")
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range followers {
		f.compare(t, i, begin, events)
	}
	if _, err := s.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// follower reads the record as the executor and the pages do.
type follower struct {
	s     *Store
	n     int
	after int64
	until string // the request of the last event
	got   []approval.ChainEvent
	err   error
}

func (f *follower) follow(ctx context.Context) {
	for {
		changed, stop := f.s.Changed("")
		events, err := f.s.Events(ctx, f.after, f.n)
		if ctx.Err() != nil {
			f.err = ctx.Err()
			stop()
			return
		}
		for _, e := range events {
			if f.got, f.after = append(f.got, e), e.Seq; e.Request == f.until {
				stop()
				return
			}
		}
		if err == nil && len(events) == 0 {
			select {
			case <-changed:
			case <-ctx.Done():
			}
		}
		stop()
	}
}

// compare compares what a follower got with the events that the database still has up to its last
// one. It may have missed only events that were removed.
func (f *follower) compare(t *testing.T, i int, begin int64, events []approval.ChainEvent) {
	t.Helper()
	if f.err != nil {
		t.Errorf("follower %d waits after %d of %d events, for the one after %d: %v", i, len(f.got), len(events), f.after, f.err)
		return
	}
	left := map[int64]string{}
	for _, e := range events {
		if e.Seq > begin && e.Seq <= f.after {
			left[e.Seq] = e.Hash
		}
	}
	last := begin
	for _, e := range f.got {
		if e.Seq <= last {
			t.Errorf("follower %d got place %d after %d", i, e.Seq, last)
		}
		if hash, kept := left[e.Seq]; kept && hash != e.Hash {
			t.Errorf("follower %d got another event at place %d", i, e.Seq)
		}
		last = e.Seq
		delete(left, e.Seq)
	}
	for place := range left {
		t.Errorf("follower %d missed place %d", i, place)
	}
}

// disturb writes and removes, gives up reads, and makes the database fail.
func disturb(ctx context.Context, t *testing.T, s *Store, faults *storetest.Faults, prune bool, r *rand.Rand) {
	for i := range 160 {
		var err error
		switch q := asked("x"); r.IntN(12) {
		case 0:
			if prune {
				_, err = s.Prune(ctx, time.Now())
			}
		case 1:
			brief, cancel := context.WithCancel(ctx)
			go cancel()
			if _, err = s.Events(brief, r.Int64N(3000), 10); errors.Is(err, context.Canceled) {
				err = nil
			}
		case 2:
			faults.Arm(1 + r.IntN(20))
		default:
			if _, _, err = s.Submit(ctx, q); err == nil {
				_, err = s.Answer(ctx, approval.Answer{ID: q.ID, Digest: q.Digest})
			}
		}
		if err != nil && !errors.Is(err, approval.ErrUnavailable) {
			t.Errorf("step %d: %v", i, err)
		}
	}
}

// commitLate commits events after later ones have places. A gateway that starts then gives them places.
func commitLate(ctx context.Context, t *testing.T, s *Store, where string) {
	for range 10 {
		c, err := newChain(s.name)
		if err != nil {
			t.Error(err)
			return
		}
		e := approval.ChainEvent{Chain: c.ID, N: 1, At: time.Now().UTC().Truncate(time.Millisecond), Kind: "late", Data: []byte("{}"), Prev: c.Head}
		e.Hash = hashOf(&e)
		tx, err := s.db.BeginTx(ctx, nil)
		if err == nil {
			_, err = tx.ExecContext(ctx, s.sql("INSERT INTO event ("+eventColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
				e.Chain, e.N, e.At.UnixMilli(), e.Kind, e.Request, e.Who, string(e.Data), e.Prev, e.Hash, c.sign(signsHead, e.Hash))
		}
		if err == nil {
			_, _, err = s.Submit(ctx, asked("x"))
		}
		if err == nil {
			err = s.settled(ctx)
		}
		if err == nil {
			err = tx.Commit()
		}
		if err == nil {
			var next *Store
			if next, err = Open(ctx, where); err == nil {
				err = next.Close()
			}
		}
		if err != nil {
			t.Error(err)
			return
		}
	}
}
