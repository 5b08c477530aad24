// Package serve has `umpire serve`, the gateway, and `umpire ca`.
package serve

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/version"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/web"
)

type serveFlags struct {
	listen, agents, proxy string
	hosts, private        []string
	cert, key             string
	database, root        string
	workspace, uptime     string
	expiry, keep          time.Duration
	archive               string
	keepEvents            int64
	waiting               int
	people                map[string]int
	lookup, profile       bool
	rate                  float64
	notify                []string
	notifySecret          string
	remote                host.Remote
	oidc                  oidcFlags
	seen                  proxyFlags
	guard                 guardFlags
}

// New returns `umpire serve`.
func New() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the gateway, where people answer requests of agents",
		Long: `Run the gateway. Agents submit requests; the policy, stored rules or people answer them.

The first start writes an administrator token, and a later one replaces it if its file is lost;
` + "`umpire token`" + ` creates more. The gateway ends when its terminal closes, except under nohup. Agents
reach other machines through the proxy: set HTTP_PROXY and HTTPS_PROXY to
http://SESSION:TOKEN@127.0.0.1:3701, with an agent token.`,
		Example: `  umpire token add --agent builder
  UMPIRE_MAX_UPTIME=4h umpire serve --root ~/src/shop --agents 0.0.0.0:3703 --host gateway.lan`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.add(cmd)
	return cmd
}

func (f *serveFlags) add(cmd *cobra.Command) {
	o := cmd.Flags()
	o.StringVar(&f.listen, "listen", "127.0.0.1:3700", "address of the API and the pages")
	o.StringVar(&f.agents, "agents", "", "separate address for agents, without pages or operator routes")
	o.StringVar(&f.proxy, "proxy", "", "address of the forward proxy (default 127.0.0.1:3701, or none with --listen)")
	o.StringSliceVar(&f.private, "private", nil, "private network that the proxy may connect to, such as 10.1.0.0/16")
	o.StringSliceVar(&f.hosts, "host", nil, "host name of the gateway, besides loopback")
	o.StringVar(&f.database, "database", "", "postgres:// URL, which gateways can share (default: SQLite in the state folder)")
	o.StringVarP(&f.root, "root", "C", "", "the project folder")
	o.StringVar(&f.workspace, "workspace", "", "agents' folder, whose changes become requests at /api/sync/files")
	cli.DurationVar(o, &f.expiry, "expiry", time.Hour, "time until a pending request expires")
	o.IntVar(&f.waiting, "waiting", 1000, "pending requests per agent; 0 means no limit")
	cli.DurationVar(o, &f.keep, "keep", 90*24*time.Hour, "lifetime of settled requests and their events; 0 means forever")
	o.StringVar(&f.archive, "archive", "", "folder of an SQLite database for the records that --keep removes")
	o.Int64Var(&f.keepEvents, "keep-events", 0, "also archive events beyond this number; 0 means no limit")
	o.StringToIntVar(&f.people, "people", nil, "people who must approve, by category: exec=2,packages=2")
	o.Lookup("people").DefValue = "" // not "[]"
	o.BoolVar(&f.lookup, "registry-lookup", true, "look up requested packages in public registries")
	o.StringVar(&f.remote.URL, "push-to", "", "remote for approved pushes: https, ssh, or a repository's folder")
	o.StringVar(&f.remote.Credentials, "push-credentials", "", "credentials for --push-to, a file of git credential-store")
	o.StringArrayVar(&f.notify, "notify", nil, "URL to notify about requests and answers; slack+https://... for Slack")
	o.StringVar(&f.notifySecret, "notify-secret", "", "file with the secret that signs notifications")
	o.Float64Var(&f.rate, "rate", 2000, "calls per second and credential; 0 means no limit")
	o.BoolVar(&f.profile, "pprof", false, "serve Go profiles to administrators at /debug/pprof/")
	o.StringVar(&f.uptime, "max-uptime", "", "shut down after this time, such as 4h, and deny pending requests")
	f.oidc.add(cmd)
	f.seen.add(o)
	f.guard.add(o)
	o.StringVar(&f.cert, "tls-cert", "", "TLS certificate file")
	o.StringVar(&f.key, "tls-key", "", "TLS key file")
}

