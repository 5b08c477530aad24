package quarantine

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// window is the period in which calls are counted.
const window = time.Minute

// Allowance is the answer to one call.
type Allowance struct {
	Allowed   bool
	Remaining int
	Reason    string    // reason for a refusal
	ResetAt   time.Time // after a refusal: when the oldest call stops counting
	Count     int       // calls in the window, including this one if allowed
}

// ErrFull means that the limit of agents is reached.
var ErrFull = errors.New("too many reviewers are running: wait until one ends")

// Limiter counts the tool calls of agents in a sliding window, in this process.
type Limiter struct {
	clock Clock
	mu    sync.Mutex
	state limits
}

// limits is the state of a limiter. Times are Unix milliseconds.
type limits struct {
	Rate, MaxAgents, Total int
	Agents                 map[string][]int64
}

// NewLimiter returns a limiter of calls per minute and concurrent agents.
func NewLimiter(rate, maxAgents int, clock Clock) *Limiter {
	return &Limiter{clock: clock, state: limits{Rate: rate, MaxAgents: maxAgents, Agents: map[string][]int64{}}}
}

// Register registers an agent. A second registration has no effect; above the limit, the error is
// ErrFull.
func (l *Limiter) Register(agent string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state.register(agent)
}

// Unregister frees an agent's place and forgets its calls.
func (l *Limiter) Unregister(agent string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.state.Agents, agent)
}

// Take counts a call of an agent if it is within the limit.
func (l *Limiter) Take(agent string) Allowance {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state.take(agent, l.clock().UnixMilli())
}

func (l *limits) register(agent string) error {
	if _, ok := l.Agents[agent]; ok {
		return nil
	}
	if len(l.Agents) >= l.MaxAgents {
		return ErrFull
	}
	l.Agents[agent] = []int64{}
	return nil
}

func (l *limits) take(agent string, now int64) Allowance {
	calls, ok := l.Agents[agent]
	if !ok {
		return Allowance{Reason: "this agent is not registered"}
	}
	if n := len(calls); n > 0 && calls[n-1] > now { // the clock was set back: no call may count twice as long
		now = calls[n-1]
	}
	gone, _ := slices.BinarySearchFunc(calls, now-window.Milliseconds(), func(t, edge int64) int {
		if t <= edge { // a time exactly one window old no longer counts
			return -1
		}
		return 1
	})
	calls = slices.Delete(calls, 0, gone)
	if len(calls) >= l.Rate {
		l.Agents[agent] = calls
		return Allowance{Count: len(calls), Reason: fmt.Sprintf("rate limit: %d/%d calls in a minute", len(calls), l.Rate),
			ResetAt: time.UnixMilli(calls[0]).Add(window)}
	}
	l.Agents[agent] = append(calls, now)
	l.Total++
	return Allowance{Allowed: true, Count: len(calls) + 1, Remaining: l.Rate - len(calls) - 1}
}
