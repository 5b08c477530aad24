package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/normal"
)

func init() { measures["languages"] = scoreLanguages }

// scoreLanguages trains without one language after the other, our own examples of it
// included, and judges the texts in it: once without all of its texts, and once without the
// harmless ones only, when nothing but the attacks says how the language looks.
func scoreLanguages(o options) error {
	rows, err := readAll(o, append(slices.Clone(inputCorpora), proseCorpus)...)
	if err != nil {
		return err
	}
	cases, err := readInputCases(o, "hard-input.txt")
	if err != nil {
		return err
	}
	for _, c := range cases { // they are no training data, so they count for every language
		label := "benign"
		if c.attack {
			label = "injection"
		}
		rows = append(rows, Row{Text: c.text, Label: label, Source: "hard", Lang: c.lang})
	}
	t := cmp.Or(o.threshold, inject.InputThreshold)
	var langs []string
	for i := range rows {
		if l := rows[i].Lang; l != "en" && !slices.Contains(langs, l) {
			langs = append(langs, l)
		}
	}
	slices.Sort(langs)
	results := make([]languageResult, len(langs))
	examples, learned := readExamples(rows)
	own, err := ownExamples(o)
	if err != nil {
		return err
	}
	each(len(langs), func(k int) {
		without, attacksOnly := leaveOut(langs[k], examples, learned, own)
		m, alone := inject.Train(without), inject.Train(attacksOnly)
		r := &results[k]
		for i := range rows {
			if rows[i].Lang != langs[k] {
				continue
			}
			f := normal.Text(rows[i].Text)
			over := logit(inject.Judge(f, inject.Options{Model: m}).Score) > t
			switch {
			case rows[i].attack():
				r.attacks++
				if over {
					r.found++
				}
			default:
				r.benign++
				if over {
					r.over++
				}
				if logit(inject.Judge(f, inject.Options{Model: alone}).Score) > t {
					r.alone++
				}
			}
		}
	})
	return printLanguages(t, langs, results)
}

type languageResult struct{ benign, over, alone, attacks, found int }

// leaveOut returns the training data without a language, and the same with its attacks.
func leaveOut(lang string, examples []inject.Example, learned []bool, own []inject.Example) (without, attacksOnly []inject.Example) {
	take := func(e inject.Example) {
		if e.Lang != lang {
			without = append(without, e)
		}
		if e.Lang != lang || e.Attack {
			attacksOnly = append(attacksOnly, e)
		}
	}
	for i := range examples {
		if learned[i] {
			take(examples[i])
		}
	}
	for _, e := range own {
		take(e)
	}
	return without, attacksOnly
}

func printLanguages(t float64, langs []string, results []languageResult) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Printf("threshold %.2f\n", t)
	fmt.Fprintln(w, "\tharmless\tstopped\tstopped, attacks learned\tattacks\tfound\t")
	for k, l := range langs {
		r := results[k]
		fmt.Fprintf(w, "%s\t%d\t%.1f%%\t%.1f%%\t%d\t%.1f%%\t\n", l, r.benign, percent(r.over, r.benign), percent(r.alone, r.benign), r.attacks, percent(r.found, r.attacks))
	}
	return w.Flush()
}
