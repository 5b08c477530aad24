package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/normal"
)

func init() {
	measures["inject"] = scoreInject
}

// scoreInject trains without one source after the other and judges the one left out. The
// threshold is the one at which 1.5% of all benign texts are stopped.
func scoreInject(o options) error {
	attacks, err := read(o, "injection-dev.jsonl")
	if err != nil {
		return err
	}
	benign, err := read(o, "benign-dev.jsonl")
	if err != nil {
		return err
	}
	prose, err := read(o, "benign-prose-dev.jsonl")
	if err != nil {
		return err
	}
	rows := slices.Concat(attacks, benign, prose)
	group := func(r *Row) string {
		if strings.HasPrefix(r.Source, "obf-") {
			return "obf"
		}
		return r.Source
	}
	var as, bs []string
	for i := range rows {
		g := group(&rows[i])
		if l := &as; rows[i].Label == "injection" && !slices.Contains(*l, g) {
			*l = append(*l, g)
		} else if l := &bs; rows[i].Label != "injection" && !slices.Contains(*l, g) {
			*l = append(*l, g)
		}
	}
	fold := map[string]int{}
	for i, g := range as {
		fold["+"+g] = i
	}
	for i, g := range bs {
		fold["-"+g] = i % len(as)
	}
	foldOf := func(r *Row) int {
		if r.Label == "injection" {
			return fold["+"+group(r)]
		}
		return fold["-"+group(r)]
	}
	scores := make([]float64, len(rows))
	forms := make([]*normal.Form, len(rows))
	for i := range rows {
		forms[i] = normal.Text(rows[i].Text)
	}
	start := time.Now()
	var wg sync.WaitGroup
	slots := make(chan bool, 2)
	for k := range as {
		wg.Go(func() {
			slots <- true
			defer func() { <-slots }()
			var train []inject.Example
			for i := range rows {
				if foldOf(&rows[i]) != k {
					if e, ok := inject.InputExample(rows[i].Text, rows[i].Label, rows[i].Source, rows[i].Lang, rows[i].Licence); ok {
						train = append(train, e)
					}
				}
			}
			m := inject.Train(append(train, inject.Own()...))
			for i := range rows {
				if foldOf(&rows[i]) == k {
					scores[i] = logit(inject.Judge(forms[i], inject.Options{Model: m}).Score)
				}
			}
		})
	}
	wg.Wait()
	// The threshold: each benign source counts alike, prose does not count.
	var negatives []float64
	for i := range rows {
		if rows[i].Label == "benign" && i < len(attacks)+len(benign) && !strings.HasPrefix(rows[i].Source, "obf") {
			negatives = append(negatives, scores[i])
		}
	}
	slices.Sort(negatives)
	for _, fp := range []float64{0.5, 1, 1.5, 3, 5} {
		t := negatives[len(negatives)-1-int(fp/100*float64(len(negatives)))]
		hit, n := 0, 0
		by := map[string][2]int{}
		for i := range rows[:len(attacks)] {
			g := group(&rows[i])
			c := by[g]
			c[1]++
			n++
			if scores[i] > t {
				hit++
				c[0]++
			}
			by[g] = c
		}
		mean := 0.0
		for _, c := range by {
			mean += percent(c[0], c[1])
		}
		fmt.Printf("at %.1f%% false positives, logit %.2f: recall %.1f%%, mean by source %.1f%%\n", fp, t, percent(hit, n), mean/float64(len(by)))
	}
	t := negatives[len(negatives)-1-int(0.015*float64(len(negatives)))]
	if o.threshold != 0 {
		t = o.threshold
	}
	fmt.Printf("\nthreshold %.2f, %d folds in %v\n", t, len(as), time.Since(start).Round(time.Second))
	table(rows, scores, t, func(r *Row) string { return r.Source })
	table(rows, scores, t, func(r *Row) string { return "lang " + r.Lang })
	if o.misses {
		for i := range rows {
			if (rows[i].Label == "injection") != (scores[i] > t) {
				fmt.Printf("%.2f %s %s %q\n", scores[i], rows[i].Label, rows[i].Source, clip(rows[i].Text))
			}
		}
	}
	return nil
}

func clip(s string) string {
	if len(s) > 300 {
		return s[:300]
	}
	return s
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
		if rows[i].Label == "injection" {
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
