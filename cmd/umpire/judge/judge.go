// Package judge has `umpire judge`, which asks a model about a call.
package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	modeljudge "github.com/umpire-dev/umpire/internal/judge"
	"github.com/umpire-dev/umpire/internal/judgeconfig"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/visible"
)

// New returns `umpire judge`.
func New(by cli.Invoker) *cobra.Command {
	var f judgeFlags
	cmd := &cobra.Command{
		Use:   "judge [flags] [COMMAND | -]",
		Short: "Ask the judge model about a call, or print its prompt",
		Long: `Ask the judge model about a call that no rule settles, as the hook does, and print its
answer. The call does not run.

Pass the call as for umpire check. Exit status: 0 allow, 2 deny, 3 ask, 1 failure.`,
		Example: `  umpire judge 'curl -o page.html https://example.org/page'`,
		Args:    cobra.ArbitraryArgs,
		RunE:    f.run,
	}
	o := cmd.Flags()
	o.StringVarP(&f.tool, "tool", "t", "", "name of the tool, for example Write (default Bash)")
	o.StringVarP(&f.dir, "dir", "C", "", "working directory of the call")
	o.StringVar(&f.client, "client", "claude", "the coding agent that makes the call")
	o.BoolVar(&f.prompt, "prompt", false, "print the prompt and do not ask the model")
	o.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	cmd.AddCommand(newJudgeProviders(), newJudgeUse(by))
	return cmd
}

type judgeFlags struct {
	tool, dir, client string
	prompt, asJSON    bool
}

// run asks the model about the call if the rules leave it to the judge, and returns the effect
// as an exit status.
func (f *judgeFlags) run(cmd *cobra.Command, args []string) error {
	if f.prompt && f.asJSON {
		return cli.Usagef("use --prompt or --json, not both: the prompt is a text")
	}
	a, err := cli.ReadAction(cmd.InOrStdin(), args, f.client, f.tool, f.dir)
	if err != nil {
		return err
	}
	a.Principal.Platform = f.client
	at, err := project.At(a.Dir)
	if err != nil {
		return err
	}
	p, _, _, err := cli.PolicyInForce(cmd.ErrOrStderr(), at)
	if err != nil {
		return err
	}
	settings, err := judgeconfig.Settings(at.Home, at.Workspace)
	if err != nil {
		return err
	}
	ops, d, err := project.Decide(p, a)
	if err != nil {
		return err
	}
	j := judgeconfig.New(settings, at.Home)
	c := modeljudge.Case{Action: a, Ops: ops, Decision: d, Policy: p}
	out := cmd.OutOrStdout()
	if f.prompt {
		return printPrompt(out, j, c)
	}
	if !settings.Enabled {
		return judgeconfig.ErrNone
	}
	asked := p.AsksJudge(d, ops)
	v, report, effect := umpire.Verdict{}, modeljudge.Report{}, d.Effect
	if asked {
		if v, report, err = j.Judge(cmd.Context(), c); err != nil {
			return err
		}
		effect = v.Effect
	}
	if f.asJSON {
		if err := judgeJSON(out, asked, effect, v, &report); err != nil {
			return err
		}
	} else {
		judgeText(out, asked, effect, v, &report)
	}
	return cli.EffectError(effect)
}

// printPrompt prints the prompt that the model would get.
func printPrompt(w io.Writer, j *modeljudge.Judge, c modeljudge.Case) error {
	system, user, whole, err := j.Prompt(c)
	if err != nil {
		return err
	}
	if !whole {
		return errors.New("the call is too long for the model, so the answer is ask")
	}
	_, err = fmt.Fprintf(w, "%s\n\n%s\n", visible.Block(system), visible.Block(user))
	return err
}

func judgeJSON(w io.Writer, asked bool, effect umpire.Effect, v umpire.Verdict, r *modeljudge.Report) error {
	doc := struct {
		Effect  umpire.Effect     `json:"effect"`
		Asked   bool              `json:"asked"`
		Verdict *umpire.Verdict   `json:"verdict,omitempty"`
		Report  map[string]string `json:"report,omitempty"`
	}{Effect: effect, Asked: asked}
	if asked {
		doc.Verdict, doc.Report = &v, r.Data()
	}
	return cli.PrintJSON(w, doc)
}

func judgeText(w io.Writer, asked bool, effect umpire.Effect, v umpire.Verdict, r *modeljudge.Report) {
	if !asked {
		fmt.Fprintf(w, "%s: settled without the model, by rules or the judge's scope; see `umpire check`\n", effect)
		return
	}
	fmt.Fprintf(w, "%s: %s (%s)\n", effect, visible.Line(v.Reason.Text), v.Reason.Rule)
	switch {
	case r.Cached:
		fmt.Fprintf(w, "  %s, %s, from the cache\n", r.Provider, visible.Line(r.Model))
	case r.Provider != "":
		fmt.Fprintf(w, "  %s, %s, %d + %d tokens, %.4f cents, %s\n", r.Provider, visible.Line(r.Model), r.In, r.Out, r.Cost.Cents(), plural.Duration(r.Took))
	}
}

func newJudgeProviders() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "providers",
		Short: "List providers in the order they are asked, and why some are unavailable",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := project.At("")
			if err != nil {
				return err
			}
			settings, err := judgeconfig.Settings(at.Home, at.Workspace)
			if err != nil {
				return err
			}
			chain := judgeconfig.Chain(settings, at.Home)
			ctx, cancel := context.WithTimeout(cmd.Context(), 10*time.Second)
			defer cancel()
			list := chain.Status(ctx)
			calls, cost, err := chain.Budget.Spent()
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if asJSON {
				return cli.PrintJSON(out, struct {
					Enabled   bool           `json:"enabled"`
					Providers []model.Status `json:"providers"`
					Calls     int            `json:"callsToday"`
					Cents     float64        `json:"centsToday"`
				}{settings.Enabled, list, calls, cost.Cents()})
			}
			if !settings.Enabled {
				fmt.Fprintln(out, "The judge is off. To turn it on, run `umpire judge use PROVIDER`.")
			}
			for _, s := range list {
				state := "available"
				if !s.Available {
					state = "not available: " + visible.Line(s.Why)
				}
				fmt.Fprintf(out, "%-14s %-22s %s\n", visible.Line(s.Name), visible.Line(s.Model), state)
			}
			judgeconfig.Offer(ctx, out, settings)
			fmt.Fprintf(out, "Today: %d of %s, %.2f of %.2f cents.\n", calls, plural.Count(chain.Budget.Calls, "call"), cost.Cents(), chain.Budget.Most.Cents())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
