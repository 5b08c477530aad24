// Package engine lets models review a snapshot from inside a quarantine. Each reviewer has its
// own session, key and process. This side holds the keys and the network, decides every call,
// and takes only a typed answer from a reviewer.
//
// A reviewer is umpire's loop or another coding agent, a value of the type client. To add one,
// follow cline.go: the agent needs a way to switch its tools off, MCP over stdio, a base URL for its
// model, and a mode that prints one answer. Switch off its updates, telemetry, compaction and
// daemons. Then add its names of the three tools to served (outlet.go), its own tools to misuses
// (real_test.go), and its name to scripts/reviewed.sh. `make reviewed` has a scripted model call
// each tool, and fails if something ran, was written or was read.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/quarantine"
	"github.com/umpire-dev/umpire/internal/quarantine/cell"
	"github.com/umpire-dev/umpire/internal/quarantine/secret"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
	"github.com/umpire-dev/umpire/internal/wire"
)

// Limits of one agent.
const (
	maxCalls  = 400
	maxOutput = 8 << 20
)

// Limits of one shard.
const (
	shardFiles = 40
	shardBytes = 400 << 10
)

// Config configures a review. Defaults returns the usual settings.
type Config struct {
	quarantine.Config

	Model        Model
	KeyVar       string // the variable with the key; the provider's if empty
	Getenv       func(string) string
	Isolation    cell.Isolation
	MaxTurns     int
	Once         bool // each reference and range works one time
	Confirm      bool // a second agent checks grave findings
	Instructions string
	StateDir     string // folder in which the user's reviews count one another
	Stderr       io.Writer
	Progress     func(text string) // optional

	retry wire.Retry // for requests to the provider
}

// Defaults returns the usual settings, with files below umpire's state folder.
func Defaults(stateDir string) Config {
	return Config{
		Config:    quarantine.DefaultConfig(filepath.Join(stateDir, "review-mode-audit.jsonl")),
		Isolation: cell.Auto,
		MaxTurns:  50,
		StateDir:  stateDir,
		Stderr:    io.Discard,
	}
}

// ErrIsolation means that a required layer of isolation is missing.
var ErrIsolation = cell.ErrIsolation

var errNoKey = errors.New("there is no key")

// Builtin reviews with umpire's loop.
type Builtin struct {
	config Config
	broker *broker
}

var _ review.Engine = (*Builtin)(nil)

// NewBuiltin checks a configuration, and removes the key from the environment.
func NewBuiltin(c Config) (*Builtin, error) {
	if err := c.builtin(); err != nil {
		return nil, err
	}
	b, err := c.open()
	if err != nil {
		return nil, err
	}
	return &Builtin{c, b}, nil
}

// open checks a configuration and returns the connection to the model.
func (c *Config) open() (*broker, error) {
	err := c.Check()
	if c.MaxTurns < 1 || c.MaxTurns > 1000 {
		err = errors.Join(err, fmt.Errorf("max-turns: %d; use 1 to 1000", c.MaxTurns))
	}
	if !slices.Contains([]cell.Isolation{cell.Auto, cell.Require, cell.Off}, c.Isolation) {
		err = errors.Join(err, fmt.Errorf("isolate: %q; use auto, require or off", c.Isolation))
	}
	p, e := c.resolve()
	if err = errors.Join(err, e); err != nil {
		return nil, err
	}
	m := c.Model
	m.Name = cmp.Or(m.Name, p.Small)
	if m.Name == "" {
		return nil, fmt.Errorf("provider %s: name a model with --model", p.Name)
	}
	source := wire.Source{Var: c.KeyVar}
	source.Var = cmp.Or(source.Var, p.KeyVar)
	if m.BaseURL, err = p.Address(m.BaseURL, source.Set(c.Getenv)); err != nil {
		return nil, fmt.Errorf("provider %s: %w (--base-url)", p.Name, err)
	}
	if source.Var == "" || c.KeyVar == "" && !source.Set(c.Getenv) && !p.KeyNeeded(m.BaseURL) {
		return newBroker(p, m, nil, source.Var, c.Timeout, c.told(c.retry))
	}
	value, err := source.Key(context.Background(), c.Getenv)
	if err != nil {
		return nil, doclink.Wrap(fmt.Errorf("provider %s: %w: %w: set it, name another variable with --api-key-env, or use --engine none", p.Name, errNoKey, err), doclink.Key)
	}
	key, err := secret.Take([]byte(value))
	if err != nil {
		return nil, err
	}
	return newBroker(p, m, key, source.Var, c.Timeout, c.told(c.retry))
}

