//go:build unix

package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// each runs a test on both databases. open returns another handle of the same one, where
// it can have several.
func each(t *testing.T, f func(t *testing.T, s *store.Store, where string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		dir := t.TempDir()
		f(t, open(t, dir), dir)
	})
	t.Run("postgres", func(t *testing.T) {
		url := storetest.Database(t)
		f(t, open(t, url), url)
	})
}

func TestBoth(t *testing.T) {
	t.Parallel()
	storetest.Database(t) // keeps one server for all of these tests
	for _, test := range []struct {
		name string
		f    func(*testing.T)
	}{
		{"LifeOfARequest", testLifeOfARequest}, {"Superseding", testSuperseding}, {"SameKeyIsTheSameRequest", testSameKeyIsTheSameRequest},
		{"TwoPeople", testTwoPeople}, {"Expiry", testExpiry}, {"FirstAnswerWins", testFirstAnswerWins}, {"Wait", testWait}, {"Queue", testQueue}, {"Records", testRecords}, {"Counts", testCounts}, {"Recent", testRecent}, {"FairTurns", testFairTurns}, {"FindEvents", testFindEvents},
		{"Lists", testLists}, {"Versions", testVersions}, {"Properties", testProperties}, {"Conditions", testConditions},
	} {
		t.Run(test.name, test.f)
	}
}

func open(t testing.TB, where string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func request(action string) approval.Request {
	return approval.Request{ID: approval.NewID(time.Now()), Agent: "a", Category: approval.Network, Action: action, Digest: "d-" + action,
		State: approval.Pending, Created: time.Now().Truncate(time.Millisecond), Expires: time.Now().Add(time.Hour).Truncate(time.Millisecond)}
}

func submit(t testing.TB, s *store.Store, r approval.Request) approval.Request {
	t.Helper()
	got, _, err := s.Submit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func testLifeOfARequest(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		ctx := t.Context()
		r := submit(t, s, request("CONNECT a:443"))
		if r.Seq != 1 || r.State != approval.Pending {
			t.Errorf("%+v", r)
		}
		for _, name := range []string{r.ID, "req-1"} {
			if got, err := s.Get(ctx, name); err != nil || got.ID != r.ID || !got.Created.Equal(r.Created) {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
		for _, name := range []string{"", "req-2", "req-x", "' OR 1=1 --"} {
			if _, err := s.Get(ctx, name); !errors.Is(err, approval.ErrNone) {
				t.Errorf("%q: %v", name, err)
			}
		}
		if _, err := s.Answer(ctx, approval.Answer{ID: r.ID, Digest: "other", Approve: true}); !errors.Is(err, approval.ErrChanged) {
			t.Errorf("an answer to something else: %v", err)
		}
		got, err := s.Answer(ctx, approval.Answer{ID: "req-1", Digest: r.Digest, Approve: true, By: approval.ByCLI, Operator: "ada", Scope: approval.Always, Rule: "network(a)", Note: "fine"})
		if err != nil || got.State != approval.Approved || got.Operator != "ada" || got.Rule != "network(a)" || got.Resolved.IsZero() {
			t.Errorf("%+v, %v", got, err)
		}
		got, err = s.Answer(ctx, approval.Answer{ID: r.ID, Digest: r.Digest, Operator: "eve"})
		if !errors.Is(err, approval.ErrSettled) || got.State != approval.Approved || got.Operator != "ada" {
			t.Errorf("a second answer: %+v, %v", got, err)
		}
		if _, err := s.End(ctx, r.ID, approval.Cancelled, ""); !errors.Is(err, approval.ErrSettled) {
			t.Errorf("ended after the answer: %v", err)
		}
		if n, err := s.Verify(ctx); n != 2 || err != nil {
			t.Errorf("%d events, %v", n, err)
		}
	})
}

func testSuperseding(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		file := func(category approval.Category, target string) approval.Request {
			r := request("write " + target)
			r.Category, r.Target = category, target
			return r
		}
		first := submit(t, s, file(approval.Filesystem, "a.txt"))
		submit(t, s, file(approval.Filesystem, "b.txt"))
		submit(t, s, file(approval.Git, "a.txt"))
		_, gone, err := s.Submit(t.Context(), file(approval.Filesystem, "a.txt"))
		if err != nil || len(gone) != 1 || gone[0].ID != first.ID {
			t.Fatalf("%+v, %v", gone, err)
		}
		got, err := s.Get(t.Context(), first.ID)
		if err != nil || got.State != approval.Superseded || got.ResolvedBy != approval.ByAuto {
			t.Errorf("%+v, %v", got, err)
		}
		open, err := s.List(t.Context(), approval.Filter{States: []approval.State{approval.Pending}, Oldest: true})
		if err != nil || len(open) != 3 || !slices.IsSortedFunc(open, func(a, b approval.Request) int { return strings.Compare(a.ID, b.ID) }) {
			t.Errorf("%d pending, %v", len(open), err)
		}
	})
}

