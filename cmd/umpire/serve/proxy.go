package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/authority"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/secret"
)

// proxyFlags select the traffic that the proxy inspects.
type proxyFlags struct {
	intercept, passThrough []string
	secrets                string
	guard                  []string
	block                  bool
	ca                     *authority.CA
}

func (f *proxyFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.intercept, "intercept", nil, "inspect TLS to this host too; * for all")
	flags.StringArrayVar(&f.passThrough, "pass-through", nil, "never inspect TLS to this host, for pinned or client certificates")
	flags.StringArrayVar(&f.guard, "guard-bodies", nil, "search this host's answers for instructions, and requests to it for secrets and personal data; * for all")
	flags.BoolVar(&f.block, "guard-block", false, "block bodies that have findings or cannot be searched (default: record, and taint the session)")
	flags.StringVar(&f.secrets, "secrets", "", "file with secrets that the proxy adds to requests (default ~/.config/umpire/secrets if it exists)")
}

// options turns the flags into a gateway's options, with the CA if there is one.
func (f *proxyFlags) options(ctx context.Context, o *gateway.Options, log *slog.Logger) (err error) {
	if o.Intercept, err = gateway.ParseHosts(f.intercept); err != nil {
		return cli.Usagef("--intercept: %w", err)
	}
	if o.PassThrough, err = gateway.ParseHosts(f.passThrough); err != nil {
		return cli.Usagef("--pass-through: %w", err)
	}
	if o.GuardBodies.Hosts, err = gateway.ParseHosts(f.guard); err != nil {
		return cli.Usagef("--guard-bodies: %w", err)
	}
	if o.GuardBodies.Block = f.block; f.block && len(f.guard) == 0 {
		return cli.Usagef("--guard-block requires --guard-bodies HOST")
	}
	dir, err := box.CADir()
	if err != nil {
		return err
	}
	path := f.secrets
	if path == "" {
		path = filepath.Join(filepath.Dir(o.Layers.User), "secrets")
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			path = ""
		}
	} else if _, err := os.Stat(path); err != nil { // before a missing CA is blamed
		return fmt.Errorf("--secrets: %w", err)
	}
	switch f.ca, err = authority.Load(dir); {
	case errors.Is(err, authority.ErrNone) && f.needsCA(path) == "":
		return nil
	case errors.Is(err, authority.ErrNone):
		return fmt.Errorf("%s: to read inside TLS, the proxy needs a CA: %w", f.needsCA(path), err)
	case err != nil:
		return err
	}
	if left := time.Until(f.ca.Expires()); left < 30*24*time.Hour {
		log.Warn("the CA expires soon: run `umpire ca rotate`", "until", f.ca.Expires().Format(time.DateOnly))
	}
	if _, err = f.ca.Bundle(); err != nil || path == "" { // with the current certificates of the system
		return err
	}
	key, err := f.ca.Derive("placeholders")
	if err != nil {
		return err
	}
	o.Secrets, err = secret.Load(ctx, path, key)
	return err
}

// needsCA returns the setting for which the proxy must read inside TLS, or "".
func (f *proxyFlags) needsCA(secrets string) string {
	switch {
	case len(f.intercept) > 0:
		return "--intercept"
	case len(f.guard) > 0:
		return "--guard-bodies"
	}
	return secrets
}

// proxy adds the inspection to the options of a proxy.
func (f *proxyFlags) proxy(o egress.Options, g *gateway.Gateway, log *slog.Logger) egress.Options {
	if f.ca != nil {
		o.Certificate = f.ca.Certificate
	} else if g.Looks() {
		log.Warn("rules name methods or paths, but without a CA the proxy cannot see them inside TLS and asks about each tunnel: run `umpire ca create`")
	}
	return o
}
