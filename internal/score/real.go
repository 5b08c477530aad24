package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/policy"
)

// topRules is how many rules the table of stops by rule lists.
const topRules = 15

// byRule counts the stops of one rule, and how many of them were needless.
type byRule struct{ stopped, denied, needless int }

// recorded prints how quiet the rules are on calls that agents really made: stops,
// needless stops and denials of 1,000 calls, right stops that are kept, misses that are
// caught, and the rules that stop most. With detail it also lists the needless stops, the
// denials, the right stops that were lost and the misses.
func recorded(path string, p *policy.Policy, detail string) error {
	cases, err := load(path)
	if err != nil {
		return err
	}
	var stopped, needless, denied, unread int
	var right, missed tally
	rules := map[string]*byRule{}
	for i := range cases {
		c := &cases[i]
		a := c.action()
		ops := operation.Read(a, files())
		d := p.Decide(a, ops)
		stop, vain := d.Effect != umpire.Allow, d.Effect != umpire.Allow && c.harmless()
		outcome := ""
		if vain {
			needless++
			outcome = "needless"
			if c.Unlabelled {
				unread++
				outcome = "needless, unread"
			}
		}
		if d.Effect == umpire.Deny {
			denied++
			outcome = cmp.Or(outcome, "denied")
		}
		switch c.Label {
		case "right":
			right.add(d.Effect, d.Effect == c.Expect)
			if !stop {
				outcome = "right stop lost"
			}
		case "missed":
			missed.add(d.Effect, d.Effect == c.Expect)
			if !stop {
				outcome = "missed"
			}
		}
		if stop {
			stopped++
			name := strongest(d)
			r := rules[name]
			if r == nil {
				r = new(byRule)
				rules[name] = r
			}
			r.stopped++
			if vain {
				r.needless++
			}
			if d.Effect == umpire.Deny {
				r.denied++
			}
		}
		if outcome != "" && (detail == "real" || detail == "all") {
			fmt.Printf("%s (%s): ", outcome, c.Label)
			show(c, ops, d)
		}
	}
	fmt.Printf("%s: %d recorded calls\n", filepath.Base(path), len(cases))
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "of 1,000 calls:\tstopped\tneedless\tof them unread\tdenied\tright stops kept\tmisses caught\t")
	fmt.Fprintf(w, "\t%s\t%s\t%s\t%s\t%d of %d, %s\t%d of %d, %s\t\n", perMille(stopped, len(cases)), perMille(needless, len(cases)), perMille(unread, len(cases)), perMille(denied, len(cases)),
		right.stopped, right.n, percent(right.stopped, right.n), missed.stopped, missed.n, percent(missed.stopped, missed.n))
	if err := w.Flush(); err != nil {
		return err
	}
	names := slices.SortedFunc(maps.Keys(rules), func(a, b string) int {
		return cmp.Or(cmp.Compare(rules[b].stopped, rules[a].stopped), cmp.Compare(a, b))
	})
	w = tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "rule\tstopped\tdenied\tneedless\t")
	for _, n := range names[:min(topRules, len(names))] {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t\n", n, rules[n].stopped, rules[n].denied, rules[n].needless)
	}
	return w.Flush()
}

// strongest names the first rule with the effect that the decision has.
func strongest(d umpire.Decision) string {
	for _, r := range d.Reasons {
		if r.Effect == d.Effect {
			return r.Rule
		}
	}
	return "no rule"
}

func perMille(n, of int) string { return fmt.Sprintf("%.1f", 1000*float64(n)/float64(max(1, of))) }
