package normal

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// unspace joins letters that stand alone: "i g n o r e  a l l", "i.g.n.o.r.e a.l.l".
func unspace(s string) (string, bool) {
	if one, two := strings.Count(s, " "), strings.Count(s, "  "); two*5 > one*2 { // something between was taken out
		s = strings.ReplaceAll(s, "  ", " ")
	}
	var out strings.Builder
	joined := 0
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		// A letter, a separator, a letter, the same separator, ...
		if single(c) {
			j := i + n
			if j < len(s) && strings.IndexByte(" .-_*|/,", s[j]) >= 0 {
				sep := s[j]
				start, count := i, 0
				k := i
				for k < len(s) {
					c, n := utf8.DecodeRuneInString(s[k:])
					if c == ' ' || c == '\n' || sep != ' ' && c == rune(sep) {
						break
					}
					k += n
					count++
					if k < len(s) && s[k] == sep && !(sep == ' ' && k+1 < len(s) && s[k+1] == ' ') {
						k++
						continue
					}
					break
				}
				// The end of a word: a wider gap, or a gap of another kind.
				if count >= 2 || count == 1 {
					for _, c := range s[start:k] {
						if c == '_' { // a gap, where something else parts the letters
							c = ' '
						}
						if byte(c) != sep || c >= utf8.RuneSelf {
							out.WriteRune(c)
						}
					}
					if count >= 2 {
						joined += count
					}
					gap := k
					for gap < len(s) && (s[gap] == ' ' || sep != ' ' && s[gap] == sep) {
						gap++
					}
					if gap > k && gap < len(s) {
						out.WriteByte(' ')
					}
					i = max(gap, i+1)
					continue
				}
			}
		}
		// Anything else is copied to the end of its word.
		j := i
		for j < len(s) && s[j] != ' ' && s[j] != '\n' {
			j++
		}
		for j < len(s) && (s[j] == ' ' || s[j] == '\n') {
			j++
		}
		out.WriteString(s[i:max(j, i+n)])
		i = max(j, i+n)
	}
	return out.String(), joined >= 6
}

func single(c rune) bool { return c > ' ' && c != utf8.RuneError }

var leet = [256]byte{'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', '$': 's', '!': 'i', '8': 'b', '9': 'g', '|': 'l'}

// unleet reads digits in words as letters. Which letter "1" is depends on the word, so the
// reading is one that the folding of words in package inject repeats for known ones.
func unleet(s string) (string, bool) {
	b := []byte(s)
	changed := 0
	for i := 0; i < len(b); {
		if b[i] <= ' ' {
			i++
			continue
		}
		j, letters, digits := i, 0, 0
		for j < len(b) && b[j] > ' ' {
			if kinds[b[j]]&letter != 0 {
				letters++
			} else if leet[b[j]] != 0 && b[j] != '!' && b[j] != '|' {
				digits++
			}
			j++
		}
		if digits > 0 && (letters > 0 && j-i <= 24 || digits > 0 && j-i <= 3) {
			for k := i; k < j; k++ {
				if b[k] == '1' { // "d1r3ct", but "ru135", "a11"
					b[k] = 'i'
					if k+1 < j && s[k+1] == '1' || k > i && s[k-1] == '1' || k > i && k+1 < j && s[k-1] == '3' && s[k+1] == '3' || k+1 < j && s[k+1] == '3' && k > i && s[k-1]|0x20 == 'u' {
						b[k] = 'l'
					}
				} else if r := leet[b[k]]; r != 0 && !(k == j-1 && (b[k] == '!')) {
					b[k] = r
				}
			}
			changed++
		}
		i = j
	}
	return string(b), changed >= 3
}

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// turned adds the readings of lines that read better backwards or in another alphabet.
func (d *decoder) turned(s string, g signs, depth int) {
	if len(s) > maxView || g.letters < 12 {
		if g.letters < 12 && len(s) <= maxView && backwards(s) {
			d.add("reversed", reversed(s), 0, len(s), depth)
		}
		return
	}
	for i := 0; i < len(s) && len(d.out) < maxViews; {
		j := i + 1
		for j < len(s) && s[j] != '\n' && !(s[j] == ' ' && (s[j-1] == ':' || s[j-1] == '?')) {
			j++
		}
		if !d.turn(s[i:j], i, depth) {
			for k := i; k < j; { // a quotation
				at := strings.IndexByte(s[k:j], '"')
				if at < 0 {
					at = j - k
				}
				if at < j-i {
					d.turn(s[k:k+at], k, depth)
				}
				k += at + 1
			}
		}
		i = j
	}
}

