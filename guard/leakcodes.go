package guard

import "strconv"

// codes decodes runs of character codes, in hex as in 68 65 6c or 0x68, in decimal as in 104 101,
// or in binary as in 01101000.
type codes struct {
	token []byte
	bad   bool        // the token is too long to be a code
	runs  [3]struct { // one for each of codeBases
		text []byte
		n    int
	}
}

// codeBases lists the bases of codes, with the least and the most digits of a code.
var codeBases = [3]struct{ base, least, most int }{{2, 7, 8}, {16, 2, 2}, {10, 2, 3}}

// minCodes is the number of codes in the shortest run that can carry a text.
const minCodes = 12

// maxCodes is the number of codes after which a run is checked.
const maxCodes = 4 << 10

// rune takes the next character and returns the texts of the runs that it ends.
func (c *codes) rune(r rune) []string {
	if r < 0x80 && isAlnum(byte(r)) {
		if len(c.token) < 10 {
			c.token = append(c.token, byte(r))
		} else {
			c.bad = true
		}
		return nil
	}
	return c.word(r >= 0x80)
}

// end returns the texts of the last runs.
func (c *codes) end() []string { return append(c.word(false), c.word(true)...) }

func (c *codes) word(stops bool) (out []string) {
	t, bad := c.token, c.bad || stops
	c.token, c.bad = c.token[:0], false
	if len(t) == 0 && !stops {
		return nil
	}
	for len(t) > 2 && (t[0] == '0' && (t[1] == 'x' || t[1] == 'X' || t[1] == 'b')) {
		t = t[2:]
	}
	if len(t) > 2 && (t[0] == 'x' || t[0] == 'u') {
		t = t[len(t)-2:]
	}
	for i, b := range codeBases {
		run := &c.runs[i]
		if !bad && len(t) >= b.least && len(t) <= b.most {
			if v, err := strconv.ParseUint(string(t), b.base, 8); err == nil && (v >= 32 || v == 10) {
				run.text, run.n = append(run.text, byte(v)), run.n+1
				if run.n < maxCodes {
					continue
				}
			}
		}
		if run.n >= minCodes {
			out = append(out, string(run.text))
		}
		run.text, run.n = run.text[:0], 0
	}
	return out
}
