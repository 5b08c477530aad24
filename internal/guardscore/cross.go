package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"text/tabwriter"

	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/inject"
)

// readAll returns the rows of several corpora, one after the other.
func readAll(o options, names ...string) ([]Row, error) {
	var out []Row
	for _, name := range names {
		rows, err := read(o, name)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// The model of input is trained on these, and on prose, for which no threshold is chosen.
var inputCorpora = []string{"injection-dev.jsonl", "benign-dev.jsonl"}

const proseCorpus = "benign-prose-dev.jsonl"

// The model of tools' outputs is trained on these.
var toolCorpora = []string{"toolout-injection-dev.jsonl", "toolout-benign-dev.jsonl"}

func (r *Row) attack() bool { return r.Label == "injection" }

// doc is a row as the model of tools' outputs learns it.
func (r *Row) doc() inject.Doc {
	return inject.Doc{Text: r.Text, Attack: r.attack(), Group: r.Source, Lang: r.Lang}
}

// example is a row as the model of input learns it, if it learns it at all.
func (r *Row) example() (inject.Example, bool) {
	return inject.InputExample(r.Text, r.Label, r.Source, r.Lang, r.Licence)
}

// readExamples returns the rows as the model of input learns them, and which of them it learns.
func readExamples(rows []Row) (examples []inject.Example, learned []bool) {
	examples, learned = make([]inject.Example, len(rows)), make([]bool, len(rows))
	for i := range rows {
		examples[i], learned[i] = rows[i].example()
	}
	return inject.Read(examples), learned
}

// ownExamples returns the project's own texts as the model of input learns them.
func ownExamples(o options) ([]inject.Example, error) {
	more, err := inject.InputTexts(o.cases)
	if err != nil {
		return nil, err
	}
	honest, err := inject.ListedDocuments(o.documents)
	return inject.Read(slices.Concat(inject.Own(), more, inject.Pasted(honest))), err
}

// folds puts rows into one fold for each group of attacks; the groups of the others are
// spread over them. It returns the groups of attacks, and the fold of each row.
func folds(rows []Row, group func(*Row) string) (attacks []string, of []int) {
	var others []string
	for i := range rows {
		l := &others
		if rows[i].attack() {
			l = &attacks
		}
		if g := group(&rows[i]); !slices.Contains(*l, g) {
			*l = append(*l, g)
		}
	}
	of = make([]int, len(rows))
	for i := range rows {
		if g := group(&rows[i]); rows[i].attack() {
			of[i] = slices.Index(attacks, g)
		} else {
			of[i] = slices.Index(others, g) % max(len(attacks), 1)
		}
	}
	return attacks, of
}

// each calls f for the numbers below n, two at a time.
func each(n int, f func(k int)) {
	var wg sync.WaitGroup
	slots := make(chan bool, 2)
	for k := range n {
		wg.Go(func() {
			slots <- true
			defer func() { <-slots }()
			f(k)
		})
	}
	wg.Wait()
}

// stopping returns the score above which so many percent of sorted ones are.
func stopping(sorted []float64, percent float64) float64 {
	return sorted[len(sorted)-1-int(percent/100*float64(len(sorted)))]
}

// listMisses prints the rows that a threshold judges wrongly.
func listMisses(rows []Row, scores []float64, t float64) {
	for i := range rows {
		if rows[i].attack() != (scores[i] > t) {
			fmt.Printf("%.2f %s %s %q\n", scores[i], rows[i].Label, rows[i].Source, bounded.Clip(rows[i].Text, 300, ""))
		}
	}
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// table prints how many rows of each kind score above t: recall for attacks, false
// positives for the others.
func table(rows []Row, scores []float64, t float64, by func(*Row) string) {
	type tally struct{ n, over [2]int }
	all := map[string]*tally{}
	var names []string
	for i := range rows {
		name := by(&rows[i])
		c := all[name]
		if c == nil {
			c = new(tally)
			all[name] = c
			names = append(names, name)
		}
		k := 0
		if rows[i].attack() {
			k = 1
		}
		c.n[k]++
		if scores[i] > t {
			c.over[k]++
		}
	}
	slices.Sort(names)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tattacks\tfound\tharmless\tstopped\t")
	for _, n := range names {
		c := all[n]
		cell := func(k int) string {
			if c.n[k] == 0 {
				return "-\t-"
			}
			return fmt.Sprintf("%d\t%.1f%%", c.n[k], percent(c.over[k], c.n[k]))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t\n", n, cell(1), cell(0))
	}
	w.Flush()
}
