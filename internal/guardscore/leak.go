package main

import (
	"context"
	"fmt"
	"time"

	"github.com/umpire-dev/umpire/guard"
)

// scoreLeak measures how many answers that tell their instructions are stopped, and how
// many others, with nothing to compare them to: no prompt and no canary.
func scoreLeak(o options) error {
	p := guard.NewOutput([]guard.OutputStage{guard.SystemPromptLeakage(guard.LeakageOptions{})})
	return scoreStops(o, "leak-dev.jsonl", func(r *Row) bool { return r.Label == "leak" },
		func(text string) guard.Result { return p.Check(context.Background(), text, guard.Answer{}) })
}

// scoreStops measures a check on a corpus and on harmless texts: how many of each source it stops.
func scoreStops(o options, corpus string, bad func(*Row) bool, check func(text string) guard.Result) error {
	for _, corpus := range []string{corpus, "benign-dev.jsonl", "benign-prose-dev.jsonl"} {
		rows, err := read(o, corpus)
		if err != nil {
			return err
		}
		stopped, n := map[string]int{}, map[string]int{}
		size, start := 0, time.Now()
		for _, r := range rows {
			size += len(r.Text)
			source := corpus
			if bad(&r) {
				source = r.Source
			}
			n[source]++
			res := check(r.Text)
			if res.Verdict == guard.Rejected {
				stopped[source]++
			}
			if o.misses && (res.Verdict == guard.Rejected) != bad(&r) {
				fmt.Printf("%s %s %.2f %s %.200q\n", r.Label, r.ID, res.Score, res.Reason, r.Text)
			}
		}
		took := time.Since(start)
		for s := range n {
			fmt.Printf("%-75s %5d stopped %.1f%%\n", s, n[s], percent(stopped[s], n[s]))
		}
		fmt.Printf("%.1f µs a KB\n", float64(took.Microseconds())/float64(size)*1024)
	}
	return nil
}
