package pii

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longestLocal  = 64
	longestDomain = 253
)

// email looks for an email address whose local part begins at p.
func (c *scan) email(p int) (Span, bool) {
	joined := c.joined(p)
	if prev := c.back(p - 1); isLocal(prev) && !joined && (isAlnum(prev) || isLocalByte(c.back(p-2)) || prev >= utf8.RuneSelf) {
		return Span{}, false // the value begins before p, or is too long
	}
	i := p
	for i-p <= longestLocal && isLocal(c.at(i)) {
		i++
	}
	c.localEnd = i
	if i == p || i-p > longestLocal {
		return Span{}, false
	}
	end := 0
	if c.at(i) == '@' {
		if ascii := c.at(i+1) < utf8.RuneSelf; joined && !ascii {
			return Span{}, false
		} else if ascii {
			for k := i - 1; k > p; k-- {
				if c.joined(k) {
					return Span{}, false // the address begins at k
				}
			}
		}
		if end = c.domain(i+1, '.'); end == 0 && isAlnum(c.at(i+1)) { // jane@example&#46;com
			end, _ = c.writtenHost(p, i+1)
		}
	} else if k := c.spelled(i, "at"); k > 0 { // john [at] example [dot] com
		end = c.domain(k, 0)
	}
	local := c.s[p:i]
	if end <= 0 || c.s[i-1] == '.' || strings.Contains(local, "..") || !utf8.ValidString(local) {
		return Span{}, false
	}
	// git@host:path, and user@host in a URL, name accounts on machines.
	if c.at(end) == ':' && !isSpaceOrEnd(c.at(end+1)) && !isDigit(c.at(end+1)) {
		switch local {
		case "git", "hg", "svn", "ssh", "root", "deploy":
			return Span{}, false
		}
	}
	if local == "git" || c.back(p-1) == '/' && c.back(p-2) == '/' || c.back(p-1) == '@' {
		return Span{}, false
	}
	return Span{Email, "", p, end}, true
}

// spelled returns the end of a word in brackets at i, such as " [at] ", or zero.
func (c *scan) spelled(i int, word string) int {
	if c.at(i) == ' ' {
		i++
	}
	open := c.at(i)
	if open != '(' && open != '[' && open != '{' && open != '<' {
		return 0
	}
	i++
	if c.at(i) == ' ' {
		i++
	}
	for k := range len(word) {
		if c.at(i)|0x20 != word[k] {
			return 0
		}
		i++
	}
	if c.at(i) == ' ' {
		i++
	}
	if b := c.at(i); b != ')' && b != ']' && b != '}' && b != '>' {
		return 0
	}
	i++
	if c.at(i) == ' ' {
		i++
	}
	return i
}

// domain returns the end of the domain that begins at i, or zero.
func (c *scan) domain(i int, dot byte) int {
	labels, end, lastStart := 0, 0, i
	for start := i; i-start <= longestDomain; {
		label := i
		for i-label <= 63 && (isAlnum(c.at(i)) || c.at(i) == '-' || c.at(i) >= utf8.RuneSelf && ((labels == 0 || i == label) && c.unseen(i) || c.letter(i) && !(labels > 0 && i > label && c.s[i-1] < utf8.RuneSelf && c.unspaced(i)))) {
			i += max(1, c.width(i))
		}
		if i == label || i-label > 63 || c.s[label] == '-' || c.s[i-1] == '-' {
			break
		}
		labels++
		end, lastStart = i, label
		if dot != 0 && c.at(i) == '.' {
			i++
		} else if labels == 1 && c.has(i, "。") && isAlnum(c.at(i+len("。"))) {
			i += len("。")
		} else if k := c.spelled(i, "dot"); k > 0 && dot == 0 {
			i = k
		} else if dot == 0 && c.at(i) == '.' {
			i++
		} else {
			break
		}
	}
	if labels < 2 || c.at(end) == '_' {
		return 0
	}
	tld := strings.ToLower(c.s[lastStart:end])
	switch tld {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "css", "js", "mjs", "ts", "json", "html", "service", "timer", "socket", "mount", "target", "slice", "scope", "conf", "yml", "yaml", "txt", "log", "exe", "dll":
		return 0 // icon@2x.png, getty@tty1.service
	}
	if len(tld) < 2 || isDigit(tld[0]) || tld[0] < utf8.RuneSelf && strings.ContainsAny(tld, "0123456789") && !strings.HasPrefix(tld, "xn--") {
		return 0
	}
	return end
}

// joined reports whether a Latin word at p follows a word of a script without spaces, as in
// "連絡先はjane@example.com".
func (c *scan) joined(p int) bool {
	if c.back(p-1) < utf8.RuneSelf || !isAlnum(c.s[p]) {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(c.s[:p])
	return unicode.In(r, unspaced...)
}

// unspaced reports whether the letter at i is of a script without spaces, or one that joins
// particles to its words.
func (c *scan) unspaced(i int) bool {
	r, _ := utf8.DecodeRuneInString(c.s[i:])
	return unicode.In(r, unspaced...)
}

var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// letter reports whether the character at i, which is beyond ASCII, is a letter, mark or digit.
// Punctuation is not part of a name.
func (c *scan) letter(i int) bool {
	if !utf8.FullRuneInString(c.s[i:]) {
		c.short = c.short || !c.last
	}
	r, _ := utf8.DecodeRuneInString(c.s[i:])
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// unseen reports whether the character at i is a format character, such as a zero-width joiner.
// Readers of an address do not see it, so it may hide the address from a search.
func (c *scan) unseen(i int) bool {
	r, _ := utf8.DecodeRuneInString(c.s[i:])
	return unicode.Is(unicode.Cf, r)
}

func (c *scan) width(i int) int {
	_, n := utf8.DecodeRuneInString(c.s[min(i, len(c.s)):])
	return n
}

func isLocalByte(b byte) bool {
	return isAlnum(b) || b == '_' || b == '+' || b == '%' || b >= utf8.RuneSelf
}

func isLocal(b byte) bool { return isLocalByte(b) || b == '.' || b == '-' || b == '\'' }

func isSpaceOrEnd(b byte) bool { return b <= ' ' || b >= utf8.RuneSelf }
