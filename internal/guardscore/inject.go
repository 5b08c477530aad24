package main

import (
	"fmt"
	"slices"
	"strings"
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
	short, err := readAll(o, inputCorpora...)
	if err != nil {
		return err
	}
	prose, err := readAll(o, proseCorpus, toolCorpora[1])
	if err != nil {
		return err
	}
	rows := slices.Concat(short, prose)
	group := func(r *Row) string {
		if strings.HasPrefix(r.Source, "obf-") {
			return "obf"
		}
		return r.Source
	}
	groups, fold := folds(rows, group)
	scores := make([]float64, len(rows))
	forms := make([]*normal.Form, len(rows))
	for i := range rows {
		forms[i] = normal.Text(rows[i].Text)
	}
	start := time.Now()
	examples, learned := readExamples(rows)
	own, err := ownExamples(o)
	if err != nil {
		return err
	}
	each(len(groups), func(k int) {
		var train []inject.Example
		for i := range rows {
			if fold[i] != k && learned[i] {
				train = append(train, examples[i])
			}
		}
		m := inject.Train(slices.Concat(train, own))
		for i := range rows {
			if fold[i] == k {
				scores[i] = logit(inject.Judge(forms[i], inject.Options{Model: m}).Score)
			}
		}
	})
	// The threshold: each benign source counts alike, prose and documents do not count.
	var negatives []float64
	for i := range rows {
		if !rows[i].attack() && i < len(short) && !strings.HasPrefix(rows[i].Source, "obf") {
			negatives = append(negatives, scores[i])
		}
	}
	slices.Sort(negatives)
	for _, fp := range []float64{0.5, 1, 1.5, 3, 5} {
		printRecall(rows, scores, fp, stopping(negatives, fp), group)
	}
	t := stopping(negatives, 1.5)
	if o.threshold != 0 {
		t = o.threshold
	}
	fmt.Printf("\nthreshold %.2f, %d folds in %v\n", t, len(groups), time.Since(start).Round(time.Second))
	printCurve(rows, scores)
	table(rows, scores, t, func(r *Row) string { return r.Source })
	table(rows, scores, t, func(r *Row) string { return "lang " + r.Lang })
	if o.misses {
		listMisses(rows, scores, t)
	}
	return nil
}

// Sources of everyday requests, and of prompts that give a role, in any language.
var (
	plainSources = []string{"alpaca-zh", "arc-reactor-tests", "p3-t0", "purplellama-frr", "purplellama-frr-ml", "purplellama-instruct", "self-instruct"}
	roleSources  = []string{"awesome-prompts", "awesome-prompts-zh", "gpteacher-roleplay"}
)

// printCurve prints how many of the requests each logit of curve stops.
func printCurve(rows []Row, scores []float64) {
	from := func(sources []string) func(*Row) bool {
		return func(r *Row) bool { return !r.attack() && slices.Contains(sources, r.Source) }
	}
	for _, t := range curve {
		plain, plains := over(rows, scores, t, from(plainSources))
		role, roles := over(rows, scores, t, from(roleSources))
		fmt.Printf("logit %.2f: stopped %.1f%% of %d plain requests, %.1f%% of %d role-play prompts\n", t, percent(plain, plains), plains, percent(role, roles), roles)
	}
}

// over returns how many of some rows score above t, and how many there are.
func over(rows []Row, scores []float64, t float64, some func(*Row) bool) (hits, n int) {
	for i := range rows {
		if some(&rows[i]) {
			n++
			if scores[i] > t {
				hits++
			}
		}
	}
	return hits, n
}

// printRecall prints the recall at a threshold, over all attacks and as the mean of their groups.
func printRecall(rows []Row, scores []float64, fp, t float64, group func(*Row) string) {
	hit, n := over(rows, scores, t, (*Row).attack)
	groups, _ := folds(rows, group)
	mean := 0.0
	for _, g := range groups {
		mean += percent(over(rows, scores, t, func(r *Row) bool { return r.attack() && group(r) == g }))
	}
	fmt.Printf("at %.1f%% false positives, logit %.2f: recall %.1f%%, mean by source %.1f%%\n", fp, t, percent(hit, n), mean/float64(len(groups)))
}
