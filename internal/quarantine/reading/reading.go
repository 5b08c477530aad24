// Package reading serves the three tools of a reviewer over the files that a decision allowed. It
// runs inside the quarantine, and the files are hostile: results are limited in size, hidden text
// is escaped, and the content is between markers that the files cannot know.
package reading

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits of a tool's result.
const (
	maxLines   = 2000
	maxOutput  = 256 << 10
	maxLine    = 10_000 // characters
	maxPattern = 1000
	maxMatches = 200
	maxMatch   = 200 // characters
	maxNames   = 1000
)

// grepTime limits the time of one search.
var grepTime = 5 * time.Second

// Item is a file that this call may read.
type Item struct {
	Path   string `json:"path"`
	Digest string `json:"digest"`
	Ref    string `json:"ref"`
}

// Source opens content by its digest.
type Source interface {
	Open(digest string) (*io.SectionReader, error)
}

// Run runs a tool with checked arguments over the files in the decision. The error is for the
// reviewer: it contains no text of the material.
func Run(ctx context.Context, src Source, tool string, args map[string]any, files []Item) (out string, shown []Shown, err error) {
	switch tool {
	case "Read":
		return read(ctx, src, args, files)
	case "Grep":
		out, err = grep(ctx, src, args, files)
	case "Glob":
		out, err = glob(args, files)
	default:
		err = errors.New("there is no such tool")
	}
	return out, nil, err
}

// Shown is the range of lines of a file that a Read returned.
type Shown struct {
	Path  string `json:"path"`
	First int64  `json:"first"`
	Last  int64  `json:"last"` // less than First for an empty range
	Cut   bool   `json:"cut"`  // a line was shortened
}

// between puts text between markers with a random value.
func between(what, text string) string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails, as documented
	mark := hex.EncodeToString(b[:])
	return "<<<material " + mark + " " + what + ">>>\n" + text + "<<<end of material " + mark + ">>>"
}

func number(args map[string]any, name string, otherwise int64) int64 {
	switch n := args[name].(type) {
	case int64:
		return n
	case float64: // from JSON
		return int64(n)
	}
	return otherwise
}

func read(ctx context.Context, src Source, args map[string]any, files []Item) (string, []Shown, error) {
	first, most := max(1, number(args, "offset", 1)), number(args, "limit", maxLines)
	if most <= 0 || most > maxLines {
		most = maxLines
	}
	var out strings.Builder
	var all []Shown
	for _, f := range files {
		if out.Len() >= maxOutput {
			out.WriteString("\n(the rest of the files was left out: read them one by one)")
			break
		}
		text, what, shown, err := page(ctx, src, f, first, most, maxOutput-out.Len())
		if err != nil {
			return "", nil, err
		}
		all = append(all, shown)
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(between(what, text))
	}
	return out.String(), all, nil
}

// page returns numbered lines of a file, and their range.
func page(ctx context.Context, src Source, f Item, first, most int64, room int) (text, what string, shown Shown, err error) {
	r, err := src.Open(f.Digest)
	if err != nil {
		return "", "", shown, errors.New("cannot read this file")
	}
	var out strings.Builder
	lines := bufio.NewReaderSize(r, 64<<10)
	line, more := int64(0), false
	for {
		if line%1000 == 0 && ctx.Err() != nil {
			return "", "", shown, ctx.Err()
		}
		s, cut, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", "", shown, errors.New("cannot read this file")
		}
		if line++; line < first {
			continue
		}
		row := fmt.Sprintf("%6d\t%s", line, Visible(s))
		if cut {
			row += " …(the rest of this line was left out: it is longer than 10000 characters)"
		}
		if line >= first+most || out.Len()+len(row)+1 > room {
			more = true
			break
		}
		shown.Cut = shown.Cut || cut
		out.WriteString(row + "\n")
	}
	last := line
	if more {
		last--
	}
	what = fmt.Sprintf("file %s lines %d-%d", name(f.Path), first, last)
	switch {
	case more && last < first:
		what = fmt.Sprintf("file %s: line %d does not fit; read it with limit 1", name(f.Path), first)
	case more:
		what += fmt.Sprintf(", more follow from offset %d", last+1)
	case last < first:
		what = fmt.Sprintf("file %s: it has %d lines, none from %d on", name(f.Path), line, first)
	default:
		what += ", the end"
	}
	shown.Path, shown.First, shown.Last = f.Path, first, last
	return out.String(), what, shown, nil
}

// readLine reads a line of any length and returns its beginning.
func readLine(r *bufio.Reader) (line string, cut bool, err error) {
	var b []byte
	any := false
	for {
		part, isPrefix, err := r.ReadLine()
		if err != nil {
			if any && errors.Is(err, io.EOF) {
				break
			}
			return "", false, err
		}
		any = true
		if len(b) < maxLine*utf8.UTFMax {
			b = append(b, part...)
		} else if len(part) > 0 {
			cut = true
		}
		if !isPrefix {
			break
		}
	}
	if len(b) > maxLine { // that many bytes may be fewer characters
		n := 0
		for i := range string(b) {
			if n++; n > maxLine {
				return string(b[:i]), true, nil
			}
		}
	}
	return string(b), cut, nil
}

