package approval

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Store is the storage of a Queue. A change is durable once its method returns without an
// error.
type Store interface {
	Keeper
	Watcher
	Sweeper
}

// Keeper stores requests and their answers.
type Keeper interface {
	// Submit stores a pending request, ends older pending ones with the same Target, and returns
	// those. If the agent already used Key, Submit returns the earlier request. It fails with a
	// StaleError if a condition in Provided does not hold.
	Submit(ctx context.Context, r Request) (stored Request, superseded []Request, err error)
	// Answer settles a request or adds a vote, and returns the request afterwards. It fails
	// with ErrNone, ErrSettled, ErrChanged or ErrDuplicate; with all but the first, it returns
	// the unchanged request.
	Answer(ctx context.Context, a Answer) (Request, error)
	// End settles a pending request without a person: Expired, Cancelled, Denied or Superseded.
	End(ctx context.Context, id string, s State, note string) (Request, error)
	// Get returns a request by its ID, or by "req-N".
	Get(ctx context.Context, id string) (Request, error)
	// List returns requests.
	List(ctx context.Context, f Filter) ([]Request, error)
}

// Watcher reports changes to callers that wait for a request.
type Watcher interface {
	// Renew records that someone waits for a request.
	Renew(ctx context.Context, id string) error
	// Changed returns a channel that is closed at the next change of a request by any process,
	// or of any request if id is empty. Call stop to end the subscription.
	Changed(id string) (c <-chan struct{}, stop func())
}

// Sweeper expires and removes old requests.
type Sweeper interface {
	// Expire ends some of the requests that are overdue or that no one waits for, and returns them;
	// an empty result means that none are left. Leases count from since at the earliest, because no
	// one could renew them before.
	Expire(ctx context.Context, now, since time.Time) ([]Request, error)
	// Prune removes some of the requests and events that were settled before a time, and returns
	// their number: 0 if none are left.
	Prune(ctx context.Context, before time.Time) (n int, err error)
}

// Filter selects requests to list. The zero value selects the newest 100.
type Filter struct {
	States   []State
	Category Category
	Agent    string
	Session  string
	Before   string // only those with a lower ID, for pages
	After    string // only those with a higher one
	Without  string // only those without a record of this kind
	Oldest   bool   // oldest first
	Fair     bool   // the oldest of each agent first, then the second of each, and so on
	Skip     int    // with Fair: number of requests to skip
	Turns    int    // with Fair: limit for each agent; 0 means no limit
	Limit    int    // 0 means 100; at most 10,000
}

// Options tune a Queue.
type Options struct {
	Expiry time.Duration // expiry of requests that set none; 0 means DefaultExpiry
	Keep   time.Duration // how long settled requests and their events are kept; 0 means forever
	Failed func(error)   // gets errors of the removal; may be nil
}

// Queue holds the questions of one gateway, or of several that share a Store.
type Queue struct {
	store interface {
		Keeper
		Watcher
	}
	opts Options
	now  func() time.Time

	stop context.CancelFunc
	done sync.WaitGroup
}

// Open returns a Queue that also expires and prunes requests. Close it.
func Open(s Store, o Options) *Queue {
	if o.Expiry <= 0 {
		o.Expiry = DefaultExpiry
	}
	ctx, cancel := context.WithCancel(context.Background())
	q := &Queue{store: s, opts: o, now: time.Now, stop: cancel}
	q.done.Go(func() { q.sweep(ctx, s) })
	return q
}

// Close stops the sweeping. The Store stays open.
func (q *Queue) Close() {
	q.stop()
	q.done.Wait()
}

// pruneEvery is the interval at which expired records are removed.
const pruneEvery = 10 * time.Minute

func (q *Queue) sweep(ctx context.Context, s Sweeper) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	since, pruned := q.now(), time.Time{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for {
			ended, err := s.Expire(ctx, q.now(), since)
			if err != nil { // retry in a second; until then no lease could be renewed
				since = q.now()
			}
			if err != nil || len(ended) == 0 {
				break
			}
		}
		if q.opts.Keep <= 0 || q.now().Sub(pruned) < pruneEvery {
			continue
		}
		for pruned = q.now(); ctx.Err() == nil; {
			n, err := s.Prune(ctx, q.now().Add(-q.opts.Keep))
			if err != nil && ctx.Err() == nil && q.opts.Failed != nil {
				q.opts.Failed(err)
			}
			if err != nil || n == 0 { // retried later
				break
			}
		}
	}
}

