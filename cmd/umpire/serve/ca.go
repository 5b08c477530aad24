package serve

import (
	"fmt"
	"io"
	"runtime"
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

// caFlags are the flags of `umpire ca` and its commands.
type caFlags struct {
	asJSON, bundle bool
}

// NewCA returns `umpire ca`.
func NewCA() *cobra.Command {
	var f caFlags
	cmd := &cobra.Command{
		Use:   "ca",
		Short: "Manage the CA with which the proxy inspects TLS",
		Long: `To inspect TLS, the proxy needs a CA that programs behind it trust; ` + "`umpire run`" + ` sets that up.
Anyone who reads the CA's private key, in umpire's state folder, can impersonate any host to
programs that trust the CA, so let only agents' programs trust it.`,
	}
	cmd.PersistentFlags().BoolVar(&f.asJSON, "json", false, "print JSON")
	path := caCommand("path", "Print the path of the CA certificate", loadCA(f.path))
	path.Flags().BoolVar(&f.bundle, "bundle", false, "print the path of the bundle that adds the system's CAs")
	trust := caCommand("trust", "Print how to make programs and systems trust the CA", loadCA(f.trust))
	trust.Long = `Print the environment variables that make programs trust the CA, for eval "$(umpire ca trust)",
and in comments how to make the whole system trust it.`
	cmd.AddCommand(
		caCommand("create", "Create the CA", f.create),
		caCommand("show", "Show the CA certificate", loadCA(f.show)),
		path, trust,
		caCommand("rotate", "Replace the CA with a new one", f.rotate),
	)
	return cmd
}

// caCommand returns a command that works in the CA's folder.
func caCommand(use, short string, run func(w io.Writer, dir string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		dir, err := box.CADir()
		if err != nil {
			return err
		}
		return run(cmd.OutOrStdout(), dir)
	}}
}

// loadCA returns a function that loads the CA and then calls run.
func loadCA(run func(io.Writer, *authority.CA) error) func(io.Writer, string) error {
	return func(w io.Writer, dir string) error {
		c, err := authority.Load(dir)
		if err != nil {
			return err
		}
		return run(w, c)
	}
}

func (f *caFlags) create(w io.Writer, dir string) error {
	c, err := authority.Create(dir, false)
	if err != nil {
		return err
	}
	return f.show(w, c)
}

func (f *caFlags) rotate(w io.Writer, dir string) error {
	c, err := authority.Create(dir, true)
	if err != nil {
		return err
	}
	if err := f.show(w, c); err != nil || f.asJSON {
		return err
	}
	_, err = fmt.Fprintln(w, "running gateways and programs keep the old CA until you restart them; remove the old CA wherever you trusted it")
	return err
}

func (f *caFlags) show(w io.Writer, c *authority.CA) error {
	bundle, err := c.Bundle()
	if err != nil {
		return err
	}
	a := AboutCA{Name: c.Name(), Certificate: c.Cert(), Bundle: bundle, Fingerprint: c.Fingerprint(), Expires: c.Expires().UTC()}
	if f.asJSON {
		return cli.PrintLine(w, a)
	}
	_, err = fmt.Fprintf(w, "%s\n  certificate  %s\n  bundle       %s\n  SHA-256      %s\n  until        %s\n", visible.Line(a.Name), visible.Line(a.Certificate), visible.Line(bundle), a.Fingerprint, a.Expires.Format(time.DateOnly))
	return err
}

func (f *caFlags) path(w io.Writer, c *authority.CA) (err error) {
	at := c.Cert()
	if f.bundle {
		if at, err = c.Bundle(); err != nil {
			return err
		}
	}
	if f.asJSON {
		return cli.PrintLine(w, map[string]string{"path": at})
	}
	_, err = fmt.Fprintln(w, at)
	return err
}

func (f *caFlags) trust(w io.Writer, c *authority.CA) error {
	bundle, err := c.Bundle()
	if err != nil {
		return err
	}
	if f.asJSON {
		env := map[string]string{}
		for _, name := range authority.Variables() {
			env[name] = bundle
		}
		return cli.PrintLine(w, map[string]any{"variables": env, "certificate": c.Cert()})
	}
	trustHints(w, runtime.GOOS, bundle, c.Cert())
	return nil
}

// trustHints prints shell commands, and the manual steps as comments.
func trustHints(w io.Writer, system, bundle, cert string) {
	for _, name := range authority.Variables() {
		fmt.Fprintf(w, "export %s=%s\n", name, cli.Quote(bundle))
	}
	fmt.Fprintln(w, "# Java: keytool -importcert -cacerts -alias umpire -file "+visible.Line(cli.Quote(cert)))
	switch system {
	case "darwin":
		fmt.Fprintln(w, "# this user's programs: security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db "+visible.Line(cli.Quote(cert)))
	case "windows":
		fmt.Fprintln(w, "# this user's programs: certutil -user -addstore Root "+visible.Line(cli.Quote(cert)))
	default:
		fmt.Fprintln(w, "# the whole system, Debian: install -m 644 "+visible.Line(cli.Quote(cert))+" /usr/local/share/ca-certificates/umpire.crt && update-ca-certificates")
		fmt.Fprintln(w, "# the whole system, Fedora: trust anchor "+visible.Line(cli.Quote(cert)))
	}
}
