package run

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/changes"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/visible"
)

func newRuns() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "runs", Short: "List the stored runs of all projects", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := box.All()
			if err != nil {
				return err
			}
			type line struct {
				ID      string    `json:"id"`
				Started time.Time `json:"started"`
				Dir     string    `json:"dir"`
				Command string    `json:"command"`
				Profile string    `json:"profile,omitempty"`
				Running bool      `json:"running"`
			}
			lines := []line{}
			for _, r := range list {
				lines = append(lines, line{r.ID, r.Started, r.Config.Dir, r.Command, r.Profile, sandbox.Running(&r.Config)})
			}
			w := cmd.OutOrStdout()
			if asJSON {
				return cli.PrintLine(w, map[string]any{"runs": lines})
			}
			for _, l := range lines {
				state := map[bool]string{true: "  (running)"}[l.Running]
				fmt.Fprintf(w, "%s  %s  %s  %s%s\n", l.ID, l.Started.Local().Format("2006-01-02 15:04"), visible.Line(l.Dir), visible.Clip(l.Command, 60), state)
			}
			if len(lines) == 0 {
				fmt.Fprintln(w, "no runs")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// newDiscard returns `umpire changes discard`, which discards changes or whole runs.
func newDiscard(id *string, by cli.Invoker) *cobra.Command {
	var all bool
	var older string
	var only []int
	c := &cobra.Command{
		Use: "discard [PATH...]", Short: "Discard the changes of a run, for all paths or the given ones, or of many runs",
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := by.Agent(); err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if len(paths) > 0 || len(only) > 0 {
				if all || older != "" {
					return cli.Usagef("use paths or --hunk for one run, --all or --older for many runs: not both")
				}
				return discardPaths(cmd, *id, paths, only)
			}
			if !all && older == "" {
				r, err := box.Last(*id)
				if err != nil {
					return err
				}
				if err := r.Discard(); err != nil {
					return err
				}
				fmt.Fprintf(w, "discarded the changes of run %s\n", r.ID)
				return nil
			}
			if *id != "" {
				return cli.Usagef("use --run for one run, --all or --older for many: not both")
			}
			before, err := cli.Moment("older", older, time.Now())
			if err != nil {
				return err
			}
			list, err := box.All()
			if err != nil {
				return err
			}
			n := 0
			for _, r := range list {
				if sandbox.Running(&r.Config) || older != "" && r.Started.After(before) {
					continue
				}
				if err := r.Discard(); err != nil {
					return err
				}
				n++
			}
			fmt.Fprintf(w, "discarded the changes of %s\n", plural.Count(n, "run"))
			return nil
		},
	}
	c.Flags().IntSliceVar(&only, "hunk", nil, "discard only this hunk of one file, by its `number` in umpire changes show")
	c.Flags().BoolVar(&all, "all", false, "discard every run that has ended, of all projects")
	c.Flags().StringVar(&older, "older", "", "like --all, but only runs that began before this time: "+cli.Moments)
	return c
}

// discardPaths discards a run's changes at some paths, or some hunks of one file.
func discardPaths(cmd *cobra.Command, id string, paths []string, only []int) error {
	return onChanges(cmd, box.Ended, id, paths, func(_ *box.Run, w *changes.Writer, list []changes.ChangedPath) error {
		if len(only) == 0 {
			if err := w.Drop(list); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "discarded %s\n", plural.Count(len(list), "change"))
			return nil
		}
		c, drop, err := shownHunks(w, list, only)
		if err != nil {
			return err
		}
		keep := c.Hunks()
		for i := len(keep); i > 0; i-- {
			if slices.Contains(only, i) {
				keep = slices.Delete(keep, i-1, i)
			}
		}
		if err := w.DropPart(cmd.Context(), c, keep); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "discarded %s\n", plural.Count(len(drop), "hunk"))
		return nil
	})
}

// counted returns the number of lines that a change adds and removes, without the diff header.
func counted(diff string) (plus, minus int) {
	_, lines, _ := strings.Cut(diff, "\n@@")
	for line := range strings.Lines(lines) {
		switch line[0] {
		case '+':
			plus++
		case '-':
			minus++
		}
	}
	return plus, minus
}

// painted colors a diff in the usual way.
func painted(diff string, color bool) string {
	if !color {
		return diff
	}
	var b strings.Builder
	for line := range strings.Lines(diff) {
		text, end := strings.CutSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "+++ "), strings.HasPrefix(text, "--- "):
			text = "\x1b[1m" + text + "\x1b[m"
		case strings.HasPrefix(text, "+"):
			text = "\x1b[32m" + text + "\x1b[m"
		case strings.HasPrefix(text, "-"):
			text = "\x1b[31m" + text + "\x1b[m"
		case strings.HasPrefix(text, "@@"):
			text = "\x1b[36m" + text + "\x1b[m"
		}
		b.WriteString(text)
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
