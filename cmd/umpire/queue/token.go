package queue

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/visible"
)

// NewLogin returns `umpire login`.
func NewLogin() *cobra.Command {
	var f gatewayFlags
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Print a one-time login link for the gateway's pages",
		Long: `Print a link that logs a browser in to the gateway once, within ten minutes. The token is
$UMPIRE_TOKEN, or the one in umpire's state folder.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var out struct {
				Path string `json:"path"`
			}
			if err := gatewayclient.AsOperator(cmd.Context(), f.server, http.MethodPost, "/api/login", nil, &out); err != nil {
				return err
			}
			link := gatewayclient.URL(f.server) + out.Path
			return f.print(cmd, map[string]string{"url": link}, func(w io.Writer) { fmt.Fprintln(w, link) })
		},
	}
	f.add(cmd)
	return cmd
}

// NewToken returns `umpire token`.
func NewToken() *cobra.Command {
	var f gatewayFlags
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Manage gateway tokens and browser sessions",
	}
	f.add(cmd)
	cmd.AddCommand(f.newTokenAdd(), f.newTokenList(), f.newTokenRevoke(), f.newTokenSessions(), f.newTokenEnd())
	return cmd
}

func (f *gatewayFlags) newTokenAdd() *cobra.Command {
	var agent, operator, role string
	var expires time.Duration
	c := &cobra.Command{
		Use: "add", Short: "Create a token and print it once", Args: cobra.NoArgs,
		Example: "  umpire token add --agent builder\n  umpire token add --operator ada --role approver --expires 720h",
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case agent == "" && operator == "":
				return cli.Usagef("name the owner of the token: --agent NAME or --operator NAME")
			case agent != "" && operator != "":
				return cli.Usagef("use --agent or --operator, not both")
			case agent != "" && cmd.Flags().Changed("role"):
				return cli.Usagef("--role requires --operator: an agent has no role")
			}
			in := map[string]any{"kind": "agent", "name": agent}
			if operator != "" {
				in = map[string]any{"kind": "operator", "name": operator, "role": role}
			}
			if expires > 0 {
				in["expiresIn"] = expires.Milliseconds()
			}
			var out struct {
				Token    string        `json:"token"`
				About    gateway.Token `json:"about"`
				SameName []string      `json:"sameName"`
			}
			if err := gatewayclient.AsOperator(cmd.Context(), f.server, http.MethodPost, "/api/tokens", in, &out); err != nil {
				return err
			}
			if len(out.SameName) > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "umpire: %s has other valid tokens: %s; `umpire token revoke ID` ends one\n", visible.Line(out.About.Name), strings.Join(out.SameName, ", "))
			}
			return f.print(cmd, out, func(w io.Writer) { fmt.Fprintln(w, out.Token) })
		},
	}
	c.Flags().StringVar(&agent, "agent", "", "create an agent token with this name")
	c.Flags().StringVar(&operator, "operator", "", "create an operator token with this name")
	c.Flags().StringVar(&role, "role", "approver", "role of the operator: viewer, approver or admin")
	cli.DurationVar(c.Flags(), &expires, "expires", 0, "lifetime of the token (default: until revoked)")
	return c
}

func (f *gatewayFlags) newTokenList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List tokens, without their secrets", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var out struct {
				Tokens []gateway.Token `json:"tokens"`
			}
			return f.show(cmd, "/api/tokens", &out, func(w io.Writer) {
				for _, t := range out.Tokens {
					ends := "no expiry"
					if !t.Expires.IsZero() {
						ends = "until "
						if !t.Expires.After(time.Now()) {
							ends = "expired "
						}
						ends += t.Expires.Local().Format(time.DateTime)
					}
					fmt.Fprintf(w, "%s  %-8s  %-8s  %-20s  %s\n", t.ID, t.Kind, t.Role, visible.Line(t.Name), ends)
				}
			})
		},
	}
}

func (f *gatewayFlags) newTokenRevoke() *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID|NAME...", Short: "Revoke tokens", Args: cobra.MinimumNArgs(1),
		Example: "  umpire token revoke builder",
		RunE: func(cmd *cobra.Command, args []string) error {
			var out struct {
				Tokens []gateway.Token `json:"tokens"`
			}
			if err := gatewayclient.AsOperator(cmd.Context(), f.server, http.MethodGet, "/api/tokens", nil, &out); err != nil {
				return err
			}
			ids := make([]string, len(args))
			for i, arg := range args { // find all of them before revoking the first
				var err error
				if ids[i], err = tokenID(out.Tokens, arg); err != nil {
					return err
				}
			}
			for _, id := range ids {
				if err := gatewayclient.AsOperator(cmd.Context(), f.server, http.MethodDelete, "/api/tokens/"+url.PathEscape(id), nil, nil); err != nil {
					return err
				}
			}
			return f.print(cmd, map[string][]string{"revoked": ids}, func(w io.Writer) {
				for i, id := range ids {
					fmt.Fprintf(w, "revoked %s  %s\n", id, visible.Line(args[i]))
				}
			})
		},
	}
}

func (f *gatewayFlags) newTokenSessions() *cobra.Command {
	return &cobra.Command{
		Use: "sessions", Short: "List your browser sessions, or all of them as an administrator", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var out struct {
				Sessions []gateway.Browser `json:"sessions"`
			}
			return f.show(cmd, "/api/sessions", &out, func(w io.Writer) {
				if len(out.Sessions) == 0 {
					fmt.Fprintln(w, "no browser sessions")
				}
				for _, b := range out.Sessions {
					fmt.Fprintf(w, "%s  %-8s  %-20s  since %s\n", visible.Line(b.ID), visible.Line(string(b.Role)), visible.Line(b.Name), b.Since.Local().Format(time.DateTime))
				}
			})
		},
	}
}

func (f *gatewayFlags) newTokenEnd() *cobra.Command {
	return &cobra.Command{
		Use: "end SESSION...", Short: "End browser sessions, by ID from umpire token sessions", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, id := range args {
				err := gatewayclient.AsOperator(cmd.Context(), f.server, http.MethodDelete, "/api/sessions/"+url.PathEscape(id), nil, nil)
				if refused := (*gatewayclient.Refusal)(nil); errors.As(err, &refused) && refused.Status == http.StatusNotFound {
					return fmt.Errorf("no browser session has the ID %s: `umpire token sessions` shows them", visible.Line(id))
				}
				if err != nil {
					return err
				}
			}
			return f.print(cmd, map[string][]string{"ended": args}, func(io.Writer) {})
		},
	}
}

// tokenID returns the ID of the credential with this ID, or of the only one with this name.
func tokenID(tokens []gateway.Token, arg string) (id string, err error) {
	var named []string
	for _, t := range tokens {
		switch arg {
		case t.ID:
			return t.ID, nil
		case t.Name:
			named = append(named, t.ID)
		}
	}
	switch len(named) {
	case 0:
		return "", fmt.Errorf("no token has the ID or name %s: `umpire token list` shows them", visible.Line(arg))
	case 1:
		return named[0], nil
	}
	return "", fmt.Errorf("%d tokens have the name %s: revoke them by ID: %s", len(named), visible.Line(arg), strings.Join(named, " "))
}
