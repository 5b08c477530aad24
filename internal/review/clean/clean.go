// Package clean sanitizes the text of a review. A model wrote it after it read hostile code, or
// another tool produced it. The result is inert in a terminal, a page, a comment or a log. Text
// that still gives instructions is withheld.
package clean

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/static"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Size limits of the result, in characters.
const (
	maxTitle   = 120
	maxText    = 2000
	MaxAction  = 300
	MaxActions = 20
	maxPath    = 4096
	maxRaw     = 256 << 10 // bytes to inspect
)

// withheld replaces the texts of a finding of which one gives instructions to its readers.
const withheld = "The text is withheld: it gives instructions to its readers."

// Actions sanitizes the actions that reviewers recommend. If one of them, or a finding, gives
// instructions to its readers, it returns only a note: the same author wrote the others.
func Actions(list []string, withhold bool) []string {
	out := []string{}
	for _, s := range list[:min(len(list), MaxActions)] {
		s, flags := Line(s, MaxAction)
		withhold = withhold || slices.Contains(flags, finding.InjectedInstructions)
		if s != "" {
			out = append(out, s)
		}
	}
	if withhold && len(out) > 0 {
		return []string{"The recommended actions are withheld: the reviewer wrote instructions to its readers."}
	}
	return out
}

// Line sanitizes s and returns one line of at most n characters.
func Line(s string, n int) (string, []finding.Flag) { return text(s, n, false) }

// Finding sanitizes every text of a finding and sets its flags. Umpire's texts are also shortened
// and escaped, because they can quote the material, but they are not judged, because they describe
// instructions.
func Finding(r *finding.Reported) {
	own := r.Source == finding.Static
	field := func(s *string, n int, block bool) {
		var flags []finding.Flag
		if own {
			var set flagSet
			*s = plain(*s, n, block, &set)
			flags = set
		} else {
			*s, flags = text(*s, n, block)
		}
		for _, f := range flags {
			r.Set(f)
		}
	}
	field(&r.Title, maxTitle, false)
	field(&r.Description, maxText, true)
	field(&r.Remediation, maxText, true)
	if r.Has(finding.InjectedInstructions) && !own { // one author wrote all of it
		r.Title, r.Description, r.Remediation = "", withheld, ""
	}
	r.Description = cmp.Or(r.Description, "No text.")
	if !cwe().MatchString(r.CWE) {
		r.CWE = ""
	}
	if !slices.Contains(finding.Types(), r.Type) {
		r.Type = finding.Other
	}
	if c := r.Confidence; c != nil && !(*c >= 0 && *c <= 1) {
		r.Confidence = nil
	}
	r.Rule = rule().ReplaceAllString(r.Rule, "-")
	r.Rule = r.Rule[:min(len(r.Rule), 100)]
	if r.Flags == nil {
		r.Flags = []finding.Flag{}
	}
}

// Path returns the path of a file for display. [finding.Location.Name] reverses it.
func Path(p string) string { return cut(visible.Name(p), maxPath) }

var (
	cwe  = lazy.Regexp(`^CWE-[0-9]{1,6}$`)
	rule = lazy.Regexp(`[^A-Za-z0-9._/-]+`)
)

// flagSet collects flags without duplicates.
type flagSet []finding.Flag

func (s *flagSet) set(f finding.Flag) {
	if !slices.Contains(*s, f) {
		*s = append(*s, f)
	}
}

func text(s string, n int, block bool) (string, []finding.Flag) {
	var set flagSet
	raw := s
	if len(raw) > maxRaw {
		raw = strings.ToValidUTF8(raw[:maxRaw], "")
	}
	s = plain(s, n, block, &set)
	if s == withheld {
		return s, set
	}
	// Judge the raw text as well: the removed characters may have mattered.
	if static.Steers(raw) || static.Steers(s) {
		set.set(finding.InjectedInstructions)
		return cut(withheld, n), set
	}
	if commands().MatchString(s) {
		set.set(finding.CommandText)
	}
	return s, set
}

