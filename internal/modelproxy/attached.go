package modelproxy

import (
	"encoding/base64"
	"net/url"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// attached appends the texts of files that an object holds as its own members, in any dialect: those of a
// "file" of OpenAI, a "source" of Anthropic, "inlineData" of Gemini, and data URLs of images. The bytes
// decide whether a file is text: the sender chooses the media type. Other files (images, PDF, sound) and
// references to files that the provider holds are opaque, and pass unjudged.
func attached(r *reader, v node, tool string, to []part) []part {
	if r.kind(v) != '{' {
		return to
	}
	f := r.fields(v, "file_data", "data", "url", "image_url", "blob", "type")
	for _, n := range f[:5] {
		if r.kind(n) != '"' || n == f[1] && r.str(f[5]) == "text" { // which is not encoded
			continue
		}
		if _, code := embedded(r.str(n)); code != 0 {
			to = append(to, part{node: n, tool: tool, side: true, code: code})
		}
	}
	return to
}

// minFile is the least number of bytes that count as base64 without being a data URL: short ones may be words.
const minFile = 1 << 10

// file reports whether a string in a member of media is a file: a data URL, or minFile bytes of base64. The
// code of the part is 0 if the file is no text. A string with spaces is words, whatever it says it is.
func (r *reader) file(n node, tool string) (p part, ok bool) {
	if !r.media {
		return part{}, false
	}
	s := r.str(n)
	marks := "+/-_="
	if _, ok := cutFold(s, "data:"); ok {
		marks += ":;,."
	} else if len(s) < minFile {
		return part{}, false
	}
	_, code := embedded(s)
	for _, c := range []byte(s) {
		if code != dataURL && !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(marks, c) >= 0) {
			return part{}, false
		}
	}
	return part{node: n, tool: tool, side: true, code: code}, true
}

// A code is how a text is written into a string of a request.
type code uint8

const (
	base64Data code = iota + 1 // bytes in base64, also in a data URL
	dataURL                    // a data URL with escapes
)

// embedded returns the text of a file that s holds, and how it is written: 0 if s holds no text.
func embedded(s string) (string, code) {
	data := s
	if rest, ok := cutFold(s, "data:"); ok {
		kind, body, ok := strings.Cut(rest, ",")
		if !ok {
			return "", 0
		}
		if !strings.HasSuffix(strings.ToLower(strings.TrimSpace(kind)), ";base64") {
			if t, err := url.PathUnescape(body); err == nil && utf8.ValidString(t) {
				return t, dataURL
			}
			return "", 0
		}
		data = body
	}
	const head = 1 << 10 // images are large, and show in their first bytes that they are no text
	if len(data) > 2*head && text(unbase(data[:head])) == "" {
		return "", 0
	}
	if t := text(unbase(data)); t != "" {
		return t, base64Data
	}
	return "", 0
}

// written writes a text as s, which held another, had it.
func (k code) written(s, text string) string {
	if k == 0 {
		return text
	}
	head := ""
	if _, ok := cutFold(s, "data:"); ok {
		kind, _, _ := strings.Cut(s, ",")
		head = kind + ","
	}
	if k == dataURL {
		return head + url.PathEscape(text)
	}
	return head + base64.StdEncoding.EncodeToString([]byte(text))
}

// unbase decodes base64 as lenient readers do: of either alphabet, with or without padding, in lines.
func unbase(s string) []byte {
	s = strings.Map(func(c rune) rune {
		switch c {
		case '-':
			return '+'
		case '_':
			return '/'
		case '=', ' ', '\n', '\r', '\t':
			return -1
		}
		return c
	}, s)
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return nil
	}
	return b
}

// text returns bytes as text, "" if they are something else.
func text(b []byte) string {
	if len(b) > 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff) {
		units := make([]uint16, 0, len(b)/2)
		for i := 2; i+1 < len(b); i += 2 {
			lo, hi := b[i], b[i+1]
			if b[0] == 0xfe {
				lo, hi = hi, lo
			}
			units = append(units, uint16(hi)<<8|uint16(lo))
		}
		return string(utf16.Decode(units))
	}
	bad := 0
	for i := 0; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && n == 1 && i+utf8.UTFMax <= len(b) || c == 0 {
			bad++
		}
		i += n
	}
	if bad*50 > len(b) || strings.HasPrefix(string(b[:min(len(b), 5)]), "%PDF-") { // a few broken bytes hide no text
		return ""
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", false
	}
	return s[len(prefix):], true
}
