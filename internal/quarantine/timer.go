package quarantine

import (
	"sync"
	"time"
)

// Run is the progress of an agent.
type Run string

// The states of an agent. TimedOut is final, however late the agent completes.
const (
	Running   Run = "running"
	Completed Run = "completed"
	TimedOut  Run = "timed_out"
	Failed    Run = "error"
)

// Timers end agents that take too long.
type Timers struct {
	clock Clock
	mu    sync.Mutex
	runs  map[string]*run
}

type run struct {
	state Run
	start time.Time
	limit time.Duration
	timer *time.Timer
	told  chan struct{} // closed when late has returned for an agent that timed out
}

// NewTimers returns timers with the given clock.
func NewTimers(clock Clock) *Timers { return &Timers{clock: clock, runs: map[string]*run{}} }

// Track starts the time of an agent. After limit, the agent is TimedOut and late is called once,
// with the limit and the elapsed time. Tracking an agent again restarts its time. late must not end
// its agent.
func (t *Timers) Track(agent string, limit time.Duration, late func(limit, elapsed time.Duration)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if old, ok := t.runs[agent]; ok {
		old.timer.Stop()
	}
	r := &run{state: Running, start: t.clock(), limit: limit, told: make(chan struct{})}
	t.runs[agent] = r
	r.timer = time.AfterFunc(limit, func() {
		t.mu.Lock()
		due := t.runs[agent] == r && r.state == Running
		if due {
			r.state = TimedOut
		}
		elapsed := t.clock().Sub(r.start)
		t.mu.Unlock()
		if !due {
			return
		}
		defer func() {
			_ = recover() // the callback must not decide
			close(r.told)
		}()
		if late != nil {
			late(limit, elapsed)
		}
	})
}

// End records how an agent ended, and returns its final state. If the agent timed out, the report
// of that is done when End returns.
func (t *Timers) End(agent string, how Run) Run {
	t.mu.Lock()
	r, ok := t.runs[agent]
	if !ok {
		t.mu.Unlock()
		return Failed
	}
	if r.state == Running {
		r.timer.Stop()
		r.state = how
	}
	state := r.state
	t.mu.Unlock()
	if state == TimedOut {
		<-r.told
	}
	return state
}

// StopAll stops every timer.
func (t *Timers) StopAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.runs {
		r.timer.Stop()
	}
}
