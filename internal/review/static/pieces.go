package static

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

// blocks decodes text that spans several lines, such as base64 in mail.
func (f *file) blocks() {
	s := f.text
	for i := 0; i < len(s); {
		j, lines := i, 0
		for j < len(s) {
			end := len(s)
			if k := strings.IndexByte(s[j:], '\n'); k >= 0 {
				end = j + k
			}
			l := strings.TrimRight(s[j:end], "\r")
			if lines > 0 && len(l) < 4 || lines == 0 && len(l) < 40 || strings.Trim(l, base64Letters) != "" {
				break
			}
			lines++
			j = min(end+1, len(s))
			if len(l) < 40 {
				break
			}
		}
		if lines > 1 && j-i <= maxLine {
			f.decoded(i, strings.NewReplacer("\r", "", "\n", "").Replace(s[i:j]))
		}
		if lines == 0 {
			k := strings.IndexByte(s[i:], '\n')
			if k < 0 {
				return
			}
			j = i + k + 1
		}
		i = j
	}
}

const base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_"

// Limits on assembled text.
const (
	minPiece  = 6
	maxApart  = 60 // bytes between two pieces
	maxPieces = 4 << 10
)

// pieces decodes strings that are encoded in parts, each too short to be noticed.
func (f *file) pieces() {
	var joined strings.Builder
	first, last, n := 0, 0, 0
	flush := func() {
		if n > 1 && joined.Len() >= 24 {
			f.decoded(first, joined.String())
		}
		joined.Reset()
		n = 0
	}
	s := f.text
	for i := 0; i < len(s); i++ {
		q := s[i]
		if q != '"' && q != '\'' && q != '`' {
			continue
		}
		end := i + 1
		for end < len(s) && strings.IndexByte(base64Letters, s[end]) >= 0 {
			end++
		}
		if end >= len(s) || s[end] != q {
			continue
		}
		piece := s[i+1 : end]
		if len(piece) < minPiece {
			continue
		}
		if n > 0 && (i-last > maxApart || joined.Len()+len(piece) > maxPieces) {
			flush()
		}
		if n == 0 {
			first = i
		}
		joined.WriteString(piece)
		n++
		last, i = end, end
	}
	flush()
}

// part is a file that consists of a piece of encoded text.
type part struct {
	path, text string
}

// fragment records a file whose whole text is a piece of encoded text.
func (f *file) fragment() {
	t := strings.TrimSpace(f.text)
	if len(t) < minPiece || len(t) > maxPieces || strings.Trim(t, base64Letters) != "" {
		return
	}
	f.k.mu.Lock()
	defer f.k.mu.Unlock()
	f.k.parts = append(f.k.parts, part{f.path, t})
}

// assemble decodes the joined files of a folder, in the order of their names.
func (k *checker) assemble() {
	slices.SortFunc(k.parts, func(a, b part) int { return strings.Compare(a.path, b.path) })
	for i := 0; i < len(k.parts); {
		j := i + 1
		text := k.parts[i].text
		for j < len(k.parts) && path.Dir(k.parts[j].path) == path.Dir(k.parts[i].path) && len(text) < maxLine {
			text += k.parts[j].text
			j++
		}
		if j > i+1 {
			f := &file{k: k, f: &snapshot.File{Kind: snapshot.Regular}, path: k.parts[i].path, base: path.Base(k.parts[i].path), text: text}
			f.decoded(0, text)
			k.take(f)
		}
		i = j
	}
}

// literals judges string literals that a program joins: "a" + "b", or the lines of a list. Text
// within one literal is judged elsewhere.
func (f *file) literals() {
	var joined []string
	first, last := 0, 0
	flush := func() {
		if len(joined) > 1 && !f.sameLine(first) {
			if m := f.matches(strings.Join(joined, "")); len(m) > 0 {
				f.reportInstruction(m[0].rule, m[0].rule.Severity, likely, first, m[0].text)
			} else if m := f.matches(strings.Join(joined, " ")); len(m) > 0 {
				f.reportInstruction(m[0].rule, m[0].rule.Severity, likely, first, m[0].text)
			}
		}
		joined = joined[:0]
	}
	size := 0
	for i := 0; i < len(f.text); i++ {
		q := f.text[i]
		if q != '"' && q != '\'' && q != '`' {
			continue
		}
		end := i + 1
		for end < len(f.text) && f.text[end] != q && f.text[end] != '\n' {
			if f.text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(f.text) || f.text[end] != q { // an apostrophe
			continue
		}
		if len(joined) > 0 && (size > maxPieces || i-last > maxApart || strings.Trim(f.text[last:i], " \t\r\n+.&|,()\\f") != "") {
			flush()
			size = 0
		}
		if len(joined) == 0 {
			first = i
		}
		joined = append(joined, strings.ReplaceAll(f.text[i+1:end], `\n`, " "))
		size += end - i
		last, i = end+1, end
	}
	flush()
}
