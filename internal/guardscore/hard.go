package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/normal"
)

func init() { measures["hard"] = scoreHard }

// set is a part of the cases written by hand. The first, the fourth, and those of wide may be looked at.
type set int

const (
	lookedAt set = iota
	heldOut
	late      // written after a first round of work
	fresh     // written after a second one
	freshHeld // the other half of those
	wide      // tool outputs of more kinds, before the model of orders
	wideMore  // the other half of those, which was sealed until then
	seal      // by an author who knew nothing of the guard; sealed
	sets
)

var setNames = [sets]string{"looked at", "held out", "late", "fresh", "fresh, held out", "wide", "wide, more", "sealed"}

// setOf returns the set of the nth case of a file.
func setOf(name string, n int) set {
	switch {
	case strings.HasPrefix(name, "late"):
		return late
	case strings.HasPrefix(name, "fresh"):
		return fresh + set(n%2)
	case strings.HasPrefix(name, "seal"):
		return seal
	case strings.HasPrefix(name, "wide"):
		return wide + set(n%2)
	}
	return set(n % 2)
}

// hardCase is a case that was written by hand.
type hardCase struct {
	text, lang    string
	attack        bool
	set           set
	before, after string // of what was planted in an output
}

// readInputCases reads messages of users. Every second attack and every second harmless text
// is held out, but in late-input.txt.
func readInputCases(o options, name string) ([]hardCase, error) {
	b, err := os.ReadFile(filepath.Join(o.cases, name))
	if err != nil {
		return nil, err
	}
	var out []hardCase
	seen := map[bool]int{}
	for line := range strings.Lines(string(b)) {
		lang, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		sign, text, ok := strings.Cut(rest, " ")
		if lang == "#" || !ok {
			continue
		}
		attack := sign == "+"
		out = append(out, hardCase{text: strings.ReplaceAll(text, `\n`, "\n"), lang: lang, attack: attack, set: setOf(name, seen[attack])})
		seen[attack]++
	}
	return out, nil
}

func readToolCases(o options, name string) ([]hardCase, error) {
	docs, err := readDocs(o, name)
	if err != nil {
		return nil, err
	}
	var out []hardCase
	for i, d := range docs {
		c := hardCase{text: d.Text, lang: d.Lang, set: setOf(name, i), attack: d.Attack}
		if d.Attack {
			c.before, c.after = d.Text[:d.From], d.Text[d.To:]
		}
		out = append(out, c)
	}
	return out, nil
}

func readDocs(o options, name string) ([]inject.Doc, error) {
	b, err := os.ReadFile(filepath.Join(o.cases, name))
	if err != nil {
		return nil, err
	}
	return inject.ParseCases(name, string(b))
}

// share counts hits by set.
type share struct{ hit, n [sets]int }

func (s *share) add(c *hardCase, hit bool) {
	s.n[c.set]++
	if hit {
		s.hit[c.set]++
	}
}

func (s *share) rate(k set) float64 { return percent(s.hit[k], s.n[k]) }

func (s *share) print(name string) {
	fmt.Printf("%-33s", name)
	for k := range sets {
		if s.n[k] == 0 { // there are none, or they are sealed
			fmt.Printf(" %-13s", "-")
			continue
		}
		fmt.Printf(" %5.1f%% of %-3d", s.rate(k), s.n[k])
	}
	fmt.Println()
}

// hardShares are the figures of all cases written by hand.
type hardShares struct{ found, stopped, gone, kept, replaced share }

// scoreHard measures the shipped models on cases written by hand. Those held out are never
// listed, and those that are sealed are not even counted unless that is asked for: each look at
// them makes them worth less.
func scoreHard(o options) error {
	s, err := hard(o)
	if err != nil {
		return err
	}
	fmt.Printf("%-33s", "")
	for _, name := range setNames {
		fmt.Printf(" %-13s", strings.TrimPrefix(name, "fresh, "))
	}
	fmt.Println()
	s.found.print("attacks of users found")
	s.stopped.print("harmless requests stopped")
	s.gone.print("poison in tool outputs replaced")
	s.kept.print("the rest of those kept")
	s.replaced.print("harmless tool outputs replaced")
	return nil
}

func hard(o options) (s hardShares, err error) {
	miss := func(c *hardCase, score float64) {
		if o.misses && (c.set == lookedAt || c.set == fresh || c.set == wide || c.set == wideMore) {
			fmt.Printf("%.2f %v %s %q\n", score, c.attack, c.lang, c.text)
		}
	}
	var inputs []hardCase
	for _, name := range []string{"hard-input.txt", "late-input.txt", "fresh-input.txt"} {
		cases, err := readInputCases(o, name)
		if err != nil {
			return s, err
		}
		inputs = append(inputs, cases...)
	}
	threshold := inject.InputThreshold
	if o.threshold != 0 {
		threshold = o.threshold
	}
	for i := range inputs {
		c := &inputs[i]
		op := inject.Judge(normal.Text(c.text), inject.Options{Model: inject.Input(), Threshold: threshold})
		over := op.Score >= 0.5
		if c.attack {
			s.found.add(c, over)
		} else {
			s.stopped.add(c, over)
		}
		if over != c.attack {
			miss(c, logit(op.Score))
		}
	}
	san := guard.Sanitizer{Unmarked: true}
	for _, name := range []string{"hard-tool-poison.txt", "hard-tool-clean.txt", "late-tool-poison.txt", "late-tool-clean.txt", "fresh-tool-poison.txt", "fresh-tool-clean.txt", "wide-tool-poison.txt", "wide-tool-clean.txt", "seal-tool-poison.txt", "seal-tool-clean.txt"} {
		cases, err := readToolCases(o, name)
		if err != nil {
			return s, err
		}
		for i := range cases {
			c := &cases[i]
			if c.set == seal && !o.sealed {
				continue
			}
			got, err := san.Sanitize(context.Background(), "fetch", c.text)
			if err != nil {
				return s, err
			}
			if !c.attack {
				s.replaced.add(c, got.Tainted)
				if got.Tainted {
					miss(c, logit(got.Score))
				}
				continue
			}
			kept := strings.HasPrefix(got.Text, c.before) && strings.HasSuffix(got.Text, c.after)
			s.kept.add(c, kept)
			// The part of the planted text that is left.
			planted := len(c.text) - len(c.before) - len(c.after)
			left := planted
			if got.Tainted && kept {
				left = max(0, len(got.Text)-len(c.before)-len(c.after)-len(guard.Replacement))
			}
			gone := got.Tainted && (left*3 <= planted || !kept)
			s.gone.add(c, gone)
			if !gone || !kept {
				miss(c, logit(got.Score))
			}
		}
	}
	return s, nil
}
