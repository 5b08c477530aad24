// Package box runs a program in a sandbox. It adds the gateway, the hook and the CA, relays
// questions, and keeps the changes until a person applies them. The program inside is not trusted.
package box

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
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/snapshot"
)

// Run is a program in a sandbox, in the form that `umpire changes` reads.
type Run struct {
	ID      string         `json:"id"`
	Started time.Time      `json:"started"`
	Command string         `json:"command"`
	Profile string         `json:"profile,omitempty"`
	Config  sandbox.Config `json:"config"`

	Sync Sync `json:"-"` // flags of the command line, not stored
}

// Addresses of umpire inside a sandbox, equal to those of the gateway outside.
const (
	InsideAPI   = "127.0.0.1:3700"
	InsideProxy = "127.0.0.1:3701"
)

// New returns a new run of a program, and the project with its links resolved.
func New(at project.Project, args, readOnly, writable, env []string) (*Run, project.Project, error) {
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
	// Resolve the real paths: a home folder may be a link to a disk.
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
	r := &Run{ID: strings.ToLower(approval.NewID(now)), Started: now, Command: strings.Join(args, " ")}
	r.Config = sandbox.Config{Dir: root, Folder: at.Dir, State: filepath.Join(state, "runs", r.ID), Home: at.Home, Args: append([]string{prog}, args[1:]...), ReadOnly: needed,
		Own: []string{user, state}} // includes the operator's token
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
	r.showIdentity()
	r.Config.Env = sandbox.Environment(os.Environ(), names, append(set, "HOME="+at.Home, "TMPDIR=/tmp")...)
	return r, at, nil
}

// realPath resolves the links in a path whose last elements may not exist yet.
func realPath(p string) (string, error) {
	real, err := filepath.EvalSymlinks(p)
	if !errors.Is(err, os.ErrNotExist) || filepath.Dir(p) == p {
		return real, err
	}
	dir, err := realPath(filepath.Dir(p))
	return filepath.Join(dir, filepath.Base(p)), err
}

// leaseFor is how long the token of a run lives after umpire is killed. Until then, umpire renews it,
// and it revokes it at the end of the run.
const leaseFor = 5 * time.Minute

// Start runs the program with a gateway beside the sandbox, and returns its exit status.
func Start(ctx context.Context, errs io.Writer, r *Run, server, proxy string) (int, error) {
	if err := os.MkdirAll(r.Config.State, 0o700); err != nil {
		return 0, err
	}
	if err := writeIdentity(ctx, r); err != nil {
		return 0, err
	}
	stop, err := needGateway(ctx, errs, r, server)
	if err != nil {
		return 0, err
	}
	defer stop()
	token, id, err := agentToken(ctx, server, "run "+r.ID)
	if err != nil {
		return 0, err
	}
	defer keepToken(ctx, errs, server, id, "")()
	closeGates, err := openGates(ctx, r, server, proxy)
	if err != nil {
		return 0, err
	}
	defer closeGates()
	own, err := placeholders(ctx, server, token, r)
	if err != nil {
		return 0, err
	}
	forGit, err := r.Sync.gitEnv(ctx, server, token)
	if err != nil {
		return 0, err
	}
	own = append(own, forGit...)
	// Only the program gets the token: the file that `umpire changes` reads must not contain it.
	kept := r.Config
	r.Config.Through = &sandbox.Through{Gate: InsideProxy, User: r.ID, Password: token} // for programs that ignore the variables
	said := report{run: r, out: errs}
	r.Config.Tell = said.event
	r.Config.Env = slices.Concat(kept.Env, own, proxyEnv(r.ID, token))
	defer func() { r.Config = kept }()
	noted := kept
	noted.Env = nil // it contains keys, and the file stays as long as the changes
	body, err := json.Marshal(Run{ID: r.ID, Started: r.Started, Command: r.Command, Profile: r.Profile, Config: noted})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(kept.State, "run.json"), body, 0o600); err != nil {
		return 0, err
	}
	sync, err := startSync(ctx, errs, r, server)
	if err != nil {
		return 0, err
	}
	defer func() { sync.end(ctx, errs) }()
	defer relayQuestions(ctx, errs, r, server, token)()
	status, err := sandbox.Run(ctx, r.Config)
	return status, errors.Join(err, said.close())
}

func agentToken(ctx context.Context, server, name string) (token, id string, err error) {
	var made struct {
		Token string `json:"token"`
		About struct {
			ID string `json:"id"`
		} `json:"about"`
	}
	err = gatewayclient.AsOperator(ctx, server, http.MethodPost, "/api/tokens", map[string]any{"kind": "agent", "name": name, "lease": leaseFor.Milliseconds()}, &made)
	return made.Token, made.About.ID, err
}

// keepToken renews a token until the returned function revokes it, also if the run was interrupted.
func keepToken(ctx context.Context, errs io.Writer, server, id, query string) (revoke func()) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		renewing(ctx, errs, time.Now, func(ctx context.Context) error {
			return gatewayclient.AsOperator(ctx, server, http.MethodPost, "/api/tokens/"+id+"/renew", nil, nil)
		})
	}()
	return func() {
		stop()
		<-done
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		if err := gatewayclient.AsOperator(ctx, server, http.MethodDelete, "/api/tokens/"+id+query, nil, nil); err != nil {
			fmt.Fprintf(errs, "umpire: could not revoke a token of this run: %v; see `umpire token list`\n", err)
		}
	}
}

