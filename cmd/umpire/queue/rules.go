package queue

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/visible"
)

// ruleTested counts how many of the newest requests a rule would have matched.
type ruleTested struct {
	Of       int            `json:"of"`
	Matched  int            `json:"matched"`
	Skipped  int            `json:"skipped"`
	Outcomes map[string]int `json:"outcomes"`
	Examples []struct {
		ID       string `json:"id"`
		Seq      int64  `json:"seq"`
		Category string `json:"category"`
		Action   string `json:"action"`
		Status   string `json:"status"`
	} `json:"examples"`
}

func (t *ruleTested) print(w io.Writer) {
	fmt.Fprintf(w, "This rule would have matched %d of the last %s", t.Matched, plural.Count(t.Of, "request"))
	sign := ":"
	for _, status := range slices.Sorted(maps.Keys(t.Outcomes)) {
		fmt.Fprintf(w, "%s %d %s", sign, t.Outcomes[status], visible.Line(status))
		sign = ","
	}
	fmt.Fprintln(w)
	if t.Matched == 0 {
		fmt.Fprintln(w, "An allow rule must cover all that a request would do.")
	}
	for _, e := range t.Examples {
		fmt.Fprintf(w, "  req-%-5d  %-10s %s: %s\n", e.Seq, visible.Line(e.Status), visible.Line(e.Category), visible.Line(e.Action))
	}
	if t.Skipped > 0 {
		fmt.Fprintf(w, "The test left out %s: too large, or out of time\n", plural.Count(t.Skipped, "request"))
	}
}

// storedRules are the rules that operators stored at a gateway.
type storedRules struct {
	Allow  []string       `json:"allow"`
	Deny   []string       `json:"deny"`
	Stored []gateway.Rule `json:"stored"`
}

func (l *storedRules) print(w io.Writer) {
	place := func(r gateway.Rule) int { // deny, allow, and then those of sessions
		return slices.Index([]string{"deny", "allow", ""}, map[bool]string{true: r.Effect}[r.Session == ""])
	}
	slices.SortStableFunc(l.Stored, func(a, b gateway.Rule) int { return place(a) - place(b) })
	for _, r := range l.Stored {
		effect := r.Effect
		for line := range strings.SplitSeq(r.Text, "\n") {
			fmt.Fprintf(w, "%-6s %s\n", visible.Line(effect), visible.Line(line))
			effect = "  and" // a rule can have several patterns
		}
		if !r.Expires.IsZero() {
			fmt.Fprintf(w, "       until %s\n", r.Expires.Local().Format(time.DateTime))
		}
		if r.Session != "" {
			fmt.Fprintf(w, "       only for session %s of agent %s; rule ID %s\n", visible.Clip(r.Session, 80), visible.Line(r.Agent), visible.Line(r.ID))
		}
	}
	if len(l.Stored) == 0 {
		fmt.Fprintln(w, "no stored rules; the policy files still apply")
	}
}

// NewRules returns `umpire rules`.
func NewRules() *cobra.Command {
	var f gatewayFlags
	list := func(cmd *cobra.Command, _ []string) error {
		var l storedRules
		return f.show(cmd, "/api/rules", &l, l.print)
	}
	try := func(cmd *cobra.Command, args []string) error {
		var out ruleTested
		if err := f.sendRule(cmd, http.MethodPost, "/api/rules/test", args, 0, &out); err != nil {
			return err
		}
		return f.print(cmd, out, out.print)
	}
	cmd := &cobra.Command{Use: "rules", Short: "List and change the rules stored at the gateway", Args: cobra.NoArgs, RunE: list,
		Example: "  umpire rules\n  umpire rules remove allow 'network(*.example.com)'"}
	f.add(cmd)
	cmd.AddCommand(
		&cobra.Command{Use: "test allow|deny RULE", Short: "Try a rule on the newest requests without storing it", Args: cobra.ExactArgs(2), RunE: try,
			Example: "  umpire rules test allow 'network(*.example.com)'"},
		&cobra.Command{Use: "list", Short: "List the stored rules", Args: cobra.NoArgs, RunE: list},
		f.newRuleAdd(),
		&cobra.Command{Use: "remove allow|deny RULE", Short: "Remove a stored rule", Args: cobra.ExactArgs(2), RunE: f.removeRule},
	)
	return cmd
}

// sendRule sends a rule, its type before its text, and decodes the response into out.
func (f *gatewayFlags) sendRule(cmd *cobra.Command, method, path string, args []string, lasts time.Duration, out any) error {
	if args[0] != "allow" && args[0] != "deny" {
		return cli.Usagef("%q is not a type of rule: use allow or deny", args[0])
	}
	in := map[string]any{"type": args[0], "rule": args[1]}
	if lasts > 0 {
		in["expiresIn"] = lasts.Milliseconds()
	}
	return gatewayclient.AsOperator(cmd.Context(), f.server, method, path, in, out)
}

func (f *gatewayFlags) newRuleAdd() *cobra.Command {
	var lasts time.Duration
	c := &cobra.Command{
		Use: "add allow|deny RULE", Short: "Store a rule: category(pattern)", Args: cobra.ExactArgs(2),
		Example: "  umpire rules add allow 'exec(make check)'\n  umpire rules add allow 'network(api.example.org)' --expires 8h",
		RunE: func(cmd *cobra.Command, args []string) error {
			var out struct{ Added bool }
			if err := f.sendRule(cmd, http.MethodPost, "/api/rules", args, lasts, &out); err != nil {
				return err
			}
			return f.ruleChanged(cmd, args, out.Added, map[bool]string{true: "added", false: "already stored"}[out.Added])
		},
	}
	cli.DurationVar(c.Flags(), &lasts, "expires", 0, "lifetime of the rule (default: until removed)")
	return c
}

func (f *gatewayFlags) removeRule(cmd *cobra.Command, args []string) error {
	var out struct{ Removed bool }
	if err := f.sendRule(cmd, http.MethodDelete, "/api/rules", args, 0, &out); err != nil {
		return err
	}
	if out.Removed {
		return f.ruleChanged(cmd, args, true, "removed")
	}
	missing := fmt.Errorf("no such rule: %s %s; umpire rules lists them", visible.Line(args[0]), visible.Line(args[1]))
	if f.json {
		return errors.Join(f.ruleChanged(cmd, args, false, ""), missing)
	}
	return missing
}

// ruleChanged reports a change of a rule, for people or as JSON.
func (f *gatewayFlags) ruleChanged(cmd *cobra.Command, args []string, changed bool, done string) error {
	return f.print(cmd, map[string]any{"type": args[0], "rule": args[1], "changed": changed}, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s %s\n", done, visible.Line(args[0]), visible.Line(strings.TrimSpace(args[1])))
	})
}
