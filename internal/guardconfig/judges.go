package guardconfig

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/guardserver"
	"github.com/umpire-dev/umpire/internal/version"
)

// Judges are the guards of a configuration, with their metrics and records.
type Judges struct {
	config   *File
	Parts    guard.Parts
	input    *guard.Input
	Output   *guard.Output
	asked    *guard.Output // output checks for texts that come with a system prompt or canary
	rules    *guard.Rules  // nil if the rules cannot change
	Sanitize func(context.Context, guardserver.ToolRequest) (guardserver.Sanitized, error)
	Metrics  *guardserver.Metrics
	Stop     func() // flushes the audit log
}

// NewJudges returns guards that store their rules and record their verdicts in a folder.
func NewJudges(ctx context.Context, c *File, state, rulesFile string, log *slog.Logger) (*Judges, error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, err
	}
	j := &Judges{config: c, Metrics: guardserver.NewMetrics()}
	recorded := IsOn(c.Guard.Audit)
	var err error
	if IsOn(c.Guard.Enabled) && IsOn(c.Guard.DynamicRules) {
		j.rules, err = guard.NewRules(guard.FileRules{Path: filepath.Join(state, rulesFile)}, func(s guard.RuleSet) {
			log.Info("rules changed", "version", s.Version, "change", s.Change, "by", s.By)
			if recorded {
				if err := audit.Append(state, &audit.Event{Kind: audit.Config, Point: "guard", Version: version.String(), By: s.By, Note: fmt.Sprintf("rules version %d: %s", s.Version, s.Change)}); err != nil {
					log.Error("could not record a rule change in the audit log", "error", err)
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	record, stop, err := auditGuard(state, recorded, log)
	if err != nil {
		return nil, err
	}
	j.Stop = stop
	j.Parts = guard.Parts{Rules: j.rules, Observer: func(e guard.Event) {
		j.Metrics.Check(e)
		record(e)
		for _, o := range e.Observed {
			if e.Stage == "" { // the event of the whole pipeline
				log.Info("let pass", "pipeline", e.Pipeline, "stage", o.Stage, "verdict", o.Verdict.String(), "category", string(o.Category), "excepted", o.Excepted)
			}
		}
	}}
	j.Parts.ModelFailed = func(err error) {
		j.Metrics.ModelFailed()
		log.Warn("a model failed; the text was checked without it", "error", guard.CauseOf(err))
	}
	classifier, err := AskModels(c, &j.Parts)
	if err == nil && classifier != nil {
		if err = classifier.Check(ctx); err != nil {
			err = c.fault(err)
		}
	}
	if err != nil {
		stop()
		return nil, err
	}
	if j.input, j.Output, err = guard.FromConfig(observed(c.Guard), j.Parts); err != nil {
		stop()
		return nil, fmt.Errorf("guard: %w", err)
	}
	prompted := observed(c.Guard)
	prompted.SystemPromptLeakage = true // a sender who adds the prompt to a text requests this check
	if _, j.asked, err = guard.FromConfig(prompted, j.Parts); err != nil {
		stop()
		return nil, fmt.Errorf("guard: %w", err)
	}
	j.Sanitize = toolGuard(j.Parts.Observer)
	return j, nil
}

// outputs checks the texts of the API. The model proxy does not use it: it knows the prompt of
// every answer, and must look for leaks only if the configuration says so.
type outputs struct{ *Judges }

// Check implements guardserver.Output.
func (o outputs) Check(ctx context.Context, text string, a guard.Answer) guard.Result {
	if a.System != "" || a.Canary != "" {
		return o.asked.Check(ctx, text, a)
	}
	return o.Output.Check(ctx, text, a)
}

// Options returns the options of a server for these guards.
func (j *Judges) Options(log *slog.Logger) guardserver.Options {
	o := guardserver.Options{Input: j.input, Output: outputs{j}, Sanitize: j.Sanitize, Config: j.config.shown(), Metrics: j.Metrics, Log: log}
	if j.rules != nil {
		o.Rules = j.rules
	}
	return o
}

// auditGuard returns an observer that writes the events of pipelines to the audit log, without
// blocking. It skips texts that were allowed without an observed verdict.
func auditGuard(dir string, on bool, log *slog.Logger) (guard.Observer, func(), error) {
	if !on {
		return func(guard.Event) {}, func() {}, nil
	}
	a, err := audit.Open(dir, audit.Options{})
	if err != nil {
		return nil, nil, err
	}
	observer, dropped, stop := guard.Async(func(e guard.Event) {
		reason := umpire.Reason{Rule: "guard-" + e.Pipeline, Effect: umpire.Deny, Text: e.Reason, Op: -1}
		ev := &audit.Event{Time: e.Time, Kind: audit.Decision, Point: "guard", Version: version.String(), Principal: umpire.Principal{User: e.User, Tenant: e.Tenant}, Input: e.Input,
			Effect: umpire.Deny.String(), Reasons: []umpire.Reason{reason}, Micros: e.Took.Microseconds(), Data: map[string]string{"verdict": e.Verdict.String(), "category": string(e.Category)}}
		if e.By != "" {
			ev.Data["stage"], ev.Data["stage_us"] = e.By, strconv.FormatInt(e.ByTook.Microseconds(), 10)
		}
		for _, o := range e.Observed {
			ev.Data["observed"] = strings.TrimSpace(ev.Data["observed"] + " " + o.Stage + ":" + o.Verdict.String())
		}
		if e.Verdict != guard.Rejected {
			ev.Effect, ev.Reasons[0].Effect = umpire.Allow.String(), umpire.Allow
		}
		if err := a.Append(ev); err != nil {
			log.Error("could not record a verdict in the audit log", "error", err)
		}
	}, 4096)
	return func(e guard.Event) {
			if e.Stage == "" && (e.Verdict != guard.Allowed || len(e.Observed) > 0) {
				observer(e)
			}
		}, func() {
			stop()
			if n := dropped(); n > 0 {
				log.Warn("dropped verdicts: the audit log was too slow", "lost", n)
			}
		}, nil
}

// toolGuard sanitizes the output of tools, and reports to the observer.
func toolGuard(observer guard.Observer) func(context.Context, guardserver.ToolRequest) (guardserver.Sanitized, error) {
	return func(ctx context.Context, r guardserver.ToolRequest) (guardserver.Sanitized, error) {
		start := time.Now()
		sum := sha256.Sum256([]byte(*r.Text))
		e := guard.Event{Pipeline: "tool-output", Tenant: guardserver.Caller(ctx), Input: hex.EncodeToString(sum[:])}
		s := guard.Sanitizer{Defang: r.Defang, Unmarked: r.Unmarked}
		if err := s.Hidden.UnmarshalText([]byte(r.Hidden)); err != nil {
			return guardserver.Sanitized{}, err
		}
		res, err := s.Sanitize(ctx, r.Tool, *r.Text)
		out := guardserver.Sanitized{Verdict: guard.Allowed, Text: res.Text, Marker: res.Marker, Score: res.Score, Tainted: res.Tainted, Findings: res.Findings}
		switch {
		case err != nil:
			out, e.Category, e.Reason = guardserver.Sanitized{}, guard.SystemError, guard.CauseOf(err)
		case res.Text != *r.Text:
			out.Verdict = guard.Modified
		}
		// All outputs get markers: report only other changes.
		if e.Verdict = out.Verdict; out.Verdict == guard.Modified && !res.Tainted {
			e.Verdict = guard.Allowed
		}
		if res.Tainted {
			e.Category, e.Reason = guard.PromptInjection, "instructions to the model in tool output"
		}
		e.Time, e.Took, e.Score = time.Now(), time.Since(start), res.Score
		observer(e)
		return out, err
	}
}
