package normal

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// View is another reading of a part of a text.
type View struct {
	Kind       string // how it was hidden: "hidden", "bidi", "base64", "hex", "numbers", "cipher", ...
	Text       string // its text
	Start, End int    // the part, by the canonical text; by the original if Hidden
	Hidden     bool   // no reader could see it
}

// Limits of decoding, so that a text full of encodings costs a bounded amount.
const (
	maxViews = 6
	maxView  = 64 << 10 // bytes of all views together
	maxDepth = 2
)

func clip(s string) string {
	if len(s) <= maxView {
		return s
	}
	s = s[:maxView]
	for !utf8.ValidString(s[max(0, len(s)-utf8.UTFMax):]) && len(s) > maxView-utf8.UTFMax {
		s = s[:len(s)-1]
	}
	return s
}

// views decodes what a canonical text has encoded.
func views(s string) []View {
	d := decoder{left: maxView}
	d.look(s, 0, len(s), 0)
	return d.out
}

type decoder struct {
	out  []View
	left int
}

// add takes a decoding of s[start:end], in its canonical form, and looks in it for another
// one: disguises are put on one over the other.
func (d *decoder) add(kind, text string, start, end, depth int) {
	if len(d.out) >= maxViews || len(text) > d.left {
		return
	}
	d.left -= len(text)
	var hidden []View
	raw := text
	if !plain(text) {
		f := Form{Text: text}
		hidden = f.canonical()
		text = f.Text
	}
	at := len(d.out) + 1
	if over := overtyped(raw); over != "" && len(over) <= d.left {
		d.left -= len(over)
		d.out = append(d.out, View{Kind: "overtyped", Text: over, Start: start, End: end})
		at++
	}
	d.out = append(d.out, View{Kind: kind, Text: text, Start: start, End: end})
	if depth+1 < maxDepth {
		for _, h := range hidden {
			d.add(h.Kind, h.Text, start, end, depth+1)
		}
		d.look(text, 0, len(text), depth+1)
		for i := at; i < len(d.out); i++ { // places inside a view are the view's
			d.out[i].Start, d.out[i].End = start, end
		}
	}
}

// signs is the result of one pass over a text, so that most texts need no other.
type signs struct {
	escapes, entities, percents int
	glued                       bool // one may spell a letter inside of a word
	longest                     int  // run of letters and digits that may be an encoding
	leet                        int  // digits between letters
	single                      int  // characters alone
	letters, digits             int
	flips, hyphens              int // capitals after small letters, hyphens after letters
	signs                       int // points and strokes that stand together
}

func survey(s string) (g signs) {
	run := 0
	var prev, prev2 byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		k := kinds[c]
		if k&encoded != 0 {
			run++
		} else {
			g.longest = max(g.longest, run)
			run = 0
		}
		if c == prev2 && c != prev && strings.IndexByte(" .-_*|/,", c) >= 0 {
			g.single++
		}
		switch {
		case k&letter != 0:
			g.letters++
			if kinds[prev]&digit != 0 && kinds[prev2]&letter != 0 {
				g.leet++
			}
			if c < 'a' && prev >= 'a' && prev <= 'z' {
				g.flips++
			}
		case c >= utf8.RuneSelf:
		default:
			switch c {
			case '-', '.', '_':
				if prev == '-' || prev == '.' || prev == '_' || prev == ' ' {
					g.signs++
				} else if c == '-' && kinds[prev]&letter != 0 {
					g.hyphens++
				}
			case '\\':
				g.escapes++
				g.glued = g.glued || i+1 < len(s) && strings.IndexByte("xuU01bvfae", s[i+1]) >= 0
			case '&':
				g.entities++
				g.glued = g.glued || i+1 < len(s) && s[i+1] == '#'
			case '%':
				g.percents++
				g.glued = g.glued || i+1 < len(s) && s[i+1] >= '4' && s[i+1] <= '7'
			}
			if k&digit != 0 {
				g.digits++
			}
		}
		prev2, prev = prev, c
	}
	g.longest = max(g.longest, run)
	return g
}

const (
	letter = 1 << iota
	digit
	encoded
	hexadecimal
)

