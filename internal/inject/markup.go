package inject

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

func markup(l string) bool {
	for k := strings.IndexByte(l, '<'); k >= 0 && k+1 < len(l); {
		c := l[k+1]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c == '!' || c == '/' {
			return true
		}
		n := strings.IndexByte(l[k+1:], '<')
		if n < 0 {
			return false
		}
		k += 1 + n
	}
	return false
}

// markup splits a line of HTML or XML. The line may continue a comment or an element of earlier
// lines.
func (sp *splitter) markup(s string, i, j, base int, pos []int32) {
	for i < j {
		if sp.comment {
			k := strings.Index(s[i:j], "-->")
			if k < 0 {
				sp.sentences(s, i, j, base, pos)
				return
			}
			sp.sentences(s, i, i+k, base, pos)
			sp.comment = false
			sp.aside(sp.opened[0])
			sp.block++
			i += k + 3
			continue
		}
		k := strings.IndexByte(s[i:j], '<')
		if k < 0 {
			sp.sentences(s, i, j, base, pos)
			return
		}
		k += i
		if k > i {
			sp.sentences(s, i, k, base, pos)
		}
		if strings.HasPrefix(s[k:j], "<!--") {
			sp.block++
			sp.comment = true
			sp.opened[0] = len(sp.out)
			i = k + 4
			continue
		}
		if k+1 >= j || !(s[k+1]|0x20 >= 'a' && s[k+1]|0x20 <= 'z' || s[k+1] == '/' || s[k+1] == '!') {
			sp.sentences(s, k, min(j, k+1), base, pos)
			i = k + 1
			continue
		}
		end := tagEnd(s[k:j]) + k
		sp.tag(s, k, end, base, pos)
		i = end
	}
}

// tagEnd returns the length of a tag up to its ">", which may not be in quotes if there is another.
func tagEnd(s string) int {
	quote := byte(0)
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && s[i-1] == '=':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	if i := strings.IndexByte(s, '>'); i >= 0 {
		return i + 1
	}
	return len(s)
}

var unseen = []string{"display:none", "display: none", "visibility:hidden", "visibility: hidden", "font-size:0", "font-size: 0", "opacity:0", "opacity: 0", "color:white", "color: white", "color:#fff", "color: #fff", " hidden", "left:-9999", "left: -9999", "aria-hidden"}

// tag adds the attributes of a tag, and records whether the text after it is visible.
func (sp *splitter) tag(s string, i, j, base int, pos []int32) {
	t := s[i:j]
	name := strings.ToLower(tagName(t))
	if t[1] == '/' {
		if sp.hide != "" && name == sp.hide {
			sp.hide = ""
			sp.aside(sp.opened[1])
		}
	} else {
		if l := strings.ToLower(t); sp.hide == "" && !strings.HasSuffix(t, "/>") && !void[name] {
			if anyof.Contains(l, unseen...) {
				sp.hide = name
				sp.opened[1] = len(sp.out)
			}
		}
	}
	for k := 0; k < len(t); k++ {
		if t[k] != '=' || k+1 >= len(t) || t[k+1] != '"' && t[k+1] != '\'' {
			continue
		}
		e := strings.IndexByte(t[k+2:], t[k+1])
		if e < 0 {
			return
		}
		if e > 12 && strings.IndexByte(t[k+2:k+2+e], ' ') >= 0 {
			sp.block++
			sp.sentences(s, i+k+2, i+k+2+e, base, pos)
		}
		k += 2 + e
	}
	if inline[name] {
		return
	}
	sp.block++
}

var void = map[string]bool{"img": true, "br": true, "hr": true, "input": true, "meta": true, "link": true}
var inline = map[string]bool{"b": true, "i": true, "em": true, "strong": true, "a": true, "code": true, "span": true, "br": true}

func tagName(t string) string {
	i := 1
	if i < len(t) && t[i] == '/' {
		i++
	}
	j := i
	for j < len(t) && (t[j]|0x20 >= 'a' && t[j]|0x20 <= 'z' || t[j] >= '0' && t[j] <= '9') {
		j++
	}
	return t[i:j]
}
