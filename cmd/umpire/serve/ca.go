package serve

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/authority"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/visible"
)

// AboutCA describes the CA, without its key.
type AboutCA struct {
	Name        string    `json:"name"`
	Certificate string    `json:"certificate"`
	Bundle      string    `json:"bundle"`
	Fingerprint string    `json:"sha256"`
	Expires     time.Time `json:"expiresAt"`
}

// NewCA returns `umpire ca`.
func NewCA() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ca",
		Short: "Manage the CA with which the proxy inspects TLS",
		Long: `The proxy inspects TLS only for hosts whose rules name a method or a path, hosts that get
a secret added, and hosts given to ` + "`umpire serve --intercept`" + `. For these hosts it presents a
certificate from a CA that exists only on this machine. Programs behind the proxy must trust
this CA. ` + "`umpire run`" + ` sets that up for them.

The private key stays in umpire's state folder. Anyone who reads it can impersonate any host to
programs that trust the CA, so let only agents' programs trust it.`,
	}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print JSON")
	tell := func(cmd *cobra.Command, c *authority.CA) error {
		bundle, err := c.Bundle()
		if err != nil {
			return err
		}
		a := AboutCA{Name: c.Name(), Certificate: c.Cert(), Bundle: bundle, Fingerprint: c.Fingerprint(), Expires: c.Expires().UTC()}
		w := cmd.OutOrStdout()
		if asJSON {
			return cli.PrintLine(w, a)
		}
		fmt.Fprintf(w, "%s\n  certificate  %s\n  bundle       %s\n  SHA-256      %s\n  until        %s\n", visible.Line(a.Name), visible.Line(a.Certificate), visible.Line(bundle), a.Fingerprint, a.Expires.Format(time.DateOnly))
		return nil
	}
	command := func(use, short string, run func(*cobra.Command, string) error) *cobra.Command {
		return &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := box.CADir()
			if err != nil {
				return err
			}
			return run(cmd, dir)
		}}
	}
	make := func(replace bool) func(*cobra.Command, string) error {
		return func(cmd *cobra.Command, dir string) error {
			c, err := authority.Create(dir, replace)
			if err != nil {
				return err
			}
			if err := tell(cmd, c); err != nil || asJSON {
				return err
			}
			if replace {
				fmt.Fprintln(cmd.OutOrStdout(), "running gateways and programs keep the old CA until you restart them; remove the old CA wherever you trusted it")
			}
			return nil
		}
	}
	loaded := func(show func(*cobra.Command, *authority.CA) error) func(*cobra.Command, string) error {
		return func(cmd *cobra.Command, dir string) error {
			c, err := authority.Load(dir)
			if err != nil {
				return err
			}
			return show(cmd, c)
		}
	}
	var bundle bool
	path := command("path", "Print the path of the CA certificate", loaded(func(cmd *cobra.Command, c *authority.CA) (err error) {
		at := c.Cert()
		if bundle {
			if at, err = c.Bundle(); err != nil {
				return err
			}
		}
		if asJSON {
			return cli.PrintLine(cmd.OutOrStdout(), map[string]string{"path": at})
		}
		fmt.Fprintln(cmd.OutOrStdout(), at)
		return nil
	}))
	path.Flags().BoolVar(&bundle, "bundle", false, "print the path of the bundle that adds the system's CAs")
	trust := command("trust", "Print how to make programs and systems trust the CA", loaded(func(cmd *cobra.Command, c *authority.CA) error {
		at, err := c.Bundle()
		if err != nil {
			return err
		}
		if asJSON {
			env := map[string]string{}
			for _, name := range authority.Variables() {
				env[name] = at
			}
			return cli.PrintLine(cmd.OutOrStdout(), map[string]any{"variables": env, "certificate": c.Cert()})
		}
		trustHints(cmd.OutOrStdout(), runtime.GOOS, at, c.Cert())
		return nil
	}))
	trust.Long = `Print the environment variables that make programs trust the CA. For agents they are
enough: eval "$(umpire ca trust)".

Comments below them show how to make the whole system trust the CA, for programs that
ignore these variables.`
	cmd.AddCommand(
		command("create", "Create the CA", make(false)),
		command("show", "Show the CA certificate", loaded(tell)),
		path, trust,
		command("rotate", "Replace the CA with a new one", make(true)),
	)
	return cmd
}

// trustHints prints lines for a shell, and in comments what a person would have to do.
func trustHints(w io.Writer, system, bundle, cert string) {
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	for _, name := range authority.Variables() {
		fmt.Fprintf(w, "export %s=%s\n", name, quote(bundle))
	}
	fmt.Fprintln(w, "# Java: keytool -importcert -cacerts -alias umpire -file "+visible.Line(quote(cert)))
	switch system {
	case "darwin":
		fmt.Fprintln(w, "# this user's programs: security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db "+visible.Line(quote(cert)))
	case "windows":
		fmt.Fprintln(w, "# this user's programs: certutil -user -addstore Root "+visible.Line(quote(cert)))
	default:
		fmt.Fprintln(w, "# the whole system, Debian: install -m 644 "+visible.Line(quote(cert))+" /usr/local/share/ca-certificates/umpire.crt && update-ca-certificates")
		fmt.Fprintln(w, "# the whole system, Fedora: trust anchor "+visible.Line(quote(cert)))
	}
}
