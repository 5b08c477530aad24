// Package run has `umpire run`, which runs an agent in a sandbox, and `umpire changes`, which
// shows its changes and applies them to the project.
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/shim"
	"github.com/umpire-dev/umpire/internal/visible"
)

type runFlags struct {
	dir, server, proxy, profile string
	readOnly, writable, env     []string
	dryRun                      bool
	limits                      boxLimits
	sync                        box.Sync
}

// New returns `umpire run`.
func New(by cli.Invoker) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:        "run [flags] -- COMMAND [ARG...]",
		SuggestFor: []string{"sandbox", "box"},
		Short:      "Run an agent in a sandbox and hold its changes for review",
		Long: `Run a program in a sandbox of kernel namespaces, Landlock and seccomp (Linux only).

The project is an overlay, whose changes ` + "`umpire changes`" + ` shows and applies. The system is
read-only, and the home folder empty, except for --read-only and --writable paths. The only
network is the proxy of the gateway, or of one that umpire starts.

Known agents have a profile: their settings read-only, a copy of their login, their API keys, and
umpire's hook. Sessions are deleted with the sandbox. Profiles:
` + profileNames() + `.

If a part of the sandbox cannot be set up, umpire does not start the program. Of limits in flags
and in ` + "`box:`" + ` of policies, the lowest applies.

Exit status: that of the program, 127 program not found, 126 program cannot run, 1 no sandbox.`,
		Example: `  umpire run -- claude
  umpire run --profile codex -- npx @openai/codex
  umpire run --writable ~/.claude/projects -- claude --resume
  umpire run --dry-run -- npm test`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, args, by)
		},
	}
	f.add(c.Flags())
	return c
}

func (f *runFlags) add(o *pflag.FlagSet) {
	o.StringVarP(&f.dir, "dir", "C", "", "the project folder")
	o.StringArrayVar(&f.readOnly, "read-only", nil, "path of the host that the program may read")
	o.StringArrayVar(&f.writable, "writable", nil, "path of the host that the program may change directly")
	o.StringArrayVarP(&f.env, "env", "e", nil, "variable for the program, as NAME or NAME=VALUE")
	o.StringVar(&f.profile, "profile", "", "profile of an agent, or none (default: by the program's name)")
	o.StringVar(&f.server, "server", "", "URL of the gateway (default http://127.0.0.1:3700)")
	o.StringVar(&f.proxy, "proxy", "127.0.0.1:3701", "address of the gateway's proxy")
	f.limits.add(o)
	addSync(o, &f.sync)
	o.BoolVar(&f.dryRun, "dry-run", false, "print the sandbox and run nothing")
}

// run starts the program args in a sandbox, waits for it, and offers its changes for review.
func (f *runFlags) run(cmd *cobra.Command, args []string, by cli.Invoker) error {
	prof, err := profileOf(f.profile, args[0])
	if err != nil {
		return err
	}
	if err := checkSync(&f.sync); err != nil {
		return err
	}
	folder, err := cli.Folder(f.dir)
	if err != nil {
		return err
	}
	r, at, err := f.prepare(folder, args, prof)
	var missing *exec.Error
	if errors.As(err, &missing) {
		return cli.ExitError(shim.NotRun(cmd.ErrOrStderr(), args[0], missing))
	}
	if err != nil {
		return err
	}
	if f.dryRun {
		if runtime.GOOS == "darwin" {
			return describeSeatbelt(cmd.OutOrStdout(), r)
		}
		describeBox(cmd.OutOrStdout(), r)
		return nil
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "umpire: run %s\n", r.ID)
	defer box.DropUnused(r)
	ctx, end := untilEnded(cmd.Context())
	status, err := f.start(ctx, cmd, r, prof, at)
	end()
	if by := (endedError{}); err != nil && errors.As(context.Cause(ctx), &by) {
		fmt.Fprintf(cmd.ErrOrStderr(), "umpire: %s\n", by.Error())
		if err := reportPending(context.WithoutCancel(cmd.Context()), cmd.ErrOrStderr(), r); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "umpire: %v\n", err)
		}
		return cli.ExitError(128 + int(by.signal))
	}
	var cannot *sandbox.NotRunError
	if errors.As(err, &cannot) {
		return cli.ExitError(shim.NotRun(cmd.ErrOrStderr(), args[0], cannot.Err))
	}
	if err != nil {
		return err
	}
	if err := errors.Join(reportPending(cmd.Context(), cmd.ErrOrStderr(), r), offerReview(cmd, r, by.Terminal)); err != nil {
		return err
	}
	if status != 0 {
		return cli.ExitError(status)
	}
	return nil
}

