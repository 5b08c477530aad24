package guard

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/normal"
)

// Verdict is the result for a text. The zero value rejects.
type Verdict uint8

// The verdicts.
const (
	Rejected Verdict = iota
	Modified         // Result.Text may pass
	Allowed
)

var verdictNames = [...]string{"reject", "modify", "allow"}

// String returns "reject", "modify" or "allow".
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return "reject"
}

// MarshalText implements encoding.TextMarshaler.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Verdict) UnmarshalText(b []byte) error {
	for i, n := range verdictNames {
		if n == string(b) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("unknown verdict %q", b)
}

// Category says why a text was rejected.
type Category string

// The categories.
const (
	RateLimited     Category = "RATE_LIMITED"
	InvalidInput    Category = "INVALID_INPUT"
	PromptInjection Category = "PROMPT_INJECTION"
	OffTopic        Category = "OFF_TOPIC"
	Unauthorized    Category = "UNAUTHORIZED"
	SystemError     Category = "SYSTEM_ERROR"
	Leakage         Category = "LEAKAGE" // output only: it contains a secret or the system prompt
	Blocked         Category = "BLOCKED" // output only: it matches a rule of the operator
)

// Result is the result of a stage or a pipeline.
type Result struct {
	Verdict  Verdict          `json:"verdict"`
	Text     string           `json:"text"` // the text that may pass; empty if rejected
	Reason   string           `json:"reason,omitempty"`
	Category Category         `json:"category,omitempty"`
	Stage    string           `json:"stage,omitempty"` // the stage that rejected, or changed the text last
	Hints    []string         `json:"hints,omitempty"` // notes of stages, for the operator
	Score    float64          `json:"score"`           // likelihood of an attack, 0 to 1; for a pipeline, of all stages together
	Findings []umpire.Finding `json:"findings,omitempty"`

	// Why lists the words of the text that led to the rejection. Observers do not receive them.
	Why []string `json:"why,omitempty"`

	// Changes lists the stages that changed the text, in order.
	Changes []Change `json:"changes,omitempty"`

	// Observed lists verdicts that did not count, because the stage only observes or an Exception
	// applies.
	Observed []Observed `json:"observed,omitempty"`
	// Message is the message for the person whose text was rejected; Reason is for the operator. It
	// is empty if the Config has no message for the case, except for self-harm, which has a
	// default.
	Message string `json:"message,omitempty"`

	// Err is the error of a failed check, if Category is SystemError. It may quote the text: show
	// Reason to others instead.
	Err error `json:"-"`

	RetryAfter int `json:"retryAfter,omitempty"` // seconds to wait before the next request, if a rate limit rejected this one

	subject string // the blocked category, if Classification or a classifier rejected

	form *normal.Form // form of the text before the stage, if it removed only invisible characters
}

// Change names a stage that changed a text, and the reason.
type Change struct {
	Stage  string `json:"stage"`
	Reason string `json:"reason,omitempty"`
}

// Allow returns the Result of a stage that accepts a text.
func Allow() Result { return Result{Verdict: Allowed} }

// Reject returns the Result of a stage that stops a text.
func Reject(c Category, reason string) Result {
	return Result{Verdict: Rejected, Category: c, Reason: reason, Score: 1}
}

// Event is one result of a pipeline or of a stage, for logs and metrics. It never contains the
// text.
type Event struct {
	Time     time.Time     `json:"time"`
	Pipeline string        `json:"pipeline"`        // "input", "output", "tool-output"
	Stage    string        `json:"stage,omitempty"` // empty for the result of the pipeline as a whole
	Verdict  Verdict       `json:"verdict"`
	Category Category      `json:"category,omitempty"`
	Reason   string        `json:"reason,omitempty"` // contains no words of the text; for a failed stage, the cause
	Score    float64       `json:"score"`
	Took     time.Duration `json:"took"`
	Observed []Observed    `json:"observed,omitempty"` // as in Result, without the reasons
	By       string        `json:"by,omitempty"`       // for a pipeline: the stage that rejected, or made the last change
	ByTook   time.Duration `json:"byTook,omitempty"`   // duration of the check of the stage By
	Input    string        `json:"input"`              // SHA-256 of the original text, in hex
	User     string        `json:"user,omitempty"`
	Tenant   string        `json:"tenant,omitempty"`
}

// Observer receives the results of pipelines. The caller of the pipeline waits for it: wrap a slow
// one with Async.
type Observer func(Event)

// Async returns an Observer that never waits: another goroutine passes events on to o. The queue
// holds size events. Async drops events that do not fit, and dropped returns their number. Call
// stop to pass on the queued events and end the goroutine.
func Async(o Observer, size int) (observer Observer, dropped func() int64, stop func()) {
	return async(o, max(size, 0))
}

// defaultTimeout is the timeout of a stage without one.
const defaultTimeout = 5 * time.Second

// run calls a check with a deadline, and abandons a check that ignores its context. A quick check
// runs in this goroutine and without a deadline, because another goroutine would cost more than the
// check, unless the stage sets a limit.
func run(ctx context.Context, quick bool, limit time.Duration, check func(context.Context) (Result, error)) (res Result, err error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if quick && limit <= 0 {
		defer func() {
			if p := recover(); p != nil {
				res, err = Result{}, &bounded.Panic{Value: p}
			}
		}()
		return check(ctx)
	}
	if limit <= 0 {
		limit = defaultTimeout
	}
	return bounded.Call(ctx, limit, check)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// byOrder returns the stages sorted by order. Stages of the same order keep their sequence.
func byOrder[S any](stages []S, order func(S) int) []S {
	out := slices.Clone(stages)
	slices.SortStableFunc(out, func(a, b S) int { return cmp.Compare(order(a), order(b)) })
	return out
}