// commands match words that a person could paste into a terminal.
var commands = lazy.Regexp(`(?i)\b(?:curl|wget)\s+\S|\brm\s+-\w|\bsudo\s+\w|\bchmod\s+[0-7+]|\b(?:ba|z|da)?sh\s+-c\b|\|\s*(?:ba|z)?sh\b|\b(?:npx|pip3?|npm|go|cargo|gem|brew|apt(?:-get)?)\s+(?:install|run|exec|add|get|i)\b|\bgit\s+(?:push|reset|checkout|clone)\b|\beval\s*[("$]|\bpowershell\b|\bInvoke-\w+|\b(?:docker|kubectl)\s+\w+`)

func plain(s string, n int, block bool, set *flagSet) string {
	if len(s) > maxRaw {
		s = strings.ToValidUTF8(s[:maxRaw], "")
		set.set(finding.Truncated)
	}
	s = strip(s, block, set)
	for range 8 { // a removal can join the text around it
		was := s
		s = links(s, set)
		if masked := redact.String(s); masked != s {
			s = masked
			set.set(finding.SecretRedacted)
		}
		s = runs(s, set)
		s = disarm(s)
		if s == was {
			break
		}
	}
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) > n {
		set.set(finding.Truncated)
		s = cut(s, n)
	}
	return s
}

// cut shortens a text to n characters, including the mark of the cut.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return strings.TrimSpace(string(r[:max(0, n-1)])) + "…"
}

// strip removes invisible characters and terminal sequences.
func strip(s string, block bool, set *flagSet) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n' && block:
			b.WriteByte('\n')
		case r == '\n' || r == '\t' || r == '\r' || r == 0x2028 || r == 0x2029 || r == 0x85:
			b.WriteByte(' ')
		case r == 0x1b || r == 0x9b || r == 0x9d || r == 0x90:
			n = max(n, sequence(s[i:]))
			set.set(finding.HiddenCharacters)
		case r == utf8.RuneError && n == 1, hidden(r):
			set.set(finding.HiddenCharacters)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// hidden reports whether a character does not belong in prose: controls, bidirectional marks,
// characters without width, and unassigned ones.
func hidden(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, r == utf8.RuneError,
		r == 0xAD, r == 0x034F, r == 0x061C, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r >= 0x180B && r <= 0x180F,
		r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0x2800, r == 0x3164, r == 0xFFA0,
		r >= 0xFE00 && r <= 0xFE0F, r == 0xFEFF, r >= 0xFFF0 && r <= 0xFFFB, r >= 0x1D173 && r <= 0x1D17A,
		r >= 0xE000 && r <= 0xF8FF, r >= 0xE0000:
		return true
	}
	return !unicode.IsPrint(r) && r != 0xA0 && !unicode.Is(unicode.Zs, r)
}

// sequence returns the length of the escape sequence at the start of s.
func sequence(s string) int {
	_, at := utf8.DecodeRuneInString(s)
	kind := byte('[')
	if s[0] == 0x1b {
		if len(s) == 1 {
			return 1
		}
		kind, at = s[1], 2
	} else if r, _ := utf8.DecodeRuneInString(s); r != 0x9b {
		kind = ']'
	}
	switch kind {
	case '[':
		for i := at; i < len(s) && i < 64; i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x3f {
				return i
			}
		}
	case ']', 'P', '_', '^', 'X': // a string, up to its terminator
		for i := at; i < len(s) && i < 4096; i++ {
			if s[i] == '\a' {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			if s[i] == '\n' {
				return i
			}
		}
	}
	return at
}