func testSameKeyIsTheSameRequest(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		r := request("x")
		r.Key = "k"
		first := submit(t, s, r)
		r.ID = approval.NewID(time.Now())
		if again := submit(t, s, r); again.ID != first.ID {
			t.Errorf("another request: %+v", again)
		}
		r.ID, r.Agent = approval.NewID(time.Now()), "b"
		if other := submit(t, s, r); other.ID == first.ID {
			t.Error("another agent's key is the same request")
		}
	})
}

func testTwoPeople(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		r := request("x")
		r.Needs = 2
		r = submit(t, s, r)
		vote := func(who string, approve bool) (approval.Request, error) {
			return s.Answer(t.Context(), approval.Answer{ID: r.ID, Digest: r.Digest, Approve: approve, Operator: who})
		}
		if got, err := vote("ada", true); err != nil || got.State != approval.Pending || len(got.Votes) != 1 {
			t.Errorf("%+v, %v", got, err)
		}
		for _, same := range []string{"ada", "Ada", "ADA"} { // with a second token
			if _, err := vote(same, true); !errors.Is(err, approval.ErrDuplicate) {
				t.Errorf("the same person twice, as %s: %v", same, err)
			}
		}
		if got, err := vote("bob", true); err != nil || got.State != approval.Approved || len(got.Votes) != 2 {
			t.Errorf("%+v, %v", got, err)
		}
		r = request("y")
		r.Needs = 2
		r = submit(t, s, r)
		if got, err := vote("ada", false); err != nil || got.State != approval.Denied {
			t.Errorf("one no is enough: %+v, %v", got, err)
		}
	})
}

func testExpiry(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		r := request("x")
		r.Expires = time.Now().Add(-time.Second)
		late := submit(t, s, r)
		if got, err := s.Answer(t.Context(), approval.Answer{ID: late.ID, Digest: late.Digest, Approve: true}); !errors.Is(err, approval.ErrSettled) || got.State != approval.Expired || got.Note != "no one answered in time" {
			t.Errorf("approved after its time: %+v, %v", got, err)
		}
		if got, err := s.Get(t.Context(), late.ID); err != nil || got.State != approval.Expired {
			t.Errorf("%+v, %v", got, err)
		}
		r.ID = approval.NewID(time.Now())
		submit(t, s, r)
		submit(t, s, request("y"))
		if ended, err := s.Expire(t.Context(), time.Now(), time.Now()); err != nil || len(ended) != 1 || ended[0].ID != r.ID {
			t.Errorf("%+v, %v", ended, err)
		}
		if ended, err := s.Expire(t.Context(), time.Now(), time.Now()); err != nil || len(ended) != 0 {
			t.Errorf("%+v, %v", ended, err)
		}
	})
}

