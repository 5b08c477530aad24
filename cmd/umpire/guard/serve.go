package guard

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/guardconfig"
	"github.com/umpire-dev/umpire/internal/guardserver"
	"github.com/umpire-dev/umpire/internal/modelproxy"
	"github.com/umpire-dev/umpire/internal/taint"
)

func newGuardServe() *cobra.Command {
	var g guardServe
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the guard over HTTP, also as a proxy to a model API",
		Long: `Serve the guard over HTTP; /openapi.json describes the API. With an upstream it is also a model
proxy: clients use its address as their base URL. It checks user texts and answers, and sanitizes
tool results. It refuses WebSockets, and does not guard batches and files. User texts may have
10,000 characters; coding agents need a higher limit.

SIGHUP reloads the configuration; a faulty one is ignored. The server ends when its terminal closes,
except under nohup. If other machines can reach the server, set a token; clients of the proxy send it as X-Umpire-Token.`,
		Example: `  umpire guard serve --anthropic-upstream https://api.anthropic.com
  ANTHROPIC_BASE_URL=http://127.0.0.1:3704 claude`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, reload, stop := cli.UntilStopped(cmd.Context())
			defer stop()
			return g.run(ctx, reload, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&g.listen, "listen", "127.0.0.1:3704", "address to listen on")
	f.StringVar(&g.openai, "openai-upstream", "", "base URL of an OpenAI-compatible API, with its /v1")
	f.StringVar(&g.anthropic, "anthropic-upstream", "", "base URL of an Anthropic-compatible API, without /v1")
	f.StringVar(&g.config, "config", "", "configuration file")
	f.StringVar(&g.tokenFile, "token-file", "", "file with the token that clients must show")
	f.StringSliceVar(&g.hosts, "host", nil, "host name of the server, besides localhost and IP addresses")
	f.BoolVar(&g.verbose, "verbose", false, "log every request, without texts")
	return c
}

// guardServe is one run of umpire guard serve.
type guardServe struct {
	listen, openai, anthropic, config, tokenFile string
	hosts                                        []string
	verbose                                      bool
}

// grace limits how long a shutdown waits for running requests.
const grace = 20 * time.Second

func (g *guardServe) run(ctx context.Context, reload <-chan os.Signal, out, errs io.Writer) error {
	level := slog.LevelInfo
	if g.verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: level}))
	if err := errors.Join(cli.HostNames(g.hosts), cli.Address("--listen", g.listen)); err != nil {
		return err
	}
	openai, err := upstream("--openai-upstream", g.openai)
	if err != nil {
		return err
	}
	anthropic, err := upstream("--anthropic-upstream", g.anthropic)
	if err != nil {
		return err
	}
	token, err := readToken(g.tokenFile)
	if err != nil {
		return err
	}
	state, err := audit.DefaultDir()
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", g.listen)
	if err != nil {
		return fmt.Errorf("%w: choose another address with --listen", err)
	}
	defer func() { _ = l.Close() }()
	if at, ok := l.Addr().(*net.TCPAddr); token == "" && (!ok || !at.IP.IsLoopback()) {
		return cli.Usagef("other machines can reach %s: set a token with --token-file", l.Addr())
	}

	var stops []func() // running requests may still use what a reload replaced
	defer func() {
		for _, stop := range stops {
			stop()
		}
	}()
	open := func() (*guardserver.Server, error) {
		c, err := guardconfig.Read(g.config)
		if err != nil {
			return nil, err
		}
		j, err := guardconfig.NewJudges(ctx, c, state, "guard-rules.json", log)
		if err != nil {
			return nil, err
		}
		stops = append(stops, j.Stop)
		o := j.Options(log)
		o.Token, o.Hosts = token, g.hosts
		if openai != nil || anthropic != nil {
			p, err := proxyOptions(c, j, state, log)
			if err != nil {
				return nil, err
			}
			p.OpenAI, p.Anthropic = openai, anthropic
			o.Proxy = modelproxy.New(p)
		}
		return guardserver.New(o), nil
	}
	s, err := open()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "listening on http://%s\n", l.Addr())
	return serveUntil(ctx, s, l, log, reload, open)
}