var kinds = func() (t [256]byte) {
	for c := range 256 {
		b := byte(c)
		if b|0x20 >= 'a' && b|0x20 <= 'z' {
			t[c] |= letter | encoded
		}
		if b >= '0' && b <= '9' {
			t[c] |= digit | encoded
		}
		if strings.IndexByte("+/-_=", b) >= 0 {
			t[c] |= encoded
		}
		if b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'f' {
			t[c] |= hexadecimal
		}
	}
	return t
}()

func (d *decoder) look(s string, start, end, depth int) {
	if len(s) < 8 {
		return
	}
	g := survey(s)
	if g.escapes >= 4 || g.entities >= 3 || g.percents >= 4 || g.glued {
		if t, n := unescape(clip(s)); n >= 3 {
			d.add("escapes", t, start, end, depth)
		}
	}
	if g.flips >= 3 && g.flips*10 >= g.letters {
		d.words(s, depth)
	}
	if g.longest >= 16 {
		d.runs(s, depth)
	}
	if g.digits*8 >= len(s) && g.digits >= fewest {
		d.numbers(s, depth)
	}
	if g.signs >= 2*fewest {
		d.morse(s, depth)
	}
	if g.single >= 6 && g.single*4 >= g.letters {
		if t, ok := unspace(clip(s)); ok {
			d.add("spaced", t, start, end, depth)
		}
	}
	if g.leet >= 2 || g.digits >= 3 && g.letters > g.digits && strings.ContainsAny(s, "@$") {
		if t, ok := unleet(clip(s)); ok {
			d.add("leet", t, start, end, depth)
		}
	}
	if g.hyphens > 0 && g.flips >= 3 && g.flips*10 >= g.letters { // "iGno-rE thE rU-Les"
		d.add("split", unsplit(clip(s)), start, end, depth)
	}
	d.turned(s, g, depth)
}

