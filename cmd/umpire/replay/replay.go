// Package replay has `umpire replay`, which decides on recorded calls.
package replay

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/replay"
	"github.com/umpire-dev/umpire/internal/visible"
)

// New returns `umpire replay`.
func New() *cobra.Command {
	var file, home, since, page string
	var asJSON, all, calls bool
	cmd := &cobra.Command{
		Use:   "replay [flags] [FILE|FOLDER...]",
		Short: "Decide on the calls in recorded sessions of your agents",
		Long: `Decide on every tool call in recorded agent sessions under today's policy. No call runs, and
nothing leaves the machine.

Umpire reads transcripts of Claude Code, Codex, Gemini CLI, OpenCode, Copilot CLI, Cursor, Qwen
Code, pi and Cline, SpecStory exports, and hook payloads, one a line. Without arguments it searches
these clients' folders; - is standard input.`,
		Example: `  umpire replay --since 30d
  umpire replay --html report.html ~/.claude/projects
  umpire replay --calls session.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := cli.Moment("since", since, time.Now())
			if err != nil {
				return err
			}
			if len(args) == 1 && !cmd.Flags().Changed("calls") && page == "" {
				info, err := os.Stat(args[0])
				calls = args[0] == "-" || err == nil && !info.IsDir()
			}
			if err := cli.Requires(cmd, calls, "--calls", "all"); err != nil {
				return err
			}
			r, err := replay.New(file, home)
			if err != nil {
				return cli.Faults(cmd.ErrOrStderr(), err)
			}
			if !from.IsZero() {
				r.Since = from
				r.Report.Since = &r.Since
			}
			if calls {
				r.Each = showCalls(cmd.OutOrStdout(), asJSON, all)
			}
			if r.Progress = cmd.ErrOrStderr(); !cli.OnTerminal(r.Progress) {
				r.Progress = nil
			}
			if err := r.Run(cmd.Context(), cmd.InOrStdin(), args); err != nil {
				return err
			}
			r.Report.Finish()
			if page != "" {
				if err := replay.WritePage(page, r.Report); err != nil {
					return err
				}
			}
			switch {
			case asJSON && calls:
			case asJSON:
				return cli.PrintJSON(cmd.OutOrStdout(), r.Report)
			default:
				r.Report.Print(cmd.OutOrStdout())
			}
			if n := r.Report.Read.Skipped; n > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: skipped input that is not JSON: %s; the first is %s\n", plural.Count(n, "line"), visible.Clip(r.Report.Read.FirstSkipped, 400))
			}
			if page != "" && !asJSON {
				fmt.Fprintf(cmd.OutOrStdout(), "\nWrote %s.\n", visible.Line(page))
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&file, "policy", "p", "", "use only this policy file and the packs")
	f.StringVar(&home, "home", "", "home folder of the sessions (default: inferred from their working directories)")
	f.StringVar(&since, "since", "", "only calls since this `time`: "+cli.Moments)
	f.StringVar(&page, "html", "", "also write the report as one self-contained page to `FILE`")
	f.BoolVar(&asJSON, "json", false, "print one JSON document; with --calls, one line for each call")
	f.BoolVar(&calls, "calls", false, "show each call (default for one file)")
	f.BoolVar(&all, "all", false, "with --calls: show all operations of a call")
	return cmd
}

// showCalls prints each call.
func showCalls(w io.Writer, asJSON, all bool) func(*replay.Judged) error {
	t := &table{w: w, all: all}
	return func(j *replay.Judged) error {
		if asJSON {
			return cli.PrintLine(w, struct {
				Action     *umpire.Action     `json:"action"`
				Operations []umpire.Operation `json:"operations"`
				umpire.Decision
				Micros float64 `json:"us"`
			}{&j.Call.Action, j.Ops, j.Decision, float64(j.Took.Nanoseconds()) / 1000})
		}
		t.row(&j.Call.Action, j.Ops, j.Decision, j.Took)
		return nil
	}
}

// table prints one call per row, followed by its other operations.
type table struct {
	w      io.Writer
	all    bool
	headed bool
}

const columns = "%-9s  %-44s  %-52s  %-5s  %-30s  %9s\n"

func (t *table) row(a *umpire.Action, ops []umpire.Operation, d umpire.Decision, took time.Duration) {
	if !t.headed {
		fmt.Fprintf(t.w, columns, "tool", "asked", "read as", "", "rule", "time")
		t.headed = true
	}
	rule := ""
	op := 0
	if len(d.Reasons) > 0 {
		rule = d.Reasons[0].Rule
		op = max(0, d.Reasons[0].Op)
	}
	order := []int{}
	if len(ops) > 0 {
		order = append(order, op)
	}
	for i := range ops {
		if i != op {
			order = append(order, i)
		}
	}
	first := ""
	if len(order) > 0 {
		first = show(ops[order[0]])
	}
	fmt.Fprintf(t.w, columns, visible.Clip(a.Tool, 9), visible.Clip(replay.Asked(a), 44), visible.Clip(first, 52), d.Effect, visible.Clip(rule, 30), plural.Duration(took))
	for n, i := range order {
		if n == 0 {
			continue
		}
		if n == 4 && !t.all && len(order) > 5 {
			fmt.Fprintf(t.w, columns, "", "", fmt.Sprintf("and %d more", len(order)-n), "", "", "")
			break
		}
		fmt.Fprintf(t.w, columns, "", "", visible.Clip(show(ops[i]), 52), "", "", "")
	}
}

func show(o umpire.Operation) string {
	s := o.String()
	if o.Traits != 0 {
		s += " " + o.Traits.String()
	}
	return s
}