// serveUntil serves until ctx ends, and then waits for running requests. At each reload signal it
// switches to the server that open returns; if open fails, it keeps the current one.
func serveUntil(ctx context.Context, s *guardserver.Server, l net.Listener, log *slog.Logger, reload <-chan os.Signal, open func() (*guardserver.Server, error)) error {
	var live atomic.Pointer[guardserver.Server]
	live.Store(s)
	h := s.HTTP()
	h.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { live.Load().ServeHTTP(w, r) })
	ended := make(chan error, 1)
	go func() { ended <- egress.ServeStrict(h, l) }()
	for ctx.Err() == nil {
		select {
		case err := <-ended:
			return err
		case <-reload:
			next, err := open()
			if err != nil {
				log.Error("SIGHUP: kept the last valid configuration", "error", err)
				continue
			}
			live.Store(next)
			log.Info("SIGHUP: reloaded the configuration")
		case <-ctx.Done():
		}
	}
	live.Load().Drain()
	log.Info("shutting down: waiting for open requests", "grace", grace)
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := h.Shutdown(late); err != nil {
		_ = h.Close() // requests that did not finish in time
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// proxyOptions returns the checks of the model proxy for the configuration c.
func proxyOptions(c *guardconfig.File, j *guardconfig.Judges, state string, log *slog.Logger) (modelproxy.Options, error) {
	key, err := guardKey(filepath.Join(state, "guard.key"))
	if err != nil {
		return modelproxy.Options{}, err
	}
	p := modelproxy.Options{Key: key, Log: log, Observe: j.Metrics.Proxied, Output: j.Output,
		Stream: func(ctx context.Context, a guard.Answer) modelproxy.Stream {
			return &answerStream{s: j.Output.Stream(ctx, a)}
		}}
	if p.Input, _, err = guard.FromConfig(guardconfig.Proxied(c.Guard), j.Parts); err != nil {
		return p, fmt.Errorf("guard: %w", err)
	}
	if p.Identity, err = c.Identity(os.Getenv); err != nil {
		return p, err
	}
	admission, err := guardconfig.Admission(c.Guard, j.Parts.Observer)
	if err != nil {
		return p, fmt.Errorf("guard: %w", err)
	}
	if admission != nil { // a nil pointer in the interface would not equal nil
		p.Admit = admission
	}
	if !guardconfig.IsOn(c.Guard.Enabled) {
		return p, nil
	}
	if c.Guard.Canary.Enabled {
		canary, err := c.Guard.NewCanary(nil)
		if err != nil {
			return p, fmt.Errorf("guard: %w", err)
		}
		p.Prompt = canary.Prompt
	}
	if guardconfig.IsOn(c.Guard.ToolOutputSanitization) {
		p.Sanitize = func(ctx context.Context, tool, output string) (modelproxy.Clean, error) {
			res, err := j.Sanitize(ctx, guardserver.ToolRequest{Tool: tool, Text: &output})
			return modelproxy.Clean{Text: res.Text, Marker: res.Marker, Tainted: res.Tainted}, err
		}
		marks := taint.Open(filepath.Join(state, "taint"))
		p.Taint = func(platform, session, tool string) {
			if err := marks.Set(taint.Mark{Platform: platform, Session: session, Tool: tool, Why: "instructions to the model in tool output"}); err != nil {
				log.Error("could not mark a session as tainted", "error", err)
			}
		}
	}
	return p, nil
}

// upstream parses the URL of an API.
func upstream(flag, s string) (*url.URL, error) {
	if s == "" {
		return nil, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, cli.Usagef("%s: must be a URL such as https://api.example.com/v1", flag)
	}
	if u.Scheme == "http" && !near(u.Hostname()) {
		return nil, cli.Usagef("%s: would send credentials to %s unencrypted: use https", flag, u.Hostname())
	}
	return u, nil
}

// near reports whether a host is this machine or in a private network.
func near(host string) bool {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal")
	}
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
}

func readToken(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	b, err := atomicfile.ReadSmall(path)
	if err != nil {
		return "", err
	}
	t := strings.TrimSpace(string(b))
	if len(t) < guardconfig.MinToken || len(t) > 1024 || strings.ContainsAny(t, " \t\r\n") {
		return "", fmt.Errorf("%s: the token must be one word of %d to 1024 characters: create one with `openssl rand -hex 32`", path, guardconfig.MinToken)
	}
	return t, nil
}

// guardKey reads the key for the marks of tool results, or creates it. A new key would invalidate
// the prompt caches of all upstreams.
func guardKey(path string) ([]byte, error) {
	b, err := atomicfile.ReadSmall(path)
	if err == nil && len(b) == 32 {
		return b, nil
	}
	if err == nil {
		return nil, fmt.Errorf("%s must have 32 bytes: remove it, and umpire creates a new one", path)
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails, as documented
	// Two servers that start together must agree on one key.
	switch err := atomicfile.Create(path, key, 0o600); {
	case errors.Is(err, os.ErrExist):
		return atomicfile.ReadSmall(path)
	case err != nil:
		return nil, err
	}
	return key, nil
}

// answerStream adapts a guard.Stream to the proxy.
type answerStream struct{ s *guard.Stream }

func (a *answerStream) Write(text string) (string, error) {
	safe, err := a.s.Write(text)
	if err != nil {
		_, res := a.s.Close()
		return "", &modelproxy.Stopped{Result: res}
	}
	return safe, nil
}

func (a *answerStream) Close() (string, error) {
	rest, res := a.s.Close()
	if res.Verdict == guard.Rejected {
		return "", &modelproxy.Stopped{Result: res}
	}
	return rest, nil
}
