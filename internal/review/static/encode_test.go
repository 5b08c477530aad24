package static

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func encode64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
func hexOf(s string) string    { return hex.EncodeToString([]byte(s)) }
func itoa(n int) string        { return strconv.Itoa(n) }

func each(s, form string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, form, s[i])
	}
	return b.String()
}

func escapes(s string) string  { return each(s, `\x%02x`) }
func percent(s string) string  { return each(s, "%%%02x") }
func entities(s string) string { return each(s, "&#%d;") }

// What is decoded is what does not look like words or a path, with the signs of base64 in it.
func TestCandidate(t *testing.T) {
	for s, want := range map[string]bool{
		"x = 'AbC1dEf2Gh+IjKl3/MnOpQr4StUvW5xYzAbC='":   true,
		"x = 'AbC1dEf2GhIjKl3MnO'":                      false, // short
		"48656c6c6f2c20776f726c6421212121":              true,
		strings.Repeat(`\x41`, 8):                       true,
		strings.Repeat(`\x41`, 7):                       false,
		"https://example.com/docs/operation/command":    false,
		"thisIsALongNameOfAFunctionInSomeProgramOfOurs": false,
		"AB1/CD2/EF3/GH4/IJ5/KL6/MN7":                   false, // a path
	} {
		if got := candidate(s); got != want {
			t.Errorf("candidate(%q): got %t, want %t", s, got, want)
		}
	}
}
