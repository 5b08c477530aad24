// Package doctor has `umpire doctor`, which examines the setup of this machine.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/doctor"
	"github.com/umpire-dev/umpire/internal/install"
	"github.com/umpire-dev/umpire/internal/judgeconfig"
	"github.com/umpire-dev/umpire/internal/live"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// New returns `umpire doctor`.
func New() *cobra.Command {
	var asJSON, tryLive bool
	var t liveTest
	c := &cobra.Command{
		Use:   "doctor [flags] [--live [CLIENT...]]",
		Short: "Check that umpire protects this machine",
		Long: `Check that umpire protects this machine: its programs, policy, audit log and sandbox, and the
hook of each coding agent.

With --live it starts the agents, each with a temporary home and a scripted model: a harmless call
must run, and a destructive one must not. You need no account, key or network, and your files are
not read or changed. Exit status: 1 if a check failed.`,
		Example: `  umpire doctor --live
  umpire doctor --live --boxed claude
  umpire doctor --live claude --bin claude=/opt/claude/bin/claude`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := cli.UntilEnded(cmd.Context())
			defer stop()
			if tryLive {
				t.names = args
				return t.run(ctx, cmd.OutOrStdout(), asJSON)
			}
			if len(args) > 0 {
				return cli.Usagef("%s requires --live; see umpire doctor --help", visible.Line(args[0]))
			}
			if err := cli.Requires(cmd, tryLive, "--live", "bin", "boxed", "timeout"); err != nil {
				return err
			}
			return runDoctor(ctx, cmd.OutOrStdout(), asJSON)
		},
	}
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	f.BoolVar(&tryLive, "live", false, "start the agents and test them with real calls")
	f.BoolVar(&t.boxed, "boxed", false, "with --live: start the agents under umpire run")
	f.StringToStringVar(&t.bins, "bin", nil, "with --live: path of a client, as `CLIENT=PATH`")
	f.Lookup("bin").DefValue = "" // not "[]"
	cli.DurationVar(f, &t.limit, "timeout", live.DefaultLimit, "with --live: time limit for each client")
	return c
}

