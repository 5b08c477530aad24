package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/internal/authority"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/secret"
)

// proxyFlags say what the proxy looks into.
type proxyFlags struct {
	intercept, passThrough []string
	secrets                string
	guard                  []string
	block                  bool
	ca                     *authority.CA
}

func (f *proxyFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.intercept, "intercept", nil, "a host whose TLS the proxy looks into, besides those of which rules name methods or paths; * for all")
	flags.StringArrayVar(&f.passThrough, "pass-through", nil, "a host whose TLS it never looks into: for programs that trust no other certificate, or show one of their own")
	flags.StringArrayVar(&f.guard, "guard-bodies", nil, "a host whose answers are searched for orders to the agent, and what is sent there for secrets and personal data; * for all")
	flags.BoolVar(&f.block, "guard-block", false, "stop bodies in which something is found, and those that cannot be searched; without it is recorded, and the session counts as tainted")
	flags.StringVar(&f.secrets, "secrets", "", "file of secrets that the proxy adds to requests; ~/.config/umpire/secrets if that is there")
}

// options reads the flags into what a gateway needs, with the CA if there is one.
func (f *proxyFlags) options(ctx context.Context, o *gateway.Options, log *slog.Logger) (err error) {
	if o.Intercept, err = gateway.ParseHosts(f.intercept); err != nil {
		return usageError{fmt.Errorf("--intercept: %w", err)}
	}
	if o.PassThrough, err = gateway.ParseHosts(f.passThrough); err != nil {
		return usageError{fmt.Errorf("--pass-through: %w", err)}
	}
	if o.GuardBodies.Hosts, err = gateway.ParseHosts(f.guard); err != nil {
		return usageError{fmt.Errorf("--guard-bodies: %w", err)}
	}
	if o.GuardBodies.Block = f.block; f.block && len(f.guard) == 0 {
		return usageError{errors.New("--guard-block is for --guard-bodies HOST")}
	}
	dir, err := caDir()
	if err != nil {
		return err
	}
	path := f.secrets
	if path == "" {
		path = filepath.Join(filepath.Dir(o.Layers.User), "secrets")
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			path = ""
		}
	}
	switch f.ca, err = authority.Load(dir); {
	case errors.Is(err, authority.ErrNone) && len(f.intercept)+len(f.guard) == 0 && path == "":
		return nil
	case err != nil:
		return err
	}
	if left := time.Until(f.ca.Expires()); left < 30*24*time.Hour {
		log.Warn("the CA's time is over soon: run `umpire ca rotate`", "until", f.ca.Expires().Format(time.DateOnly))
	}
	if _, err = f.ca.Bundle(); err != nil || path == "" { // as the system's certificates are now
		return err
	}
	key, err := f.ca.Derive("placeholders")
	if err != nil {
		return err
	}
	o.Secrets, err = secret.Load(ctx, path, key)
	return err
}

// proxy adds to the options of a proxy.
func (f *proxyFlags) proxy(o egress.Options, g *gateway.Gateway, log *slog.Logger) egress.Options {
	if f.ca != nil {
		o.Certificate = f.ca.Certificate
	} else if g.Looks() {
		log.Warn("rules name methods or paths of hosts, and without a CA the proxy does not see them inside of TLS: it asks about such tunnels; run `umpire ca create`")
	}
	return o
}