// Of many answers to one request exactly one counts, across gateways.
func testFirstAnswerWins(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, where string) {
		stores := []*store.Store{s}
		if strings.HasPrefix(where, "postgres") {
			stores = append(stores, open(t, where), open(t, where))
		}
		for range 20 {
			r := submit(t, s, request("race"))
			var wins atomic.Int32
			var wg sync.WaitGroup
			for i := range 12 {
				wg.Go(func() {
					got, err := stores[i%len(stores)].Answer(t.Context(), approval.Answer{ID: r.ID, Digest: r.Digest, Approve: i%2 == 0, Operator: fmt.Sprint(i)})
					switch {
					case err == nil:
						wins.Add(1)
					case !errors.Is(err, approval.ErrSettled) || got.State == approval.Pending:
						t.Errorf("%+v, %v", got, err)
					}
				})
			}
			wg.Wait()
			if wins.Load() != 1 {
				t.Fatalf("%d answers counted", wins.Load())
			}
		}
		if n, err := s.Verify(t.Context()); n != 40 || err != nil {
			t.Errorf("%d events, %v", n, err)
		}
	})
}

// Who waits is woken by an answer, also by one that another gateway took.
func testWait(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, where string) {
		other := s
		if strings.HasPrefix(where, "postgres") {
			other = open(t, where)
		}
		q := approval.Open(s, approval.Options{Expiry: time.Minute})
		defer q.Close()
		r, err := q.Ask(t.Context(), approval.Request{Category: approval.Exec, Action: "make", Digest: "d"})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			got, err := q.Wait(t.Context(), r.ID)
			if err == nil && got.State != approval.Approved {
				err = fmt.Errorf("%+v", got)
			}
			done <- err
		}()
		if _, err := other.Answer(t.Context(), approval.Answer{ID: r.ID, Digest: "d", Approve: true}); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Error("nobody woke the waiter")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		open := submit(t, s, request("z"))
		if got, err := q.Wait(ctx, open.ID); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func testQueue(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		q := approval.Open(s, approval.Options{Expiry: time.Minute})
		defer q.Close()
		ctx := t.Context()
		ask := func(c approval.Category) approval.Answer {
			r, err := q.Ask(ctx, approval.Request{Category: c, Action: "x", Digest: "d"})
			if err != nil {
				t.Fatal(err)
			}
			return approval.Answer{ID: r.ID, Digest: "d", Approve: true, Operator: "ada"}
		}
		// Categories in which each request counts are not answered at once, nor what the
		// person did not see as it is.
		stale := ask(approval.Network)
		stale.Digest = "older"
		if n, err := q.Bulk(ctx, []approval.Answer{ask(approval.Network), ask(approval.Exec), ask(approval.Packages), ask(approval.Sandbox), stale, ask(approval.Git), {ID: "none"}}); n != 2 || err != nil {
			t.Errorf("%d answered, %v", n, err)
		}
		if n, err := q.EndAll(ctx, approval.Filter{}, approval.Denied, "SIGTERM"); n != 4 || err != nil {
			t.Errorf("%d denied at the end, %v", n, err)
		}
		for _, bad := range []approval.Request{
			{Category: "other", Action: "x", Digest: "d"},
			{Category: approval.Exec, Digest: "d"},
			{Category: approval.Exec, Action: "x"},
			{Category: approval.Exec, Action: strings.Repeat("x", approval.MaxAction+1), Digest: "d"},
			{Category: approval.Exec, Action: "x", Digest: "d", Metadata: []byte("{")},
			{Category: approval.Exec, Action: "x", Digest: "d", Needs: 99},
		} {
			if _, err := q.Ask(ctx, bad); err == nil {
				t.Errorf("accepted: %.80v", bad)
			}
		}
	})
}

// Everything acknowledged is there when the database is opened again.
func TestReopen(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() { submit(t, s, request(fmt.Sprint(i))) })
	}
	wg.Wait()
	if _, err := store.Open(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "another gateway") {
		t.Errorf("two gateways in one folder: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Submit(contextWithTimeout(t, 50*time.Millisecond), request("late")); err == nil {
		t.Error("a closed store takes requests")
	}
	s = open(t, dir)
	all, err := s.List(t.Context(), approval.Filter{Limit: 1000})
	if err != nil || len(all) != 200 {
		t.Errorf("%d requests, %v", len(all), err)
	}
	seqs := map[int64]bool{}
	for _, r := range all {
		seqs[r.Seq] = true
	}
	if len(seqs) != 200 || !seqs[1] || !seqs[200] {
		t.Errorf("%d numbers", len(seqs))
	}
}