// quiet is the shortest time between two lines about retries, of all reviewers together.
const quiet = 15 * time.Second

// told makes retries report on Stderr why a request is sent again, and when.
func (c *Config) told(r wire.Retry) wire.Retry {
	now := time.Now
	if r.Clock != nil {
		now = r.Clock.Now
	}
	var mu sync.Mutex
	var last time.Time
	r.Tell = func(f *wire.Fault, wait time.Duration) bool {
		mu.Lock()
		defer mu.Unlock()
		if at := now(); last.IsZero() || at.Sub(last) >= quiet {
			last = at
			fmt.Fprintf(c.Stderr, "umpire: %v; next try in %s\n", f, plural.Duration(wait))
		}
		return true
	}
	return r
}

// reviewState is the state that all agents of a review share.
type reviewState struct {
	*Config
	snap     *snapshot.Snapshot
	clock    quarantine.Clock
	sessions *quarantine.Sessions
	limiter  *quarantine.Limiter
	enforcer *quarantine.Enforcer
	timers   *quarantine.Timers
	log      *quarantine.Log
	stop     context.CancelCauseFunc

	mu     sync.Mutex
	result *review.EngineResult
	seen   map[string]*seen  // by path
	failed map[string]string // why a reviewer of a file failed, by path
}

// runner runs one agent over files and returns its answer.
type runner func(ctx context.Context, d *reviewState, a *agent) error

// Review implements review.Engine.
func (b *Builtin) Review(ctx context.Context, s *snapshot.Snapshot) (*review.EngineResult, error) {
	if b.broker.key != nil {
		defer b.broker.key.Wipe()
	}
	return b.config.review(ctx, s, b.broker.model, b.run)
}

// review splits a snapshot into shards. A separate agent reviews each.
func (c *Config) review(ctx context.Context, s *snapshot.Snapshot, modelName string, run runner) (_ *review.EngineResult, err error) {
	log, err := quarantine.OpenLog(c.AuditPath, c.Stderr)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := log.Close(); e != nil && c.AuditMust {
			err = errors.Join(err, e)
		}
	}()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d := &reviewState{Config: c, snap: s, clock: quarantine.Monotonic(), log: log, stop: stop, seen: map[string]*seen{}, failed: map[string]string{}, result: &review.EngineResult{Read: map[string]review.Coverage{}}}
	if d.sessions, err = quarantine.NewSessions(c.KeySize, d.clock); err != nil {
		return nil, err
	}
	defer d.sessions.DestroyAll()
	d.limiter = quarantine.NewLimiter(c.Rate, c.MaxAgents, d.clock)
	d.timers = quarantine.NewTimers(d.clock)
	defer d.timers.StopAll()
	if d.enforcer, err = quarantine.NewEnforcer(c.Config, d.sessions, d.limiter, log, d.clock); err != nil {
		return nil, err
	}
	tasks := d.shards()
	if err := d.all(ctx, tasks, modelName, run); err != nil {
		return nil, err
	}
	if c.Confirm && ctx.Err() == nil {
		if err := d.all(ctx, d.unconfirmed(), modelName, run); err != nil {
			return nil, err
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		d.incomplete("the review was stopped")
		if errors.Is(cause, errAudit) {
			return nil, cause
		}
	}
	d.coverage()
	d.result.Security = map[string]int{}
	for t, n := range log.Counts() {
		d.result.Security[string(t)] = n
	}
	return d.result, nil
}

var errAudit = errors.New("cannot write security events, so the review ends")

// all runs agents over tasks, limited in number. It returns the error that prevented the review
// from beginning.
func (d *reviewState) all(ctx context.Context, tasks []*task, modelName string, run runner) error {
	places := make(chan struct{}, d.MaxAgents)
	var wg sync.WaitGroup
	faults := make([]error, len(tasks))
	for i, t := range tasks {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		wg.Go(func() {
			defer func() { <-places }()
			a := &agent{ID: fmt.Sprintf("reviewer-%d-%s", i+1, quarantine.NewID()[:8]), Model: modelName, task: t}
			faults[i] = d.agent(ctx, a, run)
			if errors.Is(faults[i], ErrIsolation) {
				d.stop(faults[i]) // the others lack it as well
			}
			if d.AuditMust && d.log.Err() != nil {
				d.stop(fmt.Errorf("%w: %w", errAudit, d.log.Err()))
			}
		})
	}
	wg.Wait()
	for _, err := range faults {
		if errors.Is(err, ErrIsolation) {
			return err
		}
	}
	return nil
}

