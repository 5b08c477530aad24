package main

import (
	"fmt"

	"github.com/umpire-dev/umpire/internal/inject"
)

func init() { measures["foreign"] = scoreForeign }

// scoreForeign counts the outputs with a task that is foreign to them. Nothing was learned
// from any of these files for that.
func scoreForeign(o options) error {
	rows, err := readAll(o, toolCorpora...)
	if err != nil {
		return err
	}
	scores := make([]float64, len(rows))
	for i := range rows {
		scores[i] = float64(len(inject.Foreign(inject.Segments(rows[i].Text))))
		if o.misses && scores[i] > 0 && !rows[i].attack() {
			segs := inject.Segments(rows[i].Text)
			for _, k := range inject.Foreign(segs) {
				fmt.Printf("%s %q\n", rows[i].ID, segs[k].Text)
			}
		}
	}
	table(rows, scores, 0.5, func(r *Row) string { return r.Source })
	cases, err := caseDocs(o)
	if err != nil {
		return err
	}
	hit, n := map[bool]int{}, map[bool]int{}
	for _, c := range cases {
		n[c.Attack]++
		segs := inject.Segments(c.Text)
		if found := inject.Foreign(segs); len(found) > 0 {
			hit[c.Attack]++
			if o.misses && !c.Attack {
				fmt.Printf("case %q\n", segs[found[0]].Text)
			}
		}
	}
	fmt.Printf("cases written by hand: %d of %d poisoned, %d of %d harmless\n", hit[true], n[true], hit[false], n[false])
	return nil
}
