package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/umpire-dev/umpire/guard"
)

// scoreDrift measures how many escalating conversations are stopped at some turn, and how
// many others. The benign corpus has few conversations: some are made of its requests,
// five of one source each, and say how often chance escalates.
func scoreDrift(o options) error {
	rows, err := read(o, "multiturn-dev.jsonl")
	if err != nil {
		return err
	}
	benign, err := read(o, "benign-dev.jsonl")
	if err != nil {
		return err
	}
	bySource := map[string][]string{}
	for _, r := range benign {
		if r.Lang == "en" {
			bySource[r.Source] = append(bySource[r.Source], r.Text)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for source, texts := range bySource {
		for i := range min(40, len(texts)/5) {
			row := Row{ID: fmt.Sprintf("%s/%d", source, i), Label: "made", Source: source}
			for range 5 {
				row.Turns = append(row.Turns, texts[random.IntN(len(texts))])
			}
			rows = append(rows, row)
		}
	}
	p := guard.NewInput([]guard.Stage{guard.TopicDrift(guard.DriftOptions{})})
	stopped, n := map[string]int{}, map[string]int{}
	made := map[string]int{}
	for _, r := range rows {
		n[r.Label]++
		hit := false
		for i := range r.Turns {
			if i > 0 && !hit {
				res := p.Check(context.Background(), guard.Request{Text: r.Turns[i], Metadata: map[string]any{guard.HistoryKey: r.Turns[:i]}})
				hit = res.Verdict == guard.Rejected
			}
		}
		if hit {
			stopped[r.Label]++
			made[r.Source]++
		}
		if o.misses && hit != (r.Label == "escalating") && r.Label != "made" {
			fmt.Printf("%s %s\n", r.Label, r.ID)
			for _, t := range r.Turns {
				fmt.Printf("   %.300q\n", t)
			}
		}
	}
	for label := range n {
		fmt.Printf("%-12s %4d stopped %.1f%%\n", label, n[label], percent(stopped[label], n[label]))
	}
	fmt.Println(made)
	return nil
}
