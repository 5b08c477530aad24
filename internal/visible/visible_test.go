package visible

import (
	"encoding/json"
	"strconv"
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

// Whatever a path has in it, its name shows, stays on its line and leads back to it.
func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"a/b c.py":         "a/b c.py",
		`a\nb.py`:          `a\nb.py`,
		`a"b.py`:           `a"b.py`,
		"a\nb.py":          `"a\nb.py"`,
		"a\tb.py":          `"a\tb.py"`,
		"a\r\x1b[2J.py":    `"a\r\x1b[2J.py"`,
		"a\u202eyp.exe":    `"a\u202eyp.exe"`,
		"bad\xff.py":       `"bad\xff.py"`,
		`"a\nb.py"`:        `"\"a\\nb.py\""`,
		"a  b ":            `"a\x20\x20b\x20"`,
		"a\u2003b":         `"a\u2003b"`,
		"a\u034fb":         `"a\u034fb"`,
		"::error::x":       `"::error::x"`,
		"x##[command]y":    `"x\x23#[command]y"`,
		"tags\U000e0041":   `"tags\U000e0041"`,
		"std::string é.cc": "std::string é.cc",
	} {
		if got := Name(in); got != want {
			t.Errorf("Name(%q) = %s, want %s", in, got, want)
		}
	}
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"a b", "a\nb", `"a\x00"`, " \\ ", "\u2003", "::##[x]", "\xff\"", "�"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name := Name(s)
		back := name
		if strings.HasPrefix(name, `"`) {
			var err error
			if back, err = strconv.Unquote(name); err != nil {
				t.Fatalf("Name(%q) = %s: %v", s, name, err)
			}
		}
		if back != s || Line(name) != name || strings.Join(strings.Fields(name), " ") != name {
			t.Errorf("Name(%q) = %s, which is %q", s, name, back)
		}
	})
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

// A JSON text is safe to print and decodes to what it did before.
func TestJSON(t *testing.T) {
	in := "a\x1b\u009b\u202e\U000e0041\x7f\u2028\ufeff\ufe0fé世\n<"
	b, err := json.Marshal(map[string]string{"k\u200b": in})
	if err != nil {
		t.Fatal(err)
	}
	out := JSON(b)
	var back map[string]string
	if err := json.Unmarshal(out, &back); err != nil || back["k\u200b"] != in || Block(string(out)) != string(out) || !strings.Contains(string(out), "é世") {
		t.Errorf("%q, %v", out, err)
	}
	if got := JSON([]byte("\"\xff\"\n\t")); string(got) != "\"\\ufffd\"\n\t" {
		t.Errorf("%q", got)
	}
}
