package box

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/secret"
)

// placeholders returns the variables of a run that stand for the gateway's secrets. The secret
// itself never enters the sandbox: if its variable was passed on, it is removed.
func placeholders(ctx context.Context, server, token string, r *Run) (env []string, err error) {
	var own struct {
		Secrets []secret.Placeholder `json:"secrets"`
	}
	if err := gatewayclient.Call(ctx, &http.Client{CheckRedirect: gatewayclient.NoRedirect}, http.MethodGet, gatewayclient.URL(server)+"/api/secrets?session="+url.QueryEscape(r.ID), token, nil, &own); err != nil {
		return nil, err
	}
	for _, p := range own.Secrets {
		if p.Variable == "" {
			continue
		}
		r.Config.Env = slices.DeleteFunc(slices.Clone(r.Config.Env), func(e string) bool { return strings.HasPrefix(e, p.Variable+"=") })
		env = append(env, p.Variable+"="+p.Text)
	}
	return env, nil
}
