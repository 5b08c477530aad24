package main

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

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/web"
)

func newServe() *cobra.Command {
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
		Short: "Run the gateway: questions of agents to people, by HTTP",
		Long: `Run the gateway. Agents submit what they want to do and wait; people look and answer.
Policy and stored rules answer first; what they leave open is a question.

Both sides speak REST on one address, and the credential tells which side it is: an
agent's token reaches no route that decides. With --agents the agents' side has an
address of its own, and only that one needs to be reachable for them.

Questions are kept in SQLite, in umpire's state folder, or in PostgreSQL if --database
names one; several gateways may share that. With --oidc-issuer people log in to the pages
through an OpenID Connect provider; --oidc-role says who may do what. The first start
prints a token for an administrator; ` + "`umpire token`" + ` makes more.

The proxy lets agents reach other machines, as far as the policy or a person says. Set
HTTP_PROXY and HTTPS_PROXY to http://SESSION:TOKEN@127.0.0.1:3701, with an agent's token.

With --guard agents have texts judged at /v1/guard/, as ` + "`umpire guard serve`" + ` does it.`,
		Example: `  umpire serve
  umpire token add --agent builder
  MAX_UPTIME=4h umpire serve --root ~/src/shop --agents 0.0.0.0:3703 --host gateway.lan
  umpire serve --oidc-issuer https://login.example.org --oidc-client-id umpire --oidc-client-secret-file ~/umpire.secret \
    --oidc-role approver=groups=ops --oidc-role viewer=email=*@example.org`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := namedFolder(root)
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
					return usageError{fmt.Errorf("%s: %w", source, err)}
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
					return usageError{fmt.Errorf("--workspace: %s is no folder", visible.Line(workspace))}
				}
			}
			hooks, err := webhooks(notify, secretFile)
			if err != nil {
				return usageError{err}
			}
			needs, err := peopleNeeded(people)
			if err != nil {
				return err
			}
			if keep < 0 || keep > 0 && keep < 24*time.Hour {
				return usageError{errors.New("--keep is at least 24h, or 0 for ever")}
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
				log.Warn("HOME or XDG_* name other folders than umpire was set up in, which stay in force: to move them, run `umpire init` with these variables", "home", own)
			}
			staging, err := openStaging(ctx, remote)
			if err != nil {
				return err
			}
			o := gateway.Options{Store: s, Root: at.dir, Workspace: workspace, Staging: staging, Layers: snapshot.DefaultLayers(at.home, at.workspace, os.Getenv), AuditDir: state, Shared: isPostgres(database),
				Webhooks: hooks, Rate: rate, Profile: profile, Expiry: expiry, Keep: keep, Needs: needs, Waiting: waiting, MaxUptime: limit, Version: version(), Log: log}
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
				return faults(cmd.ErrOrStderr(), err)
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
					return usageError{fmt.Errorf("--private: %w; write a network as 10.1.0.0/16", err)}
				}
				open = append(open, n.Masked())
			}
			return serve(ctx, cmd, g, log, where, listeners{listen, agents, proxy, cert, key, hosts, open, &seen})
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:3700", "address of the operators' side, and of the agents' if it has none of its own")
	f.StringVar(&agents, "agents", "", "address of the agents' side alone")
	f.StringVar(&proxy, "proxy", "", "address of the forward proxy; 127.0.0.1:3701 unless --listen is given")
	f.StringSliceVar(&private, "private", nil, "a network that the proxy may connect to although it is private, such as 10.1.0.0/16")
	f.StringSliceVar(&hosts, "host", nil, "a name that browsers and programs may call the gateway by, besides the loopback address")
	f.StringVar(&database, "database", "", "URL of a PostgreSQL, postgres://...; SQLite in the state folder without")
	f.StringVarP(&root, "root", "C", "", "the project's folder")
	f.StringVar(&workspace, "workspace", "", "the folder that agents work in, for /api/sync/files: what differs from the project is asked about")
	f.DurationVar(&expiry, "expiry", time.Hour, "how long a question waits for an answer")
	f.IntVar(&waiting, "waiting", 1000, "how many requests of each agent may wait for an answer at a time; 0 for no limit")
	f.DurationVar(&keep, "keep", 90*24*time.Hour, "how long settled questions and the record of them stay in the database; 0 for ever")
	f.StringToIntVar(&people, "people", nil, "how many different people must approve, by category: --people exec=2,packages=2")
	f.BoolVar(&lookup, "registry-lookup", true, "show people what the public registries say of packages that are asked for")
	f.StringVar(&remote.URL, "push-to", "", "the remote that approved pushes of agents go to: https, ssh, or a repository's folder")
	f.StringVar(&remote.Credentials, "push-credentials", "", "file with the credentials for it, as git's credential store has them: https://user:password@host")
	f.StringArrayVar(&notify, "notify", nil, "an address that is told what waits and what was answered; slack+https://... for Slack's form")
	f.StringVar(&secretFile, "notify-secret", "", "file with the secret that signs notifications")
	f.Float64Var(&rate, "rate", 2000, "how many calls a second each credential may make; 0 for no limit")
	f.BoolVar(&profile, "pprof", false, "serve Go's profiles to administrators at /debug/pprof/")
	f.StringVar(&uptime, "max-uptime", "", "go away after this time, such as 4h; everything that waits is denied")
	oidc.add(cmd)
	seen.add(f)
	judged.add(f)
	f.StringVar(&cert, "tls-cert", "", "file with the certificate, for TLS")
	f.StringVar(&key, "tls-key", "", "file with its key")
	return cmd
}

