package escape_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

func TestDecode(t *testing.T) {
	for _, tc := range []struct{ language, in, want string }{
		{"an unknown one", `a\b\\c\`, `ab\c\`},
		{"", `\n\e\z`, "\n\x1bz"},
		{"", `\x41\x4\u00e9\U0001F600`, "A\x04é😀"},
		{"", `\x{1F600}\u{41}\u{}`, "😀Au{}"},
		{"", `\u{41\u{zz}`, "u{41u{zz}"},
		{"", `\U7fffffff`, "\uFFFD"},
		{"", `\xe9\xzz`, "\xe9xzz"},
		{"", `\1011\08`, "A1\x008"},
		{"json", `\xe9\n`, "é\n"},
		{"shell", `\01011\1011\q\x`, "A1A1" + `\q\x`},
		{"shell", `\x{72}\cIm\c`, "r\tm"},
		{"shell", `\x{172}\x{6dz}\x{ffffffffffffffffffff72`, "rmz}r"},
		{"git", `\303\251\t`, "é\t"},
		{"python", "\\N{LATIN SMALL LETTER R}\\N{full stop}\\N{LATIN CAPITAL LETTER B}\\N{TILDE}\\N{Low Line}\\N{DIGIT SEVEN}a\\\nb\\d", `r.B~_7abd`},
		{"python", `\N{GREEK SMALL LETTER MU}`, umpire.Hole},
		{"js", `\e\u{000000000072}m\0`, "erm\x00"},
		{"perl", `\o{57}\N{U+72}\x{ 6d }\x{00_72}\cI\y`, "/rmr\ty"},
		{"ruby", `\u{72 6d}\s\C-I\162`, "rm \tr"},
		{"php", `\u{000072}\$\d\x6d`, `r$dm`},
		{"lua", "\\114\\109 \\z \n -rf \\x2f\\u{7e}", "rm -rf /~"},
		{"rust", "a\\\n   b", "ab"},
		{"sql", `\x72\162\u0072`, "rrr"},
		{"sql unicode", `d\0061t\+000061`, "data"},
		{"powershell", "`u{72}`em`n``", "rem\n`"},
	} {
		if got := escape.Of(tc.language).Decode(tc.in); got != tc.want {
			t.Errorf("%s: %s: %q, want %q", tc.language, tc.in, got, tc.want)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	for in, want := range map[string]string{
		`fs.rm\u0053ync("a")`:               `fs.rmSync("a")`,
		`f\u{65}tch`:                        `fetch`,
		"`\\u0024{` + `\\u{24}{` + \\u0024": "`\\u0024{` + `\\u{24}{` + $",
		`"\4\u0033 \0e\u0033 \nz\u0033"`:    `"\4\u0033 \0e\u0033 \nz3"`,
		`"\\u0053" + "\u0022" + "\n"`:       `"\\u0053" + "\u0022" + "\n"`,
	} {
		if got := escape.Identifiers(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