// run checks the flags, opens the store, and serves until a signal or --max-uptime ends it.
func (f *serveFlags) run(cmd *cobra.Command) error {
	o, err := f.options(cmd)
	if err != nil {
		return err
	}
	provider, err := f.oidc.provider(cmd.Flags())
	if err != nil {
		return err
	}
	if provider != nil {
		o.People = f.oidc.config.Settings()
	}
	private, err := f.networks()
	if err != nil {
		return err
	}
	ctx, reload, stop := cli.UntilStopped(cmd.Context())
	var rereads sync.WaitGroup
	defer func() {
		stop()
		rereads.Wait()
	}()
	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	o.Log = log
	if err := errors.Join(checkDatabase(f.database), guardState(log)); err != nil {
		return err
	}
	tellSettings(cmd, log)
	s, where, err := openStore(ctx, f.database)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // each answer is already committed
	o.Store = s
	if f.archive != "" {
		if err := s.Archive(ctx, f.archive, f.keepEvents); err != nil {
			return err
		}
	}
	if own := home.Own(); own != "" {
		log.Warn("HOME or XDG_* differ from the folders that umpire init recorded, which stay in use; to move them, run `umpire init` with these variables", "home", own)
	}
	if o.Staging, err = openStaging(ctx, f.remote); err != nil {
		return err
	}
	if err := f.seen.options(ctx, &o, log); err != nil {
		return err
	}
	g, err := gateway.New(ctx, o)
	if err != nil {
		return cli.Faults(cmd.ErrOrStderr(), err)
	}
	pages, err := web.New(g, s, log)
	if err != nil {
		return err
	}
	pages.LoginWith(provider)
	g.Mount(pages)
	stopGuard, err := f.guard.mount(ctx, g, log)
	if err != nil {
		return err
	}
	defer stopGuard()
	rereads.Go(func() { rereadOn(ctx, reload, g, log) })
	return f.serve(ctx, cmd, g, log, where, private)
}

// options returns the settings of the gateway, from flags and environment variables. Flags
// take precedence.
func (f *serveFlags) options(cmd *cobra.Command) (o gateway.Options, err error) {
	at, err := cli.Folder(f.root)
	if err != nil {
		return o, err
	}
	if o.MaxUptime, err = f.maxUptime(cmd); err != nil {
		return o, err
	}
	if !cmd.Flags().Changed("workspace") {
		f.workspace, _ = setting("WORKSPACE")
	}
	if err := f.addresses(cmd.Flags().Changed); err != nil {
		return o, err
	}
	if f.workspace != "" {
		if f.workspace, err = filepath.Abs(f.workspace); err != nil {
			return o, err
		}
		if fi, err := os.Stat(f.workspace); err != nil || !fi.IsDir() {
			return o, cli.Usagef("--workspace: %s is not a folder", visible.Line(f.workspace))
		}
	}
	if err := cli.HostNames(f.hosts); err != nil {
		return o, err
	}
	if o.Webhooks, err = webhooks(f.notify, f.notifySecret); err != nil {
		return o, cli.Usage(err)
	}
	if o.Needs, err = peopleNeeded(f.people); err != nil {
		return o, err
	}
	if f.keep < 0 || f.keep > 0 && f.keep < 24*time.Hour {
		return o, cli.Usagef("--keep must be at least 24h, or 0 to keep everything")
	}
	switch { // without an archive, an agent could flush the record of its actions with many requests
	case f.keepEvents > 0 && f.archive == "":
		return o, cli.Usagef("--keep-events requires --archive")
	case f.archive != "" && f.keep == 0:
		return o, cli.Usagef("--archive requires --keep: with 0, nothing is removed")
	}
	if o.AuditDir, err = audit.DefaultDir(); err != nil {
		return o, err
	}
	if f.lookup {
		o.Lookup = host.PublicRegistries()
	}
	o.Root, o.Workspace = at.Dir, f.workspace
	o.Layers = snapshot.DefaultLayers(at.Home, at.Workspace, os.Getenv)
	o.Shared = isPostgres(f.database)
	o.Rate, o.Profile, o.Expiry, o.Keep, o.Waiting = f.rate, f.profile, f.expiry, f.keep, f.waiting
	o.Version = version.String()
	return o, nil
}

