package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/visible"
)

// boxRun is a program in a box, as it is kept for `umpire changes`.
type boxRun struct {
	ID      string         `json:"id"`
	Started time.Time      `json:"started"`
	Command string         `json:"command"`
	Profile string         `json:"profile,omitempty"`
	Config  sandbox.Config `json:"config"`

	sync syncFlags
}

// Addresses inside a box at which umpire is found: those of the gateway outside.
const (
	insideAPI   = "127.0.0.1:3700"
	insideProxy = "127.0.0.1:3701"
)

func newRun() *cobra.Command {
	var dir, server, proxy, profile string
	var readOnly, writable, env []string
	var dry bool
	var lim boxLimits
	var changed syncFlags
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
				err = changed.check()
			}
			if err != nil {
				return err
			}
			if prof != nil {
				env = append(slices.Clone(prof.Env), env...)
			}
			r, at, err := newBox(dir, args, readOnly, writable, env)
			var not *exec.Error
			if errors.As(err, &not) {
				return notRun(cmd.ErrOrStderr(), args[0], not)
			}
			if err == nil {
				r.sync = changed
			}
			if err == nil && prof != nil {
				err = useProfile(r, prof, at)
			}
			if err == nil {
				err = trustCA(r)
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
			defer dropUnused(r)
			if prof != nil {
				if err := errors.Join(hintEndpoints(cmd.ErrOrStderr(), prof, at), readyHook(cmd.Context(), r, at)); err != nil {
					return err
				}
			}
			if err := r.sync.readRemote(cmd.Context(), r.Config.Dir); err != nil {
				return err
			}
			status, err := runBoxed(cmd, r, server, proxy)
			if prof != nil {
				err = errors.Join(err, keepRecord(r))
			}
			var cannot *sandbox.NotRunError
			if errors.As(err, &cannot) {
				return notRun(cmd.ErrOrStderr(), args[0], cannot.Err)
			}
			if err != nil {
				return err
			}
			if err := errors.Join(tellChanges(cmd.Context(), cmd.ErrOrStderr(), r), offerReview(cmd, r, cli.AtTerminal)); err != nil {
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
	changed.add(f)
	f.BoolVar(&dry, "dry-run", false, "print the sandbox and run nothing")
	return c
}

// newBox makes the Config of a run.
func newBox(dir string, args, readOnly, writable, env []string) (*boxRun, project.Project, error) {
	at, err := cli.Folder(dir)
	if err != nil {
		return nil, at, err
	}
	state, err := audit.DefaultDir()
	if err != nil {
		return nil, at, err
	}
	if at.Dir, err = filepath.EvalSymlinks(at.Dir); err != nil {
		return nil, at, err
	}
	root := at.Dir
	if at.Workspace != "" {
		if root, err = filepath.EvalSymlinks(at.Workspace); err != nil {
			return nil, at, err
		}
	}
	// What counts is where things really are: a home folder may be a link to a disk.
	for _, p := range []*string{&at.Home, &state} {
		if *p, err = realPath(*p); err != nil {
			return nil, at, fmt.Errorf("your home folder, or umpire's folders in it: %w", err)
		}
	}
	user, err := realPath(filepath.Dir(snapshot.DefaultLayers(at.Home, root, os.Getenv).User))
	if err != nil {
		return nil, at, err
	}
	prog, needed, err := sandbox.Needed(args[0], at.Home)
	if err != nil {
		return nil, at, err
	}
	now := time.Now()
	r := &boxRun{ID: strings.ToLower(approval.NewID(now)), Started: now, Command: strings.Join(args, " ")}
	r.Config = sandbox.Config{Dir: root, Folder: at.Dir, State: filepath.Join(state, "runs", r.ID), Home: at.Home, Args: append([]string{prog}, args[1:]...), ReadOnly: needed,
		Own: []string{user, state}} // the operator's token among them
	for _, list := range []struct {
		from []string
		to   *[]string
	}{{readOnly, &r.Config.ReadOnly}, {writable, &r.Config.Writable}} {
		for _, p := range list.from {
			if p, err = filepath.Abs(p); err != nil {
				return nil, at, err
			}
			real, err := filepath.EvalSymlinks(p)
			if err != nil {
				return nil, at, fmt.Errorf("%w: cannot make it visible in the sandbox", err)
			}
			if dir, err := filepath.EvalSymlinks(filepath.Dir(p)); err == nil && real != filepath.Join(dir, filepath.Base(p)) {
				r.Config.ReadOnly = append(r.Config.ReadOnly, filepath.Join(dir, filepath.Base(p))) // the link itself
			}
			*list.to = append(*list.to, real)
		}
	}
	var names, set []string
	for _, e := range env {
		if strings.Contains(e, "=") {
			set = append(set, e)
		} else {
			names = append(names, e)
		}
	}
	r.Config.Env = sandbox.Environment(os.Environ(), names, append(set, "HOME="+at.Home, "TMPDIR=/tmp")...)
	return r, at, nil
}

// realPath follows the links in a path, of which the end need not be there yet.
func realPath(p string) (string, error) {
	real, err := filepath.EvalSymlinks(p)
	if !errors.Is(err, os.ErrNotExist) || filepath.Dir(p) == p {
		return real, err
	}
	dir, err := realPath(filepath.Dir(p))
	return filepath.Join(dir, filepath.Base(p)), err
}

// describeSeatbelt prints the box as a profile of macOS's own sandbox.
func describeSeatbelt(w io.Writer, r *boxRun) error {
	c := r.Config
	c.Gates = map[string]string{insideAPI: "", insideProxy: ""}
	_, err := fmt.Fprintf(w, "; for `sandbox-exec -f FILE PROGRAM`, with a running gateway; start it yourself\n; the project has no overlay here: the program writes to it directly\n%s", sandbox.Seatbelt(&c))
	return err
}

// describeBox prints what is walled how.
func describeBox(w io.Writer, r *boxRun) error {
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
	fmt.Fprintf(w, "network    none but the gateway's proxy (%s) and its side for agents (%s)\n", insideProxy, insideAPI)
	fmt.Fprintf(w, "variables  %s\n", visible.Line(strings.Join(names, " ")))
	fmt.Fprintf(w, "limits     %s\n", limitsText(c))
	fmt.Fprintf(w, "rights     no capabilities, no new privileges, seccomp, Landlock; namespaces for users, mounts, processes, network, IPC and names\n")
	return nil
}

// tokenFor is how long the token of a run is good at most: it is revoked at the end, unless
// umpire is killed.
const tokenFor = 7 * 24 * time.Hour

// runBoxed runs a box with a gateway beside it.
func runBoxed(cmd *cobra.Command, r *boxRun, server, proxy string) (int, error) {
	ctx := cmd.Context()
	if err := os.MkdirAll(r.Config.State, 0o700); err != nil {
		return 0, err
	}
	stop, err := needGateway(cmd, r, server)
	if err != nil {
		return 0, err
	}
	defer stop()
	var made struct {
		Token string `json:"token"`
		About struct {
			ID string `json:"id"`
		} `json:"about"`
	}
	if err := gatewayclient.AsOperator(ctx, server, http.MethodPost, "/api/tokens", map[string]any{"kind": "agent", "name": "run " + r.ID, "expiresIn": tokenFor.Milliseconds()}, &made); err != nil {
		return 0, err
	}
	defer func() { // also if the run was interrupted
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		if err := gatewayclient.AsOperator(ctx, server, http.MethodDelete, "/api/tokens/"+made.About.ID, nil, nil); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "umpire: could not revoke the token of this run: %v; see `umpire token list`\n", err)
		}
	}()
	api, err := url.Parse(gatewayclient.URL(server))
	if err != nil {
		return 0, err
	}
	r.Config.Gates = map[string]string{}
	var closers []io.Closer
	defer func() {
		for _, c := range closers {
			_ = c.Close()
		}
	}()
	sockets, err := newSockets()
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(sockets) }()
	for inside, outside := range map[string]string{insideAPI: api.Host, insideProxy: proxy} {
		_, port, _ := net.SplitHostPort(inside)
		socket := filepath.Join(sockets, port)
		var c io.Closer
		if inside == insideAPI {
			c, err = bridgeAgents(ctx, socket, api)
		} else {
			c, err = bridge(ctx, socket, outside)
		}
		if err != nil {
			return 0, err
		}
		closers = append(closers, c)
		r.Config.Gates[inside] = socket
	}
	by := (&url.URL{Scheme: "http", User: url.UserPassword(r.ID, made.Token), Host: insideProxy}).String()
	own, err := placeholders(ctx, server, made.Token, r)
	if err != nil {
		return 0, err
	}
	forGit, err := r.sync.gitEnv(ctx, server, made.Token)
	if err != nil {
		return 0, err
	}
	own = append(own, forGit...)
	// Not kept: what `umpire changes` reads needs no token.
	kept := r.Config
	r.Config.Through = &sandbox.Through{Gate: insideProxy, User: r.ID, Password: made.Token} // what ignores the variables
	said := boxReport{run: r, out: cmd.ErrOrStderr()}
	r.Config.Tell = said.tell
	r.Config.Env = append(append(slices.Clone(kept.Env), own...), "HTTP_PROXY="+by, "HTTPS_PROXY="+by, "http_proxy="+by, "https_proxy="+by, "ALL_PROXY="+by, "NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost",
		"NODE_USE_ENV_PROXY=1", "SANDBOX_API=http://"+insideAPI, "UMPIRE_TOKEN="+made.Token)
	defer func() { r.Config = kept }()
	noted := kept
	noted.Env = nil // there are keys in it, which would lie there as long as the changes
	body, err := json.Marshal(boxRun{ID: r.ID, Started: r.Started, Command: r.Command, Profile: r.Profile, Config: noted})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(kept.State, "run.json"), body, 0o600); err != nil {
		return 0, err
	}
	sync, err := startSync(ctx, r, server)
	if err != nil {
		return 0, err
	}
	defer func() { sync.end(ctx, cmd.ErrOrStderr()) }()
	defer relayQuestions(ctx, cmd.ErrOrStderr(), r, server, made.Token)()
	status, err := sandbox.Run(ctx, r.Config)
	return status, errors.Join(err, said.close())
}

