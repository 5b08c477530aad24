package escape_test

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/escape"
)

func TestDecode(t *testing.T) {
	all := escape.Syntax{Letters: "ne", Means: "\n\x1b", Hex: true, Braces: true, Octal: 3}
	shell := escape.Syntax{Hex: true, Octal: 3, LongZero: true, Keep: true}
	runes := escape.Syntax{Hex: true, Runes: true}
	other := escape.Syntax{Other: func(rest string) (string, int) {
		if rest[0] == 'q' {
			return "<>", 1
		}
		return "", 0
	}}
	for _, tc := range []struct {
		syntax   escape.Syntax
		in, want string
	}{
		{escape.Syntax{}, `a\b\\c\`, `ab\c\`},
		{escape.Syntax{Mark: '^'}, `a^b^^\c^`, `ab^\c^`},
		{all, `\n\e\z`, "\n\x1bz"},
		{all, `\x41\x4\u00e9\U0001F600`, "A\x04é😀"},
		{all, `\x{1F600}\u{41\u{}`, "😀A" + "u{}"},
		{all, `\U7fffffff`, "\uFFFD"},
		{all, `\xe9\xzz`, "\xe9xzz"},
		{all, `\1011\08`, "A1\x008"},
		{runes, `\xe9\101`, "é101"},
		{shell, `\01011\1011\q\x`, "A1A1" + `\q\x`},
		{other, `\q\r`, "<>r"},
	} {
		if got := tc.syntax.Decode(tc.in); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.in, got, tc.want)
		}
	}
}
