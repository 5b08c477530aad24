package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/umpire-dev/umpire/internal/pii"
)

// scorePII measures what is left of marked values, whether their place is exact, and how
// many texts without any were changed.
func scorePII(o options) error {
	rows, err := read(o, "pii-dev.jsonl")
	if err != nil {
		return err
	}
	f := pii.New(nil, nil)
	type tally struct{ n, gone, exact int }
	kinds := map[string]*tally{"all": {}}
	harmless, damaged := 0, 0
	start := time.Now()
	size := 0
	for _, r := range rows {
		size += len(r.Text)
		found := f.Find(r.Text)
		if len(r.Spans) == 0 {
			harmless++
			if len(found) > 0 {
				damaged++
				if o.misses {
					fmt.Printf("DAMAGED %s %v %q\n", r.ID, found, r.Text)
				}
			}
			continue
		}
		at := []int{} // byte of each code point
		for i := range r.Text {
			at = append(at, i)
		}
		at = append(at, len(r.Text))
		for _, s := range r.Spans {
			if kinds[s.Type] == nil {
				kinds[s.Type] = &tally{}
			}
			from, to := at[s.Start], at[s.End]
			exact := slices.ContainsFunc(found, func(p pii.Span) bool { return p.Start == from && p.End == to && string(p.Kind) == s.Type })
			gone := slices.ContainsFunc(found, func(p pii.Span) bool { return p.Start <= from && p.End >= to })
			for _, t := range []*tally{kinds["all"], kinds[s.Type]} {
				t.n++
				if exact {
					t.exact++
				}
				if gone {
					t.gone++
				}
			}
			if !exact && o.misses {
				fmt.Printf("MISSED %s gone=%v %s %q found %v in %q\n", r.ID, gone, s.Type, r.Text[from:to], found, r.Text)
			}
		}
	}
	took := time.Since(start)
	for k, t := range kinds {
		fmt.Printf("%-12s %4d gone %.1f%% exact %.1f%%\n", k, t.n, percent(t.gone, t.n), percent(t.exact, t.n))
	}
	fmt.Printf("harmless     %4d damaged %.1f%% (%d)\n%.1f µs a KB\n", harmless, percent(damaged, harmless), damaged, float64(took.Microseconds())/float64(size)*1024)
	return nil
}
