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
	for _, corpus := range []string{"leak-dev.jsonl", "benign-dev.jsonl", "benign-prose-dev.jsonl"} {
		rows, err := read(o, corpus)
		if err != nil {
			return err
		}
		stopped, n := map[string]int{}, map[string]int{}
		size, start := 0, time.Now()
		for _, r := range rows {
			size += len(r.Text)
			n[r.Label]++
			res := p.Check(context.Background(), r.Text, guard.Answer{})
			if res.Verdict == guard.Rejected {
				stopped[r.Label]++
			}
			if o.misses && (res.Verdict == guard.Rejected) != (r.Label == "leak") {
				fmt.Printf("%s %s %.2f %.200q\n", r.Label, r.ID, res.Score, r.Text)
			}
		}
		for label := range n {
			fmt.Printf("%-22s %-8s %5d stopped %.1f%%\n", corpus, label, n[label], percent(stopped[label], n[label]))
		}
		fmt.Printf("%.1f µs a KB\n", float64(time.Since(start).Microseconds())/float64(size)*1024)
	}
	return nil
}
