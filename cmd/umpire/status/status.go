// Package status has `umpire status` and the overview that umpire prints without a command.
package status

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/install"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// State is the report of `umpire status`.
type State struct {
	Since     time.Time    `json:"since"`
	Agents    []agentState `json:"agents"`
	Policy    policyState  `json:"policy"`
	Calls     callState    `json:"calls"`
	Last      []lastCall   `json:"last"`     // the last stopped calls
	Observed  wouldState   `json:"observed"` // effects if the policy were enforced
	Questions askState     `json:"questions"`
	Judge     judgeState   `json:"judge"`
}

type agentState struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Hooked   bool     `json:"hooked"`
	OnlyHere bool     `json:"onlyHere,omitempty"` // the agent does not call umpire in other projects
	Problems []string `json:"problems,omitempty"`
}

type policyState struct {
	Files   []fileState    `json:"files"`
	Rules   int            `json:"rules"` // including those of packs
	Default umpire.Effect  `json:"default"`
	Mode    string         `json:"mode"`
	Fault   string         `json:"fault,omitempty"`
	Valid   time.Time      `json:"valid,omitzero"` // with a fault: when the policy in force was compiled; absent for the built-in one
	Warned  int            `json:"warnings,omitempty"`
	policy  *policy.Policy // in force
	instead string         // with a fault: the name of the policy in force
}

type fileState struct {
	Path  string `json:"path"`
	Layer string `json:"layer"`
	Rules int    `json:"rules"`
}

type callState struct {
	Total     int            `json:"total"`
	Effects   map[string]int `json:"effects"`
	Platforms map[string]int `json:"platforms"`
	Failures  int            `json:"failures"`
	Failure   string         `json:"last_failure,omitempty"`
	FailedAt  time.Time      `json:"last_failure_at,omitzero"`
	Unjudged  int            `json:"unjudged"` // allowed because something failed
	Cause     string         `json:"last_unjudged,omitempty"`
	CauseAt   time.Time      `json:"last_unjudged_at,omitzero"`
}

// wouldState counts observed decisions: of the whole policy, or of single rules.
type wouldState struct {
	Calls int         `json:"calls"` // number of decisions under an observed policy
	Deny  int         `json:"would_deny"`
	Ask   int         `json:"would_ask"`
	Rules []wouldRule `json:"rules,omitempty"` // rules with the most matches
}

type wouldRule struct {
	Rule  string `json:"rule"`
	Would string `json:"would"`
	Calls int    `json:"calls"`
}

type askState struct {
	Open     int `json:"open"`
	Approved int `json:"approved"`
	Denied   int `json:"denied"`
	Saved    int `json:"saved"` // calls that umpire approved explicitly, so that the client did not ask
}

type judgeState struct {
	Calls  int            `json:"calls"`
	Cached int            `json:"cached"`
	Opined map[string]int `json:"effects"`
	Cents  float64        `json:"cents"`
}

