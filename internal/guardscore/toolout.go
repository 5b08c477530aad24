package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/inject"
)

func init() { measures["toolout"] = scoreToolOutput }

// scoreToolOutput is scoreInject for the outputs of tools.
func scoreToolOutput(o options) error {
	lessons, err := toolLessons(o)
	if err != nil {
		return err
	}
	rows := lessons.rows
	groups, fold := folds(rows, func(r *Row) string { return r.Source })
	if o.out != "" {
		groups = []string{o.out}
		for i := range rows {
			if fold[i] = -1; strings.HasPrefix(rows[i].Source, o.out) {
				fold[i] = 0
			}
		}
	}
	start := time.Now()
	scores := make([]float64, len(rows))
	each(len(groups), func(k int) {
		docs := slices.Clone(lessons.cases)
		for i := range rows {
			r := &rows[i]
			// Embedded texts come from a source of input: leave them out with it.
			if fold[i] != k && !(strings.HasPrefix(groups[k], "embed-") && r.Source == groups[k]) {
				docs = append(docs, r.doc())
			}
		}
		var ex []inject.Example
		for _, e := range lessons.extra {
			if "embed-"+e.Group != groups[k] {
				ex = append(ex, e)
			}
		}
		m := inject.TrainTool(docs, ex, lessons.first)
		for i := range rows {
			if fold[i] != k {
				continue
			}
			best := -10.0
			for _, l := range inject.JudgeSegments(inject.Segments(rows[i].Text), m) {
				best = max(best, l)
			}
			scores[i] = best
		}
	})
	if o.out != "" {
		var left []Row
		var theirs []float64
		for i := range rows {
			if fold[i] == 0 {
				left, theirs = append(left, rows[i]), append(theirs, scores[i])
			}
		}
		rows, scores = left, theirs
		for _, t := range []float64{0, -0.5, -1, -1.5, -2, -2.5, -3} {
			fmt.Printf("logit %.1f\n", t)
			table(rows, scores, t, func(r *Row) string { return r.Source })
		}
	}
	recall(rows, scores)
	t := o.threshold // 0 is where parts are replaced
	fmt.Printf("\nthreshold %.2f, %d folds in %v\n", t, len(groups), time.Since(start).Round(time.Second))
	table(rows, scores, t, func(r *Row) string { return r.Source })
	table(rows, scores, t, func(r *Row) string { return "kind " + r.Kind })
	if o.misses {
		listMisses(rows, scores, t)
	}
	return nil
}

// recall prints how many attacks are found at some rates of false positives.
func recall(rows []Row, scores []float64) {
	var negatives []float64
	for i := range rows {
		if !rows[i].attack() {
			negatives = append(negatives, scores[i])
		}
	}
	slices.Sort(negatives)
	for _, fp := range []float64{0.5, 1, 2, 3, 5} {
		t := stopping(negatives, fp)
		hit, attacks := 0, 0
		for i := range rows {
			if !rows[i].attack() {
				continue
			}
			attacks++
			if scores[i] > t {
				hit++
			}
		}
		fmt.Printf("at %.1f%% false positives, logit %.2f: recall %.1f%%\n", fp, t, percent(hit, attacks))
	}
}

// lessons are what the model of tool outputs learns from.
type lessons struct {
	rows  []Row            // outputs of the corpora
	cases []inject.Doc     // outputs written by hand
	extra []inject.Example // of the model of input
	first *inject.Model    // where the training begins
}

func toolLessons(o options) (*lessons, error) {
	rows, err := readAll(o, toolCorpora...)
	if err != nil {
		return nil, err
	}
	cases, err := inject.ReadCases(o.cases)
	if err != nil {
		return nil, err
	}
	honest, err := inject.ListedDocuments(o.documents)
	if err != nil {
		return nil, err
	}
	input, err := inputExamples(o)
	if err != nil {
		return nil, err
	}
	return &lessons{rows: rows, cases: append(cases, honest...), extra: inject.ToolExtra(input), first: inject.TrainFirst(input)}, nil
}

// docs are all outputs, those written by hand first.
func (l *lessons) docs() []inject.Doc {
	docs := slices.Clone(l.cases)
	for i := range l.rows {
		docs = append(docs, l.rows[i].doc())
	}
	return docs
}

// inputExamples are the examples of the model of input.
func inputExamples(o options) ([]inject.Example, error) {
	rows, err := readAll(o, append(slices.Clone(inputCorpora), proseCorpus)...)
	if err != nil {
		return nil, err
	}
	var out []inject.Example
	for i := range rows {
		if e, ok := rows[i].example(); ok {
			out = append(out, e)
		}
	}
	return append(out, inject.Own()...), nil
}
