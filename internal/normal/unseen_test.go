package normal_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/normal"
)

// Every character of Unicode between others: testdata/unseen.txt lists which of them are taken
// out, and which of these count as hiding something. UPDATE_UNSEEN=1 writes the list.
func TestUnseen(t *testing.T) {
	var b strings.Builder
	for _, between := range []struct{ name, before, after string }{
		{"Latin letters", "a", "b"},
		{"the ends of the text", "", ""},
		{"Hebrew letters", "א", "ב"},
		{"Thai letters", "ก", "ข"},
		{"Mongolian letters", "ᠠ", "ᠡ"},
		{"Hangul", "ᄀ", "ᆨ"},
		{"emoji", "👨", "👩"},
		{"Han", "葛", "城"},
		{"Hindi", "क", "ष"},
		{"digits", "1", "2"},
		{"a mark", "a", "\u0345"},
		{"four marks", "a\u0300\u0301\u0302\u0303", "b"},
	} {
		fmt.Fprintf(&b, "between %s\n", between.name)
		without := normal.Canonical(between.before + between.after).Text
		from, last, kind := rune(-1), rune(-1), ""
		flush := func() {
			if kind != "" {
				fmt.Fprintf(&b, "  %04X-%04X %s\n", from, last, kind)
			}
		}
		for c := rune(0); c <= unicode.MaxRune; c++ {
			if !utf8.ValidRune(c) || c > 0x3400 && c < 0xA000 || c > 0xAC00 && c < 0xD7A0 || c > 0x1FB00 && c < 0xE0000 || c > 0xE1000 {
				last = c // letters, and what nobody assigned
				continue
			}
			now := ""
			f := normal.Canonical(between.before + string(c) + between.after)
			if f.Text == without {
				now = "has its place"
			}
			for class := range normal.Classes {
				if f.Count[class] == 1 && class != normal.Mixed {
					now = class.String()
				}
			}
			if now != kind || c != last+1 {
				flush()
				from, kind = c, now
			}
			last = c
		}
		flush()
	}
	const golden = "testdata/unseen.txt"
	if os.Getenv("UPDATE_UNSEEN") != "" {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, lines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(lines)) {
		if i >= len(got) || i >= len(lines) || got[i] != lines[i] {
			t.Fatalf("line %d: got %q, want %q", i+1, got[min(i, len(got)-1)], lines[min(i, len(lines)-1)])
		}
	}
}

// What was taken out is named by its place, and what stays is where it was.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		in, text string
		spans    []normal.Span
	}{
		{"ab", "ab", nil},
		{"a\u200bb", "ab", []normal.Span{{normal.ZeroWidth, 1, 4}}},
		{"a\u200b\u200bb", "ab", []normal.Span{{normal.ZeroWidth, 1, 7}}},
		{"a\u200b\x00b", "ab", []normal.Span{{normal.ZeroWidth, 1, 4}, {normal.Control, 4, 5}}},
		{"a\u200bb\u200bc", "abc", []normal.Span{{normal.ZeroWidth, 1, 4}, {normal.ZeroWidth, 5, 8}}},
		{"\xffa", "\uFFFDa", []normal.Span{{normal.Invalid, 0, 1}}},
		{"a\u2028b\u2029c", "a\nb\nc", nil},
		{"a\tb\r\nc\x7f", "a\tb\r\nc", []normal.Span{{normal.Control, 6, 7}}},
		{"x\u0300\u0316\u0317\u0318\u0319y", "x\u0316\u0317\u0318\u0300y", []normal.Span{{normal.Stacked, 9, 11}}},
		{"x\u0316\u0317y\u0316\u0317\u0318z", "x\u0316\u0317y\u0316\u0317\u0318z", nil},
		{"🏴\U000E0067\U000E0062\U000E007F", "🏴\U000E0067\U000E0062\U000E007F", nil},
		{"🏴\U000E0067\U000E007F", "🏴", []normal.Span{{normal.Tag, 4, 12}}},
	} {
		f := normal.Text(tt.in)
		if f.Text != tt.text || fmt.Sprint(f.Spans) != fmt.Sprint(tt.spans) {
			t.Errorf("%+q: got %+q and %v, want %+q and %v", tt.in, f.Text, f.Spans, tt.text, tt.spans)
		}
		for i, c := range f.Text {
			a, b := f.Range(i, i+utf8.RuneLen(c))
			if c < utf8.RuneSelf && c > ' ' && !strings.ContainsRune(tt.in[a:b], c) {
				t.Errorf("%+q: %q of the text is said to be from %+q", tt.in, c, tt.in[a:b])
			}
			if x, y := f.Range(i, i); x != a || y != a {
				t.Errorf("%+q: nothing at %d is [%d,%d), want [%d,%d)", tt.in, i, x, y, a, a)
			}
		}
		for _, r := range [][2]int{{-1, 0}, {1, 0}, {0, len(f.Text) + 1}} {
			if a, b := f.Range(r[0], r[1]); a != 0 || b != 0 {
				t.Errorf("%+q: Range(%d, %d): got %d, %d, want 0, 0", tt.in, r[0], r[1], a, b)
			}
		}
		if a, b := f.Range(len(f.Text), len(f.Text)); a != b || a > len(tt.in) {
			t.Errorf("%+q: the end is [%d,%d)", tt.in, a, b)
		}
	}
}

// Each class has a name of its own.
func TestClassNames(t *testing.T) {
	want := "zero-width tag-character variation-selector bidi control invalid-utf8 stacked-marks mixed-script unknown"
	var got []string
	for c := range normal.Classes + 1 {
		got = append(got, c.String())
	}
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}
