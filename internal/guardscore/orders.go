package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/umpire-dev/umpire/internal/inject"
)

func init() { measures["orders"] = scoreOrders }

// scoreOrders leaves out what the grammar of orders has in one language after the other, and
// judges what was left out by the shipped threshold.
func scoreOrders(o options) error {
	l, err := toolLessons(o)
	if err != nil {
		return err
	}
	docs, extra := l.docs(), l.extra
	var groups []string
	for _, e := range extra {
		if strings.HasPrefix(e.Group, "orders-") && !slices.Contains(groups, e.Group) {
			groups = append(groups, e.Group)
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "left out\torders\tfound\tharmless\treplaced\t")
	for _, g := range groups {
		var rest []inject.Example
		for _, e := range extra {
			if e.Group != g {
				rest = append(rest, e)
			}
		}
		m := inject.TrainWords(docs, rest, l.first)
		var n, over [2]int
		for _, e := range extra {
			if e.Group != g {
				continue
			}
			k, score := 0, 0.0
			if e.Attack {
				k = 1
			}
			for _, l := range inject.JudgeSegments(inject.Segments(e.Text), m) {
				score = max(score, inject.ToolScore(l))
			}
			n[k]++
			if score >= 0.5 {
				over[k]++
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%.1f%%\t%d\t%.1f%%\t\n", strings.TrimPrefix(g, "orders-"), n[1], percent(over[1], n[1]), n[0], percent(over[0], n[0]))
	}
	return w.Flush()
}
