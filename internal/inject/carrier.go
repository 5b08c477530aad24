package inject

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// Carrier is a kind of tool output. A text that is usual in one kind may be suspicious in another.
type Carrier uint8

// The carriers.
const (
	Prose Carrier = iota
	JSON
	Markup
	Markdown
	Mail
	Log
	Chat
	Code
	Config
	Table
	carriers
)

// carrierOf guesses the carrier of an output from its first lines.
func carrierOf(s string) Carrier {
	t := strings.TrimLeft(s, " \t\r\n")
	if len(t) > 1 && (t[0] == '{' || t[0] == '[' && strings.IndexByte("{[\"\n", t[1]) >= 0) {
		return JSON
	}
	var votes [carriers]int
	n := 0
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		if n++; n > 60 {
			break
		}
		c, weight := lineOf(l, n)
		votes[c] += weight
	}
	best := Prose
	for _, c := range [...]Carrier{Markup, Mail, Chat, Log, Code, Table, Config, Markdown} {
		if votes[c] > votes[best] || best == Prose && votes[c] > 0 {
			best = c
		}
	}
	if votes[best]*4 < n {
		return Prose
	}
	return best
}

// lineOf returns the carrier that the nth line looks like, and the weight of that sign.
func lineOf(l string, n int) (Carrier, int) {
	starts := func(words ...string) bool {
		return anyof.HasPrefix(l, words...)
	}
	digits := 0
	for i := range min(len(l), 24) {
		if l[i] >= '0' && l[i] <= '9' {
			digits++
		}
	}
	key, _, named := strings.Cut(l, ":")
	named = named && len(key) < 28 && !strings.Contains(key, " ")
	name, _, set := strings.Cut(l, "=")
	switch {
	case starts("#!", "//", "/*", "import ", "func ", "def ", "class ", "package ", "const ", "return ", "@@", "diff --git", "-- "):
		return Code, 2
	case strings.HasSuffix(l, "{") || strings.HasSuffix(l, ";") || l == "}" || strings.HasSuffix(l, "):") || strings.Contains(l, " := "):
		return Code, 1
	case starts("# ", "## ", "### ", "```", "- ", "* ", "**"):
		return Markdown, 1
	case strings.Count(l, "|") >= 2 || strings.Count(l, "\t") >= 2 || strings.Count(l, ",") >= 3 && !strings.Contains(l, ", "):
		return Table, 1
	case l[0] == '<' && markup(l):
		return Markup, 1
	case digits >= 6 || l[0] == '[' && digits >= 3:
		if i := strings.Index(l, "] "); i > 0 && i < 24 && strings.IndexByte(l[i:min(len(l), i+26)], ':') > 0 {
			return Chat, 2
		}
		return Log, 1
	case n <= 3 && (starts("From:", "Subject:") || n == 1 && named && strings.HasPrefix(l[len(key):], ": ")):
		return Mail, 2
	case named || strings.Contains(l, " = ") || set && !strings.Contains(name, " "):
		return Config, 1
	}
	return Prose, 0
}
