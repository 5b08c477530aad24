package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/normal"
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
	return scoreDialogues(o)
}

// scoreDialogues measures dialogues written by hand, each with a harmless twin of the same length
// and topic: the stage, the judge of input on single turns, and the same on the last turns together.
func scoreDialogues(o options) error {
	o.corpora = o.cases
	rows, err := read(o, "dialogues.jsonl")
	if err != nil {
		return err
	}
	stage := guard.NewInput([]guard.Stage{guard.TopicDrift(guard.DriftOptions{})})
	judge := func(text string) float64 {
		return inject.Judge(normal.Text(text), inject.Options{Model: inject.Input(), Threshold: inject.InputThreshold}).Score
	}
	ways := []struct {
		name string
		hit  func(turns []string) bool // the last one is to be judged
	}{
		{"stage", func(turns []string) bool {
			n := len(turns) - 1
			return stage.Check(context.Background(), guard.Request{Text: turns[n], Metadata: map[string]any{guard.HistoryKey: turns[:n]}}).Verdict == guard.Rejected
		}},
		{"single turns, 0.5", func(turns []string) bool { return judge(turns[len(turns)-1]) >= 0.5 }},
		{"turns together, 0.5", func(turns []string) bool { return judge(strings.Join(turns[max(len(turns)-5, 0):], " ")) >= 0.5 }},
	}
	for _, w := range ways {
		stopped, n := map[string]int{}, map[string]int{}
		for _, r := range rows {
			style, _, _ := strings.Cut(r.ID, "/")
			key := style + " " + r.Label
			n[key]++
			for i := range r.Turns {
				if w.hit(r.Turns[:i+1]) {
					stopped[key]++
					break
				}
			}
		}
		fmt.Printf("%-24s", w.name)
		for _, key := range slices.Sorted(maps.Keys(n)) {
			fmt.Printf("  %s %d of %d", key, stopped[key], n[key])
		}
		fmt.Println()
	}
	return nil
}
