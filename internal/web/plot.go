package web

import (
	"time"

	"github.com/umpire-dev/umpire/internal/store"
)

// plot is a bar chart: one bar for each step of time, divided by series. The template draws it as
// SVG without text, which would be stretched, and without a script.
type plot struct {
	Name   string
	Width  int
	Most   int // the highest bar
	Bars   []bar
	Series []series
	Total  int
	From   time.Time
	To     time.Time
}

type bar struct {
	X     int
	At    time.Time
	N     int
	Link  string
	Parts []part
}

type part struct {
	Class        string
	N, Y, Height int
}

type series struct {
	Class string
	N     int
}

const (
	plotHeight = 100
	barWidth   = 10
)

// newPlot returns the plot of counts over n steps until now, by the class of each count. Each bar
// has the classes from bottom to top in the given order.
func newPlot(name string, counts []store.Count, now time.Time, step time.Duration, n int, classes []string, class func(store.Count) string, link func(from, to time.Time) string) plot {
	start := now.UTC().Truncate(step).Add(-time.Duration(n-1) * step)
	p := plot{Name: name, Width: n * barWidth, From: start, To: now}
	at := make([]map[string]int, n)
	sums := map[string]int{}
	for _, c := range counts {
		i := int(c.At.Sub(start) / step)
		if i < 0 || i >= n || c.At.Before(start) {
			continue
		}
		if at[i] == nil {
			at[i] = map[string]int{}
		}
		at[i][class(c)] += c.N
		sums[class(c)] += c.N
		p.Total += c.N
	}
	for i := range at {
		sum := 0
		for _, k := range at[i] {
			sum += k
		}
		p.Most = max(p.Most, sum)
	}
	for i := range at {
		b := bar{X: i * barWidth, At: start.Add(time.Duration(i) * step)}
		y := plotHeight
		for _, c := range classes {
			k := at[i][c]
			if k == 0 {
				continue
			}
			h := max(1, k*plotHeight/p.Most)
			y = max(0, y-h)
			b.N += k
			b.Parts = append(b.Parts, part{c, k, y, h})
		}
		if b.N > 0 {
			b.Link = link(b.At, b.At.Add(step))
			p.Bars = append(p.Bars, b)
		}
	}
	for _, c := range classes {
		p.Series = append(p.Series, series{c, sums[c]})
	}
	return p
}
