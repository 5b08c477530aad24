package guard

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A run of character codes is read back in each base and spelling, if it is long enough to carry a
// text. A word that is not code ends it.
func TestCodes(t *testing.T) {
	const text = "the secret is\n~ {xyz} 42"
	read := func(s string) (out []string) {
		var c codes
		for _, r := range s {
			out = append(out, c.rune(r)...)
		}
		return append(out, c.end()...)
	}
	in := func(format string, s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
	formats := []string{"%02x ", "%02X,", "0x%02x ", "0X%02x;", "\\x%02x", "\\u00%02x ", "%d ", "%03d-", "%08b ", "0b%08b ", "%%%02x"}
	for _, format := range formats {
		if got := read(in(format, text)); !slices.Contains(got, text) {
			t.Errorf("%q: read %q, want %q", format, got, text)
		}
		if got := read(in(format, text[:minCodes])); !slices.Contains(got, text[:minCodes]) {
			t.Errorf("%q: %d codes are read as %q, want %q", format, minCodes, got, text[:minCodes])
		}
		if got := read(in(format, text[:minCodes-1])); len(got) > 0 {
			t.Errorf("%q: %d codes are read as %q, want nothing", format, minCodes-1, got)
		}
		for _, stop := range []string{"word", "1f", "19999999999999999999", "é"} {
			if got := read(in(format, text[:6]) + stop + " " + in(format, text[6:17])); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, text[:17]) }) {
				t.Errorf("%q: %q does not end the run: %q", format, stop, got)
			}
		}
	}
	for _, format := range []string{"%x%%02x ", "%04d ", "%06b1 "} {
		if got := read(in(format, text)); slices.Contains(got, text) {
			t.Errorf("%q: read %q, want nothing", format, got)
		}
	}
	if got := read(strings.Repeat("1111111 ", minCodes)); !slices.Contains(got, strings.Repeat("\x7f", minCodes)) {
		t.Errorf("seven binary digits: read %q", got)
	}
	if got := read(strings.Repeat("111111 ", minCodes)); len(got) > 0 {
		t.Errorf("six binary digits: read %q, want nothing", got)
	}
	if got := read(strings.Repeat("61 ", maxCodes+minCodes)); !slices.Equal(got, []string{strings.Repeat("a", maxCodes), strings.Repeat("=", maxCodes), strings.Repeat("a", minCodes), strings.Repeat("=", minCodes)}) {
		t.Errorf("a long run is read in %d pieces, want two for each base", len(got))
	}
}

// An act and a thing belong together within seven words of one sentence, and not where the writer
// defends against the thing, asks what it is or wants a text about it explained.
func TestNearness(t *testing.T) {
	c, err := Classification(ClassificationOptions{Blocked: []string{"mine"}, Categories: map[string]BlockedCategory{"mine": {Phrases: []string{"whole phrase"}, Acts: []string{"act"}, Things: []string{"thing"}}}})
	if err != nil {
		t.Fatal(err)
	}
	words := func(n int) string { return strings.Repeat("zz ", n) }
	for text, want := range map[string]bool{
		"act thing": true, "thing act": false, "thing": false, "act": false, "act " + words(6) + "thing": true, "act " + words(7) + "thing": false,
		"act. thing": false, "act! thing": false, "act? thing": false, "act; thing": false, "act: thing": false, "act\nthing": false, "act, thing": true,
		"whole phrase": true, "zz whole, phrase zz": true, "whole zz phrase": false,
		"policy against act thing": false, "policy against " + words(8) + "act thing": false, "policy against " + words(9) + "act thing": true, "policy against. act thing": true, "act thing policy against": true,
		"policy against " + words(9) + "whole phrase": true, "policy against " + words(8) + "whole phrase": false,
		"act against thing": false, "against act thing": true, "act against. thing act thing": true, "against whole phrase": false,
		"what is act thing": false, "what is " + words(8) + "act thing": false, "what is " + words(9) + "act thing": true, "what is. act thing": true, "what is whole phrase": true,
		"act explain meaning thing": true, "act zz explain meaning thing": false, "explain the meaning act thing": true,
	} {
		if got := c.category(text) == "mine"; got != want {
			t.Errorf("%q: blocked %v, want %v", text, got, want)
		}
	}
}

// A value that no constructor made, and a part that is not there, let no text pass unchecked.
func TestZeroValuesOfTheGuard(t *testing.T) {
	ctx := t.Context()
	for name, r := range map[string]Result{
		"input": (&Input{}).Check(ctx, Request{Text: "x"}), "no input": (*Input)(nil).Check(ctx, Request{Text: "x"}),
		"output": (&Output{}).Check(ctx, "x", Answer{}), "no output": (*Output)(nil).Check(ctx, "x", Answer{}),
	} {
		if r.Verdict != Rejected || r.Text != "" {
			t.Errorf("%s: got %+v, want a rejection", name, r)
		}
	}
	for name, s := range map[string]*Stream{"output": (&Output{}).Stream(ctx, Answer{}), "no output": (*Output)(nil).Stream(ctx, Answer{})} {
		if text, err := s.Write("x"); text != "" || err == nil {
			t.Errorf("the stream of %s: passed %q, %v, want an error", name, text, err)
		}
		if text, r := s.Close(); text != "" || r.Verdict != Rejected {
			t.Errorf("the end of the stream of %s: passed %q, %+v, want a rejection", name, text, r)
		}
	}
	if r, err := (&Classifier{}).Stage().Check(ctx, &Request{Text: "x"}); r.Verdict == Allowed && err == nil {
		t.Errorf("a zero Classifier: got %+v, %v, want a rejection", r, err)
	}
}

// Verdicts and treatments are written as words and read back; another word is an error that lists
// them.
func TestWordsReadBack(t *testing.T) {
	for i, name := range verdictNames {
		var v Verdict
		b, err := Verdict(i).MarshalText()
		if err != nil || string(b) != name || v.UnmarshalText(b) != nil || v != Verdict(i) {
			t.Errorf("the verdict %d is written as %q, %v, and read as %v", i, b, err, v)
		}
	}
	var v Verdict
	if err := v.UnmarshalText([]byte("perhaps")); err == nil || Verdict(200).String() != "reject" {
		t.Errorf("an unknown verdict: read without an error %v, written as %s, want reject", err, Verdict(200))
	}
	for i, name := range hiddenNames {
		var h HiddenText
		b, err := HiddenText(i).MarshalText()
		if err != nil || string(b) != name || h.UnmarshalText(b) != nil || h != HiddenText(i) {
			t.Errorf("the treatment %d is written as %q, %v, and read as %v", i, b, err, h)
		}
	}
	h := HiddenText(1)
	if err := h.UnmarshalText(nil); err != nil || h != KeepHidden {
		t.Errorf("no treatment is read as %v, %v, want keep", h, err)
	}
	if err := h.UnmarshalText([]byte("perhaps")); err == nil || !strings.Contains(err.Error(), hiddenNames[0]) || HiddenText(200).String() != "unknown" {
		t.Errorf("an unknown treatment: %v, want an error that lists them", err)
	}
}
