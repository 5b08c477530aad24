package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/inject"
)

func init() { measures["cases"] = scoreCases }

// scoreCases leaves out one file of the outputs that were written by hand after the other,
// and judges it with what all else taught, by the shipped threshold and by others.
func scoreCases(o options) error {
	l, err := toolLessons(o)
	if err != nil {
		return err
	}
	n, docs := len(l.cases), l.docs()
	var groups []string
	for i := range docs[:n] {
		if g := docs[i].Group; !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	found, harm := make([]float64, n), make([]float64, n)
	each(len(groups), func(k int) {
		var rest []inject.Doc
		for i := range docs {
			if docs[i].Group != groups[k] {
				rest = append(rest, docs[i])
			}
		}
		m := inject.TrainTool(rest, l.extra, l.first)
		for i := range docs[:n] {
			if d := &docs[i]; d.Group == groups[k] {
				found[i], harm[i] = weighCase(d, m)
				switch {
				case o.misses && d.Attack && found[i] < o.threshold:
					fmt.Printf("%.2f missed %q\n", found[i], d.Text[d.From:d.To])
				case o.misses && !d.Attack && harm[i] >= o.threshold:
					fmt.Printf("%.2f harmless %q\n", harm[i], bounded.Clip(d.Text, 300, ""))
				}
			}
		}
	})
	var clean []float64
	for i := range docs[:n] {
		if !docs[i].Attack {
			clean = append(clean, harm[i])
		}
	}
	slices.Sort(clean)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "left out\tplanted\tfound\trest kept\tharmless\treplaced\t")
	line := func(name string, t float64, in func(*inject.Doc) bool) {
		var attacks, hit, kept, others, over int
		for i := range docs[:n] {
			switch d := &docs[i]; {
			case !in(d):
			case d.Attack:
				attacks++
				if found[i] >= t {
					hit++
				}
				if harm[i] < t {
					kept++
				}
			default:
				others++
				if harm[i] >= t {
					over++
				}
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%.1f%%\t%.1f%%\t%d\t%.1f%%\t\n", name, attacks, percent(hit, attacks), percent(kept, attacks), others, percent(over, others))
	}
	for _, g := range groups {
		line(strings.TrimPrefix(g, "cases-"), o.threshold, func(d *inject.Doc) bool { return d.Group == g })
	}
	line("each", o.threshold, func(*inject.Doc) bool { return true })
	for _, fp := range []float64{1, 2, 3, 5, 8} {
		t := stopping(clean, fp) + 1e-9
		line(fmt.Sprintf("each, at %.2f", t), t, func(*inject.Doc) bool { return true })
	}
	return w.Flush()
}

// weighCase returns the highest threshold at which two thirds of what was planted in d are
// replaced, and the lowest one at which all else is kept.
func weighCase(d *inject.Doc, m *inject.Model) (found, harm float64) {
	found, harm = -100, -100
	segs := inject.Segments(d.Text)
	type part struct {
		logit float64
		bytes int
	}
	var planted []part
	all := 0
	for i, l := range inject.JudgeSegments(segs, m) {
		n := min(segs[i].End, d.To) - max(segs[i].Start, d.From)
		if n <= 0 {
			harm = max(harm, l)
			continue
		}
		planted = append(planted, part{l, n})
		all += n
	}
	slices.SortFunc(planted, func(a, b part) int { return cmp.Compare(b.logit, a.logit) })
	sum := 0
	for _, p := range planted {
		if sum += p.bytes; sum*3 >= all*2 {
			return p.logit, harm
		}
	}
	return found, harm
}
