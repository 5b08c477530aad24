package hostname

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/umpire-dev/umpire"
)

func TestASCII(t *testing.T) {
	for in, want := range map[string]string{
		"Example.COM":              "example.com",
		"example.com.":             "example.com",
		"münchen.example":          "xn--mnchen-3ya.example",
		"MÜNCHEN.example.":         "xn--mnchen-3ya.example",
		"XN--MNCHEN-3YA.example":   "xn--mnchen-3ya.example",
		"m%C3%BCnchen.example":     "xn--mnchen-3ya.example",
		"ex%61mple%2Ecom":          "example.com",
		"a\u3002b\uff0ec\uff61":    "a.b.c",
		"ｅｘａｍｐｌｅ.com":              "example.com",
		"１２７.0.0.1":                "127.0.0.1",
		"例え.テスト":                   "xn--r8jz45g.xn--zckzah",
		"FE80::1%25Eth0":           "fe80::1%25eth0",
		"*.bücher.example":         "*.xn--bcher-kva.example",
		"%s.example":               "%s.example",
		umpire.Hole + ".A":         umpire.Hole + ".a",
		"X" + umpire.Hole + ".a":   "x" + umpire.Hole + ".a",
		"ü" + umpire.Hole + ".a":   umpire.Hole + ".a",
		"mu\u0308nchen.example":    umpire.Hole + ".example", // not composed
		"straße.example":           umpire.Hole + ".example", // strasse for some programs
		"git\u00adhub.com":         umpire.Hole + ".com",
		"git\u200bhub.com":         umpire.Hole + ".com",
		"mü*.example":              umpire.Hole + ".example",
		"①.example":                umpire.Hole + ".example",
		"evil.example%2Fgood.test": "evil." + umpire.Hole + ".test",
		"a％.example":               umpire.Hole + ".example",
		"%ff.example":              umpire.Hole + ".example",
		strings.Repeat("ü", 200):   umpire.Hole,
	} {
		if got := ASCII(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Each character that ASCII takes is spelled as the tables of IDNA spell it.
func TestEachCharacter(t *testing.T) {
	taken := 0
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, in := range []string{"a" + string(r) + "a", string(r) + "b"} {
			got := ASCII(in)
			if strings.Contains(got, umpire.Hole) {
				continue
			}
			taken++
			// Names from right to left may not begin so: then nobody resolves them.
			if want, err := idna.Lookup.ToASCII(in); err == nil && got != strings.TrimSuffix(want, ".") {
				t.Errorf("U+%04X: %q, want %q", r, got, want)
			}
		}
	}
	if taken < 60000 {
		t.Errorf("%d are taken", taken)
	}
}

func TestUnicode(t *testing.T) {
	for in, want := range map[string]string{
		"xn--mnchen-3ya.example": "münchen.example",
		"xn--r8jz45g.xn--zckzah": "例え.テスト",
		"example.com":            "example.com",
		"xn--99.b":               "xn--99.b",
		"xn--99999999":           "xn--99999999",
	} {
		if got := Unicode(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// One spelling is read again as itself, and what IDNA takes is spelled as there, or doubtful.
func FuzzASCII(f *testing.F) {
	for _, s := range []string{"münchen.example", "a%C3%BC.b", "例え。テスト", "xn--a.é", "ß.x", "Ａ．ｂ", "..", "%25%36%31"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := ASCII(s)
		if strings.Contains(got, umpire.Hole) {
			return
		}
		if isASCII(s) || strings.ContainsAny(s, "%:") || strings.Contains(got, prefix+".") || strings.HasSuffix(got, prefix) {
			Unicode(got)
			return
		}
		if again := ASCII(got); again != got && !strings.HasSuffix(got, ".") {
			t.Errorf("%q: %q, then %q", s, got, again)
		}
		if want, err := idna.Lookup.ToASCII(s); err == nil && strings.TrimSuffix(want, ".") != strings.TrimSuffix(got, ".") {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
		if !strings.Contains(strings.ToLower(s), prefix) && utf8.ValidString(s) {
			for l := range strings.SplitSeq(got, ".") {
				if rest, ok := strings.CutPrefix(l, prefix); ok {
					if runes, ok := unpack(rest); !ok || encode(runes) != rest {
						t.Errorf("%q: %q is not read back", s, l)
					}
				}
			}
		}
	})
}