var (
	link       = lazy.Regexp(`!?\[([^\[\]\n]*)\]\(\s*<?([^()\s<>]*)>?[^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)`)
	definition = lazy.Regexp(`(?m)^[ >\t]*\[([^\[\]\n]+)\]:[ \t]*<?(\S+)>?.*$`)
	target     = lazy.Regexp(`(?i)(?:\bdata\s*:\s*[a-z]+/[a-z0-9.+-]+[;,]\S*|\b(?:java|vb)script\s*:\S*|\bfile\s*:\s*/\S*)`)
	address    = lazy.Regexp(`(?i)\b([a-z][a-z0-9+.-]{1,20})://([^\s/?#<>"'()]*)`)
	www        = lazy.Regexp(`(?i)\bwww\.`)
)

// links turns links and images into plain text.
func links(s string, set *flagSet) string {
	was := s
	for range 8 { // an image within a link
		next := link().ReplaceAllStringFunc(s, func(m string) string {
			p := link().FindStringSubmatch(m)
			return named(p[1], p[2])
		})
		if next == s {
			break
		}
		s = next
	}
	s = definition().ReplaceAllStringFunc(s, func(m string) string {
		p := definition().FindStringSubmatch(m)
		return named(p[1], p[2])
	})
	s = strings.ReplaceAll(s, "\x00", "[.]")
	s = target().ReplaceAllString(s, "(removed)")
	s = address().ReplaceAllStringFunc(s, func(m string) string {
		p := address().FindStringSubmatch(m)
		return p[1] + "[:]//" + defang(p[2])
	})
	s = strings.ReplaceAll(s, "://", "[:]//") // the rest has an invalid scheme, which readers may guess
	s = strings.ReplaceAll(s, "](", "] (")
	if s != was {
		set.set(finding.LinkRemoved)
	}
	return www().ReplaceAllString(s, "www[.]")
}

// named is the text of a link with the host that it leads to.
func named(text, to string) string {
	if u, err := url.Parse(to); err == nil && u.Host != "" {
		// Brackets would hide a link around this one.
		return text + " (" + strings.ReplaceAll(defang(u.Hostname()), "[.]", "\x00") + ")"
	}
	return text
}

var dot = lazy.Regexp(`([\pL\pN-])\.([\pL\pN-])`)

// defang spells a host so that no program treats it as one.
func defang(host string) string {
	for range 2 { // matches overlap
		host = dot().ReplaceAllString(host, "$1[.]$2")
	}
	return host
}

var run = lazy.Regexp(`[A-Za-z0-9+/_=-]{64,}`)

// runs removes long runs that look encoded: no person reads them.
func runs(s string, set *flagSet) string {
	return run().ReplaceAllStringFunc(s, func(m string) string {
		if strings.ContainsAny(m, "0123456789") && len(strings.FieldsFunc(m, func(r rune) bool { return r == '/' || r == '-' || r == '_' })) < len(m)/16 {
			set.set(finding.EncodedRun)
			return fmt.Sprintf("(%d encoded characters)", len(m))
		}
		return m
	})
}

var (
	tag      = lazy.Regexp(`<([A-Za-z/!?])`)
	entity   = lazy.Regexp(`&(#?[A-Za-z0-9]+;)`)
	mention  = lazy.Regexp(`@([\pL\pN_])`)
	issue    = lazy.Regexp(`#([0-9])|(?i)\b(GH)-([0-9])`)
	workflow = lazy.Regexp(`(^|\s)::`)
	legacy   = lazy.Regexp(`##(\[)`)
)

// disarm breaks markup that programs would act on.
func disarm(s string) string {
	s = tag().ReplaceAllString(s, "< $1")
	s = entity().ReplaceAllStringFunc(s, func(m string) string {
		if m == "&lt;" || m == "&gt;" || m == "&amp;" {
			return m
		}
		return "& " + m[1:]
	})
	s = mention().ReplaceAllString(s, "@ $1")
	s = issue().ReplaceAllStringFunc(s, func(m string) string {
		if m[0] == '#' {
			return "# " + m[1:]
		}
		return m[:2] + " " + m[3:]
	})
	s = workflow().ReplaceAllString(s, "$1: :")
	return legacy().ReplaceAllString(s, "## $1")
}
