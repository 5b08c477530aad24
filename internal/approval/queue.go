package approval

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Store keeps requests. What a method returns without an error is durable.
type Store interface {
	// Submit stores a pending request, ends older pending ones with the same Target, and
	// returns those. If the asker's Key is known, it returns the request it named then.
	Submit(ctx context.Context, r Request) (stored Request, superseded []Request, err error)
	// Answer settles a request or adds a vote, and returns it as it is then. It fails with
	// ErrNone, ErrSettled, ErrChanged or ErrDuplicate; with all but the first, the request
	// is returned as it is.
	Answer(ctx context.Context, a Answer) (Request, error)
	// End settles a pending request without a person: Expired, Cancelled, Denied or Superseded.
	End(ctx context.Context, id string, s State, note string) (Request, error)
	// Expire ends what has waited too long, and returns it.
	Expire(ctx context.Context, now time.Time) ([]Request, error)
	// Get returns a request by its ID, or by "req-N".
	Get(ctx context.Context, id string) (Request, error)
	// List returns requests.
	List(ctx context.Context, f Filter) ([]Request, error)
	// Events returns at most n events after a place in their order.
	Events(ctx context.Context, after int64, n int) ([]Event, error)
	// Changed returns a channel that is closed at the next change of a request, whoever made
	// it, or of anything at all if id is empty. Call stop when it is no longer of interest.
	Changed(id string) (c <-chan struct{}, stop func())
}

// Filter says which requests to list. Its zero value is the newest 100 of all.
type Filter struct {
	States   []State
	Category Category
	Agent    string
	Session  string
	Before   string // only those with a lower ID, for pages
	After    string // only those with a higher one
	Oldest   bool   // the oldest first
	Limit    int    // 100 if zero, 10,000 at most
}

// Queue is the questions of one gateway, or of several that share a Store.
type Queue struct {
	store  Store
	expiry time.Duration
	now    func() time.Time

	stop context.CancelFunc
	done sync.WaitGroup
}

// Open returns a Queue that also ends requests whose time is over. Close it.
func Open(s Store, expiry time.Duration) *Queue {
	if expiry <= 0 {
		expiry = DefaultExpiry
	}
	ctx, cancel := context.WithCancel(context.Background())
	q := &Queue{store: s, expiry: expiry, now: time.Now, stop: cancel}
	q.done.Go(func() { q.sweep(ctx) })
	return q
}

// Close stops the sweeping. The Store stays open.
func (q *Queue) Close() {
	q.stop()
	q.done.Wait()
}

func (q *Queue) sweep(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_, _ = q.store.Expire(ctx, q.now()) // tried again in a second
		}
	}
}

// Ask stores a question, or one that rules have settled already. It is durable when Ask
// returns.
func (q *Queue) Ask(ctx context.Context, r Request) (Request, error) {
	now := q.now()
	r.ID, r.Created = NewID(now), now.Truncate(time.Millisecond)
	if r.State == "" {
		r.State = Pending
	} else { // rules settled it: it is stored so that its asker, and the record, have it
		r.Resolved = r.Created
	}
	if r.Expires.IsZero() {
		r.Expires = r.Created.Add(q.expiry)
	}
	if err := r.Check(); err != nil {
		return Request{}, err
	}
	stored, _, err := q.store.Submit(ctx, r)
	return stored, err
}

// Answer settles a question, see Store.
func (q *Queue) Answer(ctx context.Context, a Answer) (Request, error) {
	if len(a.Note) > MaxText || len(a.Rule) > MaxText {
		return Request{}, errors.New("the note or the rule is too long")
	}
	return q.store.Answer(ctx, a)
}

// Cancel ends a question whose asker went away.
func (q *Queue) Cancel(ctx context.Context, id string) (Request, error) {
	return q.store.End(ctx, id, Cancelled, "the asker went away")
}

// Wait returns a question as soon as it is settled, or what is known of it when ctx ends. The
// error is then ctx's.
func (q *Queue) Wait(ctx context.Context, id string) (Request, error) {
	r, err := q.store.Get(ctx, id)
	for err == nil && !r.State.Final() {
		changed, stop := q.store.Changed(r.ID)
		if r, err = q.store.Get(ctx, r.ID); err != nil || r.State.Final() { // it may have changed before
			stop()
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
			stop()
			return r, ctx.Err()
		}
		r, err = q.store.Get(ctx, r.ID)
	}
	return r, err
}

// Bulk answers all of the questions that a person saw, by their IDs and digests, and
// returns how many it settled. Categories in which each counts are left out.
func (q *Queue) Bulk(ctx context.Context, answers []Answer) (n int, err error) {
	for _, a := range answers {
		r, err := q.store.Get(ctx, a.ID)
		if err != nil || !r.Category.Bulk() {
			continue
		}
		if r, err = q.store.Answer(ctx, a); err == nil && r.State.Final() {
			n++
		} else if err != nil && !errors.Is(err, ErrSettled) && !errors.Is(err, ErrChanged) && !errors.Is(err, ErrNone) && !errors.Is(err, ErrDuplicate) {
			return n, err
		}
	}
	return n, nil
}

// Shutdown denies everything that waits, for a gateway that goes away for good.
func (q *Queue) Shutdown(ctx context.Context, reason string) (n int, err error) {
	for {
		open, err := q.store.List(ctx, Filter{States: []State{Pending}, Limit: 1000, Oldest: true})
		if err != nil || len(open) == 0 {
			return n, err
		}
		for _, r := range open {
			if _, err := q.store.End(ctx, r.ID, Denied, reason); err == nil {
				n++
			} else if !errors.Is(err, ErrSettled) && !errors.Is(err, ErrNone) {
				return n, err
			}
		}
	}
}
