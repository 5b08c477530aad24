package normal

import (
	"strings"
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

func rot13(s string) string {
	b := []byte(s)
	for i, c := range b {
		if kinds[c]&letter != 0 {
			l := c | 0x20
			b[i] = c&0x20 | ((l-'a'+13)%26 + 'a' - 0x20)
		}
	}
	return string(b)
}

// turned adds rot13 and the reverse of lines that read better so.
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
		line := s[i:j]
		if len(line) >= 12 {
			plain, rot, back := english(line)
			switch {
			case rot > plain+0.55 && rot > back:
				d.add("rot13", rot13(line), i, j, depth)
			case back > plain+0.35 || backwards(line) && back >= plain-0.1:
				d.add("reversed", reversed(line), i, j, depth)
			}
		}
		i = j
	}
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

// english returns how much a line reads like English, as it is, by rot13 and backwards: the
// mean of the logarithms of how frequent its pairs of letters are.
func english(s string) (plain, rot, back float64) {
	var a, b, c, n int
	prev := byte(0)
	for i := 0; i < len(s); i++ {
		l := s[i] | 0x20
		if l < 'a' || l > 'z' {
			prev = 0
			continue
		}
		l -= 'a' - 1
		if prev != 0 {
			p, q := prev-1, l-1
			a += int(pairs[int(p)*26+int(q)])
			b += int(pairs[(int(p)+13)%26*26+(int(q)+13)%26])
			c += int(pairs[int(q)*26+int(p)])
			n++
		}
		prev = l
	}
	if n < 8 {
		return 0, 0, 0
	}
	k := float64(n) * 4
	return float64(a) / k, float64(b) / k, float64(c) / k
}
