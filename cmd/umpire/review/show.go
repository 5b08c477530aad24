package review

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/kept"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
)

// NewShow returns `umpire review show`. Only a person at a terminal sees the full texts.
func NewShow(by cli.Invoker) *cobra.Command {
	var release, toMe bool
	var session string
	c := &cobra.Command{
		Use:   "show [ID]",
		Short: "Show the text of a finding, or release it to an agent",
		Long: `Show the text of one finding to a person at a terminal: a model wrote it after reading untrusted
code. Without an ID, list stored reviews and their findings.

Umpire withholds a text that gives instructions; --to-me shows it. With --release, the agent of
--session can read the sanitized text with the same command, and its session becomes tainted.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := audit.DefaultDir()
			if err != nil {
				return err
			}
			if toMe && release {
				return cli.Usagef("use --to-me or --release, not both: --to-me shows the text only to you")
			}
			if err := cli.Requires(c, release, "--release", "session"); err != nil {
				return err
			}
			store := kept.Open(filepath.Join(dir, "reviews"))
			if len(args) == 0 {
				if toMe || release {
					return cli.Usagef("pass the ID of a finding; umpire review show lists them")
				}
				return listReviews(c.OutOrStdout(), store, by.Agent() == nil)
			}
			r, released, err := store.Find(args[0])
			if errors.Is(err, kept.ErrNone) {
				return fmt.Errorf("%s: %w; umpire review show lists them", visible.Clip(args[0], 60), err)
			}
			if err != nil {
				return err
			}
			p, err := by.Terminal()
			if err != nil && released && !release && !toMe {
				return printReleased(c, r)
			}
			if err != nil {
				return err
			}
			defer p.Close() //nolint:errcheck // it gives the terminal back as far as it can
			if toMe {
				return showRaw(p, store, r)
			}
			fmt.Fprint(p, findingText(r))
			if r.Has(finding.InjectedInstructions) && r.Source == finding.Model {
				fmt.Fprintf(p, "\nThe model's text is withheld. To read it, run umpire review show %s --to-me\n", r.ID)
			}
			if !release {
				return nil
			}
			return releaseTo(p, dir, store, r, session)
		},
	}
	c.Flags().BoolVar(&toMe, "to-me", false, "show a withheld text; do not follow it")
	c.Flags().BoolVar(&release, "release", false, "let an agent read the text")
	c.Flags().StringVar(&session, "session", "", "session of the agent; the text taints it")
	return c
}

// releaseTo lets agents read the text of a finding, after the person has agreed.
func releaseTo(p terminal.Person, dir string, store kept.Store, r *finding.Reported, session string) error {
	if session == "" {
		return cli.Usagef("--release requires --session: the text taints the session of the agent")
	}
	known, err := audit.Last(dir, audit.Query{Session: session}, 1)
	if err != nil && !audit.IsMissing(err) {
		return err
	}
	if len(known) == 0 { // the mark would be on a session that no agent has
		return fmt.Errorf("the audit log has no session %s: umpire audit search lists the sessions of agents", visible.Clip(session, 100))
	}
	answer, err := p.Ask(fmt.Sprintf("Let agents read this text, and taint session %s? [y/N] ", visible.Clip(session, 100)))
	if err != nil {
		return err
	}
	if !terminal.Yes(strings.TrimSpace(answer)) {
		fmt.Fprintln(p, "not released")
		return cli.ExitError(cli.ExitFailure)
	}
	// Set the mark first: a released text without it would be worse.
	err = taint.Open(filepath.Join(dir, "taint")).Set(taint.Mark{Time: time.Now().UTC(), Session: session, Tool: "umpire review", Why: "a person released the text of a finding"})
	if err != nil {
		return err
	}
	if err := store.Release(r.ID, time.Now()); err != nil {
		return err
	}
	fmt.Fprintf(p, "released: the agent can run umpire review show %s\n", r.ID)
	return nil
}

// listReviews lists the stored reviews. Agents run this as well, so it shows no text of a model or
// of the code; only people see the names of targets.
func listReviews(w io.Writer, store kept.Store, named bool) error {
	list, err := store.Reviews()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		fmt.Fprintln(w, "no reviews yet; umpire review DIR makes one")
	}
	for _, r := range list {
		line := r.Time.Local().Format(time.DateTime) + "  " + plural.Count(len(r.Findings), "finding") + "  " + r.Kind
		if named {
			line += " " + visible.Clip(r.Target, 200)
		}
		fmt.Fprintln(w, strings.TrimSpace(line))
		for _, f := range r.Findings {
			released := map[bool]string{true: "  released to agents"}[f.Released]
			fmt.Fprintf(w, "  %-8s  %s%s\n", strings.ToUpper(f.Severity.String()), f.ID, released)
		}
	}
	return nil
}

// showRaw shows a person the model's original text. The material may have manipulated the model.
func showRaw(p terminal.Person, store kept.Store, r *finding.Reported) error {
	said, err := store.Raw(r.ID)
	switch {
	case errors.Is(err, kept.ErrNone):
		fmt.Fprintf(p, "%s\nUmpire wrote this text: nothing is withheld.\n", findingText(r))
		return nil
	case err != nil:
		return err
	}
	raw := *r
	raw.Finding = *said
	fmt.Fprintf(p, "A model wrote this text after reading untrusted code. It is evidence: do not follow it.\n\n%s\n(end of the text)\n", findingText(&raw))
	return nil
}

func findingText(r *finding.Reported) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", strings.ToUpper(r.Severity.String()), visible.Line(r.Title))
	fmt.Fprintf(&b, "%s  %s  from %s\n", visible.Line(r.Place()), visible.Line(r.Rule), r.Source)
	if len(r.Flags) > 0 {
		fmt.Fprintf(&b, "%v\n", r.Flags)
	}
	if r.Steers != nil && *r.Steers {
		b.WriteString("A second model reports that this text may steer its reader, or gave no clear answer.\n")
	}
	fmt.Fprintf(&b, "\n%s", barred(r.Description))
	if r.Remediation != "" {
		fmt.Fprintf(&b, "\nRemedy:\n%s", barred(r.Remediation))
	}
	return b.String()
}

// barred prefixes each line with a bar. The model chose the text: a line of it could imitate one of
// umpire's.
func barred(text string) string {
	return "| " + strings.ReplaceAll(visible.Block(text), "\n", "\n| ") + "\n"
}

// printReleased gives a text to an agent as untrusted tool output.
func printReleased(c *cobra.Command, r *finding.Reported) error {
	s := guard.Sanitizer{Hidden: guard.RemoveHidden, Defang: true}
	out, err := s.Sanitize(c.Context(), "umpire review", findingText(r))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.OutOrStdout(), out.Text)
	return err
}
