package serve

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/guardconfig"
	"github.com/umpire-dev/umpire/internal/guardserver"
)

// guardFlags control whether a gateway also checks texts.
type guardFlags struct {
	on     bool
	config string
}

func (f *guardFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.on, "guard", false, "serve the guard to agents at /v1/guard/")
	flags.StringVar(&f.config, "guard-config", "", "configuration file of the guard; implies --guard")
}

// mount adds the guard to a gateway, and returns a function that stops it.
func (f *guardFlags) mount(ctx context.Context, g *gateway.Gateway, log *slog.Logger) (stop func(), err error) {
	if !f.on && f.config == "" {
		return func() {}, nil
	}
	c, err := guardconfig.Read(f.config)
	if err != nil {
		return nil, err
	}
	state, err := audit.DefaultDir()
	if err != nil {
		return nil, err
	}
	// A separate file: a guard server on the same file would not see the gateway's changes, and
	// would overwrite them.
	j, err := guardconfig.NewJudges(ctx, c, state, "gateway-guard-rules.json", log)
	if err != nil {
		return nil, err
	}
	agent, operator := string(gateway.Agent), string(gateway.Operator)
	sides := map[guardserver.Access][]string{
		guardserver.Judge: {agent}, guardserver.Configure: {operator}, guardserver.Change: {operator}, guardserver.Describe: {agent, operator},
	}
	least := map[guardserver.Access]gateway.Role{guardserver.Change: gateway.Admin, guardserver.Configure: gateway.Viewer, guardserver.Describe: gateway.Viewer}
	var routes []gateway.Extra
	for _, r := range guardserver.New(j.Options(log)).Routes(sides) {
		for _, side := range sides[r.Access] {
			routes = append(routes, gateway.Extra{Pattern: r.Pattern, Side: gateway.CredentialKind(side), Least: least[r.Access], Serve: func(w http.ResponseWriter, q *http.Request, p gateway.Principal) {
				r.ServeHTTP(w, q.WithContext(guardserver.As(q.Context(), p.Name)))
			}})
		}
	}
	if err := g.MountRoutes(routes, j.Metrics.Collectors()...); err != nil {
		j.Stop()
		return nil, err
	}
	return j.Stop, nil
}