func contextWithTimeout(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// A database that dies takes nothing acknowledged with it, and comes back.
func TestPostgresCrash(t *testing.T) {
	p := storetest.StartPostgres(t)
	s := open(t, p.URL)
	var mu sync.Mutex
	more := sync.NewCond(&mu)
	acknowledged := map[string]bool{}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer context.AfterFunc(ctx, more.Broadcast)()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				r, _, err := s.Submit(ctx, request(fmt.Sprint(i, "/", n)))
				if err == nil {
					mu.Lock()
					acknowledged[r.ID] = true
					mu.Unlock()
					more.Broadcast()
				}
			}
		})
	}
	enough := func(n int) {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		for len(acknowledged) < n {
			if ctx.Err() != nil {
				t.Fatalf("only %d requests were taken", len(acknowledged))
			}
			more.Wait()
		}
	}
	enough(50)
	p.Kill()
	mu.Lock()
	before := len(acknowledged)
	mu.Unlock()
	p.Start()
	enough(before + 50)
	cancel()
	wg.Wait()
	all, err := s.List(t.Context(), approval.Filter{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		delete(acknowledged, r.ID)
	}
	if len(acknowledged) != 0 && len(all) < 10_000 {
		t.Errorf("%d acknowledged requests are gone", len(acknowledged))
	}
	if _, err := s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func BenchmarkSubmit(b *testing.B) {
	for _, clients := range []int{1, 64} {
		b.Run(fmt.Sprintf("sqlite/clients=%d", clients), func(b *testing.B) {
			s := open(b, b.TempDir())
			var wg sync.WaitGroup
			var n atomic.Int64
			b.ResetTimer()
			for range clients {
				wg.Go(func() {
					for n.Add(1) <= int64(b.N) {
						submit(b, s, request("x"))
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "submits/s")
		})
	}
}

// Of many changes to one record none is lost, and each is an event.
func testRecords(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, where string) {
		stores := []*store.Store{s}
		if strings.HasPrefix(where, "postgres") {
			stores = append(stores, open(t, where))
		}
		ctx := t.Context()
		if _, err := s.Record(ctx, "n", "x"); !errors.Is(err, store.ErrNoRecord) {
			t.Error(err)
		}
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				err := stores[i%len(stores)].Update(ctx, "n", "x", "count", "ada", func(old json.RawMessage) (json.RawMessage, any, error) {
					n := 0
					if old != nil {
						if err := json.Unmarshal(old, &n); err != nil {
							return nil, nil, err
						}
					}
					return json.RawMessage(strconv.Itoa(n + 1)), n + 1, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if r, err := s.Record(ctx, "n", "x"); err != nil || string(r.Body) != "40" {
			t.Errorf("%s, %v", r.Body, err)
		}
		no := errors.New("no")
		if err := s.Update(ctx, "n", "x", "count", "", func(json.RawMessage) (json.RawMessage, any, error) { return nil, nil, no }); !errors.Is(err, no) {
			t.Error(err)
		}
		put := func(id string, body json.RawMessage) {
			if err := s.Update(ctx, "n", id, "put", "", func(json.RawMessage) (json.RawMessage, any, error) { return body, nil, nil }); err != nil {
				t.Error(err)
			}
		}
		put("y", json.RawMessage(`{"a":1}`))
		put("x", nil)
		put("none", nil)
		if all, err := s.Records(ctx, "n"); err != nil || len(all) != 1 || all[0].ID != "y" {
			t.Errorf("%v, %v", all, err)
		}
		if n, err := s.Verify(ctx); n != 42 || err != nil {
			t.Errorf("%d events, %v", n, err)
		}
	})
}

// A request is stored only while its conditions hold, and a record on which requests depend
// changes before or after they are stored.
func testConditions(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, where string) {
		ctx := t.Context()
		put := func(id string, body json.RawMessage) {
			t.Helper()
			if err := s.Update(ctx, "token", id, "token", "", func(json.RawMessage) (json.RawMessage, any, error) { return body, nil, nil }); err != nil {
				t.Fatal(err)
			}
		}
		put("there", json.RawMessage("1"))
		for _, test := range []struct {
			name  string
			given []approval.Condition
			stale string
		}{
			{"none", nil, ""},
			{"any body", []approval.Condition{{Kind: "token", ID: "there", Any: true}}, ""},
			{"its body", []approval.Condition{{Kind: "token", ID: "there", Body: "1"}}, ""},
			{"absent", []approval.Condition{{Kind: "version", ID: "there"}}, ""},
			{"other body", []approval.Condition{{Kind: "token", ID: "there", Any: true}, {Kind: "token", ID: "there", Body: "2"}}, "there"},
			{"gone", []approval.Condition{{Kind: "token", ID: "there", Any: true}, {Kind: "token", ID: "gone", Any: true}}, "gone"},
			{"not of that body", []approval.Condition{{Kind: "token", ID: "gone", Body: "1"}}, "gone"},
			{"not absent", []approval.Condition{{Kind: "token", ID: "there"}}, "there"},
		} {
			for _, key := range []string{"", test.name} {
				r := request(test.name)
				r.Provided, r.Key, r.Agent, r.Most = test.given, key, "of "+test.name, 3
				got, _, err := s.Submit(ctx, r)
				var stale approval.StaleError
				if errors.As(err, &stale); stale.ID != test.stale || (err == nil) != (test.stale == "") || err == nil && got.Seq == 0 {
					t.Errorf("%s, key %q: request %d, %v", test.name, key, got.Seq, err)
				}
			}
			want := 2
			if test.stale != "" {
				want = 0
			}
			if all, err := s.List(ctx, approval.Filter{Agent: "of " + test.name}); err != nil || len(all) != want {
				t.Errorf("%s: %d stored, %v", test.name, len(all), err)
			}
		}
		// Requests that are stored while their token goes: whoever removes it finds each.
		other := s
		if strings.HasPrefix(where, "postgres") {
			other = open(t, where)
		}
		var stored atomic.Int64
		var asking sync.WaitGroup
		enough := make(chan struct{})
		for range 4 {
			asking.Go(func() {
				for {
					r := request("racing")
					r.Agent, r.Provided = "racing", []approval.Condition{{Kind: "token", ID: "there", Any: true}}
					if _, _, err := other.Submit(ctx, r); err != nil {
						if !errors.As(err, new(approval.StaleError)) {
							t.Error(err)
						}
						return
					}
					if stored.Add(1) == 20 {
						close(enough)
					}
				}
			})
		}
		select {
		case <-enough:
		case <-t.Context().Done():
		}
		put("there", nil)
		found, err := s.List(ctx, approval.Filter{Agent: "racing", Limit: 10_000})
		asking.Wait()
		if err != nil || int64(len(found)) != stored.Load() {
			t.Errorf("%d were there when the token was removed, %d at the end, %v", len(found), stored.Load(), err)
		}
		if _, err := s.Verify(ctx); err != nil {
			t.Error(err)
		}
	})
}

// Durable requests a second with a database that is 5 ms away, of one and of three stores in
// turn. Each has its own agents.
func BenchmarkDistance(b *testing.B) {
	const clients, stores = 8, 3
	url := storetest.Away(b, storetest.StartPostgres(b).URL, 5*time.Millisecond)
	var all []*store.Store
	for range stores {
		all = append(all, open(b, url))
	}
	run := func(stores int) float64 {
		var wg sync.WaitGroup
		var n atomic.Int64
		begin := time.Now()
		for c := range stores * clients {
			wg.Go(func() {
				for n.Add(1) <= int64(stores*b.N) {
					r := request("x")
					r.Agent, r.Most = fmt.Sprint(c), 1_000_000
					submit(b, all[c/clients], r)
				}
			})
		}
		wg.Wait()
		return float64(stores*b.N) / time.Since(begin).Seconds()
	}
	b.ResetTimer()
	one := run(1)
	three := run(stores)
	b.ReportMetric(one, "one/s")
	b.ReportMetric(three, "three/s")
	b.ReportMetric(three/one, "three/one")
	b.ReportMetric(0, "ns/op")
}
