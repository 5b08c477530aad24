package pii

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxDigits   = 44
	longestRun  = 320 // bytes of a number in words
	longestWord = 28
	afterRun    = 64 // bytes after a run that may affect its meaning
)

// A fold is the plain form of a run of digits: ASCII digits in groups, with the position of each in
// the text.
type fold struct {
	buf      []byte
	bytes    [maxDigits]byte
	start    [maxDigits]int
	end      [maxDigits]int
	seps     [maxDigits]string // the separator before each byte
	digits   int
	changed  bool // the plain form differs from the text
	spelled  bool
	cardOnly bool // the separators are those of times and tables, so only a card may match
}

// written looks for a number at p that is not in plain digits and separators: in digits of another
// script, in words, one by one, or with unusual separators. It applies the rules of plain numbers
// to the plain form, and returns the position in the text.
func (c *scan) written(p int) (Span, bool) {
	if c.plain || !c.opensRun(p) || c.f.on.ip && c.dotted(p) {
		return Span{}, false
	}
	if c.fold == nil {
		c.fold = new(fold)
	}
	f := c.fold
	if ok := c.readRun(p, f); c.short || !ok || !f.changed || f.cardOnly && f.digits < 12 || f.spelled && counting(f.buf) {
		return Span{}, false
	}
	end := f.end[len(f.buf)-1]
	for _, form := range [...]string{f.grouped(), string(f.buf)} {
		from := max(0, p-Before)
		tail := min(len(c.s), end+afterRun)
		n := scan{f: c.f, s: c.s[from:p] + form + c.s[end:tail], first: c.first && from == 0, last: c.last || end+afterRun <= len(c.s), plain: true, strict: true}
		at := p - from
		span, ok := n.judge(at, f.cardOnly)
		if n.short {
			c.short = true
			return Span{}, false
		}
		if !ok {
			continue
		}
		stop := at + len(form)
		if span.End >= stop {
			span.End = end + span.End - stop
		} else {
			k := -1 // index of the last digit of the value
			for _, b := range []byte(form[:span.End-at]) {
				if b != ' ' && b != '-' && b != '.' {
					k++
				}
			}
			span.End = f.end[k]
		}
		span.Start = p
		return span, true
	}
	return Span{}, false
}

// judge applies the rules to a number in plain form.
func (c *scan) judge(p int, cardOnly bool) (Span, bool) {
	if cardOnly {
		if !c.f.on.card || !isDigit(c.s[p]) {
			return Span{}, false
		}
		return c.card(c.groups(p))
	}
	if c.s[p] == '+' {
		if !c.f.on.phone {
			return Span{}, false
		}
		return c.phone(p)
	}
	return c.number(p)
}

// grouped returns the digits with plain separators. It joins digits that are one by one, and words.
func (f *fold) grouped() string {
	single, common := true, ""
	for i, s := range f.seps[:len(f.buf)] {
		if i > 0 && s != "" && common == "" {
			common = s
		}
		if i > 0 && s == "" && f.start[i] != f.start[i-1] && f.buf[i-1] != '+' {
			single = false
		}
	}
	var b strings.Builder
	for i, d := range f.buf {
		switch s := f.seps[i]; {
		case i == 0 || s == "" || f.buf[i-1] == '+', single && s == common, f.spelled && s != common && single:
		case s == " " || s == "-" || s == ".":
			b.WriteString(s)
		case s == "\u00a0":
			b.WriteByte(' ')
		default:
			b.WriteByte('-')
		}
		b.WriteByte(d)
	}
	return b.String()
}

// counting reports whether the digits count up to nine or down to one.
func counting(d []byte) bool {
	n := 1
	for n < len(d) && (d[n] == d[n-1]+1 && d[1] > d[0] || d[n] == d[n-1]-1 && d[1] < d[0]) {
		n++
	}
	return n >= 6 && (n == len(d) || d[n-1] == '9' || d[n-1] <= '1')
}

// opensRun reports whether a number may begin at p. It is a fast filter.
func (c *scan) opensRun(p int) bool {
	b, prev := c.s[p], c.back(p-1)
	if isDigit(b) || b == '+' {
		return !isAlnum(prev) && (prev < utf8.RuneSelf || !c.digitBefore(p)) && prev != '_' && prev != '/'
	}
	if b < utf8.RuneSelf {
		if !wordFilter.pass(b, c.at(p+1)) || prev >= utf8.RuneSelf && c.letterBefore(p) {
			return false
		}
	} else {
		r, n := utf8.DecodeRuneInString(c.s[p:])
		if _, ok := digitOf(r); ok {
			return !c.digitBefore(p)
		}
		if n == 1 {
			return c.incomplete(p)
		}
		if !wordFilter.pass(b, c.at(p+1)) || c.letterBefore(p) {
			return false
		}
	}
	w, end, ok := c.word(p)
	if !ok || digitWords[w] == "" && repeats[w] == 0 || c.wordBefore(p) {
		return false
	}
	if !unsure()[w] {
		return true
	}
	first := w
	for n := 0; n < 3; n++ { // a repeated digit proves no more than a single one: "um um nove"
		for k := end; end-k < 3 && strings.IndexByte(" -,", c.at(end)) >= 0 && c.at(end) != 0; {
			end++
		}
		if n == 0 && neverFirst()[first] && !c.has(end, first) {
			return false
		}
		next, after, ok := c.word(end)
		if !ok || next != first {
			return ok && digitWords[next] != "" && !unsure()[next] && (n > 0 || !neverFirst()[first])
		}
		end = after
	}
	return false
}

