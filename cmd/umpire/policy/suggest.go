package policy

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/replay"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// maxCandidates limits the number of patterns to try, each against the whole log.
const maxCandidates = 40

// Suggestion is an allow rule, with the questions that it would have saved.
type Suggestion struct {
	Pattern string    `json:"allow"`
	Saves   int       `json:"saves"` // number of calls that would not have been stopped
	Last    time.Time `json:"last"`
	Example string    `json:"example"`
	// Without are the traits of operations that the rule does not cover.
	Without []string `json:"without,omitempty"`
	// Riskiest is the call with the gravest traits that the rule would let through.
	Riskiest string   `json:"riskiest"`
	Traits   []string `json:"traits,omitempty"` // traits of Riskiest
}

func newPolicySuggest() *cobra.Command {
	var since string
	var least int
	var dir string
	cmd := reads(&cobra.Command{
		Use:   "suggest",
		Short: "Propose allow rules from past questions",
		Long: `Propose allow rules from the audit log. The rule that saves the most questions comes first, with
the riskiest call that it would allow.

No proposal covers denied calls, code from the network, secrets, the rights of other users,
overwritten or forced changes, or destruction. If a rule asks about a command, umpire proposes
only that exact command, unless it changes sensitive files, packages, data or the machine.`,
		Args: cobra.NoArgs,
	}, func(cmd *cobra.Command, _ []string, in inForce) error {
		var err error
		q := audit.Query{Kind: audit.Decision}
		if dir == "" {
			if dir, err = audit.DefaultDir(); err != nil {
				return err
			}
		}
		if q.Since, err = cli.Moment("since", since, time.Now()); err != nil {
			return err
		}
		found, stopped, err := suggest(dir, q, in.loaded, in.at.Home, least)
		if err != nil {
			return err
		}
		if in.json {
			return cli.PrintLine(cmd.OutOrStdout(), append([]Suggestion{}, found...)) // [], not null
		}
		printProposals(cmd.OutOrStdout(), found, stopped)
		return nil
	})
	f := cmd.Flags()
	f.StringVar(&since, "since", "", "only calls since this `time`: "+cli.Moments)
	f.IntVar(&least, "min", 2, "minimum number of calls that a rule would have saved")
	f.StringVar(&dir, "dir", "", "the `folder` of the audit log (default umpire's state folder)")
	return cmd
}

