package static

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/normal"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

const (
	maxLine = 64 << 10 // bytes of a line that are decoded
	reach   = 400      // bytes around a word that a pattern may use
)

// injection looks for text that addresses models and reviewers: plain, decoded, or assembled from
// pieces.
func (f *file) injection() {
	segs := inject.Segments(f.text)
	said := inject.JudgeSource(segs, inject.Tool())
	spoken := make([]int, 0, 8) // offsets at which a text may address a model
	for i := range said {
		if said[i].Weight >= inject.SaidMaybe {
			spoken = append(spoken, segs[i].Start)
		}
	}
	for _, m := range f.matches(f.text) {
		r, severity, sure := m.rule, m.rule.Severity, certainly
		switch {
		case r == instructions && f.instructs():
			r = agentOrders
		case (m.rule == roleMarker || m.rule == toolCall) && !nearAny(spoken, m.at):
			// Programs that call models, and their documents, are full of these.
			severity, sure = finding.Low, perhaps
		case m.rule == skipClaim, m.rule == toReviewer && f.instructs():
			severity, sure = finding.Medium, likely
		}
		f.reportInstruction(r, severity, sure, m.at, m.text)
	}
	for i := range said {
		f.reportSegment(&segs[i], &said[i])
	}
	f.encodings()
	f.pieces()
	f.literals()
	f.refers()
}

// near is the largest distance in bytes between a marker and its instruction.
const near = 600

func nearAny(places []int, at int) bool {
	return slices.ContainsFunc(places, func(p int) bool { return p-at < near && at-p < near })
}

// Confidence values of findings.
const (
	certainly = 0.9
	likely    = 0.6
	perhaps   = 0.3
)

// graded returns the severity and confidence for a weight.
func graded(weight float64) (finding.Severity, float64) {
	switch {
	case weight >= inject.SaidSurely:
		return finding.High, certainly
	case weight >= inject.SaidLikely:
		return finding.Medium, likely
	}
	return finding.Low, perhaps
}

// reportSegment reports a segment that addresses a model.
func (f *file) reportSegment(g *inject.Segment, said *inject.Said) {
	if said.Weight < inject.SaidMaybe || isGuess(said.View) && said.Weight < inject.SaidSurely {
		return
	}
	r := instructions
	severity, sure := graded(said.Weight)
	switch {
	case f.instructs(): // the purpose of the file is to instruct agents
		if !said.Grave || severity == finding.Low {
			return
		}
		r = agentOrders
	case said.View != "" && said.View != "escapes" && said.View != "hidden":
		r = encoded
	}
	if !f.sameLine(g.Start) {
		f.reportInstruction(r, severity, sure, g.Start, said.Text)
	}
}

// isGuess reports whether a reading is a guess that also fits other text: names with digits in them,
// single letters.
func isGuess(view string) bool {
	return anyof.Equal(view, "leet", "spaced", "split", "cipher", "morse", "numbers", "reversed")
}

// instructs reports whether the purpose of the file is to instruct agents.
func (f *file) instructs() bool {
	r := surfaceOf(f.path)
	return r == agentInstructions || r == agentSettings && prose(f)
}

// reportInstruction reports an instruction and quotes it.
func (f *file) reportInstruction(r *Rule, s finding.Severity, sure float64, at int, words string) {
	if h := f.place(r, s, at, "it says "+quoted(strings.Join(strings.Fields(words), " "))); h != nil {
		h.sure = sure
	}
}

// sameLine reports whether another injection rule matches with a graver severity on the same line.
func (f *file) sameLine(at int) bool {
	line := -1
	for _, h := range f.hits {
		if h.rule == instructions && h.sure < certainly || !strings.HasPrefix(h.rule.ID, "umpire/injection/") {
			continue
		}
		if line < 0 {
			line = f.lineAt(at)
		}
		if h.line == line {
			return true
		}
	}
	return false
}

// encodings decodes lines and blocks of lines that may contain encoded text.
func (f *file) encodings() {
	for start := 0; start < len(f.text); {
		end := len(f.text)
		if i := strings.IndexByte(f.text[start:], '\n'); i >= 0 {
			end = start + i
		}
		for at := start; at < end; at += maxLine {
			piece := f.text[at:min(end, at+maxLine)]
			if candidate(piece) {
				f.decoded(at, piece)
			}
			f.disguised(at, piece)
		}
		start = end + 1
	}
	f.blocks()
}

// decoded judges the decoded form of a piece of text, up to two levels.
func (f *file) decoded(at int, piece string) {
	for _, v := range normal.Text(piece).Views {
		if len(v.Text) < 12 || isGuess(v.Kind) || strings.Contains(piece, v.Text) {
			continue
		}
		words, weight := f.orders(v.Text)
		if v.Kind == "escapes" { // escaped quotes and line endings: normal in code
			weight -= inject.SaidLikely - inject.SaidMaybe
		}
		if weight < inject.SaidMaybe {
			continue
		}
		severity, sure := graded(weight + inject.SaidSurely - inject.SaidMaybe)
		f.reportInstruction(encoded, severity, sure, at+min(v.Start, len(piece)), words)
		return
	}
}

// orders returns the part of a text that most resembles an instruction to a model or a reviewer,
// with its weight.
func (f *file) orders(text string) (words string, weight float64) {
	if m := f.matches(text); len(m) > 0 {
		return m[0].text, inject.SaidSurely
	}
	for _, s := range inject.JudgeSource(inject.Segments(text), inject.Tool()) {
		if s.Weight > weight {
			words, weight = s.Text, s.Weight
		}
	}
	return words, weight
}

// Steers reports whether a text, plain or decoded, tries to manipulate a model or a reviewer. It is
// stricter than the checks of files, for texts that never have a reason to.
func Steers(text string) bool {
	f := &file{k: &checker{}, f: &snapshot.File{Kind: snapshot.Text}, text: text}
	if f.steers(text) {
		return true
	}
	if slices.ContainsFunc(normal.Text(text).Views, func(v normal.View) bool { return f.steers(v.Text) }) {
		return true
	}
	f.encodings()
	f.pieces()
	f.literals()
	return len(f.hits) > 0
}

func (f *file) steers(text string) bool {
	if len(f.matches(text)) > 0 {
		return true
	}
	return slices.ContainsFunc(inject.JudgeWords(inject.Segments(text), inject.Tool()), func(l float64) bool { return inject.ToolScore(l) >= 0.5 })
}
