package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/inject"
)

func init() { measures["toolout"] = scoreToolOutput }

// scoreToolOutput is scoreInject for the outputs of tools.
func scoreToolOutput(o options) error {
	attacks, err := read(o, "toolout-injection-dev.jsonl")
	if err != nil {
		return err
	}
	benign, err := read(o, "toolout-benign-dev.jsonl")
	if err != nil {
		return err
	}
	rows := slices.Concat(attacks, benign)
	extra, err := inputExamples(o)
	if err != nil {
		return err
	}
	first := inject.Train(extra)
	tool := inject.ToolExtra(extra)
	var as, bs []string
	for i := range rows {
		l := &bs
		if rows[i].Label == "injection" {
			l = &as
		}
		if !slices.Contains(*l, rows[i].Source) {
			*l = append(*l, rows[i].Source)
		}
	}
	fold := func(r *Row) int {
		if r.Label == "injection" {
			return slices.Index(as, r.Source)
		}
		return slices.Index(bs, r.Source) % len(as)
	}
	start := time.Now()
	scores := make([]float64, len(rows))
	var wg sync.WaitGroup
	slots := make(chan bool, 2)
	for k := range as {
		wg.Go(func() {
			slots <- true
			defer func() { <-slots }()
			var docs []inject.Doc
			for i := range rows {
				r := &rows[i]
				// What is embedded in others comes from a source of input: without it, too.
				if fold(r) != k && !(strings.HasPrefix(as[k], "embed-") && r.Source == as[k]) {
					docs = append(docs, inject.Doc{Text: r.Text, Attack: r.Label == "injection", Group: r.Source, Lang: r.Lang})
				}
			}
			var ex []inject.Example
			for _, e := range tool {
				if "embed-"+e.Group != as[k] {
					ex = append(ex, e)
				}
			}
			m := inject.TrainTool(docs, ex, first)
			for i := range rows {
				if fold(&rows[i]) != k {
					continue
				}
				best := -10.0
				for _, l := range inject.JudgeSegments(inject.Segments(rows[i].Text), m) {
					best = max(best, l.Alone, l.Block)
				}
				scores[i] = best
			}
		})
	}
	wg.Wait()
	var negatives []float64
	for i := range rows {
		if rows[i].Label == "benign" {
			negatives = append(negatives, scores[i])
		}
	}
	slices.Sort(negatives)
	for _, fp := range []float64{0.5, 1, 2, 3, 5} {
		t := negatives[len(negatives)-1-int(fp/100*float64(len(negatives)))]
		hit := 0
		for i := range attacks {
			if scores[i] > t {
				hit++
			}
		}
		fmt.Printf("at %.1f%% false positives, logit %.2f: recall %.1f%%\n", fp, t, percent(hit, len(attacks)))
	}
	t := negatives[len(negatives)-1-int(0.01*float64(len(negatives)))]
	if o.threshold != 0 {
		t = o.threshold
	}
	fmt.Printf("\nthreshold %.2f, %d folds in %v\n", t, len(as), time.Since(start).Round(time.Second))
	table(rows, scores, t, func(r *Row) string { return r.Source })
	table(rows, scores, t, func(r *Row) string { return "kind " + r.Kind })
	if o.misses {
		for i := range rows {
			if (rows[i].Label == "injection") != (scores[i] > t) {
				fmt.Printf("%.2f %s %s %q\n", scores[i], rows[i].Label, rows[i].Source, clip(rows[i].Text))
			}
		}
	}
	return nil
}

// inputExamples are the examples of the model of input.
func inputExamples(o options) ([]inject.Example, error) {
	var out []inject.Example
	for _, name := range []string{"injection-dev.jsonl", "benign-dev.jsonl", "benign-prose-dev.jsonl"} {
		rows, err := read(o, name)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if e, ok := inject.InputExample(r.Text, r.Label, r.Source, r.Lang, r.Licence); ok {
				out = append(out, e)
			}
		}
	}
	return append(out, inject.Own()...), nil
}
