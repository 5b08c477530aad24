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

// maxCandidates bounds how many patterns are tried, each against the whole log.
const maxCandidates = 40

// Suggestion is an allow rule, with the questions that it would have saved.
type Suggestion struct {
	Pattern string    `json:"allow"`
	Saves   int       `json:"saves"` // calls that would not have been stopped
	Last    time.Time `json:"last"`
	Example string    `json:"example"`
	// Riskiest is the call with the gravest traits that the rule would let through.
	Riskiest string   `json:"riskiest"`
	Traits   []string `json:"traits,omitempty"` // of Riskiest
}

func newPolicySuggest() *cobra.Command {
	var asJSON bool
	var since string
	var least int
	var dir string
	cmd := &cobra.Command{
		Use:   "suggest",
		Short: "Propose allow rules from past questions",
		Long: `Propose allow rules from the audit log. Umpire decides past calls again with and without each
rule. The rule that saves most questions comes first, with the riskiest call that it would
allow.

It never proposes rules for denied calls, or for code from the network, secrets, the rights of
other users, or destruction.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				d, err := audit.DefaultDir()
				if err != nil {
					return err
				}
				dir = d
			}
			at, _, l, err := inForce(cmd)
			if err != nil {
				return err
			}
			q := audit.Query{Kind: audit.Decision}
			if q.Since, err = cli.Moment("since", since, time.Now()); err != nil {
				return err
			}
			found, stopped, err := suggest(dir, q, l, at.Home, least)
			if err != nil {
				return err
			}
			if asJSON {
				return cli.PrintLine(cmd.OutOrStdout(), append([]Suggestion{}, found...)) // [], not null
			}
			printProposals(cmd.OutOrStdout(), found, stopped)
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	f.StringVar(&since, "since", "", "only calls since this `time`: "+cli.Moments)
	f.IntVar(&least, "min", 2, "minimum number of calls that a rule would have saved")
	f.StringVar(&dir, "dir", "", "the `folder` of the audit log (default umpire's state folder)")
	return cmd
}

// suggest reads the log and tries the patterns that stopped calls make.
func suggest(dir string, q audit.Query, l *policyfile.Loaded, home string, least int) (found []Suggestion, stopped int, err error) {
	var calls []audit.Record
	type candidate struct {
		n       int
		example string
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
		if passes(now, &r, home) {
			continue // calls that pass by the policy in force need no rule
		}
		calls = append(calls, r)
		for _, p := range patterns(&r) {
			c := candidates[p]
			if c == nil {
				c = &candidate{example: string(r.Params)}
				candidates[p] = c
			}
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
			continue // an unusual name makes no proposal
		}
		saved, err := saves(l.Source, p, calls, home)
		if err != nil {
			return nil, 0, err
		}
		if len(saved) >= max(least, 1) {
			found = append(found, propose(name, saved, candidates[name].example))
		}
	}
	slices.SortStableFunc(found, func(a, b Suggestion) int { return b.Saves - a.Saves })
	return found, len(calls), nil
}

func denied(reasons []umpire.Reason) bool {
	return slices.ContainsFunc(reasons, func(r umpire.Reason) bool { return r.Effect == umpire.Deny })
}

// patterns makes a pattern of each operation that a call was stopped for.
func patterns(r *audit.Record) (out []string) {
	for i, op := range r.Ops {
		asked := !r.Explicit
		for _, why := range r.Reasons {
			asked = asked || why.Op == i
		}
		if !asked {
			continue
		}
		if p := grant.Like(op); p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// propose makes a suggestion of the calls that its rule would let through.
func propose(pattern string, saved []*audit.Record, text string) Suggestion {
	worst := slices.MaxFunc(saved, func(a, b *audit.Record) int { return replay.Risk(umpire.Ask, a.Ops) - replay.Risk(umpire.Ask, b.Ops) })
	s := Suggestion{Pattern: pattern, Saves: len(saved), Example: visible.Clip(text, 120), Riskiest: visible.Clip(replay.Asked(&umpire.Action{Input: worst.Params}), 120)}
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

// saves returns the calls that pass once the pattern is allowed. None of the calls passes
// without it.
func saves(src policy.Source, p policy.Pattern, calls []audit.Record, home string) (saved []*audit.Record, err error) {
	src.Rules = append(slices.Clip(src.Rules), policy.Rule{ID: "suggested", Effect: umpire.Allow, Match: []policy.Pattern{p}, Layer: policy.User})
	with, err := policy.Compile(src)
	if err != nil {
		return nil, err
	}
	for i := range calls {
		if passes(with, &calls[i], home) {
			saved = append(saved, &calls[i])
		}
	}
	return saved, nil
}

// passes decides a call of the record again. What the judge stopped still is, where the
// policy leaves it to the judge.
func passes(p *policy.Policy, r *audit.Record, home string) bool {
	a := &umpire.Action{Principal: r.Principal, Tool: r.Tool, Input: r.Params, Dir: r.Dir, Home: home}
	platform.Complete(a, "", os.Getenv)
	d := p.Decide(a, r.Ops)
	return d.Effect == umpire.Allow && !(r.Data["judge"] != "" && p.AsksJudge(d, r.Ops))
}

func printProposals(w io.Writer, found []Suggestion, stopped int) {
	if len(found) == 0 {
		fmt.Fprintf(w, "nothing to propose: %s asked a question, and no safe permanent rule would have saved several of them\n", plural.Count(stopped, "call"))
		return
	}
	fmt.Fprintf(w, "# %s asked a question. Copy the rules that you agree with to\n# ~/.config/umpire/policy.yaml, below rules:\n", plural.Count(stopped, "call"))
	for _, s := range found {
		fmt.Fprintf(w, "  - allow: %q # would have saved %d, last on %s\n", s.Pattern, s.Saves, s.Last.Local().Format("2006-01-02 15:04"))
		fmt.Fprintf(w, "    # riskiest call that it allows: %s", s.Riskiest)
		if len(s.Traits) > 0 {
			fmt.Fprintf(w, " (%s)", strings.Join(s.Traits, ", "))
		}
		fmt.Fprintln(w)
	}
}