// Ask stores a question, or a request that rules have already settled. It is durable when Ask
// returns.
func (q *Queue) Ask(ctx context.Context, r Request) (Request, error) {
	now := q.now()
	r.ID, r.Created = NewID(now), now.Truncate(time.Millisecond)
	if r.State == "" {
		r.State = Pending
	} else { // settled by rules: stored for the requester and the record
		r.Resolved = r.Created
	}
	if r.Expires.IsZero() {
		r.Expires = r.Created.Add(q.opts.Expiry)
	}
	if err := r.Check(); err != nil {
		return Request{}, err
	}
	stored, _, err := q.store.Submit(ctx, r)
	return stored, err
}

// Answer settles a question; see Store.
func (q *Queue) Answer(ctx context.Context, a Answer) (Request, error) {
	if len(a.Note) > MaxText || len(a.Rule) > MaxText {
		return Request{}, errors.New("the note or the rule is too long")
	}
	return q.store.Answer(ctx, a)
}

// Cancel ends a question whose requester no longer waits.
func (q *Queue) Cancel(ctx context.Context, id string) (Request, error) {
	return q.store.End(ctx, id, Cancelled, "no one waits for the answer any more")
}

// Wait returns a question once it is settled. If ctx ends first, Wait returns the current state and
// ctx's error. While someone waits, the lease of the question is renewed.
func (q *Queue) Wait(ctx context.Context, id string) (r Request, err error) {
	look := func() error {
		now, err := q.store.Get(ctx, id)
		switch {
		case err == nil:
			r = now
		case ctx.Err() != nil: // ctx ended during the query
			err = ctx.Err()
		}
		return err
	}
	if err = look(); err != nil || r.State.Final() {
		return r, err
	}
	var renew <-chan time.Time
	if r.Lease > 0 {
		tick := time.NewTicker(r.Lease / 3)
		defer tick.Stop()
		renew = tick.C
		if err := q.store.Renew(ctx, r.ID); err != nil {
			return r, err
		}
	}
	for {
		changed, stop := q.store.Changed(r.ID)
		if err = look(); err != nil || r.State.Final() { // after the subscription, so that no change is missed
			stop()
			return r, err
		}
		select {
		case <-changed:
		case <-renew:
			err = q.store.Renew(ctx, r.ID)
		case <-ctx.Done():
			err = ctx.Err()
		}
		stop()
		if err != nil {
			return r, err
		}
	}
}

// together limits the number of concurrent answers: the store commits them together.
const together = 64

// Together calls f for each item, several at once, so that the store commits the changes together.
// It returns the number of items that f reported as done, and stops at the first error, which it
// also returns.
func Together[T any](list []T, f func(T) (done bool, err error)) (n int, err error) {
	var mu sync.Mutex
	next := 0
	take := func(done bool, e error) (i int) {
		mu.Lock()
		defer mu.Unlock()
		if done {
			n++
		}
		if e != nil && err == nil {
			err = e
		}
		if err != nil || next == len(list) {
			return -1
		}
		next++
		return next - 1
	}
	var wg sync.WaitGroup
	for range min(together, len(list)) {
		wg.Go(func() {
			for i := take(false, nil); i >= 0; {
				i = take(f(list[i]))
			}
		})
	}
	wg.Wait()
	return n, err
}

// Bulk answers the questions that a person saw, by their IDs and digests, and returns the number
// that it settled. It skips categories that require single answers.
func (q *Queue) Bulk(ctx context.Context, answers []Answer) (n int, err error) {
	return Together(answers, func(a Answer) (bool, error) {
		r, err := q.store.Get(ctx, a.ID)
		if err == nil && r.Category.Bulk() {
			r, err = q.store.Answer(ctx, a)
			if err == nil {
				return r.State.Final(), nil
			}
		}
		if slices.ContainsFunc([]error{ErrSettled, ErrChanged, ErrNone, ErrDuplicate}, func(no error) bool { return errors.Is(err, no) }) {
			return false, nil
		}
		return false, err
	})
}

// EndAll ends all pending questions that a filter selects, and returns how many it ended.
func (q *Queue) EndAll(ctx context.Context, f Filter, state State, note string) (n int, err error) {
	f.States, f.Limit, f.Oldest = []State{Pending}, 1000, true
	for {
		open, err := q.store.List(ctx, f)
		if err != nil || len(open) == 0 {
			return n, err
		}
		ended, err := Together(open, func(r Request) (bool, error) {
			_, err := q.store.End(ctx, r.ID, state, note)
			if errors.Is(err, ErrSettled) || errors.Is(err, ErrNone) {
				return false, nil
			}
			return err == nil, err
		})
		if n += ended; err != nil {
			return n, err
		}
	}
}
