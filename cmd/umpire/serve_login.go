package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/login"
)

// maxSecret bounds the file of the client's secret, in bytes.
const maxSecret = 4096

// oidcFlags say how people log in through a provider.
type oidcFlags struct {
	config     login.Config
	secretFile string
	roles      []string
}

func (o *oidcFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.config.Issuer, "oidc-issuer", "", "URL of an OpenID Connect provider that people log in with")
	f.StringVar(&o.config.ClientID, "oidc-client-id", "", "the gateway, as the provider knows it")
	f.StringVar(&o.secretFile, "oidc-client-secret-file", "", "file with the gateway's secret at the provider; none for a public client")
	f.StringArrayVar(&o.roles, "oidc-role", nil, "who has which role, ROLE=CLAIM=VALUE, such as approver=groups=ops or viewer=email=*@example.org; nobody else has one")
	f.StringSliceVar(&o.config.Scopes, "oidc-scope", nil, "what to ask the provider for besides openid, email and profile, such as groups")
	f.StringVar(&o.config.Redirect, "oidc-redirect", "", "the URL that the provider sends browsers back to, ending with "+login.Path+"; made of the browser's request without")
	f.StringVar(&o.config.Name, "oidc-name", "", "the provider's name on the button; its host without")
	f.DurationVar(&o.config.For, "oidc-session", 4*time.Hour, "how long people stay logged in, at most "+login.MaxFor.String())
}

// provider returns what the flags say, nil if they name no provider.
func (o *oidcFlags) provider() (*login.Provider, error) {
	if o.config.Issuer == "" {
		if o.config.ClientID != "" || o.secretFile != "" || len(o.roles) > 0 {
			return nil, usageError{errors.New("--oidc-client-id, --oidc-client-secret-file and --oidc-role go with --oidc-issuer")}
		}
		return nil, nil
	}
	if len(o.roles) == 0 {
		return nil, usageError{errors.New("with --oidc-issuer nobody has a role: name who does, such as --oidc-role approver=groups=ops")}
	}
	for _, text := range o.roles {
		g, err := login.ParseGrant(text)
		if err != nil {
			return nil, usageError{fmt.Errorf("--oidc-role: %w", err)}
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
		return nil, usageError{err}
	}
	return p, nil
}

// readSecret reads a file's only line.
func readSecret(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err != nil {
		return "", err
	}
	data = bytes.TrimRight(data, "\r\n")
	if len(data) == 0 || len(data) > maxSecret || bytes.ContainsAny(data, "\r\n\x00") {
		return "", fmt.Errorf("%s has no secret: it is one line of at most %d bytes", path, maxSecret)
	}
	return string(data), nil
}
