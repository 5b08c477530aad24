package main

import (
	"fmt"
	"slices"

	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/normal"
)

func init() { measures["unseen"] = scoreUnseen }

// unseenFiles have attacks and harmless messages with the same words that nothing learns. The first was
// written before internal/inject/told.txt, the second after it. The last has harmless messages alone.
var unseenFiles = []string{
	"stranger-input.txt", "stranger-second-input.txt", "stranger-third-input.txt", "stranger-fourth-input.txt", "stranger-fifth-input.txt",
	"stranger-sixth-input.txt", "stranger-seventh-input.txt", "stranger-eighth-input.txt", "stranger-ninth-input.txt", "talk-input.txt",
}

// curve are the logits that the table of thresholds in docs/guard-model.md has.
var curve = []float64{0.1, 0.6, 1.1, 1.6}

// scoreUnseen measures the shipped model of input on the messages of unseenFiles.
func scoreUnseen(o options) error {
	for _, name := range unseenFiles {
		fmt.Println(name)
		if err := scoreMessages(o, name); err != nil {
			return err
		}
	}
	return nil
}

func scoreMessages(o options, name string) error {
	cases, err := readInputCases(o, name)
	if err != nil {
		return err
	}
	threshold := inject.InputThreshold
	if o.threshold != 0 {
		threshold = o.threshold
	}
	rows := make([]Row, len(cases))
	scores := make([]float64, len(cases))
	var harmless []float64
	for i, c := range cases {
		rows[i] = Row{Text: c.text, Label: "benign", Source: name, Lang: c.lang}
		scores[i] = logit(inject.Judge(normal.Text(c.text), inject.Options{Model: inject.Input()}).Score)
		if c.attack {
			rows[i].Label = "injection"
		} else {
			harmless = append(harmless, scores[i])
		}
	}
	slices.Sort(harmless)
	show := func(t float64) {
		hit, attacks := over(rows, scores, t, (*Row).attack)
		stopped, n := over(rows, scores, t, func(r *Row) bool { return !r.attack() })
		fmt.Printf("logit %.2f: found %.1f%% of %d, stopped %.1f%% of %d\n", t, percent(hit, attacks), attacks, percent(stopped, n), n)
	}
	show(threshold)
	if len(harmless) > 0 {
		show(stopping(harmless, 2))
	}
	for _, t := range curve {
		show(t)
	}
	table(rows, scores, threshold, func(r *Row) string { return r.Lang })
	if o.misses {
		listMisses(rows, scores, threshold)
	}
	return nil
}
