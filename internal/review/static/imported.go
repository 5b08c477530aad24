package static

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

// Limits of strings that several files assemble.
const (
	maxConstants = 5000
	maxSameName  = 4    // definitions of one name that are tried
	maxJoins     = 2000 // lines of one review that are joined
)

// constant is a string with a name, which other files may import.
type constant struct{ name, text, path string }

// definition matches a name and the string that it stands for.
var definition = lazy.Regexp("([A-Za-z_][A-Za-z_0-9]{0,60})[ \\t]*(?::[^=\\n\"'`]{1,30})?(?::=|=|:)[ \\t]*[bfru]{0,2}(?:\"([^\"\\n]{6,400})\"|'([^'\\n]{6,400})'|`([^`\\n]{6,400})`)")

// operand matches a string, or a name, of an expression.
var operand = lazy.Regexp("\"[^\"\\n]*\"|'[^'\\n]*'|`[^`\\n]*`|[A-Za-z_][A-Za-z_0-9]*")

// orderWords occur in every part of an order that is worth splitting. Other strings are not kept.
var orderWords = []string{"ignore", "disregard", "forget", "override", "bypass", "review", "instruction", "approve", "assistant", "auditor", "scanner", "claude", "gpt", "copilot", "codex", "gemini", "llm", "finding", "report"}

// defines records the strings of a program that may be the beginning or the end of an order.
func (f *file) defines() {
	if !f.code() {
		return
	}
	lower := lowered(f.text)
	if !anyof.Contains(lower, orderWords...) {
		return
	}
	var found []constant
	for _, m := range definition().FindAllStringSubmatch(f.text, 200) {
		text := m[2] + m[3] + m[4]
		if l := lowered(text); anyof.Contains(l, orderWords...) && len(f.matches(text)) == 0 {
			found = append(found, constant{m[1], text, f.path})
		}
	}
	f.k.mu.Lock()
	defer f.k.mu.Unlock()
	f.k.constants = append(f.k.constants, found...)
}

// imports judges the strings that a line joins, with the strings of other files in place of their
// names. An order split over two files looks harmless in each of them.
func (k *checker) imports() error {
	slices.SortFunc(k.constants, func(a, b constant) int {
		return strings.Compare(a.path+"\x00"+a.name+"\x00"+a.text, b.path+"\x00"+b.name+"\x00"+b.text)
	})
	named := map[string][]constant{}
	for _, c := range k.constants[:min(len(k.constants), maxConstants)] {
		if len(named[c.name]) < maxSameName {
			named[c.name] = append(named[c.name], c)
		}
	}
	if len(named) == 0 {
		return nil
	}
	left := maxJoins
	for i := range k.s.Files {
		sf := &k.s.Files[i]
		f := &file{k: k, f: sf, path: sf.Path, base: strings.ToLower(path.Base(sf.Path))}
		if !f.code() || sf.Digest == "" || sf.Binary || sf.Large() || sf.Kind != snapshot.Regular {
			continue
		}
		b, err := k.s.Read(sf)
		if err != nil {
			return err
		}
		f.text = string(b)
		for start := 0; start < len(f.text) && left > 0; {
			end := start + len(f.text[start:])
			if n := strings.IndexByte(f.text[start:], '\n'); n >= 0 {
				end = start + n
			}
			if end-start <= maxPieces && f.joins(start, f.text[start:end], named) {
				left--
			}
			start = end + 1
		}
		k.take(f)
	}
	return nil
}

// joins judges one line. It reports whether the line names a string of another file.
func (f *file) joins(at int, line string, named map[string][]constant) bool {
	var uses []constant
	for _, w := range operand().FindAllString(line, 100) {
		names := []string{w}
		if strings.ContainsAny(w[:1], "\"'`") {
			names = interpolated().FindAllString(w, 10)
		}
		for _, n := range names {
			for _, c := range named[strings.Trim(n, "${} ")] {
				if c.path != f.path {
					uses = append(uses, c)
				}
			}
		}
	}
	for _, c := range uses {
		var parts []string
		for _, w := range operand().FindAllString(line, 100) {
			switch {
			case w == c.name:
				parts = append(parts, c.text)
			case strings.ContainsAny(w[:1], "\"'`"):
				parts = append(parts, interpolated().ReplaceAllStringFunc(w[1:len(w)-1], func(n string) string {
					if strings.Trim(n, "${} ") == c.name {
						return c.text
					}
					return n
				}))
			default: // another name: it may be a string of another file, too
				if other := named[w]; len(other) > 0 {
					parts = append(parts, other[0].text)
				}
			}
		}
		for _, joined := range []string{strings.Join(parts, ""), strings.Join(parts, " ")} {
			if m := f.matches(joined); len(m) > 0 && len(f.matches(line)) == 0 {
				f.reportInstruction(m[0].rule, m[0].rule.Severity, likely, at, m[0].text)
				return true
			}
		}
	}
	return len(uses) > 0
}

// interpolated matches a name in a string that a language replaces by its value.
var interpolated = lazy.Regexp(`\$?\{[ ]*[A-Za-z_][A-Za-z_0-9]*[ ]*\}`)