func (f *serveFlags) maxUptime(cmd *cobra.Command) (time.Duration, error) {
	text, source := f.uptime, "--max-uptime"
	if !cmd.Flags().Changed("max-uptime") {
		text, source = setting("MAX_UPTIME")
	}
	if text == "" {
		return 0, nil
	}
	limit, err := gateway.ParseUptime(text)
	if err != nil {
		return 0, cli.Usagef("%s: %w", source, err)
	}
	return limit, nil
}

func (f *serveFlags) networks() ([]netip.Prefix, error) {
	var list []netip.Prefix
	for _, text := range f.private {
		n, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, cli.Usagef("--private is %q: must be a network such as 10.1.0.0/16", text)
		}
		list = append(list, n.Masked())
	}
	return list, nil
}

// webhooks reads --notify and --notify-secret.
func webhooks(addresses []string, secretFile string) (list []gateway.Webhook, err error) {
	secret := ""
	if secretFile != "" {
		data, err := atomicfile.ReadSmall(secretFile)
		if err != nil {
			return nil, fmt.Errorf("--notify-secret: %w", err)
		}
		if secret = strings.TrimSpace(string(data)); len(secret) < 16 {
			return nil, errors.New("--notify-secret: the secret must have at least 16 characters: create one with `openssl rand -hex 32`")
		}
	}
	for _, a := range addresses {
		h, err := gateway.ParseWebhook(a, secret)
		if err != nil {
			return nil, fmt.Errorf("--notify: %w", err)
		}
		list = append(list, h)
	}
	return list, nil
}

func peopleNeeded(in map[string]int) (map[approval.Category]int, error) {
	out := map[approval.Category]int{}
	for name, n := range in {
		c := approval.Category(name)
		if !c.Known() {
			return nil, cli.Usagef("--people: unknown category %q: must be network, filesystem, git, packages, sandbox or exec", name)
		}
		if n < 1 || n > approval.MaxPeople {
			return nil, cli.Usagef("--people: %s must be 1 to %d", name, approval.MaxPeople)
		}
		out[c] = n
	}
	return out, nil
}

// envOr returns the address in an environment variable. A bare port means the loopback address.
func envOr(name, otherwise string) (string, error) {
	v, from := setting(name)
	switch {
	case v == "":
		return otherwise, nil
	case !strings.Contains(v, ":"):
		v = "127.0.0.1:" + v
	}
	return v, cli.Address(from, v)
}

// addresses sets the addresses that no flag names, and checks all.
func (f *serveFlags) addresses(changed func(flag string) bool) (err error) {
	proxies, err := inline()
	if err != nil {
		return err
	}
	if f.proxy == "" && !changed("proxy") && !changed("listen") && proxies {
		if f.proxy, err = envOr("PROXY_PORT", "127.0.0.1:3701"); err != nil {
			return err
		}
	}
	if !changed("listen") {
		if f.listen, err = envOr("SERVER_PORT", f.listen); err != nil {
			return err
		}
	}
	for _, a := range []struct{ flag, addr string }{{"--listen", f.listen}, {"--agents", f.agents}, {"--proxy", f.proxy}} {
		if a.addr != "" {
			err = errors.Join(err, cli.Address(a.flag, a.addr))
		}
	}
	return err
}

