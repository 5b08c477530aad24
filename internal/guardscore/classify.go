package main

import (
	"context"
	"fmt"
	"time"

	"github.com/umpire-dev/umpire/guard"
)

// scoreClassify measures how many harmful questions the rules of all categories stop, and
// how many requests that are none.
func scoreClassify(o options) error {
	c, err := guard.Classification(guard.ClassificationOptions{Blocked: guard.BlockedCategories()})
	if err != nil {
		return err
	}
	p := guard.NewInput([]guard.Stage{c.Stage()})
	for _, corpus := range []string{"classify-dev.jsonl", "benign-dev.jsonl", "benign-prose-dev.jsonl"} {
		rows, err := read(o, corpus)
		if err != nil {
			return err
		}
		stopped, n := map[string]int{}, map[string]int{}
		size, start := 0, time.Now()
		for _, r := range rows {
			size += len(r.Text)
			source := corpus
			if r.Label != "benign" {
				source = r.Source
			}
			n[source]++
			res := p.Check(context.Background(), guard.Request{Text: r.Text})
			if res.Verdict == guard.Rejected {
				stopped[source]++
			}
			if o.misses && (res.Verdict == guard.Rejected) == (r.Label == "benign") {
				fmt.Printf("%s %s %s %.160q\n", r.Label, r.ID, res.Reason, r.Text)
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
