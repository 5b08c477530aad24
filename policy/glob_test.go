package policy

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern  string
		yes, no  []string
		fold     bool
		checkErr string
	}{
		{pattern: "", yes: []string{""}, no: []string{"a"}},
		{pattern: "a", yes: []string{"a"}, no: []string{"", "A", "aa", "b"}},
		{pattern: "a", yes: []string{"a", "A"}, no: []string{"b"}, fold: true},
		{pattern: "é", yes: []string{"é"}, no: []string{"É", "e"}, fold: true},
		{pattern: "?", yes: []string{"a", "é", "*"}, no: []string{"", "ab"}},
		{pattern: "*", yes: []string{"", "a", "abc"}},
		{pattern: "a*b", yes: []string{"ab", "axb", "abab"}, no: []string{"a", "aba", "xab"}},
		{pattern: "*a*b*", yes: []string{"ab", "xxaxxbxx"}, no: []string{"ba", ""}},
		{pattern: "**", yes: []string{"", "a"}},
		{pattern: `\*`, yes: []string{"*"}, no: []string{"a", `\*`}},
		{pattern: `a\?`, yes: []string{"a?"}, no: []string{"ab"}},
		{pattern: `\A`, yes: []string{"a", "A"}, no: []string{"b"}, fold: true},
		{pattern: "[abc]", yes: []string{"a", "c"}, no: []string{"d", "", "ab", "["}},
		{pattern: "[a-c]x", yes: []string{"bx"}, no: []string{"dx", "-x"}},
		{pattern: "[!a-c]", yes: []string{"d", "é"}, no: []string{"a", "c", ""}},
		{pattern: "[^a]", yes: []string{"b", "^"}, no: []string{"a"}},
		{pattern: "[]]", yes: []string{"]"}, no: []string{"[", "[]]"}},
		{pattern: "[]a]", yes: []string{"]", "a"}, no: []string{"b"}},
		{pattern: "[!]]", yes: []string{"a"}, no: []string{"]"}},
		{pattern: `[\]]`, yes: []string{"]"}, no: []string{`\`}},
		{pattern: `[a\-c]`, yes: []string{"a", "-", "c"}, no: []string{"b"}},
		{pattern: "[a-]", yes: []string{"a", "-"}, no: []string{"b"}},
		{pattern: "[B-D]", yes: []string{"c", "C"}, no: []string{"a", "E"}, fold: true},
		{pattern: "[b-d]", yes: []string{"C"}, no: []string{"E"}, fold: true},
		{pattern: "[", checkErr: "not closed"},
		{pattern: "[]", checkErr: "not closed"},
		{pattern: "[!]", checkErr: "not closed"},
		{pattern: `[\]`, checkErr: "not closed"},
		{pattern: "[a]b[c", checkErr: "not closed"},
		{pattern: `a\`, checkErr: "ends in a backslash"},
	} {
		err := checkGlob(c.pattern)
		if c.checkErr == "" && err != nil || c.checkErr != "" && (err == nil || !strings.Contains(err.Error(), c.checkErr)) {
			t.Errorf("checkGlob(%q): got %v, want %q", c.pattern, err, c.checkErr)
		}
		for _, s := range c.yes {
			if !glob(c.pattern, s, c.fold) {
				t.Errorf("%q does not match %q", c.pattern, s)
			}
		}
		for _, s := range c.no {
			if glob(c.pattern, s, c.fold) {
				t.Errorf("%q matches %q, want that it does not", c.pattern, s)
			}
		}
	}
}

// slowGlob matches by trying every length for each *: what glob must answer, without its speed.
func slowGlob(pattern, s string) bool {
	if pattern == "" {
		return s == ""
	}
	if pattern[0] == '*' {
		for i := range len(s) + 1 {
			if slowGlob(pattern[1:], s[i:]) {
				return true
			}
		}
		return false
	}
	if s == "" {
		return false
	}
	n, m := matchOne(pattern, s, false)
	return n > 0 && slowGlob(pattern[n:], s[m:])
}

func TestGlobGoesBackFarEnough(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(alphabet string, n int) string {
		b := make([]byte, r.IntN(n))
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	for range 50_000 {
		pattern, s := random("ab*?", 8), random("ab", 10)
		if got, want := glob(pattern, s, false), slowGlob(pattern, s); got != want {
			t.Fatalf("%q on %q: got %v, want %v", pattern, s, got, want)
		}
	}
}

func TestModes(t *testing.T) {
	for m := ModeUnset; m < modeCount; m++ {
		text, err := m.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back Mode
		err = back.UnmarshalText(text)
		if m == ModeUnset && err == nil {
			t.Error("no text is a mode")
		}
		if m != ModeUnset && (err != nil || back != m) {
			t.Errorf("%q reads back as %v, %v", text, back, err)
		}
	}
	if _, err := ParseMode("allow"); err == nil || !strings.Contains(err.Error(), "approve-each, approve-bulk, allow-all, deny-all") {
		t.Errorf("an unknown mode: %v", err)
	}
}