// name returns a file's name as data.
func name(path string) string {
	return `"` + strings.ReplaceAll(visible.Clip(path, maxMatch), `"`, `\"`) + `"`
}

// Visible escapes the invisible characters of a line, as \u{202e}.
func Visible(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x7f || c == '\t' {
			b.WriteByte(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch one := s[i : i+n]; {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x{%02x}`, c)
		case r != utf8.RuneError && visible.Line(one) == one:
			b.WriteString(one)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
		i += n
	}
	return b.String()
}

func grep(ctx context.Context, src Source, args map[string]any, files []Item) (string, error) {
	pattern, _ := args["pattern"].(string)
	if len(pattern) > maxPattern {
		return "", fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", errors.New("the pattern is not of RE2's syntax")
	}
	only, err := wildcard(args["glob"])
	if err != nil {
		return "", err
	}
	most := number(args, "max", maxMatches)
	if most <= 0 || most > maxMatches {
		most = maxMatches
	}
	ctx, cancel := context.WithTimeout(ctx, grepTime)
	defer cancel()
	var out strings.Builder
	found := int64(0)
	note := "the end"
search:
	for _, f := range files {
		if only != nil && !only.MatchString(f.Path) {
			continue
		}
		r, err := src.Open(f.Digest)
		if err != nil {
			return "", errors.New("cannot read a file")
		}
		lines := bufio.NewReaderSize(r, 64<<10)
		for n := 1; ; n++ {
			s, _, err := readLine(lines)
			if err != nil {
				break // end of the file
			}
			// The reader fails at the deadline, so an expensive pattern cannot hang.
			hit := re.MatchReader(&runes{ctx: ctx, s: s})
			if ctx.Err() != nil {
				note = "stopped: it took too long"
				break search
			}
			if !hit {
				continue
			}
			if found == most {
				note = "more matches were left out"
				break search
			}
			found++
			fmt.Fprintf(&out, "%s:%d: %s\n", name(f.Path), n, clip(Visible(s)))
		}
	}
	return between(fmt.Sprintf("%d matches, %s", found, note), out.String()), nil
}

func clip(s string) string {
	if utf8.RuneCountInString(s) <= maxMatch {
		return s
	}
	return string([]rune(s)[:maxMatch-1]) + "…"
}

// runes reads a line until a deadline.
type runes struct {
	ctx context.Context
	s   string
	n   int
}

func (r *runes) ReadRune() (rune, int, error) {
	if r.n++; r.n%64 == 0 && r.ctx.Err() != nil {
		return 0, 0, r.ctx.Err()
	}
	if r.s == "" {
		return 0, 0, io.EOF
	}
	c, n := utf8.DecodeRuneInString(r.s)
	r.s = r.s[n:]
	return c, n, nil
}

func glob(args map[string]any, files []Item) (string, error) {
	only, err := wildcard(args["pattern"])
	if err != nil {
		return "", err
	}
	var out strings.Builder
	found, note := 0, "the end"
	for _, f := range files {
		if only != nil && !only.MatchString(f.Path) {
			continue
		}
		if found == maxNames {
			note = "more were left out"
			break
		}
		found++
		out.WriteString(name(f.Path) + " " + f.Ref + "\n")
	}
	return between(fmt.Sprintf("%d names, %s", found, note), out.String()), nil
}

// wildcard compiles a pattern with *, **, ?, [a-z] and {a,b}. Without a slash it matches the last
// part of a path. Nil matches everything.
func wildcard(v any) (*regexp.Regexp, error) {
	p, _ := v.(string)
	if p == "" {
		return nil, nil
	}
	if len(p) > maxPattern {
		return nil, fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	}
	p = strings.TrimPrefix(strings.TrimPrefix(p, "./"), "/")
	if !strings.Contains(p, "/") {
		p = "**/" + p
	}
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	depth := 0
	for i := 0; i < len(p); i++ {
		switch rest := p[i:]; {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(rest, "**"):
			b.WriteString(`.*`)
			i++
		case rest[0] == '*':
			b.WriteString(`[^/]*`)
		case rest[0] == '?':
			b.WriteString(`[^/]`)
		case rest[0] == '{':
			b.WriteString(`(?:`)
			depth++
		case rest[0] == '}' && depth > 0:
			b.WriteString(`)`)
			depth--
		case rest[0] == ',' && depth > 0:
			b.WriteString(`|`)
		case rest[0] == '[' && strings.IndexByte(rest, ']') > 1:
			end := strings.IndexByte(rest, ']')
			class := rest[1:end]
			not := ""
			if class[0] == '!' || class[0] == '^' {
				not, class = "^", class[1:]
			}
			b.WriteString("[" + not + strings.NewReplacer(`\`, `\\`, `[`, `\[`, `^`, `\^`).Replace(class) + "]")
			i += end
		default:
			_, n := utf8.DecodeRuneInString(rest)
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			i += n - 1
		}
	}
	re, err := regexp.Compile(b.String() + `\z`)
	if err != nil {
		return nil, errors.New("the pattern is not valid: use *, **, ?, [a-z] and {a,b}")
	}
	return re, nil
}