// inline reports whether the proxy runs in the gateway's process.
func inline() (bool, error) {
	v, from := setting("PROXY_INLINE")
	if v != "" && v != "true" && v != "false" {
		return false, cli.Usagef("%s is %q: must be true or false", from, v)
	}
	return v != "false", nil
}

func openStore(ctx context.Context, database string) (s *store.Store, where string, err error) {
	if where = database; where == "" {
		if where, err = gateway.DefaultState(); err != nil {
			return nil, "", err
		}
	}
	s, err = store.Open(ctx, where)
	if isPostgres(database) {
		where = "PostgreSQL"
	}
	return s, where, err
}

// openStaging opens the repository that agents push to, if a remote is set. Each remote has a
// separate repository.
func openStaging(ctx context.Context, remote host.Remote) (*host.Staging, error) {
	if remote.URL == "" {
		if remote.Credentials != "" {
			return nil, cli.Usagef("--push-credentials requires --push-to")
		}
		return nil, nil
	}
	state, err := gateway.DefaultState()
	if err != nil {
		return nil, err
	}
	name := sha256.Sum256([]byte(remote.URL))
	return host.OpenStaging(ctx, filepath.Join(state, "git", hex.EncodeToString(name[:8])+".git"), remote)
}

// side is one server of the gateway, and its listener.
type side struct {
	name, addr string
	srv        *http.Server
	tls        bool
	ln         net.Listener
}

// certificate reads --tls-cert and --tls-key. Without them it returns nil.
func (f *serveFlags) certificate() ([]tls.Certificate, error) {
	if (f.cert == "") != (f.key == "") {
		return nil, cli.Usagef("--tls-cert and --tls-key require each other")
	}
	if f.cert == "" {
		return nil, nil
	}
	cert, err := atomicfile.ReadSmall(f.cert)
	key, e := atomicfile.ReadSmall(f.key)
	if err = errors.Join(err, e); err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	return []tls.Certificate{pair}, nil
}

// sides returns the servers that the flags select. The proxy refuses to connect to the addresses
// that own returns: an agent must not reach the operators' API through it.
func (f *serveFlags) sides(g *gateway.Gateway, log *slog.Logger, private []netip.Prefix, own func() []netip.AddrPort) []*side {
	secure := f.cert != ""
	var sides []*side
	if f.agents == "" {
		sides = append(sides, &side{name: "all", addr: f.listen, srv: gateway.Server(g.Handler(f.hosts...)), tls: secure})
	} else {
		sides = append(sides,
			&side{name: "operators", addr: f.listen, srv: gateway.Server(g.OperatorHandler(f.hosts...)), tls: secure},
			&side{name: "agents", addr: f.agents, srv: gateway.Server(g.AgentHandler(f.hosts...)), tls: secure})
	}
	if f.proxy != "" {
		if os.Getenv("GOGC") == "" { // proxied requests produce much garbage, and the heap is small
			debug.SetGCPercent(200)
		}
		h := g.Proxy(f.seen.proxy(egress.Options{Private: private, Own: own}, g, log))
		sides = append(sides, &side{name: "proxy", addr: f.proxy, srv: egress.Server(h)})
	}
	return sides
}

// listen opens the address of a side.
func (s *side) listen(ctx context.Context, log *slog.Logger) error {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", s.addr)
	if err != nil {
		return fmt.Errorf("listen for %s: %w; set another address with --listen, --agents or --proxy", s.name, err)
	}
	s.ln = ln
	if at, err := netip.ParseAddrPort(ln.Addr().String()); err == nil && !s.tls && !at.Addr().Unmap().IsLoopback() {
		log.Warn("this address is reachable from other machines without TLS: tokens travel unencrypted", "side", s.name, "address", at)
	}
	return nil
}

