package guard

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/normal"
)

// Limits of an explanation. It judges the text again without each of its words, so it costs that
// many judgments.
const (
	maxWhyWords = 24
	maxWhyBytes = 400
	maxWhy      = 4
)

// why returns the words that decided, in the order of the text: without one of them, the part of
// the text with the highest score would score clearly lower.
func why(text string, es []inject.Evidence) []string {
	part := ""
	best := 0.0
	for _, e := range es {
		if e.Start < 0 || e.End > len(text) || e.Start >= e.End {
			continue
		}
		if s := text[e.Start:e.End]; e.Score > best || e.Score == best && len(s) > len(part) && len(s) <= maxWhyBytes {
			part, best = s, e.Score
		}
	}
	words := strings.Fields(bounded.Clip(part, maxWhyBytes, "..."))
	words = words[:min(len(words), maxWhyWords)]
	weight := func(words []string) float64 {
		s := inject.Judge(normal.Canonical(strings.Join(words, " ")), inject.Options{Model: inject.Input(), Threshold: inject.InputThreshold}).Score
		s = min(max(s, 1e-9), 1-1e-9)
		return math.Log(s / (1 - s))
	}
	whole := weight(words)
	type lost struct {
		at   int
		less float64
	}
	var all []lost
	for i := range words {
		if less := whole - weight(slices.Concat(words[:i], words[i+1:])); less > 0.3 {
			all = append(all, lost{i, less})
		}
	}
	slices.SortStableFunc(all, func(a, b lost) int { return cmp.Compare(b.less, a.less) })
	all = all[:min(len(all), maxWhy)]
	slices.SortFunc(all, func(a, b lost) int { return a.at - b.at })
	var out []string
	for _, l := range all {
		if w := strings.Trim(words[l.at], `.,;:!?"'()[]`); w != "" {
			out = append(out, w)
		}
	}
	return out
}