// task is the work of one agent.
type task struct {
	files []*snapshot.File
	doubt *review.Found // finding to confirm; nil otherwise
	lines string        // the lines of the doubt
}

// shards splits the files, and keeps the files of a folder together.
func (d *reviewState) shards() (tasks []*task) {
	t := &task{}
	size := int64(0)
	flush := func() {
		if len(t.files) > 0 {
			tasks = append(tasks, t)
		}
		t, size = &task{}, 0
	}
	for i := range d.snap.Files { // sorted by path
		f := &d.snap.Files[i]
		if why := unreviewable(f); why != "" {
			d.result.Read[f.Path] = review.Coverage{Reviewed: review.None, Why: why}
			if f.Digest != "" {
				continue // a binary file is not a gap that anyone could close
			}
			d.incomplete("not every file could be shown to a reviewer")
			continue
		}
		apart := len(t.files) > 0 && path.Dir(f.Path) != path.Dir(t.files[len(t.files)-1].Path)
		if len(t.files) == shardFiles || size+f.Size > shardBytes || apart && (len(t.files) > shardFiles/2 || size > shardBytes/2) {
			flush()
		}
		t.files = append(t.files, f)
		size += f.Size
	}
	flush()
	return tasks
}

// unreviewable returns the reason why a file is not shown to a reviewer, or "".
func unreviewable(f *snapshot.File) string {
	switch {
	case f.Digest == "":
		return f.Why
	case f.Binary:
		return "it is binary"
	case !quarantine.Canonical("/" + f.Path):
		return "its name has more than one spelling"
	}
	return ""
}

// unconfirmed returns the grave findings for fresh agents to confirm: from the code alone, without the
// first agent's text.
func (d *reviewState) unconfirmed() (tasks []*task) {
	for i := range d.result.Findings {
		f := &d.result.Findings[i]
		if !f.Severity.Reaches(finding.High) || f.Location == nil || len(tasks) == maxUnconfirmed {
			continue
		}
		file, ok := d.snap.File(f.Location.File)
		if !ok || unreviewable(file) != "" {
			continue
		}
		t := &task{files: []*snapshot.File{file}, doubt: f}
		if n := f.Location.Line; n > 0 {
			t.lines = fmt.Sprintf("Look at lines %d to %d in particular.", max(1, n-near), n+near)
		}
		tasks = append(tasks, t)
	}
	return tasks
}

// Limits of the second pass: the number of findings, and the distance of a second agent's line from
// the first one's.
const (
	maxUnconfirmed = 20
	near           = 10
)

// confirm applies a second agent's answer to a finding.
func (t *task) confirm(answer []finding.Finding) {
	yes := slices.ContainsFunc(answer, func(f finding.Finding) bool {
		l, was := f.Location, t.doubt.Location
		return f.Severity.Reaches(finding.High) && l != nil && (was.Line == 0 || l.Line == 0 || max(l.Line-was.Line, was.Line-l.Line) <= near)
	})
	t.doubt.Confirmed = &yes
}

func (d *reviewState) incomplete(why string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Contains(d.result.Incomplete, why) {
		d.result.Incomplete = append(d.result.Incomplete, why)
	}
}

func (d *reviewState) progress(format string, args ...any) {
	if d.Progress != nil {
		d.Progress(fmt.Sprintf(format, args...))
	}
}

func (d *reviewState) event(t quarantine.EventType, s quarantine.Session, message string, context map[string]any) {
	d.log.Add(quarantine.NewEvent(d.clock(), t, s, message, context))
}

// slot waits for a slot among all reviewers of this user.
func (d *reviewState) slot(ctx context.Context) (*quarantine.Slot, error) {
	for {
		s, err := quarantine.TakeSlot(filepath.Join(d.StateDir, "reviewers"), d.MaxAgents)
		if err == nil || !errors.Is(err, quarantine.ErrFull) {
			return s, err
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, err
		}
	}
}
