package tool

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

const mark = "\ufeff" // a byte-order mark

var errBinary = errors.New("is not text")

// text is the content of a text file.
func text(data []byte) (string, error) {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return "", errors.New("is UTF-16 text: convert it to UTF-8, for example with iconv")
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return "", errBinary
	}
	// Text in another encoding has a few bytes that are not UTF-8; binary data has many.
	bad := 0
	for s := data[:min(len(data), 64<<10)]; len(s) > 0; {
		r, n := utf8.DecodeRune(s)
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != '\v' && r != 0x1b && r != '\b' {
			bad++
		}
		s = s[n:]
	}
	if bad > 16 && bad*4 > min(len(data), 64<<10) {
		return "", errBinary
	}
	return string(data), nil
}

// lf converts line endings to line feeds.
func lf(s string) string {
	if !strings.Contains(s, "\r\n") {
		return s
	}
	return strings.ReplaceAll(s, "\r\n", "\n")
}

func crlf(s string) string { return strings.ReplaceAll(lf(s), "\n", "\r\n") }

// endsCRLF reports whether most lines of a text end as on Windows.
func endsCRLF(s string) bool {
	n := strings.Count(s, "\r\n")
	return n > 0 && n*2 > strings.Count(s, "\n")
}

// like gives a new text the byte-order mark and the line endings of the old one.
func like(old, s string) string {
	if endsCRLF(old) {
		s = crlf(s)
	}
	if strings.HasPrefix(old, mark) && !strings.HasPrefix(s, mark) {
		s = mark + s
	}
	return s
}

// countLines counts the lines of a text, as editors number them.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// times counts the occurrences of old in s. Overlapping ones count twice: either may be meant.
func times(s, old string) int {
	n := strings.Count(s, old)
	if n == 1 && old != "" && strings.Index(s, old) != strings.LastIndex(s, old) {
		return 2
	}
	return n
}

// replaceOnce replaces old, which must occur in s exactly once, by repl. Line endings may differ;
// the result has those of s. line is the line of the occurrence, from 1.
func replaceOnce(s, old, repl string) (out string, line int, err error) {
	if old == repl {
		return "", 0, errors.New("old_string and new_string are the same: there is nothing to change")
	}
	if old == "" && s != "" {
		return "", 0, errors.New("old_string is empty")
	}
	// The model uses line feeds; the file keeps its line endings.
	windows := strings.Contains(s, "\r\n")
	plain := s
	if windows {
		plain, old = lf(s), lf(old)
	}
	n := times(plain, old)
	switch n {
	case 0:
		return "", 0, errors.New("old_string was not found: it must be in the file exactly as written, white space included")
	case 1:
	default:
		return "", 0, fmt.Errorf("old_string occurs %d times and must be unique: include more of the text around it", n)
	}
	at := strings.Index(plain, old)
	end := at + len(old)
	if windows {
		at, end = rawOffset(s, at), rawOffset(s, end)
		switch span := s[at:end]; {
		case strings.Contains(span, "\r\n"), !strings.Contains(span, "\n") && endsCRLF(s):
			repl = crlf(repl)
		default:
			repl = lf(repl)
		}
	}
	return s[:at] + repl + s[end:], strings.Count(s[:at], "\n") + 1, nil
}

// rawOffset returns the offset in s of the k-th byte of lf(s).
func rawOffset(s string, k int) int {
	at := 0
	for {
		i := strings.Index(s[at:], "\r\n")
		if i < 0 || i > k {
			return at + k
		}
		if i == k {
			return at + i // before both bytes of \r\n
		}
		at, k = at+i+2, k-i-1
	}
}

// cutHead returns at most n bytes from the end of s, in whole characters.
func cutHead(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}

// valid replaces invalid UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
