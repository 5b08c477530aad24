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
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/judgeconfig"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/wire"
	"github.com/umpire-dev/umpire/policy"
)

// useFlags are the flags of `umpire judge use`.
type useFlags struct {
	model       string
	dryRun, yes bool
	by          cli.Invoker
}

func newJudgeUse(by cli.Invoker) *cobra.Command {
	f := useFlags{by: by}
	c := &cobra.Command{
		Use:   "use PROVIDER|off",
		Short: "Turn the judge on with this provider first, or off",
		Long: `Turn the judge on in your policy, with this provider first, or off. Umpire shows the change and
asks before it writes. Off keeps the judge's settings. Ollama's address is $OLLAMA_HOST.
Providers: ` + strings.Join(wire.Names(), " "),
		Example: "  umpire judge use ollama\n  umpire judge use ollama --model qwen3:8b",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, args[0])
		},
	}
	o := c.Flags()
	o.StringVar(&f.model, "model", "", "`NAME` of the model (default: the provider's usual one)")
	o.BoolVarP(&f.dryRun, "dry-run", "n", false, "show the change and write nothing")
	o.BoolVarP(&f.yes, "yes", "y", false, "do not ask for confirmation")
	return c
}

// run turns the judge on with the provider name, or off.
func (f *useFlags) run(cmd *cobra.Command, name string) error {
	off := name == "off"
	if !off && !slices.Contains(wire.Names(), name) {
		return cli.Usagef("unknown provider %q: use %s, or off", name, strings.Join(wire.Names(), ", "))
	}
	if off && f.model != "" {
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
	for _, file := range loaded.Files {
		if file.Layer == policy.Managed && file.Judge != nil {
			return fmt.Errorf("%s also configures the judge and takes precedence over your policy", visible.Line(file.Path))
		}
	}
	if off {
		return f.turnOff(cmd, path)
	}
	set := policyfile.Provider{Model: f.model}
	if name == "ollama" && (loaded.Judge.Ollama == nil || loaded.Judge.Ollama.BaseURL == "") {
		if l := model.Local(cmd.Context(), os.Getenv); l.Moved() {
			set.BaseURL = l.BaseURL
		}
	}
	return f.turnOn(cmd, path, at.Home, name, set)
}

func (f *useFlags) turnOff(cmd *cobra.Command, path string) error {
	change, err := policyfile.PlanNoJudge(path)
	if err != nil {
		return cli.Faults(cmd.ErrOrStderr(), err)
	}
	return f.write(cmd.OutOrStdout(), change, "the judge is already off in your policy",
		"The judge is off. Calls that no rule settles get the defaultAction. To turn the judge on again, run umpire judge use PROVIDER.")
}

// turnOn puts the provider first in the policy at path, if it is available.
func (f *useFlags) turnOn(cmd *cobra.Command, path, home, name string, set policyfile.Provider) error {
	change, err := policyfile.PlanJudge(path, name, set)
	if err != nil {
		return cli.Faults(cmd.ErrOrStderr(), err)
	}
	file, err := policyfile.Parse(path, change.After, policy.User)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), 10*time.Second)
	defer cancel()
	first := judgeconfig.Chain(*file.Judge, home).Status(ctx)[0]
	if !first.Available {
		return fmt.Errorf("%s is not available: %s; nothing was written", name, visible.Line(first.Why))
	}
	return f.write(cmd.OutOrStdout(), change, name+" is already the first provider",
		fmt.Sprintf("The judge is on. Umpire asks %s (%s) about calls that no rule settles.", name, visible.Line(first.Model)))
}

// write shows a change of the policy, asks the person, writes it, and says what it did. If nothing
// changes, it says why.
func (f *useFlags) write(out io.Writer, change policyfile.JudgeChange, same, done string) error {
	if string(change.Before) == string(change.After) {
		fmt.Fprintln(out, "nothing to do: "+same)
		return nil
	}
	before := change.Path
	if len(change.Before) == 0 {
		before = "/dev/null"
	}
	_, shown, _ := strings.Cut(string(diff.Diff(before, change.Before, change.Path, change.After)), "\n")
	fmt.Fprint(out, visible.Block(shown))
	if f.dryRun {
		return nil
	}
	if err := f.by.Agent(); err != nil {
		return err
	}
	if !f.yes {
		if err := confirmWrite(f.by, "Write this?"); err != nil {
			return err
		}
	}
	if err := change.Apply(); err != nil {
		return err
	}
	fmt.Fprintln(out, done)
	return answer.RecordChange("terminal", answer.Change{What: "policy", Names: "judge: " + done, Path: change.Path})
}

// confirmWrite asks the person at the terminal whether to write the shown text.
func confirmWrite(by cli.Invoker, question string) error {
	t, err := by.Terminal()
	if err != nil {
		return cli.NoTerminal(err)
	}
	defer func() { _ = t.Close() }()
	return cli.Confirm(t, question)
}