// webhooks reads --notify and --notify-secret.
func webhooks(addresses []string, secretFile string) (list []gateway.Webhook, err error) {
	secret := ""
	if secretFile != "" {
		data, err := readSmall(secretFile)
		if err != nil {
			return nil, fmt.Errorf("--notify-secret: %w", err)
		}
		if secret = strings.TrimSpace(string(data)); len(secret) < 16 {
			return nil, errors.New("--notify-secret: the secret has less than 16 characters: make one with `openssl rand -hex 32`")
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
			return nil, usageError{fmt.Errorf("--people: unknown category %q: use one of network, filesystem, git, packages, sandbox, exec", name)}
		}
		if n < 1 || n > approval.MaxPeople {
			return nil, usageError{fmt.Errorf("--people: %s needs between 1 and %d people", name, approval.MaxPeople)}
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
			return nil, usageError{errors.New("--push-credentials are for --push-to")}
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

// tokenFile is where the operator's commands look for their token.
func tokenFile() (string, error) {
	dir, err := audit.DefaultDir()
	return filepath.Join(dir, "operator.token"), err
}

type listeners struct {
	listen, agents, proxy, cert, key string
	hosts                            []string
	private                          []netip.Prefix
	seen                             *proxyFlags
}

func serve(ctx context.Context, cmd *cobra.Command, g *gateway.Gateway, log *slog.Logger, where string, l listeners) error {
	if (l.cert == "") != (l.key == "") {
		return usageError{errors.New("--tls-cert and --tls-key go together")}
	}
	var shown []tls.Certificate // looked at before anything is said to be served
	if l.cert != "" {
		cert, err := readSmall(l.cert)
		key, e := readSmall(l.key)
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
			return fmt.Errorf("listen for %s: %w; name another address with --listen, --agents or --proxy", s.name, err)
		}
		open[i] = ln
		if at, err := netip.ParseAddrPort(ln.Addr().String()); err == nil {
			own = append(own, at)
			if !s.tls && !at.Addr().Unmap().IsLoopback() {
				log.Warn("this side is reachable from other machines without TLS: tokens pass in the clear", "side", s.name, "address", at)
			}
		}
	}
	first, err := firstToken(ctx, cmd, g) // not before it serves: one that cannot start leaves nothing
	if err != nil {
		return err
	}
	if first || onTerminal(cmd.ErrOrStderr()) { // a log is no place for a key, at every start
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
		g.Stop("a listener failed")
	}
	<-done
	log.Info("umpire goes away")
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
	fmt.Fprintf(cmd.ErrOrStderr(), "in a browser, once and within ten minutes: %s://%s/login?code=%s\n", scheme, addr, code)
	return nil
}
