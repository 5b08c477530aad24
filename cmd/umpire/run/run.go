// Package run has `umpire run`, which runs an agent in a sandbox.
package run

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/changes"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/shim"
	"github.com/umpire-dev/umpire/internal/visible"
)

// New returns `umpire run`.
func New() *cobra.Command {
	var dir, server, proxy, profile string
	var readOnly, writable, env []string
	var dry bool
	var lim boxLimits
	var changed box.Sync
	c := &cobra.Command{
		Use:   "run [flags] -- COMMAND [ARG...]",
		Short: "Run an agent in a sandbox and hold its changes for review",
		Long: `Run a program in a sandbox of kernel namespaces, Landlock and seccomp (Linux only).

The program sees the project through an overlay: umpire stores its changes separately, and
` + "`umpire changes`" + ` shows and applies them. The system is read-only. The home folder is empty,
except for --read-only and --writable paths. The only network is the proxy of the gateway,
which checks each connection against your policy and asks you if needed. Umpire uses the
running gateway, or starts one for the time of the run.

Known agents have a profile, named after their program. It provides their settings read-only, a
copy of their login, their API keys as variables, and umpire's hook with your policy. Sessions
are deleted with the sandbox. --profile none turns this off. Profiles:
` + profileNames() + `.

If a part of the sandbox cannot be set up, umpire does not start the program. With --best-effort
it starts the program and reports the missing parts. Limits come from flags and from ` + "`box:`" + ` in
policies; the lowest applies.

Exit status: that of the program, 127 program not found, 126 program cannot run, 1 no sandbox.`,
		Example: `  umpire run -- claude
  umpire run -- bash
  umpire run --profile codex -- npx @openai/codex
  umpire run --writable ~/.claude/projects -- claude --resume
  umpire run --dry-run -- npm test`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			prof, err := profileOf(profile, args[0])
			if err == nil {
				err = checkSync(&changed)
			}
			if err != nil {
				return err
			}
			if prof != nil {
				env = append(slices.Clone(prof.Env), env...)
			}
			folder, err := cli.Folder(dir)
			if err != nil {
				return err
			}
			r, at, err := box.New(folder, args, readOnly, writable, env)
			var not *exec.Error
			if errors.As(err, &not) {
				return cli.ExitError(shim.NotRun(cmd.ErrOrStderr(), args[0], not))
			}
			if err == nil {
				r.Sync = changed
			}
			if err == nil && prof != nil {
				err = box.UseProfile(r, prof, at)
			}
			if err == nil {
				err = box.TrustCA(r)
			}
			if err == nil {
				err = bound(&r.Config, &lim, at)
			}
			if err == nil {
				err = r.Config.Check()
			}
			if err != nil {
				return err
			}
			if dry {
				if runtime.GOOS == "darwin" {
					return describeSeatbelt(cmd.OutOrStdout(), r)
				}
				return describeBox(cmd.OutOrStdout(), r)
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "umpire: run %s\n", r.ID)
			defer box.DropUnused(r)
			if prof != nil {
				if err := errors.Join(box.HintEndpoints(cmd.ErrOrStderr(), prof, at), box.ReadyHook(cmd.Context(), r, at)); err != nil {
					return err
				}
			}
			if err := r.Sync.ReadRemote(cmd.Context(), r.Config.Dir); err != nil {
				return err
			}
			status, err := box.Start(cmd.Context(), cmd.ErrOrStderr(), r, server, proxy)
			if prof != nil {
				err = errors.Join(err, box.KeepRecord(r))
			}
			var cannot *sandbox.NotRunError
			if errors.As(err, &cannot) {
				return cli.ExitError(shim.NotRun(cmd.ErrOrStderr(), args[0], cannot.Err))
			}
			if err != nil {
				return err
			}
			if err := errors.Join(changes.Tell(cmd.Context(), cmd.ErrOrStderr(), r), offerReview(cmd, r, cli.AtTerminal)); err != nil {
				return err
			}
			if status != 0 {
				return cli.ExitError(status)
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVarP(&dir, "dir", "C", "", "the project folder")
	f.StringArrayVar(&readOnly, "read-only", nil, "also let the program read this path of the host")
	f.StringArrayVar(&writable, "writable", nil, "let the program change this path of the host directly")
	f.StringArrayVarP(&env, "env", "e", nil, "pass this variable to the program, as NAME or NAME=VALUE")
	f.StringVar(&profile, "profile", "", "profile of an agent, or none (default: by the name of the program)")
	f.StringVar(&server, "server", "", "URL of the gateway (default http://127.0.0.1:3700)")
	f.StringVar(&proxy, "proxy", "127.0.0.1:3701", "address of the gateway's proxy")
	f.StringVar(&lim.memory, "memory", "", "memory limit, such as 512M or 4G")
	f.StringVar(&lim.disk, "disk", "", "limit on changed data in the project, such as 512M or 4G")
	f.IntVar(&lim.tasks, "processes", 0, "limit on processes and threads (default 4096)")
	f.DurationVar(&lim.cpu, "cpu-time", 0, "CPU time limit, such as 1h")
	f.DurationVar(&lim.wall, "wall-time", 0, "wall time limit, such as 8h")
	f.BoolVar(&lim.bestEffort, "best-effort", false, "run even if parts of the sandbox are not available, and report them")
	addSync(f, &changed)
	f.BoolVar(&dry, "dry-run", false, "print the sandbox and run nothing")
	return c
}

// describeSeatbelt prints the box as a profile of macOS's own sandbox.
func describeSeatbelt(w io.Writer, r *box.Run) error {
	c := r.Config
	c.Gates = map[string]string{box.InsideAPI: "", box.InsideProxy: ""}
	_, err := fmt.Fprintf(w, "; for `sandbox-exec -f FILE PROGRAM`, with a running gateway; start it yourself\n; the project has no overlay here: the program writes to it directly\n%s", sandbox.Seatbelt(&c))
	return err
}

// describeBox prints what is walled how.
func describeBox(w io.Writer, r *box.Run) error {
	c := &r.Config
	fmt.Fprintf(w, "program    %s\n", visible.Line(r.Command))
	if r.Profile != "" {
		fmt.Fprintf(w, "profile    %s\n", r.Profile)
	}
	fmt.Fprintf(w, "project    %s, as an overlay; changes are stored in %s\n", visible.Line(c.Dir), visible.Line(c.Upper()))
	fmt.Fprintf(w, "home       %s, empty\n", visible.Line(c.Home))
	for _, p := range c.ReadOnly {
		fmt.Fprintf(w, "read-only  %s\n", visible.Line(p))
	}
	for _, m := range c.Copied {
		fmt.Fprintf(w, "a copy of  %s\n", visible.Line(m.To))
	}
	for _, m := range c.Shown {
		switch {
		case m.Writable:
			fmt.Fprintf(w, "its own    %s\n", visible.Line(m.To))
		case strings.HasPrefix(m.From, c.State+"/"):
			fmt.Fprintf(w, "empty      %s\n", visible.Line(m.To))
		default:
			fmt.Fprintf(w, "read-only  %s\n", visible.Line(m.To))
		}
	}
	for _, p := range c.Hidden {
		fmt.Fprintf(w, "hidden     %s\n", visible.Line(p))
	}
	for _, p := range c.Writable {
		fmt.Fprintf(w, "writable   %s\n", visible.Line(p))
	}
	var names []string
	for _, e := range c.Env {
		name, _, _ := strings.Cut(e, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	fmt.Fprintf(w, "system     read-only, without its secrets\n")
	fmt.Fprintf(w, "network    none but the gateway's proxy (%s) and its side for agents (%s)\n", box.InsideProxy, box.InsideAPI)
	fmt.Fprintf(w, "variables  %s\n", visible.Line(strings.Join(names, " ")))
	fmt.Fprintf(w, "limits     %s\n", limitsText(c))
	fmt.Fprintf(w, "rights     no capabilities, no new privileges, seccomp, Landlock; namespaces for users, mounts, processes, network, IPC and names\n")
	return nil
}
