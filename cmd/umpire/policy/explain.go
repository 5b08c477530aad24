package policy

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/nearest"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// explanation is a rule in full, as --json prints it.
type explanation struct {
	listed
	Title   string   `json:"title,omitempty"`
	Unless  []string `json:"unless,omitempty"`
	Traits  string   `json:"traits,omitempty"`
	Without string   `json:"without,omitempty"`
	Tools   []string `json:"tools,omitempty"`
	Agents  []string `json:"agents,omitempty"`
	Tainted *bool    `json:"tainted,omitempty"`
	Instead string   `json:"instead,omitempty"`
	From    string   `json:"from,omitempty"` // position in a file
	Locked  bool     `json:"locked"`         // a project file cannot disable it or add exceptions
	Hits    []string `json:"hits,omitempty"`
	Misses  []string `json:"misses,omitempty"`
}

func explain(r *policy.Rule) explanation {
	return explanation{
		listed: listing(r), Title: r.Title, Unless: written(r.Unless), Traits: r.When.Traits.String(), Without: r.When.Without.String(),
		Tools: r.When.Tools, Agents: r.When.Platforms, Tainted: r.When.Tainted, Instead: r.Suggest, From: r.Pos.String(), Locked: r.Locked,
		Hits: exampleTexts(r.Hits), Misses: exampleTexts(r.Misses),
	}
}

func exampleTexts(list []policy.Example) (texts []string) {
	for _, e := range list {
		texts = append(texts, exampleText(e))
	}
	return texts
}

func exampleText(e policy.Example) string {
	text := e.Tool + " " + e.Input
	if e.Command != "" {
		text = e.Command
	}
	if e.Tainted {
		text += " (in a tainted session)"
	}
	return text
}

func newPolicyExplain() *cobra.Command {
	return reads(&cobra.Command{
		Use:   "explain RULE",
		Short: "Explain a rule: what it matches, why, and its examples",
		Args:  cobra.ExactArgs(1),
	}, func(cmd *cobra.Command, args []string, in inForce) error {
		l := in.loaded
		ids := make([]string, len(l.Source.Rules))
		for i := range l.Source.Rules {
			r := &l.Source.Rules[i]
			if ids[i] = r.ID; r.ID != args[0] {
				continue
			}
			e := explain(r)
			if in.json {
				return cli.PrintJSON(cmd.OutOrStdout(), e)
			}
			e.print(cmd.OutOrStdout())
			return nil
		}
		if near := nearest.Word(args[0], ids); near != "" {
			return fmt.Errorf("there is no rule %q; did you mean %s?", args[0], near)
		}
		return fmt.Errorf("there is no rule %q; umpire policy list shows all", args[0])
	})
}

func (e *explanation) print(w io.Writer) {
	line := func(key string, values ...string) {
		for _, v := range values {
			if v != "" {
				fmt.Fprintf(w, "%-9s %s\n", key, visible.Line(v))
			}
		}
	}
	line("rule", e.ID)
	line("title", e.Title)
	line(e.Effect.String(), e.Match...)
	line("unless", e.Unless...)
	line("traits", e.Traits)
	line("without", e.Without)
	line("tools", strings.Join(e.Tools, ", "))
	line("agents", strings.Join(e.Agents, ", "))
	if e.Tainted != nil {
		line("tainted", strconv.FormatBool(*e.Tainted))
	}
	line("reason", e.Reason)
	line("instead", e.Instead)
	line("from", strings.TrimSpace(e.Layer+" "+e.From))
	if e.Locked {
		line("locked", "a project file cannot disable it or add exceptions")
	}
	line("hit", e.Hits...)
	line("miss", e.Misses...)
}
