package serve

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/login"
	"github.com/umpire-dev/umpire/internal/plural"
)

// maxSecret limits the file of the client secret, in bytes.
const maxSecret = 4096

// oidcFlags configure the login through a provider.
type oidcFlags struct {
	config     login.Config
	secretFile string
	roles      []string
}

func (o *oidcFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.config.Issuer, "oidc-issuer", "", "URL of the OpenID Connect provider")
	f.StringVar(&o.config.ClientID, "oidc-client-id", "", "client ID at the provider")
	f.StringVar(&o.secretFile, "oidc-client-secret-file", "", "file with the client secret (omit for a public client)")
	f.StringArrayVar(&o.roles, "oidc-role", nil, "role by claim, as ROLE=CLAIM=VALUE, such as approver=groups=ops; others have no access")
	f.StringSliceVar(&o.config.Scopes, "oidc-scope", nil, "scopes besides openid, email and profile")
	f.StringVar(&o.config.Redirect, "oidc-redirect", "", "redirect URL, ending with "+login.Path+" (default: from the browser's request)")
	f.StringVar(&o.config.Name, "oidc-name", "", "name of the provider on the login button (default: its host)")
	cli.DurationVar(f, &o.config.For, "oidc-session", 4*time.Hour, "lifetime of a login, at most "+plural.Duration(login.MaxFor))
}

// provider returns the provider in the flags, or nil.
func (o *oidcFlags) provider(flags *pflag.FlagSet) (*login.Provider, error) {
	if o.config.Issuer == "" {
		var alone error
		flags.Visit(func(f *pflag.Flag) {
			if strings.HasPrefix(f.Name, "oidc-") && f.Name != "oidc-issuer" {
				alone = cli.Usagef("--%s requires --oidc-issuer", f.Name)
			}
		})
		return nil, alone
	}
	if len(o.roles) == 0 {
		return nil, cli.Usagef("--oidc-issuer requires --oidc-role, such as approver=groups=ops, because otherwise no one has access")
	}
	for _, text := range o.roles {
		g, err := login.ParseGrant(text)
		if err != nil {
			return nil, cli.Usagef("--oidc-role: %w", err)
		}
		o.config.Grants = append(o.config.Grants, g)
	}
	if o.secretFile != "" {
		secret, err := readSecret(o.secretFile)
		if err != nil {
			return nil, fmt.Errorf("--oidc-client-secret-file: %w", err)
		}
		o.config.Secret = secret
	}
	p, err := login.New(o.config)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return p, nil
}

// readSecret reads the only line of a file.
func readSecret(path string) (string, error) {
	data, err := atomicfile.ReadSmall(path)
	if err != nil {
		return "", err
	}
	data = bytes.TrimRight(data, "\r\n")
	if len(data) == 0 || len(data) > maxSecret || bytes.ContainsAny(data, "\r\n\x00") {
		return "", fmt.Errorf("%s has no secret: write the secret as one line of at most %d bytes", path, maxSecret)
	}
	return string(data), nil
}