// unsplit joins what hyphens part.
func unsplit(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '-' && i > 0 && kinds[s[i-1]]&letter != 0 {
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

// words decodes words that are encoded one by one: "aWdub3Jl YWxs cHJldmlvdXM=". Words of a language do not
// decode to letters, so a few in a row are no chance.
func (d *decoder) words(s string, depth int) {
	for i := 0; i < len(s); {
		var out []byte
		n, end := 0, i
		for k := i; k < len(s); {
			j := k
			for j < len(s) && kinds[s[j]]&encoded != 0 {
				j++
			}
			w := encodedWord(s[k:j])
			if w == nil {
				break
			}
			out = append(append(out, w...), ' ')
			n, end = n+1, j
			for k = j; k < len(s) && k-j < 3 && strings.IndexByte(" ,.;\n", s[k]) >= 0; k++ {
			}
			if k == j {
				break
			}
		}
		if n >= 3 {
			d.add("base64", string(out), i, end, depth)
			i = end
		}
		for i < len(s) && kinds[s[i]]&encoded != 0 { // the next word
			i++
		}
		i++
	}
}

// encodedWord decodes a short run of base64, if it is a word.
func encodedWord(run string) []byte {
	run = strings.TrimRight(run, "=")
	if len(run) < 3 || len(run) > 40 || len(run)%4 == 1 {
		return nil
	}
	b, err := base64.RawStdEncoding.DecodeString(run)
	if err != nil {
		return nil
	}
	for _, c := range b {
		if kinds[c]&letter == 0 && c != '\'' && c != ',' && c != '.' && c != ' ' {
			return nil
		}
	}
	return b
}

// overtyped returns a text as a terminal shows it, where a backspace takes away the character before it:
// "" if there is none.
func overtyped(s string) string {
	if strings.IndexByte(s, '\b') < 0 {
		return ""
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\b' {
			out = append(out, s[i])
			continue
		}
		_, n := utf8.DecodeLastRune(out)
		out = out[:len(out)-n]
	}
	f := Form{Text: string(out)}
	if !plain(f.Text) {
		f.canonical()
	}
	return f.Text
}

// runs decodes long runs of letters and digits.
func (d *decoder) runs(s string, depth int) {
	for i := 0; i < len(s) && len(d.out) < maxViews && d.left > 0; {
		if kinds[s[i]]&encoded == 0 {
			i++
			continue
		}
		j, hexes, lower, upper, digits := i, 0, 0, 0, 0
		for j < len(s) && kinds[s[j]]&encoded != 0 {
			switch c := s[j]; {
			case c >= 'a' && c <= 'z':
				lower++
			case c >= 'A' && c <= 'Z':
				upper++
			default:
				digits++
			}
			if kinds[s[j]]&hexadecimal != 0 {
				hexes++
			}
			j++
			// An encoding may be broken into lines.
			if j+1 < len(s) && s[j] == '\n' && j-i >= 40 && kinds[s[j+1]]&encoded != 0 {
				j++
			}
		}
		if n := j - i; n >= 16 && n <= 4*maxView {
			run := s[i:j]
			if strings.IndexByte(run, '\n') >= 0 {
				run = strings.ReplaceAll(run, "\n", "")
			}
			pure := run
			if k := strings.LastIndexAny(strings.TrimRight(run, "="), "=:"); k >= 0 { // "text=SGVsbG8"
				pure = run[k+1:]
			}
			t, words := "", false
			if digits == 0 {
				t, words = splitWords(run)
			}
			if words {
				d.add("run together", t, i, j, depth)
			} else if t = decodeRun(pure, hexes >= n-2, lower > 0 && (upper > 0 || digits > 0), lower == 0); t != "" {
				d.add(kindOf(hexes >= n-2), t, i, j, depth)
			}
		}
		i = j
	}
}

func kindOf(isHex bool) string {
	if isHex {
		return "hex"
	}
	return "base64"
}

func decodeRun(run string, isHex, is64, is32 bool) string {
	if len(run) < 12 {
		return ""
	}
	if isHex {
		run = strings.TrimPrefix(run, "0x")
		b, err := hex.DecodeString(run[:len(run)&^1])
		if err == nil && looksLikeText(b) {
			return string(b)
		}
	}
	bare := strings.TrimRight(run, "=")
	if is64 {
		enc := base64.RawStdEncoding
		if strings.ContainsAny(bare, "-_") {
			enc = base64.RawURLEncoding
		}
		if len(bare)%4 == 1 {
			bare = bare[:len(bare)-1]
		}
		if b, err := enc.DecodeString(bare); err == nil && looksLikeText(b) {
			return string(b)
		}
	}
	if is32 {
		if b, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(bare); err == nil && looksLikeText(b) {
			return string(b)
		}
	}
	return ""
}

// looksLikeText reports whether bytes look like text rather than noise.
func looksLikeText(b []byte) bool {
	b = bytes.TrimRight(b, "\x00\ufffd")
	if len(b) < 6 || !utf8.Valid(b) {
		// A cut run can end within a character.
		if len(b) < 8 || !utf8.Valid(b[:len(b)-1]) && !utf8.Valid(b[:len(b)-2]) {
			return false
		}
	}
	letters, odd := 0, 0
	for _, c := range string(b) {
		switch {
		case unicode.IsLetter(c) || c == ' ':
			letters++
		case c == '\n' || c == '\t' || c == '\r':
		case c < ' ' || c == utf8.RuneError || c >= 0x7f && c < 0xa0:
			odd++
		}
	}
	// Chance does not make a dozen bytes that are all text, and what is no letter may be
	// another encoding or disguise.
	return odd == 0 && len(b) >= 12 && utf8.Valid(b) || odd*10 <= len(b)/10 && letters*5 >= utf8.RuneCount(b)*3
}

// A numeral is a way in which people write the letters of a text as numbers.
type numeral struct {
	base        uint64
	least, most int    // digits
	before      uint64 // the letter before the one that 1 stands for; 0: numbers are bytes
}

// numerals are read in this order.
var numerals = [...]numeral{{2, 7, 8, 0}, {16, 2, 2, 0}, {10, 2, 3, 0}, {8, 3, 3, 0}, {10, 1, 2, 'a' - 1}}

// fewest is the minimum count of numbers that make a text. Fewer are chance.
const fewest = 10

// numbers decodes letters that are written as numbers: "73 103 110", "0x49, 0x67", "9-7-14 1-12-12".
func (d *decoder) numbers(s string, depth int) {
	var tokens, gaps []string // a gap is after its token
	for i := 0; i < len(s); {
		tokens, gaps = tokens[:0], gaps[:0]
		end := i
		for k := i; k < len(s) && len(tokens) < maxView; {
			if rest := s[k:]; len(rest) > 2 && (rest[:2] == "0x" || rest[:2] == "0b" && rest[2]|1 == '1') {
				k += 2
			}
			j := k
			for j < len(s) && kinds[s[j]]&hexadecimal != 0 {
				j++
			}
			if j == k || j < len(s) && kinds[s[j]]&letter != 0 {
				end = j
				break
			}
			token := s[k:j]
			for bits := len(token) >= 64 && strings.Trim(token, "01") == ""; bits && len(token) > 8; token = token[8:] {
				tokens, gaps = append(tokens, token[:8]), append(gaps, "")
			}
			for k, end = j, j; k < len(s) && strings.IndexByte(" ,:;-/\n", s[k]) >= 0; k++ {
			}
			tokens, gaps = append(tokens, token), append(gaps, s[j:k])
			if k == j {
				break
			}
		}
		if len(tokens) >= fewest {
			for _, n := range numerals {
				if b := n.read(tokens, gaps); b != nil {
					kind := "numbers"
					if n.base == 16 {
						kind = "hex"
					}
					d.add(kind, string(b), i, end, depth)
					break
				}
			}
		}
		for i = max(end, i+1); i < len(s) && kinds[s[i-1]]&letter != 0; i++ { // the rest of a word
		}
	}
}

// read returns the longest text that follows from numbers in a row, or nil.
func (n numeral) read(tokens, gaps []string) (best []byte) {
	var b []byte
	for i, t := range tokens {
		v, size := number(t, n.base, n.least, n.most)
		if size != len(t) || size == 0 || v > 255 || n.before > 0 && (v == 0 || v > 26) {
			b = nil
			continue
		}
		if n.before > 0 && len(b) > 0 && gaps[i-1] != gaps[0] {
			b = append(b, ' ')
		}
		if b = append(b, byte(v+n.before)); len(b) > len(best) {
			best = b
		}
	}
	if len(best) < fewest || !looksLikeText(best) {
		return nil
	}
	// Columns of numbers look like bytes, too, but do not read like words.
	if n.base == 10 || n.base == 8 {
		if plain, _ := english(string(best)); plain < minLatin && !bytes.ContainsFunc(best, func(c rune) bool { return c >= utf8.RuneSelf }) {
			return nil
		}
	}
	return best
}

var morseTable = sync.OnceValue(func() map[string]byte {
	t := map[string]byte{}
	for i, sign := range strings.Fields(".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..") {
		t[sign] = 'a' + byte(i)
	}
	return t
})

// morse decodes the lines that are Morse code.
func (d *decoder) morse(s string, depth int) {
	table := morseTable()
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && strings.IndexByte(".-/|_ \n", s[j]) >= 0 {
			j++
		}
		if j-i >= 2*fewest {
			var b []byte
			for _, word := range strings.FieldsFunc(strings.ReplaceAll(s[i:j], "   ", "/"), func(c rune) bool { return c == '/' || c == '|' || c == '\n' }) {
				for _, sign := range strings.Fields(word) {
					if c := table[strings.ReplaceAll(sign, "_", "-")]; c != 0 {
						b = append(b, c)
					}
				}
				b = append(b, ' ')
			}
			if plain, _ := english(string(b)); plain >= minLatin {
				d.add("morse", string(b), i, j, depth)
			}
		}
		i = j + 1
	}
}

