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

// histogram describes a plot of counts: n bars of one step each.
type histogram struct {
	name    string
	step    time.Duration
	n       int
	classes []string // parts of a bar, from bottom to top
	class   func(store.Count) string
}

// plot returns the plot of counts until now. link returns the address that a bar leads to.
func (h histogram) plot(counts []store.Count, now time.Time, link func(from, to time.Time) string) plot {
	start := now.UTC().Truncate(h.step).Add(-time.Duration(h.n-1) * h.step)
	p := plot{Name: h.name, Width: h.n * barWidth, From: start, To: now}
	at := make([]map[string]int, h.n)
	sums := map[string]int{}
	for _, c := range counts {
		i := int(c.At.Sub(start) / h.step)
		if i < 0 || i >= h.n || c.At.Before(start) {
			continue
		}
		if at[i] == nil {
			at[i] = map[string]int{}
		}
		class := h.class(c)
		at[i][class] += c.N
		sums[class] += c.N
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
		b := bar{X: i * barWidth, At: start.Add(time.Duration(i) * h.step)}
		y := plotHeight
		for _, c := range h.classes {
			k := at[i][c]
			if k == 0 {
				continue
			}
			height := max(1, k*plotHeight/p.Most)
			y = max(0, y-height)
			b.N += k
			b.Parts = append(b.Parts, part{c, k, y, height})
		}
		if b.N > 0 {
			b.Link = link(b.At, b.At.Add(h.step))
			p.Bars = append(p.Bars, b)
		}
	}
	for _, c := range h.classes {
		p.Series = append(p.Series, series{c, sums[c]})
	}
	return p
}
