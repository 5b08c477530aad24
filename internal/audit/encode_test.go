package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Every character reads back as it was, as text and within JSON, and none that steers a terminal
// or hides is in a line as it is.
func TestEveryCharacterReadsBack(t *testing.T) {
	check := func(how string, from rune, line []byte, want string) {
		t.Helper()
		var got string
		if err := json.Unmarshal(line, &got); err != nil || got != want {
			t.Errorf("%s: the characters from %U read back as %q, %v, want %q", how, from, got, err, want)
		}
		if i := bytes.IndexFunc(line, func(r rune) bool { return r > '~' && hidden(r) || r < ' ' }); i >= 0 {
			t.Errorf("%s: the characters from %U: a hidden one is at byte %d of %q", how, from, i, line)
		}
	}
	const some = 64
	for from := rune(0); from <= utf8.MaxRune; from += some {
		var b []rune
		for r := from; r < from+some; r++ {
			if utf8.ValidRune(r) {
				b = append(b, r)
			}
		}
		want := string(b)
		check("text", from, quoted(nil, want, maxText), want)
		var raw bytes.Buffer // JSON that another program wrote escapes no more than it must
		enc := json.NewEncoder(&raw)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(want); err != nil {
			t.Fatalf("encode %q: %v", want, err)
		}
		check("JSON", from, appendVisible(nil, raw.Bytes()), want)
	}
}

// A text that is too long is cut between two characters, and says how much is left out.
func TestLongTextSaysWhatIsLeftOut(t *testing.T) {
	for _, char := range []string{"x", "é", "€", "😀"} {
		for shift := range 4 {
			s := strings.Repeat("x", shift) + strings.Repeat(char, 3*maxText)
			short := clip(s, maxText)
			if !utf8.ValidString(short) || !strings.HasPrefix(s, short) || len(short) > 2*maxText || len(short) <= 2*maxText-utf8.UTFMax {
				t.Errorf("%d and %q: clip leaves %d bytes, want whole characters of about %d", shift, char, len(short), 2*maxText)
			}
			var got string
			if err := json.Unmarshal(quoted(nil, s, maxText), &got); err != nil {
				t.Fatalf("%d and %q: %v", shift, char, err)
			}
			kept, rest, _ := strings.Cut(got, "... and ")
			if !strings.HasPrefix(s, kept) || len(kept) < maxText || len(kept) >= maxText+utf8.UTFMax || rest != fmt.Sprintf("%d bytes more", len(s)-len(kept)) {
				t.Errorf("%d and %q: %d bytes are kept, and %q is said, want %d kept of %d", shift, char, len(kept), rest, maxText, len(s))
			}
		}
	}
	if s := strings.Repeat("x", 2*maxText); clip(s, maxText) != s {
		t.Error("clip cuts a text that is short enough")
	}
}

// The data of an event are masked by their names as well as by their looks, and are all kept.
func TestDataIsMasked(t *testing.T) {
	e := sample()
	e.Data = map[string]string{"a": "plain", "password": "hunter2", "text": "password=hunter3", "z": "plain too", "token": ""}
	var got Event
	body := append([]byte(`{"v":1`), appendBody(nil, e)...)
	if err := json.Unmarshal(append(body, '}'), &got); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	if bytes.Contains(body, []byte("hunter2")) || bytes.Contains(body, []byte("hunter3")) {
		t.Errorf("a password is in the log: %s", body)
	}
	if len(got.Data) != len(e.Data) || got.Data["a"] != "plain" || got.Data["z"] != "plain too" || got.Data["token"] != "" {
		t.Errorf("the data read back as %q, want %q with the passwords masked", got.Data, e.Data)
	}
}

// A file gives the same lines from its end as from its beginning, whatever their length is.
func TestBackward(t *testing.T) {
	const block = 1 << 20
	for name, lengths := range map[string][]int{
		"empty": {}, "one": {10}, "one over a block": {block + 10}, "one of many blocks": {3*block + 7, 5},
		"ends at a block": {100, block - 1}, "begins at a block": {5, block}, "short ones": slices.Repeat([]int{700}, 4000), "mixed": {1, block, 2, 2 * block, 3, block - 2, 4},
	} {
		for _, end := range []string{"", "\n"} {
			var text []byte
			var want [][]byte
			for i, n := range lengths {
				line := bytes.Repeat([]byte{'a' + byte(i%26)}, n)
				want = append(want, line)
				text = append(append(text, line...), '\n')
			}
			text = append(bytes.TrimSuffix(text, []byte("\n")), end...)
			var got [][]byte
			if err := backward(bytes.NewReader(text), int64(len(text)), func(line []byte) bool {
				got = append(got, bytes.Clone(line))
				return true
			}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			slices.Reverse(got)
			if !slices.EqualFunc(got, want, bytes.Equal) {
				t.Errorf("%s, and %q at the end: got %d lines, want %d, or other ones", name, end, len(got), len(want))
			}
			given := 0
			if err := backward(bytes.NewReader(text), int64(len(text)), func([]byte) bool { given++; return false }); err != nil || given != min(1, len(want)) {
				t.Errorf("%s: %d lines are given after one was enough, %v", name, given, err)
			}
		}
	}
}
