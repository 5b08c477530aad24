package inject

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// A request has as many bytes as this: a shorter text is a label, a longer paragraph is about more.
const shortestRequest, longestRequest = 12, 240

// leastOutput is the least number of bytes around a request, and leastParts the least number of parts.
const (
	leastOutput = 40
	leastParts  = 3
)

// A foreign request stands out: its logit is foreignThreshold above a share of that of the part that
// comes next, which counts as quiet or more. A page of questions has many parts that read like
// requests. docs/benchmarks.md has the figures.
const (
	foreignThreshold = 2.0
	nextShare        = 0.6
	quiet            = -3
	aRequest         = 1.5 // the logit of a part that is one itself
)

// maxForeign limits the foreign requests of an output: more of them are its subject. They do not
// count against each other, or an author would hide one behind another.
const maxForeign = 2

// foreign returns the indices of the parts of an output that read like requests to an assistant and
// are unrelated to the rest, such as "Write a haiku about volcanoes" in an invoice. No reader of the
// output is asked for that, but the sign is weak: mark such an output, do not cut it.
func foreign(segs []Segment, parts []part) (found []int) {
	if len(segs) < leastParts {
		return nil
	}
	order := make([]int, len(segs)) // the parts that read most like requests first
	total := 0
	for i := range segs {
		order[i] = i
		total += len(segs[i].Text)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(parts[b].request, parts[a].request) })
	next := max(parts[order[maxForeign]].request, quiet)
	if next > aRequest {
		return nil
	}
	for _, i := range order[:maxForeign] {
		if parts[i].request-nextShare*next >= foreignThreshold {
			found = append(found, i)
			total -= len(segs[i].Text)
		}
	}
	if total < leastOutput {
		return nil
	}
	slices.Sort(found)
	return slices.DeleteFunc(found, func(i int) bool { return sharesWords(segs, i) })
}

// request returns the part of a segment that may be a request: what follows its label, or the last
// cell of a row.
func (s *Segment) request() (string, bool) {
	if !s.Prose || s.Literal || len(s.Text) < shortestRequest {
		return "", false
	}
	t := s.Text[s.Label():]
	if i := strings.LastIndexAny(t, ",;|\t") + 1; i > 0 && i < len(t) && 'A' <= t[i] && t[i] <= 'Z' {
		t = t[i:]
	}
	return t, shortestRequest <= len(t) && len(t) <= longestRequest
}

// With its label a request has a logit above hopeless. A part below it is unread: reading each part
// without its label takes a quarter more time.
const (
	hopeless = -4
	unread   = -99.0
)

// workWords say what kind of work a request wants. A document has them, too, so they do not relate it
// to the request.
var workWords = lazy.Words(`write compose draft explain describe translate summarize summarise paraphrase rephrase rewrite list name suggest
	recommend propose calculate compute solve convert rank compare create generate invent plan estimate guess teach tell give find prove review
	design discuss outline define classify provide make imagine draw recite narrate sing
	analyze analyse encode decode reverse spell evaluate assess identify determine categorize categorise respond
	about which there that this with your from into have what when then than them will here each some more most only also they
	such their these those where would could should short using words sentence sentences
	please paragraphs paragraph every between after before under`)

// stemLetters is the number of letters in which two words must agree, and leastStems the least
// number of words in a request.
const (
	stemLetters = 5
	leastStems  = 2
)

// sharesWords reports whether a part has a word of the request in part i, other than workWords. The
// same request again does not count.
func sharesWords(segs []Segment, i int) bool {
	stems := map[string]bool{}
	each := func(text string, f func(stem string) bool) bool {
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if len(w) < stemLetters-1 || len(w) > 40 {
				continue
			}
			if w = strings.ToLower(w); !workWords()[w] && f(w[:min(len(w), stemLetters)]) {
				return true
			}
		}
		return false
	}
	text, _ := segs[i].request()
	each(text, func(stem string) bool { stems[stem] = true; return false })
	if len(stems) < leastStems {
		return true // too few words to decide
	}
	for k := range segs {
		if segs[k].Text != segs[i].Text && each(segs[k].Text, func(stem string) bool { return stems[stem] }) {
			return true
		}
	}
	return false
}
