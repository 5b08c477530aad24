package pii

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A number of each country counts after each word that names it, however its digits are grouped, and
// not after any other word.
func TestCodes(t *testing.T) {
	f := New([]Kind{National}, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range codes {
		c := &codes[i]
		for _, n := range c.digits {
			d := someCode(t, rng, c, n)
			for _, w := range c.words {
				for _, text := range []string{w + " " + d, fmt.Sprintf("%s: %s %s", w, d[:4], d[4:]), w + " is " + d + "."} {
					if spans := f.Find(text); len(spans) != 1 || spans[0].End < len(text)-1 {
						t.Errorf("%s: %q: %v", c.detail, text, spans)
					}
				}
			}
			if spans := f.Find("rows " + d); len(spans) != 0 && spans[0].Detail == c.detail {
				t.Errorf("%s: %q counts without a word", c.detail, d)
			}
		}
	}
}

// someCode returns digits that follow the rule of a code. A rule that refuses nothing would be none.
func someCode(t *testing.T, rng *rand.Rand, c *code, n int) string {
	t.Helper()
	found, refused := "", c.ok == nil
	for range 10_000_000 {
		d := make([]byte, n)
		for i := range d {
			d[i] = byte('0' + rng.IntN(10))
		}
		if c.detail == "ch-ahv" {
			copy(d, "756")
		}
		if c.ok == nil || c.ok(d) {
			found = string(d)
		} else {
			refused = true
		}
		if found != "" && refused {
			return found
		}
	}
	t.Fatalf("%s: the rule holds for none or for all numbers of %d digits", c.detail, n)
	return ""
}
