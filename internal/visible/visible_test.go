package visible

import (
	"strings"
	"testing"
	"unicode"
)

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 你好":          "plain é 你好",
		"a\x1b[2Jb":           `a\x1b[2Jb`,
		"a\nb\tc\rd":          `a\nb\tc\rd`,
		"safe\u202egnp.exe":   `safe\u202egnp.exe`,
		"ad\u200bmin":         `ad\u200bmin`,
		"\U000e0041":          `\U000e0041`,
		"x\ufe0f":             `x\ufe0f`,
		"bad\xffutf":          `bad\xffutf`,
		"\u009b31m":           `\u009b31m`,
		"":                    "",
		"replacement \ufffd.": `replacement \ufffd.`,
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Block("a\n\tb\x07"); got != "a\n\tb\\x07" {
		t.Errorf("Block = %q", got)
	}
	if got := Clip("abcdef\x1b", 4); got != "abc…" {
		t.Errorf("Clip = %q", got)
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\x1b[0m\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		out := Line(s)
		if strings.ContainsFunc(out, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) {
			t.Errorf("Line(%q) = %q still steers", s, out)
		}
		if Line(out) != out {
			t.Errorf("Line is not idempotent on %q", s)
		}
	})
}