func (d *decoder) turn(line string, at, depth int) bool {
	if len(line) < 12 {
		return false
	}
	plain, back := english(line)
	if plain > 0 && plain < minEnglish { // 0: too short to say
		if t, score := deciphered(line); score > plain+0.55 && score > back && score >= minEnglish {
			d.add("cipher", t, at, at+len(line), depth)
			return true
		}
	}
	if back > plain+0.35 || backwards(line) && back >= plain-0.1 {
		d.add("reversed", reversed(line), at, at+len(line), depth)
		return true
	}
	return false
}

// backwards reports whether a line begins with what ends sentences, and does not end so.
func backwards(s string) bool {
	s = strings.Trim(s, " \"'")
	if len(s) < 12 {
		return false
	}
	first, n := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[n:])
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune("?.!।。？！", first) && unicode.IsLetter(second) && unicode.IsLetter(last)
}

// A text in any language with Latin letters reads like English by foreign at least, and most texts by wordy.
const (
	minLatin   = 2.6
	minEnglish = 3.2
)

// english returns how much a line reads like English, as it is and backwards: the mean of the
// logarithms of how frequent its pairs of letters are.
func english(s string) (plain, back float64) {
	var a, b, n int
	prev := byte(0)
	for i := 0; i < len(s); i++ {
		l := s[i] | 0x20
		if l < 'a' || l > 'z' {
			prev = 0
			continue
		}
		l -= 'a' - 1
		if prev != 0 {
			p, q := int(prev-1), int(l-1)
			a += int(pairs[p*26+q])
			b += int(pairs[q*26+p])
			n++
		}
		prev = l
	}
	if n < 8 {
		return 0, 0
	}
	return float64(a) / float64(n) / 4, float64(b) / float64(n) / 4
}

// frequent is how frequent each letter is: the sum of its pairs.
var frequent = sync.OnceValue(func() (f [26]int) {
	for i, n := range pairs {
		f[i/26] += int(n)
	}
	return f
})

// deciphered returns the reading of a line that is most like English, if its letters stand for
// others: turned by some places in the alphabet, or with the alphabet upside down.
func deciphered(s string) (best string, score float64) {
	var count [26]int
	letters := 0
	for i := range len(s) {
		if kinds[s[i]]&letter != 0 {
			letters++
			count[s[i]|0x20-'a']++
		}
	}
	f := frequent()
	if letters*2 < len(s) { // a row of numbers, code
		return "", 0
	}
	type key struct{ step, turn, sum int }
	keys := make([]key, 26)
	for turn := range keys {
		k := &keys[turn]
		if *k = (key{1, turn, 0}); turn == 0 {
			*k = key{-1, 25, 0}
		}
		for l, n := range count {
			if n > 0 {
				k.sum += n * f[(l*k.step+k.turn)%26]
			}
		}
	}
	slices.SortFunc(keys, func(a, b key) int { return b.sum - a.sum })
	for _, k := range keys[:3] { // a short line has letters that are seldom
		b := []byte(s)
		for i, c := range b {
			if kinds[c]&letter != 0 {
				b[i] = c&0x20 | byte((int(c|0x20-'a')*k.step+k.turn)%26) + 'A'
			}
		}
		if plain, _ := english(string(b)); plain > score {
			best, score = string(b), plain
		}
	}
	return best, score
}