var entities = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'", "nbsp": " "}

// unescape undoes \x41, \u0041, \U00000041, \101, \b, %41, &#65;, &#x41; and a few names, and counts them. No
// writer needs an escape for a letter of a word, or a control character in it: one of these counts as many.
func unescape(s string) (string, int) {
	u := unescaper{out: make([]byte, 0, len(s))}
	for i := 0; i < len(s); {
		w := 0
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			w = u.backslash(s, i)
		case c == '%':
			w = u.percent(s[i:])
		case c == '&' && i+2 < len(s):
			w = u.entity(s[i:])
		}
		if w == 0 {
			u.out = append(u.out, s[i])
			w = 1
		}
		i += w
	}
	for _, k := range u.spelled {
		if k > 0 && kinds[u.out[k-1]]&letter != 0 || k+1 < len(u.out) && kinds[u.out[k+1]]&letter != 0 {
			u.n += manyEscapes
			break
		}
	}
	return strings.ToValidUTF8(string(u.out), "\uFFFD"), u.n
}

// manyEscapes is the weight of an escape within a word, which only a disguise needs.
const manyEscapes = 3

// unescaper collects the text without escapes. Its methods take the escape at the start of a
// text and return its length, or 0 if there is none.
type unescaper struct {
	out     []byte
	n       int   // weight of the escapes so far
	spelled []int // places of letters that were escaped
}

