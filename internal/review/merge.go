package review

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire/internal/review/finding"
)

// merge joins findings that report the same on the same line, and keeps the graver severity.
// Umpire's text replaces a model's; no model changes umpire's findings, their severity or their
// flags. Findings of two checks are never joined.
func (a *assembly) merge() {
	type key struct {
		file string
		line int
		what string
	}
	first := map[key]int{}
	kept := 0
	for i := range a.list {
		r := &a.list[i]
		k := key{}
		if l := r.Location; l != nil {
			k.file, k.line = l.File, l.Line
		}
		var keys []key
		if r.CWE != "" && r.Location != nil {
			keys = append(keys, key{k.file, k.line, r.CWE})
		}
		if t := normalTitle(r.Title); t != "" {
			keys = append(keys, key{k.file, k.line, t})
		}
		at := -1
		if r.Source != finding.Static {
			for _, k := range keys {
				if j, ok := first[k]; ok {
					at = j
					break
				}
			}
		}
		// A finding of the checks keeps umpire's severity; a higher one of a model is added as a
		// separate finding.
		if at >= 0 && a.list[at].Source == finding.Static && r.Severity < a.list[at].Severity {
			at = -1
		}
		if at >= 0 && a.list[at].Source == finding.Static {
			continue
		}
		if at >= 0 {
			a.list[at].Severity = min(a.list[at].Severity, r.Severity)
			for _, f := range r.Flags {
				a.list[at].Set(f)
			}
			continue
		}
		a.list[kept], a.said[kept] = a.list[i], a.said[i]
		for _, k := range keys {
			if _, ok := first[k]; !ok {
				first[k] = kept
			}
		}
		kept++
	}
	a.list, a.said = a.list[:kept], a.said[:kept]
}

func normalTitle(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// fingerprint identifies a finding even after lines move. It covers the rule, the path, and the
// line with its neighbors, ignoring indentation.
func (a *assembly) fingerprint(r *finding.Reported) string {
	h := sha256.New()
	fmt.Fprintf(h, "umpire/review/v1\n%s\n", r.Rule)
	if l := r.Location; l != nil {
		fmt.Fprintf(h, "%d %s\n", len(l.File), l.File)
		for _, s := range a.around(l) {
			fmt.Fprintf(h, "%d %s\n", len(s), s)
		}
	} else {
		fmt.Fprintf(h, "%s\n", normalTitle(r.Title))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// around is a line with those before and after it that are not empty.
func (a *assembly) around(l *finding.Location) []string {
	if l.Line == 0 {
		return nil
	}
	if a.file != l.File {
		a.file, a.lines = l.File, nil
		if f, ok := a.s.File(l.File); ok && f.Digest != "" {
			if b, err := a.s.Read(f); err == nil { // if it cannot be read, the fingerprint is coarser
				a.lines = strings.Split(string(b), "\n")
			}
		}
	}
	at := func(i, step int) string {
		for ; i >= 0 && i < len(a.lines); i += step {
			if s := strings.Join(strings.Fields(a.lines[i]), " "); s != "" || step == 0 {
				return s
			}
		}
		return ""
	}
	i := l.Line - 1
	return []string{at(i-1, -1), at(i, 0), at(i+1, 1)}
}

// ordinals distinguishes findings with the same fingerprint, such as two equal lines.
func (a *assembly) ordinals() {
	seen := map[string]int{}
	for i := range a.list {
		fp := a.list[i].Fingerprint
		if seen[fp]++; seen[fp] > 1 {
			a.list[i].Fingerprint = fmt.Sprintf("%s:%d", fp, seen[fp])
		}
	}
}
