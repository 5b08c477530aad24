// Package check has `umpire check`, which decides on one command and shows why.
package check

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/nearest"
	"github.com/umpire-dev/umpire/internal/platform/clients"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// New returns `umpire check`.
func New() *cobra.Command {
	var tool, dir, file, client string
	var asJSON, quiet bool
	cmd := &cobra.Command{
		Use: "check [flags] [COMMAND | -]", SuggestFor: []string{"why", "explain"},
		Short: "Explain what a call would do, which rules match, and the decision",
		Long: `Explain what a shell command or another tool call would do, which rules match it, and
the decision. The command does not run.

The argument is a shell command or, with --tool, the input of that tool as a JSON object. With -
or without an argument, umpire reads it, or an agent's hook payload, from standard input.

Exit status: 0 allow, 2 deny, 3 ask, 1 failure.`,
		Example: `  umpire check 'rm -rf ~'
  umpire check --tool Write '{"file_path":"~/.bashrc","content":"alias ls=rm"}'
  umpire check --json - < payload.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			hintClient(cmd.ErrOrStderr(), client)
			a, err := cli.ReadAction(cmd.InOrStdin(), args, client, tool, dir)
			if err != nil {
				return err
			}
			a.Principal.Platform = client
			at, err := project.At(a.Dir)
			if err != nil {
				return err
			}
			said := cmd.ErrOrStderr()
			if quiet {
				said = io.Discard
			}
			p, loaded, err := at.Policy(file)
			if file == "" && err != nil {
				p, loaded, _, err = cli.PolicyInForce(said, at)
			}
			if err != nil {
				return err
			}
			for _, w := range loaded.Warnings {
				fmt.Fprintf(said, "warning: %s\n", visible.Line(w.String()))
			}
			ops, d, err := project.Decide(p, a)
			if err != nil {
				return err
			}
			switch {
			case quiet:
			case asJSON:
				err = writeJSON(cmd.OutOrStdout(), a, ops, d, p.Observe())
			default:
				explain(cmd.OutOrStdout(), p, a, ops, d)
			}
			if err != nil {
				return err
			}
			return cli.EffectError(d.Effect)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&tool, "tool", "t", "", "name of the tool, for example Write (default Bash)")
	f.StringVarP(&dir, "dir", "C", "", "working directory of the call")
	f.StringVarP(&file, "policy", "p", "", "use only this policy file and the packs")
	f.StringVar(&client, "client", "claude", "the coding agent that makes the call")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	f.BoolVarP(&quiet, "quiet", "q", false, "print nothing; the exit status is the answer")
	return cmd
}

// hintClient warns of a name that may be a misspelled client. Rules may name agents of their own.
func hintClient(w io.Writer, name string) {
	var names []string
	for _, c := range clients.All() {
		names = append(names, c.Name)
	}
	if near := nearest.Word(name, names); near != "" && !slices.Contains(names, name) {
		fmt.Fprintf(w, "umpire: unknown client %q; did you mean %s?\n", name, near)
	}
}

func writeJSON(w io.Writer, a *umpire.Action, ops []umpire.Operation, d umpire.Decision, observe bool) error {
	return cli.PrintJSON(w, struct {
		Effect     umpire.Effect      `json:"effect"`
		Explicit   bool               `json:"explicit"`
		Safe       bool               `json:"safe"`
		Unsettled  []int              `json:"unsettled,omitempty"`
		Reasons    []umpire.Reason    `json:"reasons"`
		Operations []umpire.Operation `json:"operations"`
		Action     *umpire.Action     `json:"action"`
		Observe    bool               `json:"observe,omitempty"` // the policy only observes: the call would run
	}{d.Effect, d.Explicit, d.Safe, d.Unsettled, append([]umpire.Reason{}, d.Reasons...), append([]umpire.Operation{}, ops...), a, observe}) // [], not null
}

// explain prints the operations as a tree of wrappers, then the matching rules, then the decision.
func explain(w io.Writer, p *policy.Policy, a *umpire.Action, ops []umpire.Operation, d umpire.Decision) {
	fmt.Fprintf(w, "%s in %s\n", visible.Line(a.Tool), visible.Line(a.Dir))
	var open []string
	for i, o := range ops {
		keep := 0
		for keep < len(open) && keep < len(o.Via) && open[keep] == o.Via[keep] {
			keep++
		}
		for depth := keep; depth < len(o.Via); depth++ {
			fmt.Fprintf(w, "  %s%s\n", strings.Repeat("  ", depth), visible.Line(o.Via[depth]))
		}
		open = o.Via
		fmt.Fprintf(w, "  %s%s", strings.Repeat("  ", len(o.Via)), visible.Clip(o.String(), 200))
		if o.Places != 0 {
			fmt.Fprintf(w, "  @%s", strings.Join(o.Places.Names(), " @"))
		}
		if o.Traits != 0 {
			fmt.Fprintf(w, "  [%s]", strings.Join(o.Traits.Names(), " "))
		}
		if o.Origin != "" {
			fmt.Fprintf(w, "  from %s", visible.Clip(o.Origin, 200))
		}
		fmt.Fprintln(w)
		for _, r := range d.Reasons {
			if r.Op == i {
				printReason(w, strings.Repeat("  ", len(o.Via)+2), r)
			}
		}
		if slices.Contains(d.Unsettled, i) {
			fmt.Fprintf(w, "%sno rule settles it: the default applies\n", strings.Repeat("  ", len(o.Via)+2))
		}
	}
	for _, r := range d.Reasons {
		if r.Op < 0 {
			printReason(w, "  ", r)
		}
	}
	why := "by the rules above"
	switch {
	case d.Safe && slices.ContainsFunc(d.Reasons, func(r umpire.Reason) bool { return !strings.HasPrefix(r.Rule, "safe-") }):
		why = "by the rules above and the safe pack"
	case d.Safe:
		why = "the safe pack allows all of it"
	case !d.Explicit && len(d.Unsettled) > 0 && len(d.Unsettled) < len(ops):
		why = fmt.Sprintf("no rule settles %d of %d operations: the default", len(d.Unsettled), len(ops))
	case !d.Explicit:
		why = "no rule settles it: the default"
	}
	fmt.Fprintf(w, "%s (%s)\n", d.Effect, why)
	if p.Observe() && d.Effect != umpire.Allow {
		fmt.Fprintln(w, "The policy only observes (mode: observe): the call would run.")
	}
}

func printReason(w io.Writer, indent string, r umpire.Reason) {
	fmt.Fprintf(w, "%s%s: %s (%s)\n", indent, r.Effect, visible.Line(r.Text), visible.Line(r.Rule))
	if r.Suggest != "" {
		fmt.Fprintf(w, "%s  instead: %s\n", indent, visible.Line(r.Suggest))
	}
}