func (u *unescaper) put(v uint64) bool {
	if v == 0 || v > unicode.MaxRune {
		return false
	}
	if v < utf8.RuneSelf && kinds[v]&letter != 0 {
		u.spelled = append(u.spelled, len(u.out))
	}
	u.out = utf8.AppendRune(u.out, rune(v))
	u.n++
	return true
}

// backslash takes \x41, \u0041, \u{41}, \U00000041 and \101 at s[i:], and \n and the like between
// letters.
func (u *unescaper) backslash(s string, i int) int {
	size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i+1]]
	if size > 0 {
		if v, w := number(s[i+2:], 16, size, size); w == size {
			if v >= 0xD800 && v < 0xDC00 && strings.HasPrefix(s[i+2+w:], `\u`) {
				if lo, w2 := number(s[i+4+w:], 16, 4, 4); w2 == 4 && lo >= 0xDC00 && lo < 0xE000 {
					u.put((v-0xD800)<<10 + (lo - 0xDC00) + 0x10000)
					return 4 + w + w2
				}
			}
			if u.put(v) {
				return 2 + w
			}
		}
		if v, w := number(strings.TrimPrefix(s[i+2:], "{"), 16, 1, 6); w > 0 && strings.HasPrefix(s[i+2:], "{") && u.put(v) {
			return 4 + w
		}
		return 0
	}
	if v, w := number(s[i+1:], 8, 3, 3); w == 3 && u.put(v) {
		return 4
	}
	if k := strings.IndexByte("abefv0", s[i+1]); k >= 0 && i > 0 && kinds[s[i-1]]&letter != 0 && i+2 < len(s) && kinds[s[i+2]]&letter != 0 {
		u.out = append(u.out, "\a\b\x1b\f\v\x01"[k])
		u.n += manyEscapes
		return 2
	}
	return 0
}

// percent takes %41.
func (u *unescaper) percent(s string) int {
	v, w := number(s[1:], 16, 2, 2)
	if w != 2 {
		return 0
	}
	if kinds[byte(v)]&letter != 0 {
		u.spelled = append(u.spelled, len(u.out))
	}
	u.out = append(u.out, byte(v))
	u.n++
	return 3
}

// entity takes &#65; &#x41; and &amp;.
func (u *unescaper) entity(s string) int {
	if s[1] == '#' {
		base, at := uint64(10), 2
		if s[at]|0x20 == 'x' {
			base, at = 16, at+1
		}
		v, w := number(s[at:], base, 1, 7)
		if w == 0 || !u.put(v) {
			return 0
		}
		if at += w; at < len(s) && s[at] == ';' {
			at++
		}
		return at
	}
	k := strings.IndexByte(s[:min(len(s), 8)], ';')
	if k <= 0 {
		return 0
	}
	r, ok := entities[s[1:k]]
	if !ok {
		return 0
	}
	u.out = append(u.out, r...)
	u.n++
	return k + 1
}

func number(s string, base uint64, least, most int) (v uint64, n int) {
	for n < len(s) && n < most {
		c := s[n]
		var x uint64
		switch {
		case c >= '0' && c <= '9':
			x = uint64(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			x = uint64(c|0x20-'a') + 10
		default:
			x = 99
		}
		if x >= base {
			break
		}
		v, n = v*base+x, n+1
	}
	if n < least {
		return 0, 0
	}
	return v, n
}
