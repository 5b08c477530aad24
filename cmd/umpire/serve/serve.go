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
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
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

// New returns `umpire serve`.
func New() *cobra.Command {
	var listen, agents, proxy, database, root, workspace, uptime, cert, key string
	var remote host.Remote
	var hosts, private []string
	var lookup bool
	var expiry, keep time.Duration
	var waiting int
	var people map[string]int
	var notify []string
	var secretFile string
	var rate float64
	var profile bool
	var oidc oidcFlags
	var seen proxyFlags
	var judged guardFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the gateway, where people answer requests of agents",
		Long: `Run the gateway. Agents submit requests and wait; people answer them. The policy and the
stored rules decide first. Requests that no rule settles wait for a person.

Agents and operators use the same REST API. Their tokens differ: an agent token cannot reach
the routes that decide. With --agents, the agents' API gets a separate address, the only one
that agents must reach.

Requests are stored in SQLite in umpire's state folder, or in PostgreSQL with --database, which
several gateways can share. With --oidc-issuer, people log in through an OpenID Connect
provider, and --oidc-role assigns their roles. The first start prints an administrator token;
` + "`umpire token`" + ` creates more.

The proxy connects agents to other machines, as the policy or a person allows. Set HTTP_PROXY
and HTTPS_PROXY to http://SESSION:TOKEN@127.0.0.1:3701, with an agent token.

With --guard, agents can check texts at /v1/guard/, as with ` + "`umpire guard serve`" + `.`,
		Example: `  umpire serve
  umpire token add --agent builder
  MAX_UPTIME=4h umpire serve --root ~/src/shop --agents 0.0.0.0:3703 --host gateway.lan
  umpire serve --oidc-issuer https://login.example.org --oidc-client-id umpire --oidc-client-secret-file ~/umpire.secret \
    --oidc-role approver=groups=ops --oidc-role viewer=email=*@example.org`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := cli.Folder(root)
			if err != nil {
				return err
			}
			var limit time.Duration
			source := "--max-uptime"
			if !cmd.Flags().Changed("max-uptime") {
				uptime, source = setting("MAX_UPTIME")
			}
			if uptime != "" {
				if limit, err = gateway.ParseUptime(uptime); err != nil {
					return cli.Usagef("%s: %w", source, err)
				}
			}
			if !cmd.Flags().Changed("workspace") {
				workspace, _ = setting("WORKSPACE")
			}
			if !cmd.Flags().Changed("listen") {
				listen = envOr("SERVER_PORT", listen)
			}
			if workspace != "" {
				if workspace, err = filepath.Abs(workspace); err != nil {
					return err
				}
				if fi, err := os.Stat(workspace); err != nil || !fi.IsDir() {
					return cli.Usagef("--workspace: %s is not a folder", visible.Line(workspace))
				}
			}
			hooks, err := webhooks(notify, secretFile)
			if err != nil {
				return cli.Usage(err)
			}
			needs, err := peopleNeeded(people)
			if err != nil {
				return err
			}
			if keep < 0 || keep > 0 && keep < 24*time.Hour {
				return cli.Usagef("--keep must be at least 24h, or 0 to keep everything")
			}
			provider, err := oidc.provider()
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM, os.Interrupt)
			defer stop()
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
			if err := errors.Join(checkDatabase(database), guardState(log)); err != nil {
				return err
			}
			tellSettings(cmd, log)
			s, where, err := openStore(ctx, database)
			if err != nil {
				return err
			}
			defer func() { _ = s.Close() }()
			state, err := audit.DefaultDir()
			if err != nil {
				return err
			}
			if own := home.Own(); own != "" {
				log.Warn("HOME or XDG_* differ from the folders that umpire init recorded, which stay in use; to move them, run `umpire init` with these variables", "home", own)
			}
			staging, err := openStaging(ctx, remote)
			if err != nil {
				return err
			}
			o := gateway.Options{Store: s, Root: at.Dir, Workspace: workspace, Staging: staging, Layers: snapshot.DefaultLayers(at.Home, at.Workspace, os.Getenv), AuditDir: state, Shared: isPostgres(database),
				Webhooks: hooks, Rate: rate, Profile: profile, Expiry: expiry, Keep: keep, Needs: needs, Waiting: waiting, MaxUptime: limit, Version: version.String(), Log: log}
			if provider != nil {
				o.People = oidc.config.Settings()
			}
			if lookup {
				o.Lookup = host.PublicRegistries()
			}
			if err := seen.options(ctx, &o, log); err != nil {
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
			stopGuard, err := judged.mount(ctx, g, log)
			if err != nil {
				return err
			}
			defer stopGuard()
			if proxy == "" && !cmd.Flags().Changed("proxy") && !cmd.Flags().Changed("listen") && inline() {
				proxy = envOr("PROXY_PORT", "127.0.0.1:3701")
			}
			var open []netip.Prefix
			for _, text := range private {
				n, err := netip.ParsePrefix(text)
				if err != nil {
					return cli.Usagef("--private: %w; must be a network such as 10.1.0.0/16", err)
				}
				open = append(open, n.Masked())
			}
			return serve(ctx, cmd, g, log, where, listeners{listen, agents, proxy, cert, key, hosts, open, &seen})
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:3700", "address of the operators' API and pages, and of the agents' API without --agents")
	f.StringVar(&agents, "agents", "", "separate address for the agents' API")
	f.StringVar(&proxy, "proxy", "", "address of the forward proxy (default 127.0.0.1:3701, or none with --listen)")
	f.StringSliceVar(&private, "private", nil, "let the proxy connect to this private network, such as 10.1.0.0/16")
	f.StringSliceVar(&hosts, "host", nil, "host name of the gateway, besides the loopback address")
	f.StringVar(&database, "database", "", "URL of a PostgreSQL database, postgres://... (default: SQLite in the state folder)")
	f.StringVarP(&root, "root", "C", "", "the project folder")
	f.StringVar(&workspace, "workspace", "", "folder that agents work in, for /api/sync/files: differences from the project become requests")
	f.DurationVar(&expiry, "expiry", time.Hour, "how long a request waits for an answer")
	f.IntVar(&waiting, "waiting", 1000, "maximum pending requests for each agent; 0 means no limit")
	f.DurationVar(&keep, "keep", 90*24*time.Hour, "how long the database keeps settled requests and their events; 0 means forever")
	f.StringToIntVar(&people, "people", nil, "number of people who must approve, by category: exec=2,packages=2")
	f.BoolVar(&lookup, "registry-lookup", true, "show data from public registries about requested packages")
	f.StringVar(&remote.URL, "push-to", "", "remote for approved pushes of agents: https, ssh, or the folder of a repository")
	f.StringVar(&remote.Credentials, "push-credentials", "", "file with the credentials for --push-to, in the format of git credential-store: https://user:password@host")
	f.StringArrayVar(&notify, "notify", nil, "URL to notify about new and answered requests; use slack+https://... for Slack")
	f.StringVar(&secretFile, "notify-secret", "", "file with the secret that signs notifications")
	f.Float64Var(&rate, "rate", 2000, "maximum calls per second for each credential; 0 means no limit")
	f.BoolVar(&profile, "pprof", false, "serve Go profiles to administrators at /debug/pprof/")
	f.StringVar(&uptime, "max-uptime", "", "shut down after this time, such as 4h, and deny pending requests")
	oidc.add(cmd)
	seen.add(f)
	judged.add(f)
	f.StringVar(&cert, "tls-cert", "", "TLS certificate file")
	f.StringVar(&key, "tls-key", "", "TLS key file")
	return cmd
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

// peopleNeeded reads --people.
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

// envOr returns the address that an environment variable names: a port is one on the
// loopback address.
func envOr(name, otherwise string) string {
	if v, _ := setting(name); v != "" {
		if !strings.Contains(v, ":") {
			return "127.0.0.1:" + v
		}
		return v
	}
	return otherwise
}

// inline reports whether the proxy runs in the gateway's process.
func inline() bool {
	v, _ := setting("PROXY_INLINE")
	return v != "false"
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

// openStaging opens the repository that agents push to, if there is a remote behind it.
// Each remote has one of its own.
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

type listeners struct {
	listen, agents, proxy, cert, key string
	hosts                            []string
	private                          []netip.Prefix
	seen                             *proxyFlags
}

func serve(ctx context.Context, cmd *cobra.Command, g *gateway.Gateway, log *slog.Logger, where string, l listeners) error {
	if (l.cert == "") != (l.key == "") {
		return cli.Usagef("--tls-cert and --tls-key require each other")
	}
	var shown []tls.Certificate // looked at before anything is said to be served
	if l.cert != "" {
		cert, err := atomicfile.ReadSmall(l.cert)
		key, e := atomicfile.ReadSmall(l.key)
		if err = errors.Join(err, e); err != nil {
			return err
		}
		pair, err := tls.X509KeyPair(cert, key)
		if err != nil {
			return fmt.Errorf("--tls-cert and --tls-key: %w", err)
		}
		shown = append(shown, pair)
	}
	type side struct {
		name, addr string
		srv        *http.Server
		tls        bool
	}
	secure := l.cert != ""
	sides := []side{{"operators", l.listen, gateway.Server(g.OperatorHandler(l.hosts...)), secure}}
	if l.agents == "" {
		sides[0] = side{"all", l.listen, gateway.Server(g.Handler(l.hosts...)), secure}
	} else {
		sides = append(sides, side{"agents", l.agents, gateway.Server(g.AgentHandler(l.hosts...)), secure})
	}
	var own []netip.AddrPort // complete before any side serves
	if l.proxy != "" {
		if os.Getenv("GOGC") == "" { // a request through the proxy leaves much garbage, and the heap is small
			debug.SetGCPercent(200)
		}
		h := g.Proxy(l.seen.proxy(egress.Options{Private: l.private, Own: func() []netip.AddrPort { return own }}, g, log))
		sides = append(sides, side{"proxy", l.proxy, egress.Server(h), false})
	}
	open := make([]net.Listener, len(sides))
	defer func() {
		for _, ln := range open {
			if ln != nil {
				_ = ln.Close() // most often its server has closed it
			}
		}
	}()
	for i, s := range sides {
		ln, err := new(net.ListenConfig).Listen(ctx, "tcp", s.addr)
		if err != nil {
			return fmt.Errorf("listen for %s: %w; set another address with --listen, --agents or --proxy", s.name, err)
		}
		if s.name == "proxy" {
			ln = egress.Strict(ln)
		}
		open[i] = ln
		if at, err := netip.ParseAddrPort(ln.Addr().String()); err == nil {
			own = append(own, at)
			if !s.tls && !at.Addr().Unmap().IsLoopback() {
				log.Warn("this address is reachable from other machines without TLS: tokens travel unencrypted", "side", s.name, "address", at)
			}
		}
	}
	first, err := firstToken(ctx, cmd, g) // not before it serves: one that cannot start leaves nothing
	if err != nil {
		return err
	}
	if first || cli.OnTerminal(cmd.ErrOrStderr()) { // a log is no place for a key, at every start
		if err := printLogin(ctx, cmd, g, open[0].Addr().String(), secure); err != nil {
			return err
		}
	}
	defer rereadOn(g, log)()
	failed := make(chan error, len(sides))
	for i, s := range sides {
		s.srv.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
		log.Info("umpire serves", "side", s.name, "address", open[i].Addr().String(), "store", where)
		go func() {
			if s.tls {
				s.srv.TLSConfig = &tls.Config{Certificates: shown, MinVersion: tls.VersionTLS12}
				failed <- s.srv.ServeTLS(open[i], "", "")
			} else {
				failed <- s.srv.Serve(open[i])
			}
		}()
	}
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
		g.Stop("SIGTERM")
	case <-g.Done():
	case err = <-failed:
		g.Stop("listener failed")
	}
	<-done
	log.Info("shutting down")
	end, cancelEnd := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancelEnd()
	// Of several gateways on one database one that goes away takes nobody's questions along.
	err = errors.Join(err, g.Close(end, where != "PostgreSQL"))
	for _, s := range sides {
		err = errors.Join(err, s.srv.Shutdown(end))
	}
	return err
}

// printLogin prints a link that opens the pages as an administrator, once. Whoever reads
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
