package normal

import "strings"

// control takes out the control character c of n bytes at i. If it begins a sequence for a
// terminal, the sequence goes with it: "ESC [31mignore" would otherwise end in a word that
// nobody knows. What a sequence only may have, and a word certainly has, stays: a model reads
// the word.
func (x *stripper) control(i int, c rune, n int) gone {
	rest := x.f.Text[i+n:]
	g := gone{size: n, drop: true, class: Control}
	if c == 0x1b && rest != "" {
		if escaped := rune(rest[0]) + 0x40; rest[0] >= '@' && rest[0] <= '_' {
			c, rest, g.size = escaped, rest[1:], n+1
		}
	}
	switch c {
	case 0x9b:
		g.size += parameters(rest)
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f: // the text up to the terminator is not for the screen
		x.message, g.with = true, " "
	case 0x9c, 0x07:
		if x.message {
			x.message, g.with = false, " "
		}
	case 0x1b:
		if len(rest) > 1 && strings.IndexByte("()", rest[0]) >= 0 && strings.IndexByte("B0", rest[1]) >= 0 { // a character set
			g.size += 2
		}
	default:
		g.size = n
	}
	return g
}

// parameters returns the length of the rest of a control sequence: parameters, and the letter that
// ends it. Without parameters the letter may be the first of a word, but m and K commonly stand
// before text.
func parameters(s string) int {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '?' {
		i++
	}
	ends := "@ABCDEFGHJKLMPSTXfhlmnrstu"
	if i == 0 && len(s) > 1 && kinds[s[1]]&letter != 0 {
		ends = "mK"
	}
	if i < len(s) && strings.IndexByte(ends, s[i]) >= 0 {
		return i + 1
	}
	return i
}