// examiner returns a doctor for the environment of this process.
func examiner() (*doctor.Doctor, error) {
	at, err := project.At("")
	if err != nil {
		return nil, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if exe, err = filepath.EvalSymlinks(exe); err != nil {
		return nil, err
	}
	hook, _ := install.HookPath() // the doctor reports a missing one
	return &doctor.Doctor{
		Home: at.Home, Dir: at.Dir, Workspace: at.Workspace, Getenv: os.Getenv, Exe: exe, Hook: hook,
		Policy: func() (*policy.Policy, *policyfile.Loaded, error) { return at.Policy("") },
		Box: func(ctx context.Context) (list []doctor.Layer, err error) {
			layers, err := sandbox.Layers(ctx, "")
			for _, l := range layers {
				list = append(list, doctor.Layer(l))
			}
			return list, err
		},
		Version: live.Version,
		Gateway: func(ctx context.Context, g *policyfile.Gateway) error {
			return answer.CheckGateway(ctx, g, at.Home, at.Workspace)
		},
		Models: func(ctx context.Context) ([]model.Status, error) {
			settings, err := judgeconfig.Settings(at.Home, at.Workspace)
			if err != nil || !settings.Enabled {
				return nil, err
			}
			return judgeconfig.Chain(settings, at.Home).Status(ctx), nil
		},
	}, nil
}

func runDoctor(ctx context.Context, w io.Writer, asJSON bool) error {
	d, err := examiner()
	if err != nil {
		return err
	}
	all := []doctor.Finding{}
	about := ""
	d.Found = func(f doctor.Finding) {
		all = append(all, f)
		if asJSON {
			return
		}
		if f.About != about {
			about = f.About
			fmt.Fprintln(w, visible.Line(about))
		}
		status := map[doctor.Status]string{doctor.OK: "ok", doctor.Warn: "warn", doctor.Fail: "FAIL"}[f.Status]
		fmt.Fprintf(w, "  %-5s %-10s %s\n", status, f.Check, visible.Clip(f.Text, 400))
		if f.Next != "" {
			fmt.Fprintf(w, "        next: %s\n", visible.Clip(f.Next, 400))
		}
	}
	d.Run(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	n := map[doctor.Status]int{}
	for _, f := range all {
		n[f.Status]++
	}
	if asJSON {
		err = cli.PrintJSON(w, struct {
			OK       int              `json:"ok"`
			Warn     int              `json:"warn"`
			Fail     int              `json:"fail"`
			Findings []doctor.Finding `json:"findings"`
		}{n[doctor.OK], n[doctor.Warn], n[doctor.Fail], all})
	} else {
		fmt.Fprintf(w, "\n%d ok, %d warn, %d fail. To test the real agents, run umpire doctor --live\n", n[doctor.OK], n[doctor.Warn], n[doctor.Fail])
	}
	if err == nil && n[doctor.Fail] > 0 {
		err = cli.ExitError(cli.ExitFailure)
	}
	return err
}

const notInstalled live.Outcome = "not installed"

// liveTest starts coding agents and tests them with real calls.
type liveTest struct {
	names []string          // the agents to test; none: all installed ones
	bins  map[string]string // the program of an agent, by its name
	limit time.Duration     // for each agent
	boxed bool              // run them in the sandbox
}

// clients returns the named agents, or all.
func (t *liveTest) clients() (list []*live.Client, err error) {
	all := live.Clients()
	for _, name := range slices.Concat(t.names, slices.Sorted(maps.Keys(t.bins))) {
		if live.Find(name) == nil {
			var known []string
			for _, c := range all {
				known = append(known, c.Name)
			}
			return nil, cli.Usagef("--live does not support the client %q; it supports: %s", name, strings.Join(known, " "))
		}
	}
	for _, c := range all {
		if len(t.names) == 0 || t.named(c) {
			list = append(list, c)
		}
	}
	return list, nil
}

func (t *liveTest) named(c *live.Client) bool {
	return slices.Contains(t.names, c.Name) || t.bins[c.Name] != ""
}

// run tests the agents one after another and prints the results.
func (t *liveTest) run(ctx context.Context, w io.Writer, asJSON bool) error {
	if !live.Supported {
		return errors.New("--live is not supported on this system: a client could leave its temporary home")
	}
	clients, err := t.clients()
	if err != nil {
		return err
	}
	d, err := examiner()
	if err != nil {
		return err
	}
	progress := w
	if asJSON {
		progress = io.Discard
	}
	reports := []live.Report{}
	for _, c := range clients {
		bin, err := c.Locate(os.Getenv("PATH"), t.bins[c.Name])
		switch {
		case err != nil && !t.named(c):
			continue
		case err != nil:
			detail := err.Error()
			if errors.Is(err, exec.ErrNotFound) {
				detail = c.Name + " is not in PATH; name it with --bin " + c.Name + "=PATH"
			}
			fmt.Fprintf(progress, "%-9s ", c.Name)
			reports = append(reports, live.Report{Client: c.Name, Title: c.Title, Result: notInstalled, Detail: visible.Clip(detail, 300)})
		default:
			if len(reports) == 0 {
				fmt.Fprintln(progress, "Each client runs in a temporary home, with a scripted model on 127.0.0.1 and\nthe settings that umpire init writes. Your files are not read or changed.")
			}
			fmt.Fprintf(progress, "%-9s ", c.Name)
			trial := live.Trial{Client: c, Bin: bin, Path: os.Getenv("PATH"), Limit: t.limit, Install: func(p live.Place) error {
				return d.Install(c.Name, p.Home, p.Project)
			}}
			if t.boxed {
				trial.Umpire = d.Exe
			}
			reports = append(reports, trial.Run(ctx))
			if ctx.Err() != nil {
				fmt.Fprintln(progress)
				return errors.New("interrupted: stopped the client and removed its home")
			}
		}
		printTrial(progress, reports[len(reports)-1])
	}
	if len(reports) == 0 {
		return doclink.Wrap(errors.New("found no coding agent in PATH; name one with --bin CLIENT=PATH"), doclink.NoAgent)
	}
	return printReports(w, reports, asJSON)
}

// printReports prints the sum of the results. The exit status is 1 if an agent failed.
func printReports(w io.Writer, reports []live.Report, asJSON bool) (err error) {
	passed := 0
	for _, r := range reports {
		if r.Result == live.Passed {
			passed++
		}
	}
	if asJSON {
		err = cli.PrintJSON(w, struct {
			Passed  int           `json:"passed"`
			Failed  int           `json:"failed"`
			Clients []live.Report `json:"clients"`
		}{passed, len(reports) - passed, reports})
	} else {
		fmt.Fprintf(w, "%d passed, %d failed\n", passed, len(reports)-passed)
	}
	if err == nil && passed < len(reports) {
		err = cli.ExitError(cli.ExitFailure)
	}
	return err
}

// printTrial completes the line that begins with the client's name.
func printTrial(w io.Writer, r live.Report) {
	what := string(r.Result)
	if r.Result == live.Passed {
		what = "harmless call ran, destructive call stopped"
	}
	if r.Detail != "" {
		what += ": " + r.Detail
	}
	fmt.Fprintf(w, "%-9s %s (%.1f s)\n", r.Version, what, r.Seconds)
}