// New returns `umpire status`.
func New() *cobra.Command {
	var asJSON bool
	var since string
	c := &cobra.Command{
		Use:   "status",
		Short: "Show guarded agents, the policy and recent decisions",
		Long: `Show which agents are guarded, which policy is in force, and the decisions since midnight.
For a policy or rule in observe mode, show what enforcing it would have done.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			now := time.Now()
			from := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
			if since != "" {
				var err error
				if from, err = cli.Moment("since", since, now); err != nil {
					return err
				}
			}
			s, err := status(from)
			switch {
			case s == nil:
			case asJSON:
				err = errors.Join(err, cli.PrintJSON(c.OutOrStdout(), s))
			default:
				s.print(c.OutOrStdout())
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.Flags().StringVar(&since, "since", "", "count decisions since this `time`: "+cli.Moments+" (default: midnight)")
	return c
}

// status collects the state. With an error, parts of it may be missing.
func status(since time.Time) (*State, error) {
	at, err := project.At("")
	if err != nil {
		return nil, err
	}
	s := &State{Since: since, Last: []lastCall{}, Agents: agentStates(at), Policy: policyIn(at)}
	box, dir, err := answer.Questions()
	if err != nil {
		return s, err
	}
	open, err := box.List(question.Pending)
	s.Questions.Open = len(open)
	return s, errors.Join(err, s.count(dir, since))
}

// agentStates reports the agents on this machine, and whether they call umpire.
func agentStates(at project.Project) []agentState {
	env := install.Env{Home: at.Home, Dir: at.Workspace, Getenv: os.Getenv, LookPath: exec.LookPath}
	if hook, err := install.HookPath(); err == nil { // doctor reports a missing umpire-hook
		env.Hook = hook
	}
	out := []agentState{}
	found := install.Found(env)
	for _, a := range install.Agents() {
		st, err := install.Inspect(env, a.Name)
		isAt := func(f install.File) bool { return len(f.Ours) > 0 && !f.Looked }
		if !slices.ContainsFunc(found, func(f install.Agent) bool { return f.Name == a.Name }) && !slices.ContainsFunc(st.Files, isAt) {
			continue // neither the client nor a hook of umpire is installed
		}
		one := agentState{Name: a.Name, Title: a.Title, Hooked: err == nil && st.Installed, OnlyHere: st.OnlyHere}
		if err != nil {
			one.Problems = append(one.Problems, err.Error())
		}
		for _, p := range st.Problems {
			if p.Kind != install.Note && len(one.Problems) < 5 {
				one.Problems = append(one.Problems, p.Text)
			}
		}
		out = append(out, one)
	}
	return out
}

func policyIn(at project.Project) policyState {
	p, loaded, fault, err := at.InForce()
	if err != nil {
		return policyState{Files: []fileState{}, Fault: err.Error()}
	}
	s := policyState{Files: []fileState{}, policy: p, Warned: len(loaded.Warnings)}
	if fault != nil {
		s.Fault, s.Valid, s.instead = fault.Err.Error(), fault.Valid, cli.InForce(fault)
	}
	s.describe(p)
	for _, f := range loaded.Files {
		s.Files = append(s.Files, fileState{f.Path, f.Layer.String(), len(f.Rules)})
	}
	return s
}

// describe describes the policy in force.
func (s *policyState) describe(p *policy.Policy) {
	s.Default, s.Mode = p.Default(), string(policyfile.Enforce)
	if p.Observe() {
		s.Mode = string(policyfile.Observe)
	}
	for range p.Rules() {
		s.Rules++
	}
}

// Limits of the tables, because agents choose the counted names.
const (
	maxRows = 1000
	maxTop  = 10
)

func add[K comparable](m map[K]int, k K) {
	if _, ok := m[k]; ok || len(m) < maxRows {
		m[k]++
	}
}

// observedRule is a rule that only observes, with the effect that it would have had.
type observedRule struct{ id, would string }

// count summarizes the events of the audit log since a time.
func (s *State) count(dir string, since time.Time) error {
	s.Calls.Effects, s.Calls.Platforms, s.Judge.Opined = map[string]int{}, map[string]int{}, map[string]int{}
	rules := map[observedRule]int{}
	for r, err := range audit.Read(dir, audit.Query{Since: since}) {
		if audit.IsMissing(err) {
			break
		}
		if err != nil {
			return err
		}
		s.countEvent(&r)
		if r.Kind == audit.Decision {
			s.countDecision(&r, rules)
		}
	}
	for k, n := range rules {
		s.Observed.Rules = append(s.Observed.Rules, wouldRule{k.id, k.would, n})
	}
	slices.SortFunc(s.Observed.Rules, func(a, b wouldRule) int {
		return cmp.Or(b.Calls-a.Calls, strings.Compare(a.Rule, b.Rule), strings.Compare(a.Would, b.Would))
	})
	s.Observed.Rules = s.Observed.Rules[:min(len(s.Observed.Rules), maxTop)]
	return nil
}

// countEvent counts people's answers and failures. Events of any kind can have them.
func (s *State) countEvent(r *audit.Record) {
	// The hook and the agent record that a call used an answer, not the answer itself.
	if r.Kind == audit.Approval && r.Point != audit.Hook && r.Point != audit.Agent {
		switch r.Effect {
		case umpire.Allow.String():
			s.Questions.Approved++
		case umpire.Deny.String():
			s.Questions.Denied++
		}
	}
	if r.Failure != "" {
		s.Calls.Failures++
		s.Calls.Failure, s.Calls.FailedAt = r.Failure, r.Time
	}
	if cause := r.Data[audit.Unjudged]; cause != "" {
		s.Calls.Unjudged++
		s.Calls.Cause, s.Calls.CauseAt = cause, r.Time
	}
}

// countDecision counts one decision, and the effects of observed rules in rules.
func (s *State) countDecision(r *audit.Record, rules map[observedRule]int) {
	s.Calls.Total++
	s.note(*r)
	add(s.Calls.Platforms, r.Principal.Platform)
	observed := r.Data["observed"] == "true"
	if observed { // the policy stops nothing, so the call ran
		s.Observed.Calls++
		add(s.Calls.Effects, umpire.Allow.String())
	} else {
		add(s.Calls.Effects, r.Effect)
	}
	switch would(r, observed, rules) {
	case umpire.Deny:
		s.Observed.Deny++
	case umpire.Ask:
		s.Observed.Ask++
	}
	if p := s.Policy.policy; p != nil && p.AutoApprove() && !observed && r.Explicit && r.Effect == umpire.Allow.String() {
		s.Questions.Saved++
	}
	if r.Data["judge"] != "" {
		s.Judge.Calls++
		if r.Data["judge_cached"] == "true" {
			s.Judge.Cached++
		}
		if cents, err := strconv.ParseFloat(r.Data["judge_cents"], 64); err == nil && cents > 0 {
			s.Judge.Cents += cents
		}
		add(s.Judge.Opined, r.Data["judge_effect"])
	}
}

// would returns the effect on the call if observed rules were enforced, or allow if that changes
// nothing. It counts each of these rules once.
func would(r *audit.Record, observed bool, rules map[observedRule]int) umpire.Effect {
	effect := umpire.Allow
	if observed {
		effect = cli.Effect(r.Effect)
	}
	seen := map[observedRule]bool{}
	for _, reason := range r.Reasons {
		w := reason.Would
		if w == "" && observed && reason.Effect != umpire.Allow {
			w = reason.Effect.String()
		}
		if w == "" || w == umpire.Allow.String() {
			continue
		}
		if !observed {
			effect = min(effect, cli.Effect(w))
		}
		if k := (observedRule{reason.Rule, w}); !seen[k] {
			seen[k] = true
			add(rules, k)
		}
	}
	if !observed && cli.Effect(r.Effect) <= effect { // enforced rules stopped the call anyway
		return umpire.Allow
	}
	return effect
}

func (s *State) print(w io.Writer) {
	if len(s.Agents) == 0 {
		fmt.Fprintln(w, "agents     none found on this machine")
	}
	for i, a := range s.Agents {
		word := "NOT guarded: run `umpire init`"
		switch {
		case a.Hooked:
			word = a.guarded()
		case len(a.Problems) > 0: // the hook is installed, but the agent does not start it
			word = "NOT guarded: run `umpire doctor`"
		}
		fmt.Fprintf(w, "%-11s%s %s\n", firstOnly(i, "agents"), visible.Line(a.Title), word)
		for _, p := range a.Problems {
			fmt.Fprintf(w, "             %s\n", visible.Clip(cli.OneLine(p), 200))
		}
	}
	p := s.Policy
	if p.Fault != "" {
		fmt.Fprintf(w, "policy     FAULTY; %s is in force:\n", p.instead)
		faults := strings.Split(p.Fault, "\n")
		for _, f := range faults[:min(len(faults), maxTop)] {
			fmt.Fprintf(w, "             %s\n", visible.Clip(f, 300))
		}
		if more := len(faults) - maxTop; more > 0 {
			fmt.Fprintf(w, "             and %d more: to see all, run umpire policy check\n", more)
		}
		fmt.Fprintf(w, "           in force: %s, default %s, mode %s\n", plural.Count(p.Rules, "rule"), p.Default, p.Mode)
	} else {
		fmt.Fprintf(w, "policy     %s, default %s, mode %s\n", plural.Count(p.Rules, "rule"), p.Default, p.Mode)
		if p.Warned > 0 {
			fmt.Fprintf(w, "           %s: run `umpire policy check`\n", plural.Count(p.Warned, "warning"))
		}
	}
	for _, f := range p.Files {
		fmt.Fprintf(w, "           %s (%s, %s)\n", visible.Line(f.Path), f.Layer, plural.Count(f.Rules, "rule"))
	}
	c := s.Calls
	fmt.Fprintf(w, "calls      %d since %s: %d allowed, %d asked, %d denied\n", c.Total, s.Since.Format("2006-01-02 15:04"),
		c.Effects["allow"], c.Effects["ask"], c.Effects["deny"])
	names := slices.SortedFunc(maps.Keys(c.Platforms), func(a, b string) int {
		return cmp.Or(c.Platforms[b]-c.Platforms[a], strings.Compare(a, b))
	})
	for _, name := range names[:min(len(names), maxTop)] {
		fmt.Fprintf(w, "           %d by %s\n", c.Platforms[name], visible.Clip(cmp.Or(name, "an unnamed agent"), 60))
	}
	if more := len(names) - maxTop; more > 0 {
		fmt.Fprintf(w, "           and by %s: umpire status --json lists all\n", plural.Count(more, "more agent"))
	}
	if c.Unjudged > 0 {
		fmt.Fprintf(w, "UNCHECKED  %s ran without a complete check since %s, the last at %s: %s\n", plural.Count(c.Unjudged, "call"), s.Since.Format("2006-01-02 15:04"),
			c.CauseAt.Local().Format("2006-01-02 15:04"), visible.Clip(cli.OneLine(c.Cause), 200))
		fmt.Fprintln(w, "           to find the cause, run `umpire doctor`; to list them, `umpire audit search --failed`")
	}
	if c.Failures > c.Unjudged {
		fmt.Fprintf(w, "failures   %d, the last at %s: %s\n", c.Failures, c.FailedAt.Local().Format("2006-01-02 15:04"), visible.Clip(cli.OneLine(c.Failure), 200))
	}
	if o := s.Observed; o.Calls > 0 || len(o.Rules) > 0 {
		fmt.Fprintf(w, "observed   enforcing would have denied %s and asked about %d\n", plural.Count(o.Deny, "more call"), o.Ask)
		for _, r := range o.Rules {
			fmt.Fprintf(w, "           %s would %s %d\n", visible.Clip(r.Rule, 80), visible.Line(r.Would), r.Calls)
		}
	}
	q := s.Questions
	fmt.Fprintf(w, "questions  %d pending, %d approved, %d denied", q.Open, q.Approved, q.Denied)
	if q.Saved > 0 {
		fmt.Fprintf(w, "; up to %d avoided by an explicit allow", q.Saved)
	}
	fmt.Fprintln(w)
	if j := s.Judge; j.Calls > 0 {
		allow, ask, deny := j.Opined["allow"], j.Opined["ask"], j.Opined["deny"]
		fmt.Fprintf(w, "judge      %s (%d from the cache): %d allow, %d ask, %d deny, %d unclear; %.2f cents\n", plural.Count(j.Calls, "opinion"), j.Cached,
			allow, ask, deny, j.Calls-allow-ask-deny, j.Cents)
	}
}