// endedError means that a signal ended the run.
type endedError struct{ signal syscall.Signal }

func (e endedError) Error() string { return "the run was ended by a signal: " + e.signal.String() }

// untilEnded returns a context that ends with the signals that end a program, so that its token is
// revoked and its sandbox removed. An interrupt is for the program in the sandbox.
func untilEnded(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := make(chan os.Signal, 1)
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // for example by nohup
			signal.Notify(c, s)
		}
	}
	go func() {
		select {
		case s := <-c:
			cancel(endedError{s.(syscall.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(c); cancel(nil) }
}

// prepare describes the sandbox: the program, its profile, the CA of the proxy, and the limits.
func (f *runFlags) prepare(folder project.Project, args []string, prof *sandbox.Profile) (*box.Run, project.Project, error) {
	env := f.env
	if prof != nil {
		env = append(slices.Clone(prof.Env), env...)
	}
	r, at, err := box.New(folder, args, f.readOnly, f.writable, env)
	if err != nil {
		return nil, at, err
	}
	r.Sync = f.sync
	if prof != nil {
		if err := box.UseProfile(r, prof, at); err != nil {
			return nil, at, err
		}
	}
	if err := box.TrustCA(r); err != nil {
		return nil, at, err
	}
	if err := bound(&r.Config, &f.limits, at); err != nil {
		return nil, at, err
	}
	return r, at, r.Config.Check()
}

// start runs the program and returns its exit status. If the program has a profile, its hook is
// ready before the program starts, and its audit events are stored afterwards.
func (f *runFlags) start(ctx context.Context, cmd *cobra.Command, r *box.Run, prof *sandbox.Profile, at project.Project) (status int, err error) {
	if prof != nil {
		if err := errors.Join(box.HintEndpoints(cmd.ErrOrStderr(), prof, at), box.ReadyHook(ctx, r, at)); err != nil {
			return 0, err
		}
	}
	if err := r.Sync.ReadRemote(ctx, r.Config.Dir); err != nil {
		return 0, err
	}
	status, err = box.Start(ctx, cmd.ErrOrStderr(), r, f.server, f.proxy)
	if prof != nil {
		err = errors.Join(err, box.KeepRecord(r))
	}
	return status, err
}

// describeSeatbelt prints the sandbox as a profile of sandbox-exec, the sandbox of macOS.
func describeSeatbelt(w io.Writer, r *box.Run) error {
	c := r.Config
	c.Gates = map[string]string{box.InsideAPI: "", box.InsideProxy: ""}
	_, err := fmt.Fprintf(w, "; for `sandbox-exec -f FILE PROGRAM`, with a running gateway; start it yourself\n; the project has no overlay here: the program writes to it directly\n%s", sandbox.Seatbelt(&c))
	return err
}

// describeBox prints the parts of the sandbox.
func describeBox(w io.Writer, r *box.Run) {
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
		if strings.HasPrefix(m.From, c.State+"/") {
			fmt.Fprintf(w, "its own    %s, with your user.name and user.email\n", visible.Line(m.To))
			continue
		}
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
	fmt.Fprintf(w, "network    only the gateway's proxy (%s) and its API for agents (%s)\n", box.InsideProxy, box.InsideAPI)
	fmt.Fprintf(w, "variables  %s\n", visible.Line(strings.Join(names, " ")))
	fmt.Fprintf(w, "limits     %s\n", limitsText(c))
	fmt.Fprintf(w, "rights     no capabilities, no new privileges, seccomp, Landlock; namespaces for users, mounts, processes, network, IPC and names\n")
}