// renewing calls renew when a fifth of the lease is over, until ctx ends. It often looks at the time
// of day, because timers stop while the machine sleeps and leases do not. It reports the first failure.
func renewing(ctx context.Context, errs io.Writer, now func() time.Time, renew func(context.Context) error) {
	failed := false
	for last := now().Round(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(5 * time.Second):
		}
		at := now().Round(0)
		if at.Before(last) { // the clock was set back
			last = at
		}
		if at.Sub(last) < leaseFor/5 {
			continue
		}
		within, cancel := context.WithTimeout(ctx, 30*time.Second)
		err := renew(within)
		cancel()
		switch {
		case err == nil:
			if gone := at.Sub(last); gone >= leaseFor { // stopped, or asleep without the gateway
				fmt.Fprintf(errs, "umpire: this run did not renew its token for %s: the gateway may have cancelled its requests in the meantime; the token is valid again\n", plural.Duration(gone.Round(time.Second)))
			}
			last = at
		case ctx.Err() == nil && !failed: // the next one may succeed
			failed = true
			fmt.Fprintf(errs, "umpire: could not renew the token of this run: %v; trying again\n", err)
		}
	}
}

// openGates opens a socket for each address that the program reaches: the agents' API and the proxy
// of the gateway. The returned function closes them.
func openGates(ctx context.Context, r *Run, server, proxy string) (end func(), err error) {
	api, err := url.Parse(gatewayclient.URL(server))
	if err != nil {
		return nil, err
	}
	sockets, err := newSockets()
	if err != nil {
		return nil, err
	}
	var closers []io.Closer
	end = func() {
		for _, c := range closers {
			_ = c.Close() // the program has ended, and no one reads from it
		}
		_ = os.RemoveAll(sockets) // empty by now
	}
	r.Config.Gates = map[string]string{}
	for inside, outside := range map[string]string{InsideAPI: api.Host, InsideProxy: proxy} {
		_, port, err := net.SplitHostPort(inside)
		if err != nil {
			end()
			return nil, err
		}
		socket := filepath.Join(sockets, port)
		var c io.Closer
		if inside == InsideAPI {
			c, err = bridgeAgents(ctx, socket, api)
		} else {
			c, err = bridge(ctx, socket, outside)
		}
		if err != nil {
			end()
			return nil, err
		}
		closers = append(closers, c)
		r.Config.Gates[inside] = socket
	}
	return end, nil
}

// proxyEnv returns the variables by which programs find the proxy and the agents' API.
func proxyEnv(run, token string) []string {
	proxy := (&url.URL{Scheme: "http", User: url.UserPassword(run, token), Host: InsideProxy}).String()
	return []string{
		"HTTP_PROXY=" + proxy, "HTTPS_PROXY=" + proxy, "http_proxy=" + proxy, "https_proxy=" + proxy, "ALL_PROXY=" + proxy,
		"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost", "NODE_USE_ENV_PROXY=1",
		"SANDBOX_API=http://" + InsideAPI, "UMPIRE_TOKEN=" + token,
	}
}

// needGateway starts a gateway for the duration of the run, if none answers.
func needGateway(ctx context.Context, errs io.Writer, r *Run, server string) (stop func(), err error) {
	if r.Sync.own = !gatewayclient.Alive(ctx, server); !r.Sync.own {
		if _, err := gatewayclient.OperatorToken(); err != nil && server == "" { // another user's, or of another HOME
			return nil, fmt.Errorf("a gateway runs at %s, and you have no token for it: if it is yours, restart it, which writes a new token; else ask its operator for one and set UMPIRE_TOKEN", gatewayclient.URL(server))
		}
		return func() {}, nil
	}
	if server != "" || gatewayclient.URL("") != gatewayclient.DefaultURL {
		return nil, fmt.Errorf("no gateway at %s: start one with `umpire serve`", gatewayclient.URL(server))
	}
	stop, err = gatewayclient.Start(ctx, gatewayclient.Process{Server: server, Log: filepath.Join(r.Config.State, "gateway.log"), Args: append([]string{"--root", r.Config.Dir}, r.Sync.serveArgs()...)})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(errs, "umpire: connections are checked; answer requests with `umpire queue` in another terminal, or in the browser with `umpire login`\n")
	return stop, nil
}

// DropUnused deletes the folder of a run that did not start.
func DropUnused(r *Run) {
	for _, name := range []string{"upper", "record"} {
		if entries, err := os.ReadDir(filepath.Join(r.Config.State, name)); err == nil && len(entries) > 0 {
			return
		}
	}
	_ = os.RemoveAll(r.Config.State) // contains only folders
}

// bridge listens on a Unix socket and forwards connections to an address.
func bridge(ctx context.Context, socket, addr string) (io.Closer, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	go sandbox.PassOn(ctx, l, "tcp", addr)
	return l, nil
}