// suggest reads the log and tries patterns for the stopped calls.
func suggest(dir string, q audit.Query, l *policyfile.Loaded, home string, least int) (found []Suggestion, stopped int, err error) {
	var calls []audit.Record
	type candidate struct {
		n       int
		example string
		without umpire.Trait
	}
	candidates := map[string]*candidate{}
	now, err := policy.Compile(l.Source)
	if err != nil {
		return nil, 0, err
	}
	for r, err := range audit.Read(dir, q) {
		if err != nil && !audit.IsMissing(err) {
			return nil, 0, err
		}
		if err != nil || r.Effect != umpire.Ask.String() && (r.Explicit || r.Effect == umpire.Allow.String()) || denied(r.Reasons) {
			continue
		}
		a := action(&r, home)
		d := now.Decide(a, r.Ops)
		if passes(now, d, &r) {
			continue // calls that the policy in force allows need no rule
		}
		calls = append(calls, r)
		for p, without := range patterns(now, a, d, &r) {
			c := candidates[p]
			if c == nil {
				c = &candidate{example: string(r.Params), without: without}
				candidates[p] = c
			}
			c.without &= without
			c.n++
		}
	}
	names := make([]string, 0, len(candidates))
	for p := range candidates {
		names = append(names, p)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := candidates[b].n - candidates[a].n; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, name := range names[:min(len(names), maxCandidates)] {
		p, err := policy.ParsePattern(name)
		if err != nil {
			continue // do not propose unusual names
		}
		rule := policy.Rule{ID: "suggested", Effect: umpire.Allow, Match: []policy.Pattern{p}, Layer: policy.User, When: policy.Condition{Without: candidates[name].without}}
		saved, err := saves(l.Source, rule, calls, home)
		if err != nil {
			return nil, 0, err
		}
		if len(saved) >= max(least, 1) {
			found = append(found, propose(&rule, saved, candidates[name].example))
		}
	}
	slices.SortStableFunc(found, func(a, b Suggestion) int { return b.Saves - a.Saves })
	return found, len(calls), nil
}

func denied(reasons []umpire.Reason) bool {
	return slices.ContainsFunc(reasons, func(r umpire.Reason) bool { return r.Effect == umpire.Deny })
}

// patterns makes a pattern for each operation that stopped a call, with the risks that it must not
// cover.
func patterns(now *policy.Policy, a *umpire.Action, d umpire.Decision, r *audit.Record) map[string]umpire.Trait {
	out := map[string]umpire.Trait{}
	for i, op := range r.Ops {
		pattern := ""
		switch {
		case op.Traits&grant.Losing != 0:
		case slices.ContainsFunc(d.Reasons, func(why umpire.Reason) bool { return why.Op == i && why.Effect == umpire.Ask }):
			if habit(&op) {
				pattern = grant.Exact(op)
			}
		case !d.Explicit && (d.Effect == umpire.Allow || now.Decide(a, r.Ops[i:i+1]).Effect != umpire.Allow):
			pattern = grant.Like(op)
		}
		if pattern != "" {
			out[pattern] = grant.Without(op)
		}
	}
	return out
}

// habit reports whether an operation that a rule asks about can be routine in a project, such as a
// deployment to a test system. Files, packages, data and the machine are too grave for that.
func habit(op *umpire.Operation) bool {
	switch op.Kind {
	case umpire.Exec, umpire.Git, umpire.Infra:
		return op.Traits&(umpire.Upload|umpire.Loosened|umpire.RunsProgram|umpire.LoadsCode) == 0
	default:
		return false
	}
}

// propose makes a suggestion from the calls that its rule would allow.
func propose(rule *policy.Rule, saved []*audit.Record, text string) Suggestion {
	worst := slices.MaxFunc(saved, func(a, b *audit.Record) int { return replay.Risk(umpire.Ask, a.Ops) - replay.Risk(umpire.Ask, b.Ops) })
	s := Suggestion{Pattern: rule.Match[0].String(), Without: rule.When.Without.Names(), Saves: len(saved), Example: visible.Clip(text, 120), Riskiest: visible.Clip(replay.Asked(&umpire.Action{Input: worst.Params}), 120)}
	var traits umpire.Trait
	for _, op := range worst.Ops {
		traits |= op.Traits
	}
	s.Traits = (traits & grant.Riskier).Names()
	for _, r := range saved {
		if r.Time.After(s.Last) {
			s.Last = r.Time
		}
	}
	return s
}

// saves returns the calls that pass with one more rule. None of them passes without it.
func saves(src policy.Source, rule policy.Rule, calls []audit.Record, home string) (saved []*audit.Record, err error) {
	src.Rules = append(slices.Clip(src.Rules), rule)
	with, err := policy.Compile(src)
	if err != nil {
		return nil, err
	}
	for i := range calls {
		if passes(with, with.Decide(action(&calls[i], home), calls[i].Ops), &calls[i]) {
			saved = append(saved, &calls[i])
		}
	}
	return saved, nil
}

// action returns the call of an event.
func action(r *audit.Record, home string) *umpire.Action {
	a := &umpire.Action{Principal: r.Principal, Tool: r.Tool, Input: r.Params, Dir: r.Dir, Home: home}
	platform.Complete(a, "", os.Getenv)
	return a
}

// passes reports whether a recorded call passes under a decision. A call that the judge stopped
// stays stopped if the policy leaves it to the judge.
func passes(p *policy.Policy, d umpire.Decision, r *audit.Record) bool {
	return d.Effect == umpire.Allow && !(r.Data["judge"] != "" && p.AsksJudge(d, r.Ops))
}

func printProposals(w io.Writer, found []Suggestion, stopped int) {
	if len(found) == 0 {
		fmt.Fprintf(w, "nothing to propose: umpire asked about %s, and no safe rule would have saved enough of these questions (--min)\n", plural.Count(stopped, "call"))
		return
	}
	fmt.Fprintf(w, "# Umpire asked about %s. Copy the rules that you agree with to\n# ~/.config/umpire/policy.yaml, below rules:\n", plural.Count(stopped, "call"))
	for _, s := range found {
		fmt.Fprintf(w, "  - allow: %q # would have saved %d, last on %s\n", s.Pattern, s.Saves, s.Last.Local().Format("2006-01-02 15:04"))
		if len(s.Without) > 0 {
			fmt.Fprintf(w, "    when: {trait: [\"!%s\"]}\n", strings.Join(s.Without, `", "!`))
		}
		fmt.Fprintf(w, "    # riskiest call that it allows: %s", s.Riskiest)
		if len(s.Traits) > 0 {
			fmt.Fprintf(w, " (%s)", strings.Join(s.Traits, ", "))
		}
		fmt.Fprintln(w)
	}
}
