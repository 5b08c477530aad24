package inject

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"
)

// script is what a text looks written in.
type script uint8

const (
	english script = iota
	latin          // another language in Latin letters, romanised ones included
	other
)

// margins are added to the logit of a short text in a script. The model knows fewer attacks in other
// languages than English, and scores both their attacks and their harmless texts lower.
// docs/guard-model.md has the figures.
var margins = [...]float64{english: -0.2, latin: 0.9, other: 1.7}

// brief is the number of bytes up to which a text is short. Hard attacks are short. A longer text has
// the margin longer: most harmless requests with a high score are tasks with much material.
const (
	brief  = 250
	longer = -1.4
)

// margin returns the margin of the text.
func (r *reader) margin() float64 {
	m := margins[r.script]
	if len(r.f.b) > brief {
		m = longer
	}
	if r.staged {
		m += stagedMargin
	}
	return m
}

// englishWords is a table of the hashes of frequent English words, by their upper bits. Few of the
// words exist in other languages.
var englishWords = sync.OnceValue(func() *[1 << englishBits]uint64 {
	var t [1 << englishBits]uint64
	for w := range strings.FieldsSeq(`
		the and to of that for you as on is with are or an should from write any it include what be
		code function this only other how such also use by your would not can have my if about first
		but who has at will its their which when one all they been into want up there them more than
		then was we please each using given these between following return create used show does two
		let make need number word words line lines text file string output`) {
		h := uint64(kindWord)
		for i := range len(w) {
			h = (h ^ uint64(w[i])) * prime
		}
		t[h>>(64-englishBits)] = h
	}
	return &t
})

const englishBits = 12

// tally counts the words of a text.
type tally struct{ words, english, other int }

// script returns what most of the words are in. At least 12% of the words in nearly all English texts
// are in englishWords.
func (t *tally) script() script {
	switch {
	case t.other*10 > t.words*3:
		return other
	case t.english*100 >= t.words*12:
		return english
	}
	return latin
}

// consonantOf maps letters of other scripts to the consonants of their romanised spellings, and vowels
// to vowel, because people romanise those in many ways. All else is 0.
var consonantOf = sync.OnceValue(func() *[lastConsonant - firstConsonant]byte {
	var t [lastConsonant - firstConsonant]byte
	for i := range t {
		if inWord(rune(firstConsonant + i)) {
			t[i] = vowel
		}
	}
	for consonant, letters := range map[byte]string{
		'b': "бبबभ", 'c': "чچचछ", 'd': "δдدذضदधडढ", 'f': "φфفफ", 'g': "γгґجغگगघजझ", 'h': "ξχхحخهहख", 'k': "κкقكक", 'l': "λлلल", 'm': "μмمम", 'n': "νнنनणं",
		'p': "πпپप", 'r': "ρрرर", 's': "σψсшщцسشصशषस", 't': "θτтتثطतथटठ", 'v': "βвव", 'z': "ζзжزظژ",
	} {
		for _, c := range letters {
			t[c-firstConsonant] = consonant
		}
	}
	return &t
})

const (
	firstConsonant = 0x370 // the beginning of Greek
	lastConsonant  = 0x980 // the end of Devanagari
	vowel          = 'a'
)

// latinConsonant maps Latin letters, and digits that stand for Arabic letters, to classes of
// consonants that writers interchange, and other letters and digits to vowel. All else is 0.
var latinConsonant = [utf8.RuneSelf]byte{'b': 'b', 'c': 'k', 'd': 'd', 'f': 'f', 'g': 'g', 'h': 'h', 'j': 'g', 'k': 'k', 'l': 'l', 'm': 'm', 'n': 'n', 'p': 'p', 'q': 'k', 'r': 'r', 's': 's', 't': 't', 'v': 'v', 'w': 'v', 'x': 'h', 'z': 'z', '5': 'h', '7': 'h', '9': 's',
	'a': vowel, 'e': vowel, 'i': vowel, 'o': vowel, 'u': vowel, 'y': vowel, '0': vowel, '1': vowel, '2': vowel, '3': vowel, '4': vowel, '6': vowel, '8': vowel}

// arabicArticle is written as a part of its word, but apart in romanised spellings.
var arabicArticle = []byte("ال")

// consonants adds the consonants of each word. A word then counts in other spellings, with other
// endings, and in other scripts: "инструкции" as "instruktsiya".
func (r *reader) consonants() {
	b := r.f.b
	other := consonantOf()
	for i := 0; i < len(b); {
		start := i
		if b[i] == arabicArticle[0] && bytes.HasPrefix(b[i:], arabicArticle) {
			i += len(arabicArticle)
		}
		h, n := uint64(kindConsonant), 0
		last, breath := byte(0), false // breath: an "h", which counts only before another consonant
		for i < len(b) {
			c := b[i]
			var k byte
			if c < utf8.RuneSelf {
				if k = latinConsonant[c]; k == 0 {
					break
				}
				i++
				if k == vowel {
					continue
				}
				if i < len(b) {
					if two := digraph(c, b[i], k); two != 0 {
						k = two
						i++
					}
				}
			} else {
				rr, size := utf8.DecodeRune(b[i:])
				if rr < firstConsonant || rr >= lastConsonant || other[rr-firstConsonant] == 0 {
					break
				}
				i += size
				k = other[rr-firstConsonant]
			}
			switch {
			case k == 0 || k == vowel || k == last:
			case k == 'h':
				breath = last != 'c' // "chh" is "ch"
			default:
				if breath {
					h = (h ^ 'h') * prime
				}
				h, last, breath = (h^uint64(k))*prime, k, false
				n++
			}
		}
		if n > 1 && n < 12 {
			r.add(h)
		}
		if i == start { // no word
			i++
		}
	}
}

// digraph returns the consonant that two Latin letters stand for, or 0. k is that of the first.
func digraph(c, next, k byte) byte {
	switch {
	case c == 't' && next == 's':
		return 's'
	case next != 'h':
		return 0
	case c == 'c':
		return 'c'
	case c == 'k':
		return 'h'
	case c == 'p':
		return 'f'
	case c == 's' || c == 't' || c == 'z' || c == 'd' || c == 'g' || c == 'b':
		return k
	}
	return 0
}

// letters adds the groups of four letters, and the first three, of words in Latin letters.
func (r *reader) letters() {
	n, group := 0, uint32(0)
	for _, c := range r.f.b {
		switch {
		case c >= 'a' && c <= 'z':
		case c >= '0' && c <= '9':
			c = '0'
		default:
			n = 0
			continue
		}
		if n == 0 {
			group = 0
		}
		group = group<<8 | uint32(c)
		if n++; n >= 3 {
			r.add((uint64(group) + 1) * kindLetters)
		}
	}
}
