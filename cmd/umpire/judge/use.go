package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/judgeconfig"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/wire"
	"github.com/umpire-dev/umpire/policy"
)

func newJudgeUse() *cobra.Command {
	var named string
	var unasked, dryRun bool
	c := &cobra.Command{
		Use:   "use PROVIDER|off",
		Short: "Turn the judge on with this provider first, or off",
		Long: `Turn the judge on in your policy, with this provider first. Umpire shows the change and asks
you before it writes. The rest of the file stays unchanged. With off, turn the judge off and
keep its settings.

Ollama needs no key. Umpire looks for it at $OLLAMA_HOST or the default address.
Providers: ` + strings.Join(wire.Names(), " "),
		Example: "  umpire judge use ollama\n  umpire judge use ollama --model qwen3:8b\n  umpire judge use off",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			off := name == "off"
			if !off && !slices.Contains(wire.Names(), name) {
				return cli.Usagef("unknown provider %q: use %s, or off", name, strings.Join(wire.Names(), ", "))
			}
			if off && named != "" {
				return cli.Usagef("--model requires a provider")
			}
			at, err := project.At("")
			if err != nil {
				return err
			}
			path := snapshot.DefaultLayers(at.Home, at.Workspace, os.Getenv).User
			if path == "" {
				return errors.New("cannot find your home folder: set HOME")
			}
			loaded, err := project.OwnSettings(at.Home, at.Workspace)
			if err != nil {
				return cli.Faults(cmd.ErrOrStderr(), err)
			}
			for _, f := range loaded.Files {
				if f.Layer == policy.Managed && f.Judge != nil {
					return fmt.Errorf("%s also configures the judge and takes precedence over your policy", visible.Line(f.Path))
				}
			}
			out := cmd.OutOrStdout()
			if off {
				change, err := policyfile.PlanNoJudge(path)
				if err != nil {
					return cli.Faults(cmd.ErrOrStderr(), err)
				}
				if string(change.Before) == string(change.After) {
					fmt.Fprintln(out, "nothing to do: the judge is already off in your policy")
					return nil
				}
				if done, err := writeJudge(out, change, dryRun, unasked); !done {
					return err
				}
				fmt.Fprintln(out, "The judge is off. Calls that no rule settles get the defaultAction. To turn the judge on again, run umpire judge use PROVIDER.")
				return nil
			}
			set := policyfile.Provider{Model: named}
			if name == "ollama" && (loaded.Judge.Ollama == nil || loaded.Judge.Ollama.BaseURL == "") {
				if l := model.Local(cmd.Context(), os.Getenv); l.Moved() {
					set.BaseURL = l.BaseURL
				}
			}
			change, err := policyfile.PlanJudge(path, name, set)
			if err != nil {
				return cli.Faults(cmd.ErrOrStderr(), err)
			}
			f, err := policyfile.Parse(path, change.After, policy.User)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), 10*time.Second)
			defer cancel()
			first := judgeconfig.Chain(*f.Judge, at.Home).Status(ctx)[0]
			if !first.Available {
				return fmt.Errorf("%s is not available: %s; nothing was written", name, visible.Line(first.Why))
			}
			if string(change.Before) == string(change.After) {
				fmt.Fprintf(out, "nothing to do: %s is already the first provider\n", name)
				return nil
			}
			if done, err := writeJudge(out, change, dryRun, unasked); !done {
				return err
			}
			fmt.Fprintf(out, "The judge is on. Umpire asks %s (%s) about calls that no rule settles.\n", name, visible.Line(first.Model))
			return nil
		},
	}
	c.Flags().StringVar(&named, "model", "", "the `NAME` of the model (default: the provider's usual model)")
	c.Flags().BoolVarP(&dryRun, "dry-run", "n", false, "show the change and write nothing")
	c.Flags().BoolVarP(&unasked, "yes", "y", false, "do not ask for confirmation")
	return c
}

// writeJudge shows a change of the policy, asks the person, and writes it.
func writeJudge(out io.Writer, change policyfile.JudgeChange, dryRun, unasked bool) (done bool, err error) {
	before := change.Path
	if len(change.Before) == 0 {
		before = "/dev/null"
	}
	_, shown, _ := strings.Cut(string(diff.Diff(before, change.Before, change.Path, change.After)), "\n")
	fmt.Fprint(out, visible.Block(shown))
	if dryRun {
		return false, nil
	}
	if err := cli.ByAgent(); err != nil {
		return false, err
	}
	if !unasked {
		if err := confirmWrite("Write this?"); err != nil {
			return false, err
		}
	}
	if err := change.Apply(); err != nil {
		return false, err
	}
	return true, nil
}

// confirmWrite asks the person at the terminal whether to write what was shown.
func confirmWrite(question string) error {
	t, err := cli.AtTerminal()
	if err != nil {
		return cli.NoTerminal(err)
	}
	defer func() { _ = t.Close() }()
	return cli.Confirm(t, question)
}