// incomplete reports false, and sets short if the text ends within a character.
func (c *scan) incomplete(p int) bool {
	if !c.last && !utf8.FullRuneInString(c.s[p:]) {
		c.short = true
	}
	return false
}

func (c *scan) digitBefore(p int) bool {
	r, _ := utf8.DecodeLastRuneInString(c.s[max(0, p-utf8.UTFMax):p])
	_, ok := digitOf(r)
	return ok
}

func (c *scan) letterBefore(p int) bool {
	r, _ := utf8.DecodeLastRuneInString(c.s[max(0, p-utf8.UTFMax):p])
	if 0x400 <= r && r <= 0x481 || 0x3041 <= r && r <= 0x3096 || 0x4e00 <= r && r <= 0x9fff {
		return true // the most frequent letters, as a fast path
	}
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

// wordBefore reports whether the word before p is a digit, so that the run began there.
func (c *scan) wordBefore(p int) bool {
	end := p
	for end > max(0, p-3) && (c.s[end-1] == ' ' || c.s[end-1] == '-' || c.s[end-1] == ',') {
		end--
	}
	start := end
	for start > max(0, end-longestWord) {
		r, n := utf8.DecodeLastRuneInString(c.s[max(0, start-utf8.UTFMax):start])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		start -= n
	}
	w := strings.ToLower(c.s[start:end])
	return digitWords[w] != "" && !unsure()[w]
}

// word returns the word at p in lower case, and its end.
func (c *scan) word(p int) (w string, end int, ok bool) {
	i := p
	for i-p <= longestWord {
		b := c.at(i)
		if isLetter(b) {
			i++
			continue
		}
		if b < utf8.RuneSelf {
			break
		}
		if c.incomplete(i); c.short {
			return "", 0, false
		}
		r, n := utf8.DecodeRuneInString(c.s[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		i += n
	}
	if i == p || i-p > longestWord || wordFilter.lengths[lowered(c.s[p])]>>(i-p)&1 == 0 {
		return "", 0, false
	}
	return strings.ToLower(c.s[p:i]), i, true
}

func lowered(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b | 0x20
	}
	return b
}

// readRun reads the digits that begin at p into f, and reports whether they can be a number.
func (c *scan) readRun(p int, f *fold) bool {
	f.buf, f.digits, f.changed, f.spelled, f.cardOnly = f.bytes[:0], 0, false, false, false
	w := spelling{times: 1}
	i, sep := p, ""
	if c.at(i) == '+' {
		f.add("+", "", i, i+1)
		f.digits = 0
		i++
		if c.at(i) == ' ' {
			i++
		}
	}
	for i-p < longestRun-longestWord && f.digits < 40 {
		if isDigit(c.at(i)) {
			if sep != "" && f.oddSep(sep) {
				f.changed = true
			}
			f.add(c.s[i:i+1], sep, i, i+1)
			i = c.keycap(f, i+1)
			w.tens = false
		} else if r, n := c.rune(i); n > 0 && c.digit(r) >= 0 {
			f.add(string(rune('0'+c.digit(r))), sep, i, i+n)
			f.changed = true
			i += n
			w.tens = false
		} else {
			end, ok := c.numeral(i, sep, f, &w)
			if c.short {
				return false
			}
			if !ok {
				break
			}
			i = end
		}
		k := c.between(i, f.spelled)
		if c.short {
			return false
		}
		sep = c.s[i:k]
		i = k
	}
	for len(f.buf) > 0 && f.spelled && neverLast()[strings.ToLower(c.s[f.start[len(f.buf)-1]:f.end[len(f.buf)-1]])] {
		f.buf = f.buf[:len(f.buf)-1]
		f.digits--
	}
	if f.digits < 7 {
		return false
	}
	f.finish()
	return true
}

// add appends digits, which are at start to end in the text, after a separator.
func (f *fold) add(digits, sep string, start, end int) {
	for k := range len(digits) {
		if len(f.buf) == len(f.start) {
			return
		}
		f.start[len(f.buf)], f.end[len(f.buf)] = start, end
		f.buf = append(f.buf, digits[k])
		f.seps[len(f.buf)-1] = sep
		sep = ""
		f.digits++
	}
}

// spelling is the effect of the previous words on the next one.
type spelling struct {
	tens  bool // the last two digits are tens, and ones may follow
	times int  // repetitions of the next digit, as in "double five"
}

// numeral parses a word at i that stands for digits, and returns its end.
func (c *scan) numeral(i int, sep string, f *fold, w *spelling) (end int, ok bool) {
	b := c.at(i)
	if c.short || b == 0 || !isLetter(b) && b < utf8.RuneSelf || wordFilter.lengths[lowered(b)] == 0 || len(f.buf) > 0 && sep == "" && f.digits > 0 {
		return 0, false
	}
	word, end, ok := c.word(i)
	d := digitWords[word]
	if c.short || !ok || d == "" && repeats[word] == 0 && !(joins[word] && w.tens) {
		return 0, false
	}
	if len(f.buf) > 0 && !f.spelled && unsure()[word] {
		return 0, false // "from 0900 to 1700"
	}
	f.changed, f.spelled = true, true
	switch {
	case repeats[word] > 0:
		w.times = repeats[word]
	case joins[word]:
	case w.tens && len(d) == 1 && d != "0" && f.buf[len(f.buf)-1] == '0':
		f.buf[len(f.buf)-1] = d[0]
		f.end[len(f.buf)-1], f.end[len(f.buf)-2] = end, end
		w.tens = false
	default:
		w.tens = len(d) == 2 && d[1] == '0' && d != "10"
		f.add(strings.Repeat(d, w.times), sep, i, end)
		w.times = 1
	}
	return end, true
}

// between returns the end of one separator at i, with the spaces around it. After a number in words
// a comma separates; after digits it makes a list.
func (c *scan) between(i int, spelled bool) int {
	k, had := i, false
	for k-i < 8 {
		b := c.at(k)
		if b == ' ' {
			k++
			continue
		}
		n := 0
		if b == ',' && !spelled {
			break
		}
		if b < utf8.RuneSelf {
			if b != 0 && strings.IndexByte("-._/|*~:,\\", b) >= 0 {
				n = 1
			}
		} else if r, w := c.rune(k); w > 0 && oddSeparator(r) {
			n = w
		}
		if n == 0 || had && b != '.' {
			break
		}
		had = true
		k += n
	}
	if w, end, ok := c.word(k); ok && !had && k > i && (connectors[w] == dot || connectors[w] == dash) && c.at(end) == ' ' {
		k = end + 1
	}
	return k
}

// keycap skips the marks that draw a key around the last digit of f, and returns their end.
func (c *scan) keycap(f *fold, i int) int {
	for b := c.at(i); b == 0xef && c.has(i, "\ufe0f") || b == 0xe2 && c.has(i, "\u20e3"); b = c.at(i) {
		i += 3
		f.end[len(f.buf)-1] = i
		f.changed = true
	}
	return i
}

// finish sets changed and cardOnly by the separators.
func (f *fold) finish() {
	single := true
	for i := 1; i < len(f.buf); i++ {
		if f.seps[i] == "" && f.buf[i-1] != '+' {
			single = false
		}
		if s := strings.TrimSpace(f.seps[i]); !f.spelled && s != "" && strings.Contains("|*~:,\\", s) {
			f.cardOnly = true
		}
	}
	f.changed = f.changed || single
}

func (f *fold) oddSep(s string) bool { return s != " " && s != "-" && s != "." }

func (c *scan) rune(i int) (rune, int) {
	if c.at(i) < utf8.RuneSelf {
		return 0, 0
	}
	if c.incomplete(i); c.short {
		return 0, 0
	}
	r, n := utf8.DecodeRuneInString(c.s[i:])
	if r == utf8.RuneError {
		return 0, 0
	}
	return r, n
}

func (c *scan) digit(r rune) int {
	if d, ok := digitOf(r); ok {
		return d
	}
	return -1
}

func oddSeparator(r rune) bool {
	switch r {
	case 0xa0, 0xb7, 0x2009, 0x202f, 0x2022, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0x2219, 0x22c5, 0x30fb, 0x30fc, 0xff0d, 0xff0e, 0xff0f, 0xff3f, 0x3000, 0x25cf, 0x25cb, 0x2024, 0x200b:
		return true
	}
	return false
}

// digitOf returns the value of a digit of any script other than ASCII.
func digitOf(r rune) (int, bool) {
	if r < 0x660 {
		return 0, false
	}
	switch {
	case 0xff10 <= r && r <= 0xff19:
		return int(r - 0xff10), true
	case 0x2460 <= r && r <= 0x2468:
		return int(r-0x2460) + 1, true
	case 0x2776 <= r && r <= 0x277e:
		return int(r-0x2776) + 1, true
	case r == 0x24ea || r == 0x24ff:
		return 0, true
	case 0x4e00 <= r && r <= 0x9fff || r == 0x3007 || 0xac00 <= r && r <= 0xd7a3:
		if !numeralFilter.pass(byte(r>>8), byte(r)) {
			return 0, false
		}
		d, ok := numerals[r]
		return d, ok
	case r > 0x1fbf9 || !unicode.Is(unicode.Nd, r):
		return 0, false
	}
	// In Unicode, digits are in rows of ten that begin with zero.
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10, true
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10, true
		}
	}
	return 0, false
}
