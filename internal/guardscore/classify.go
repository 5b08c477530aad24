package main

import (
	"context"

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
	return scoreStops(o, "classify-dev.jsonl", func(r *Row) bool { return r.Label != "benign" },
		func(text string) guard.Result { return p.Check(context.Background(), guard.Request{Text: text}) })
}