// start serves in the background, and sends the error that ends it to failed.
func (s *side) start(log *slog.Logger, shown []tls.Certificate, failed chan<- error) {
	s.srv.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	ln := egress.Strict(s.ln)
	if s.tls { // without HTTP/2, whose requests egress could not check
		ln = egress.StrictTLS(s.ln, &tls.Config{Certificates: shown, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}, func(remote net.Addr, err error) {
			log.Warn("a TLS handshake failed", "side", s.name, "remote", remote, "error", err)
		})
	}
	go func() { failed <- s.srv.Serve(ln) }()
}

// stop ends the server. It waits for open requests until ctx ends, and then closes them.
func (s *side) stop(ctx context.Context) error {
	if s.srv.Shutdown(ctx) == nil {
		return nil
	}
	return s.srv.Close() // a client that never ends its request must not make the exit a failure
}

// serve opens all addresses, prints the first token and the login link, and serves until ctx
// ends, the gateway is done, or a listener fails.
func (f *serveFlags) serve(ctx context.Context, cmd *cobra.Command, g *gateway.Gateway, log *slog.Logger, where string, private []netip.Prefix) error {
	shown, err := f.certificate()
	if err != nil {
		return err
	}
	var own []netip.AddrPort // set before any side serves
	sides := f.sides(g, log, private, func() []netip.AddrPort { return own })
	defer func() {
		for _, s := range sides {
			if s.ln != nil {
				_ = s.ln.Close() // its server has usually closed it
			}
		}
	}()
	for _, s := range sides {
		if err := s.listen(ctx, log); err != nil {
			return err
		}
		if at, err := netip.ParseAddrPort(s.ln.Addr().String()); err == nil {
			own = append(own, at)
		}
	}
	first, err := firstToken(ctx, cmd, g, f.database == "") // only now: a gateway that cannot listen must not create a token
	if err != nil {
		return err
	}
	// Later starts print the link only at a terminal: logs must not contain login links.
	if first || cli.OnTerminal(cmd.ErrOrStderr()) {
		if err := printLogin(ctx, cmd, g, sides[0].ln.Addr().String(), sides[0].tls); err != nil {
			return err
		}
	}
	failed := make(chan error, len(sides))
	for _, s := range sides {
		log.Info("listening", "side", s.name, "address", s.ln.Addr().String(), "store", where)
		s.start(log, shown, failed)
	}
	err = work(ctx, g, failed)
	log.Info("shutting down")
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	// With PostgreSQL, other gateways still serve the pending requests, so they stay pending.
	err = errors.Join(err, g.Close(end, where != "PostgreSQL"))
	for _, s := range sides {
		err = errors.Join(err, s.stop(end))
	}
	return err
}

// work runs the gateway's background work until ctx ends, the gateway is done, or a listener
// fails. It returns the listener's error.
func work(ctx context.Context, g *gateway.Gateway, failed <-chan error) (err error) {
	background, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		var parts sync.WaitGroup
		parts.Go(func() { g.Execute(background) })
		g.Run(background)
		cancel()
		parts.Wait()
	}()
	select {
	case <-ctx.Done():
		g.Stop(context.Cause(ctx).Error())
	case <-g.Done():
	case err = <-failed:
		g.Stop("listener failed")
	}
	<-done
	return err
}

// printLogin prints a link that opens the pages as an administrator, once. Anyone who reads
// this terminal could read the administrator's token as well.
func printLogin(ctx context.Context, cmd *cobra.Command, g *gateway.Gateway, addr string, tls bool) error {
	code, err := g.NewLogin(ctx, gateway.Principal{Kind: gateway.Operator, Name: "admin", Role: gateway.Admin})
	if err != nil {
		return err
	}
	scheme := "http"
	if tls {
		scheme = "https"
	}
	if host, port, err := net.SplitHostPort(addr); err == nil && net.ParseIP(host).IsUnspecified() {
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "open in a browser, once, within ten minutes: %s://%s/login?code=%s\n", scheme, addr, code)
	return nil
}
