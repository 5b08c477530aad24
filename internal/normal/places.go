package normal

import "unicode"

// places knows where an invisible character has a meaning: there it hides nothing.
type places struct {
	text        string
	rightToLeft int8 // whether the text has a script that runs to the left: 0 unknown, 1 yes, -1 no
}

// turns reports whether a directional mark belongs in the text. Overrides never do: they display
// another text than the one that is read.
func (p *places) turns(c rune) bool {
	if c == 0x202D || c == 0x202E {
		return false
	}
	if p.rightToLeft == 0 {
		p.rightToLeft = -1
		for _, c := range p.text {
			if unicode.In(c, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam) && unicode.IsLetter(c) {
				p.rightToLeft = 1
				break
			}
		}
	}
	return p.rightToLeft > 0
}

// means reports whether a character without width has a meaning between two others.
func (p *places) means(prev, c, next rune) bool {
	switch {
	case c >= 0x180B && c <= 0x180F: // the forms of Mongolian letters
		return prev >= 0x1800 && prev <= 0x18AF
	case c >= 0x2061 && c <= 0x2064: // "apply", "times", "comma" and "plus" of mathematics
		return shown(prev) && shown(next)
	case c == 0x200B || c == 0x2060: // where a line may break in scripts without spaces
		return unspaced(prev) && unspaced(next)
	case c == 0x034F: // keeps the order of marks
		return unicode.Is(unicode.Mn, prev) || unicode.Is(unicode.Mn, next)
	case c == 0x115F || c == 0x1160: // stands for the missing part of a syllable
		return c == 0x115F && next >= 0x1160 && next <= 0x11A7 || c == 0x1160 && (prev >= 0x1100 && prev < 0x115F || next >= 0x11A8 && next <= 0x11FF)
	}
	return false
}

// shown reports whether a character leaves a mark.
func shown(c rune) bool {
	return c > ' ' && !zeroWidth(c) && !spells(c) && c != unicode.ReplacementChar
}

// unspaced reports whether c is of a script that is written without spaces between words.
func unspaced(c rune) bool {
	return unicode.In(c, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese, unicode.Balinese)
}
