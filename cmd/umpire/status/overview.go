package status

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/visible"
)

// overviewTime is the period of the overview.
const overviewTime = 24 * time.Hour

// Overview prints the output of `umpire` without a command: the guarded agents and the next step.
func Overview(c *cobra.Command, _ []string) error {
	s, err := status(time.Now().Add(-overviewTime))
	if s == nil {
		return err
	}
	s.overview(c.OutOrStdout())
	return err
}

func (s *State) overview(w io.Writer) {
	fmt.Fprintln(w, "Umpire decides on the tool calls of coding agents: allow, deny, or ask you.")
	fmt.Fprintln(w)
	if len(s.Agents) == 0 {
		fmt.Fprintln(w, "agents     none found on this machine")
	}
	for i, a := range s.Agents {
		fmt.Fprintf(w, "%-11s%-20s %s\n", firstOnly(i, "agents"), visible.Clip(a.Title, 40), a.guarded())
	}
	if p := s.Policy; p.Fault != "" {
		fmt.Fprintf(w, "policy     has a fault; in force: %s\n", plural.Count(p.Rules, "rule"))
	} else {
		fmt.Fprintf(w, "policy     %s, mode %s\n", plural.Count(p.Rules, "rule"), p.Mode)
	}
	c := s.Calls
	fmt.Fprintf(w, "last 24 h  %s: %d allowed, %d asked, %d denied\n", plural.Count(c.Total, "call"), c.Effects["allow"], c.Effects["ask"], c.Effects["deny"])
	for i, l := range s.Last {
		fmt.Fprintf(w, "%-11s%s  %-5s  %s  %s\n", firstOnly(i, "stopped"), l.Time.Local().Format("15:04"), visible.Clip(l.Effect, 5), visible.Clip(cmp.Or(l.Platform, "an unnamed agent"), 30), visible.Clip(l.What, 70))
	}
	if s.Questions.Open > 0 {
		fmt.Fprintf(w, "questions  %d pending\n", s.Questions.Open)
	}
	step, why := s.next()
	fmt.Fprintf(w, "\nNext:      %s   %s\n", step, why)
	fmt.Fprintln(w, "See also:  umpire demo   umpire status   umpire check COMMAND   umpire --help")
}

// firstOnly prints a label on the first of several lines only.
func firstOnly(i int, label string) string {
	if i > 0 {
		return ""
	}
	return label
}

// guarded describes in a word or two whether an agent calls umpire.
func (a agentState) guarded() string {
	switch {
	case !a.Hooked && len(a.Problems) > 0:
		return "NOT guarded: " + visible.Clip(a.Problems[0], 100)
	case !a.Hooked:
		return "NOT guarded"
	}
	word := "guarded"
	if a.OnlyHere {
		word += " only in this project"
	}
	if len(a.Problems) > 0 {
		word += ", with problems"
	}
	return word
}

// next returns the most important step. Unguarded agents come first.
func (s *State) next() (step, why string) {
	guarded := slices.ContainsFunc(s.Agents, func(a agentState) bool { return a.Hooked })
	switch {
	case s.Policy.Fault != "":
		return "umpire policy check", "shows the fault of the policy"
	case len(s.Agents) == 0:
		return "umpire demo", "shows what umpire does; install a coding agent, then run umpire init"
	case slices.ContainsFunc(s.Agents, func(a agentState) bool { return !a.Hooked && len(a.Problems) == 0 }):
		return "umpire init", "guards the agents that are not guarded"
	case s.Calls.Unjudged > 0, slices.ContainsFunc(s.Agents, func(a agentState) bool { return len(a.Problems) > 0 }):
		return "umpire doctor", "finds why calls run without a complete check, or could"
	case s.Questions.Open > 0:
		return "umpire questions", "lists the calls that wait for your answer"
	case guarded && s.Calls.Total == 0:
		return "umpire doctor --live", "starts your agents and proves that umpire stops them"
	}
	return "umpire audit tail", "shows the last decisions"
}

// maxLast limits the stopped calls that the overview names.
const maxLast = 3

// lastCall is a call that was stopped: denied, or asked about.
type lastCall struct {
	Time     time.Time `json:"time"`
	Effect   string    `json:"effect"`
	Platform string    `json:"platform"`
	What     string    `json:"what"`
}

// note adds a decision to the last stopped calls.
func (s *State) note(r audit.Record) {
	if r.Effect == "allow" || r.Data["observed"] == "true" {
		return
	}
	if len(s.Last) == maxLast {
		s.Last = slices.Delete(s.Last, 0, 1)
	}
	s.Last = append(s.Last, lastCall{r.Time, r.Effect, r.Principal.Platform, cmp.Or(cli.Operations(r), r.Tool, cli.OneLine(r.Failure))})
}