// needGateway starts a gateway for as long as the run, if none answers.
func needGateway(cmd *cobra.Command, r *boxRun, server string) (stop func(), err error) {
	ctx := cmd.Context()
	if r.sync.own = !gatewayclient.Alive(ctx, server); !r.sync.own {
		return func() {}, nil
	}
	if server != "" {
		return nil, fmt.Errorf("no gateway at %s: start one with `umpire serve`", gatewayclient.URL(server))
	}
	stop, err = gatewayclient.Start(ctx, gatewayclient.Process{Server: server, Log: filepath.Join(r.Config.State, "gateway.log"), Args: append([]string{"--root", r.Config.Dir}, r.sync.serveArgs()...)})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "umpire: connections are checked; answer requests with `umpire queue` in another terminal, or in the browser with `umpire login`\n")
	return stop, nil
}

// dropUnused removes what is kept of a run in which nothing came to be: it did not start.
func dropUnused(r *boxRun) {
	for _, name := range []string{"upper", "record"} {
		if entries, err := os.ReadDir(filepath.Join(r.Config.State, name)); err == nil && len(entries) > 0 {
			return
		}
	}
	_ = os.RemoveAll(r.Config.State) // empty but for folders
}

// bridge listens on a Unix socket and passes what comes to an address.
func bridge(ctx context.Context, socket, addr string) (io.Closer, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	go sandbox.PassOn(ctx, l, "tcp", addr)
	return l, nil
}
