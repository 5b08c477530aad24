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

// hardCase is a case that was written by hand. Those with held set are counted only.
type hardCase struct {
	text, lang    string
	attack, held  bool
	late          bool
	before, after string // of what was planted in an output
}

// readInputCases reads hard-input.txt or late-input.txt. Of hard-input.txt every second
// attack and every second harmless text is held out.
func readInputCases(o options, name string) ([]hardCase, error) {
	b, err := os.ReadFile(filepath.Join(o.cases, name))
	if err != nil {
		return nil, err
	}
	var out []hardCase
	held := map[bool]bool{}
	for line := range strings.Lines(string(b)) {
		lang, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		sign, text, ok := strings.Cut(rest, " ")
		if lang == "#" || !ok {
			continue
		}
		attack := sign == "+"
		out = append(out, hardCase{text: strings.ReplaceAll(text, `\n`, "\n"), lang: lang, attack: attack, held: held[attack], late: strings.HasPrefix(name, "late")})
		held[attack] = !held[attack]
	}
	return out, nil
}

// readToolCases reads outputs of tools.
func readToolCases(o options, name string) ([]hardCase, error) {
	b, err := os.ReadFile(filepath.Join(o.cases, name))
	if err != nil {
		return nil, err
	}
	var out []hardCase
	for i, block := range strings.Split(string(b), "\n=== ")[1:] {
		kind, text, _ := strings.Cut(block, "\n")
		c := hardCase{lang: kind, held: i%2 == 1, late: strings.HasPrefix(name, "late")}
		before, rest, planted := strings.Cut(text, "⟦")
		if planted {
			poison, after, ok := strings.Cut(rest, "⟧")
			if !ok {
				return nil, fmt.Errorf("%s: case %d has no ⟧", name, i+1)
			}
			c.attack, c.before, c.after = true, before, after
			text = before + poison + after
		}
		c.text = text
		out = append(out, c)
	}
	return out, nil
}

// share counts hits among the cases looked at, those held out and the late ones.
type share struct{ hit, n [3]int }

func (s *share) add(c *hardCase, hit bool) {
	k := 0
	if c.late {
		k = 2
	} else if c.held {
		k = 1
	}
	s.n[k]++
	if hit {
		s.hit[k]++
	}
}

func (s *share) rate(k int) float64 { return percent(s.hit[k], s.n[k]) }

func (s *share) print(name string) {
	fmt.Printf("%-34s looked at %5.1f%% of %d, held out %5.1f%% of %d, late %5.1f%% of %d\n", name, s.rate(0), s.n[0], s.rate(1), s.n[1], s.rate(2), s.n[2])
}

// hardShares are the figures of all cases written by hand.
type hardShares struct{ found, stopped, gone, kept, replaced share }

// scoreHard measures the shipped models on cases written by hand. Those held out are never
// listed.
func scoreHard(o options) error {
	s, err := hard(o)
	if err != nil {
		return err
	}
	s.found.print("attacks of users found")
	s.stopped.print("harmless requests stopped")
	s.gone.print("poison in tool outputs replaced")
	s.kept.print("the rest of those kept")
	s.replaced.print("harmless tool outputs replaced")
	return nil
}

func hard(o options) (s hardShares, err error) {
	miss := func(c *hardCase, score float64) {
		if o.misses && !c.held && !c.late {
			fmt.Printf("%.2f %v %s %q\n", score, c.attack, c.lang, c.text)
		}
	}
	inputs, err := readInputCases(o, "hard-input.txt")
	if err != nil {
		return s, err
	}
	late, err := readInputCases(o, "late-input.txt")
	if err != nil {
		return s, err
	}
	inputs = append(inputs, late...)
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
	for _, name := range []string{"hard-tool-poison.txt", "hard-tool-clean.txt", "late-tool-poison.txt", "late-tool-clean.txt"} {
		cases, err := readToolCases(o, name)
		if err != nil {
			return s, err
		}
		for i := range cases {
			c := &cases[i]
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
			// What is left of the poison, of all that was planted.
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
