package policy

import (
	"fmt"
	"net/netip"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Limits on one pattern. Files come from projects, whose authors may be adversaries.
const (
	maxPattern      = 4096
	maxAlternatives = 128
	maxTotal        = 100_000 // alternatives of all patterns together
)

// Pattern names operations: kind(text).
type Pattern struct {
	Kind umpire.Kind
	Text string
}

// String returns the pattern as written in policy files.
func (p Pattern) String() string { return p.Kind.String() + "(" + p.Text + ")" }

// ParsePattern parses kind(text) and validates the text for that kind.
func ParsePattern(s string) (Pattern, error) {
	s = strings.TrimSpace(s)
	open := strings.IndexByte(s, '(')
	if open < 0 || !strings.HasSuffix(s, ")") {
		return Pattern{}, fmt.Errorf("pattern %s is not of the form kind(pattern): write, for example, exec(npm test)", quote(s))
	}
	k, err := umpire.ParseKind(strings.TrimSpace(s[:open]))
	if err != nil {
		return Pattern{}, err
	}
	p := Pattern{Kind: k, Text: strings.TrimSpace(s[open+1 : len(s)-1])}
	if _, err := p.alternatives(); err != nil {
		return Pattern{}, err
	}
	return p, nil
}

// MustParse is like ParsePattern but panics on an error. Use it for patterns in source code.
func MustParse(s string) Pattern {
	p, err := ParsePattern(s)
	if err != nil {
		panic(err)
	}
	return p
}

func quote(s string) string {
	if len(s) > 80 {
		s = s[:80] + "..."
	}
	return fmt.Sprintf("%q", s)
}

// form is the way in which the text of an alternative is matched.
type form uint8

const (
	formAny   form = iota // all resources of the kind
	formPath              // anchor and segments
	formPlace             // sets of places
	formHost              // method, host, port, path
	formNet               // the same with a network address range for a host
	formWords             // words, with or without more after them
	formGlob              // one string
	formRegex             // over the input's text
	formTrait             // sets of traits
	formCount
)

// anchor is the folder that a path pattern starts at.
type anchor uint8

const (
	anchorRoot anchor = iota
	anchorHome
	anchorWorkspace
	anchorCount
)

// alt is one alternative of a pattern, with braces expanded, ready for encoding.
type alt struct {
	form  form
	kinds uint16 // set of operation kinds

	anchor anchor
	parts  []string // path segments or words
	open   bool     // words: any words may follow

	with, without uint64 // places or traits

	method, host, port, path string
	net                      netip.Prefix

	text string // glob or regexp
}

// kindSet returns the operation kinds of a pattern kind.
func kindSet(k umpire.Kind) uint16 {
	switch k {
	case umpire.Filesystem:
		return 1<<umpire.Write | 1<<umpire.Delete
	case umpire.TraitKind:
		return 1<<umpire.Filesystem - 1 // all operation kinds
	}
	return 1 << k
}

// alternatives parses the pattern's text.
func (p Pattern) alternatives() ([]alt, error) {
	text := strings.TrimSpace(p.Text)
	switch {
	case text == "":
		return nil, fmt.Errorf("pattern %s is empty: write %s(*) to match everything", p, p.Kind)
	case len(text) > maxPattern:
		return nil, fmt.Errorf("pattern %s is longer than %d bytes: split it", quote(p.String()), maxPattern)
	case strings.Contains(text, umpire.Hole) || strings.ContainsAny(text, "\x00\n\r"):
		return nil, fmt.Errorf("pattern %s contains a character that no resource contains: remove it", quote(p.String()))
	}
	base := alt{kinds: kindSet(p.Kind)}
	if p.Kind == umpire.Text {
		a, err := parseRegex(base, text)
		if err != nil {
			return nil, err
		}
		return []alt{a}, nil
	}
	texts, err := expandBraces(text)
	if err != nil {
		return nil, fmt.Errorf("pattern %s: %w", quote(p.String()), err)
	}
	alts := make([]alt, 0, len(texts))
	for _, t := range texts {
		a, err := parseAlternative(base, p.Kind, t)
		if err != nil {
			return nil, fmt.Errorf("pattern %s: %w", quote(p.String()), err)
		}
		alts = append(alts, a)
	}
	return alts, nil
}

func parseAlternative(a alt, k umpire.Kind, text string) (alt, error) {
	if text == "*" || text == "**" {
		if k == umpire.TraitKind {
			return a, fmt.Errorf("a trait has a name: write for example trait(remote-code)")
		}
		a.form = formAny
		return a, nil
	}
	switch k {
	case umpire.Read, umpire.Write, umpire.Delete, umpire.Filesystem:
		if text[0] == '@' {
			return parsePlaces(a, text[1:])
		}
		return parsePath(a, text)
	case umpire.Network:
		return parseHost(a, text)
	case umpire.TraitKind:
		a.form = formTrait
		with, without, err := parseSet(text, func(s string) (uint64, error) {
			t, err := umpire.ParseTrait(s)
			return uint64(t), err
		})
		a.with, a.without = with, without
		return a, err
	case umpire.Tool, umpire.Sandbox:
		a.form, a.text = formGlob, text
		return a, checkGlob(text)
	}
	return parseWords(a, text)
}

// parseSet reads a+b+!c.
func parseSet(text string, parse func(string) (uint64, error)) (with, without uint64, err error) {
	for n := range strings.SplitSeq(text, "+") {
		n = strings.TrimSpace(n)
		not := strings.HasPrefix(n, "!")
		bit, err := parse(strings.TrimPrefix(n, "!"))
		if err != nil {
			return 0, 0, err
		}
		if not {
			without |= bit
		} else {
			with |= bit
		}
	}
	switch {
	case with == 0:
		return 0, 0, fmt.Errorf("it only excludes names: add a required one")
	case with&without != 0:
		return 0, 0, fmt.Errorf("it can never match: the same name is required and excluded")
	}
	return with, without, nil
}

func parsePlaces(a alt, text string) (alt, error) {
	a.form = formPlace
	with, without, err := parseSet(text, func(s string) (uint64, error) {
		p, err := umpire.ParsePlace(strings.TrimPrefix(s, "@"))
		return uint64(p), err
	})
	a.with, a.without = with, without
	return a, err
}

func parsePath(a alt, text string) (alt, error) {
	a.form = formPath
	if err := checkGlob(text); err != nil {
		return a, err
	}
	if drive(text) {
		text = strings.ReplaceAll(text, `\`, "/")
	}
	const workspace = "${workspace}"
	switch {
	case text == "~" || strings.HasPrefix(text, "~/"):
		a.anchor, text = anchorHome, text[1:]
	case strings.HasPrefix(text, "~"):
		return a, fmt.Errorf("~user is not supported: write the full path")
	case text == workspace || strings.HasPrefix(text, workspace+"/"):
		a.anchor, text = anchorWorkspace, text[len(workspace):]
	case strings.HasPrefix(text, "${"):
		return a, fmt.Errorf("unknown variable: use ${workspace} or ~")
	case text[0] == '/', drive(text):
		a.anchor = anchorRoot
	default:
		a.anchor = anchorWorkspace
	}
	for s := range strings.SplitSeq(text, "/") {
		switch s {
		case "", ".":
		case "..":
			return a, fmt.Errorf("umpire resolves .. in paths, so it never matches: write the path without it")
		case "**":
			if n := len(a.parts); n == 0 || a.parts[n-1] != "**" {
				a.parts = append(a.parts, s)
			}
		default:
			if err := checkGlob(s); err != nil { // a [a/b] is not a class
				return a, err
			}
			s = collapseStars(s)
			a.parts = append(a.parts, s)
		}
	}
	return a, nil
}

// collapseStars rewrites a** as a*, which it means within a segment.
func collapseStars(s string) string {
	for strings.Contains(s, "**") {
		s = strings.ReplaceAll(s, "**", "*")
	}
	return s
}

func parseWords(a alt, text string) (alt, error) {
	a.form = formWords
	words, err := splitPattern(text)
	if err != nil {
		return a, err
	}
	for _, w := range words {
		if err := checkGlob(w); err != nil {
			return a, err
		}
	}
	if n := len(words); n > 1 && (words[n-1] == "*" || words[n-1] == "**") {
		a.open, words = true, words[:n-1]
	}
	a.parts = words
	return a, nil
}

func parseHost(a alt, text string) (alt, error) {
	a.form = formHost
	if method, rest, ok := strings.Cut(text, " "); ok {
		a.method, text = method, strings.TrimSpace(rest)
		if a.method != strings.ToUpper(a.method) {
			return a, fmt.Errorf("the method is written in capitals: %s", strings.ToUpper(a.method))
		}
		if a.method == "*" {
			a.method = ""
		}
	}
	if strings.Contains(text, "://") {
		return a, fmt.Errorf("a scheme is not part of a host: write host, host:port or METHOD host/path")
	}
	if p, err := netip.ParsePrefix(text); err == nil {
		a.form, a.net = formNet, p.Masked()
		return a, nil
	}
	if i := strings.IndexByte(text, '/'); i >= 0 {
		text, a.path = text[:i], text[i:]
		if err := checkGlob(a.path); err != nil {
			return a, err
		}
	}
	host, port := splitHostPort(text)
	if host == "" {
		return a, fmt.Errorf("the host is missing: write * for any")
	}
	if len(host) >= maxIndexedName {
		return a, fmt.Errorf("the host name is too long: shorten it")
	}
	if strings.Contains(host, umpire.Hole) {
		return a, fmt.Errorf("%q has a label without one spelling in ASCII: write it as xn--..., without a wildcard beside other letters", text)
	}
	if strings.ContainsAny(host, " @") {
		return a, fmt.Errorf("%q is not a host name: write host, host:port or METHOD host/path", host)
	}
	for i := range len(port) {
		if port == "*" { // every port, explicitly
			break
		}
		if port[i] < '0' || port[i] > '9' || i > 4 {
			return a, fmt.Errorf("port %q is not a number: write host:443", port)
		}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		a.form, a.net = formNet, netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen())
	} else if err := checkGlob(host); err != nil {
		return a, err
	}
	a.host, a.port = host, port
	return a, nil
}

func parseRegex(a alt, text string) (alt, error) {
	a.form = formRegex
	if len(text) < 3 || text[0] != '/' || text[len(text)-1] != '/' {
		return a, fmt.Errorf("pattern text(%s) has no slashes: write text(/regular expression/)", text)
	}
	a.text = text[1 : len(text)-1]
	if _, err := syntax.Parse(a.text, syntax.Perl); err != nil {
		return a, fmt.Errorf("pattern text(%s): %w: use RE2 syntax", text, err)
	}
	return a, nil
}

// expandBraces turns a{b,c}d into abd and acd. It leaves braces without a comma, and ${workspace},
// as they are.
func expandBraces(s string) ([]string, error) {
	out := []string{s}
	for done := 0; done < len(out); {
		open, end, cuts := findBrace(out[done])
		if open < 0 {
			done++
			continue
		}
		if len(out)+len(cuts) > maxAlternatives {
			return nil, fmt.Errorf("it has more than %d alternatives: split it", maxAlternatives)
		}
		t := out[done]
		from := open + 1
		var more []string
		for _, c := range append(cuts, end) {
			more = append(more, t[:open]+t[from:c]+t[end+1:])
			from = c + 1
		}
		out = append(out[:done], append(more, out[done+1:]...)...)
	}
	if slices.Contains(out, "") {
		return nil, fmt.Errorf("one of its alternatives is empty: remove it")
	}
	return out, nil
}

// findBrace returns the positions of the first brace with a comma: open, close, and its commas.
func findBrace(s string) (open, end int, cuts []int) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			continue
		}
		if s[i] != '{' || i > 0 && s[i-1] == '$' {
			continue
		}
		depth := 0
		cuts = cuts[:0]
		for j := i; j < len(s); j++ {
			switch s[j] {
			case '\\':
				j++
			case '{':
				depth++
			case '}':
				depth--
				if depth == 0 && len(cuts) > 0 {
					return i, j, cuts
				}
			case ',':
				if depth == 1 {
					cuts = append(cuts, j)
				}
			}
			if depth == 0 {
				break
			}
		}
	}
	return -1, 0, nil
}

// drive reports whether s begins with a Windows drive letter.
func drive(s string) bool {
	return len(s) >= 3 && s[1] == ':' && (s[2] == '/' || s[2] == '\\') && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
}
