package gateway

import (
	"context"
	"net/http"
	"sync"
)

// one is a lock that a context can interrupt, for work that must not run twice at a time: package
// managers in one project change the same files, and tests of rules need memory.
type one chan struct{}

func (o one) enter(ctx context.Context) (leave func(), err error) {
	select {
	case o <- struct{}{}:
		return func() { <-o }, nil
	case <-ctx.Done():
		return func() {}, context.Cause(ctx)
	}
}

// turns limits how much runs for each agent at a time. No agent waits for another's programs.
type turns struct {
	most int
	mu   sync.Mutex
	of   map[string]*agentTurns // by agent; people make the tokens, which bounds the map
}

type agentTurns struct {
	one
	waiting int
}

// enter waits for one of an agent's places. leave gives it back, and does nothing after an error.
func (t *turns) enter(ctx context.Context, agent string) (leave func(), err error) {
	t.mu.Lock()
	if t.of == nil {
		t.of = map[string]*agentTurns{}
	}
	own := t.of[agent]
	if own == nil {
		own = &agentTurns{one: make(one, t.most)}
		t.of[agent] = own
	}
	own.waiting++
	t.mu.Unlock()
	leave, err = own.one.enter(ctx)
	t.mu.Lock()
	own.waiting--
	t.mu.Unlock()
	return leave, err
}

// waiting returns the number of an agent's requests that wait for a place.
func (t *turns) waiting(agent string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.of[agent]; own != nil {
		return own.waiting
	}
	return 0
}

// errTurns is the answer to an agent with too many approved requests that wait for their turn.
var errTurns = fault{http.StatusTooManyRequests, "too many of your approved requests are queued: try again when some have finished"}
