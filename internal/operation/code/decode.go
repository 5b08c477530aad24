package code

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func transliterate(s, from, to string) string {
	from, to = ranges(from), ranges(to)
	if len(from) > 256 {
		return umpire.Hole
	}
	f, t := []rune(from), []rune(to)
	if len(t) == 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		for i, x := range f {
			if x == r {
				return t[min(i, len(t)-1)]
			}
		}
		return r
	}, s)
}

func ranges(s string) string {
	var b strings.Builder
	r := []rune(s)
	for i := 0; i < len(r) && b.Len() < 1024; i++ {
		if i+2 < len(r) && r[i+1] == '-' && r[i+2] >= r[i] && r[i+2]-r[i] < 128 {
			for c := r[i]; c <= r[i+2]; c++ {
				b.WriteRune(c)
			}
			i += 2
			continue
		}
		b.WriteRune(r[i])
	}
	return b.String()
}

func unpercent(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// chars returns the text of character codes.
func chars(vs []value) value {
	var b strings.Builder
	var t command.Taint
	for _, v := range vs {
		for _, x := range v.items() {
			t |= x.taint
			n, err := atoi(x.text())
			if err != nil || n < 0 || n > utf8.MaxRune {
				b.WriteString(umpire.Hole)
				continue
			}
			b.WriteRune(rune(n))
		}
	}
	return value{alts: []string{b.String()}, taint: t}
}

// decoded returns the text that an encoding hides. ok is false if the name is of another encoding; the
// text is then returned unchanged.
func decoded(v value, encoding string) (_ value, ok bool) {
	encoding = strings.Join(strings.FieldsFunc(strings.ToLower(encoding), func(r rune) bool { // as Python does
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "_")
	switch {
	case encoding == "rot13" || encoding == "rot_13": // iso8859-13 is an alphabet
		return v.mapText(rot13), true
	case strings.Contains(encoding, "base64"):
		return decode(v, "base64"), true
	case strings.Contains(encoding, "hex"):
		return decode(v, "hex"), true
	}
	return v, false
}

// decode decodes text that is hidden from a reader. The taint stays even if the text is known,
// because honest programs do not run decoded code.
func decode(v value, how string) value {
	if v.seq && len(v.list) > 0 {
		v = v.list[0]
	}
	out := v.mapText(func(s string) string {
		if strings.Contains(s, umpire.Hole) {
			return umpire.Hole
		}
		var b []byte
		var err error
		s = strings.Map(func(r rune) rune {
			if r <= ' ' {
				return -1
			}
			return r
		}, s)
		if how == "hex" {
			b, err = hex.DecodeString(s)
		} else {
			s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
			b, err = base64.RawStdEncoding.DecodeString(s)
		}
		if err != nil {
			return umpire.Hole
		}
		return string(b) // it may be compressed, and is not text yet
	})
	out.ref = ""
	out.taint |= command.FromDecoder
	return out
}

func decompress(v value) value {
	out := v.mapText(func(s string) string {
		for _, open := range []func() (io.Reader, error){
			func() (io.Reader, error) { return zlib.NewReader(strings.NewReader(s)) },
			func() (io.Reader, error) { return gunzip(s) },
			func() (io.Reader, error) { return flate.NewReader(strings.NewReader(s)), nil },
		} {
			r, err := open()
			if err != nil {
				continue
			}
			var b bytes.Buffer
			if _, err := io.Copy(&b, io.LimitReader(r, maxValue)); err == nil && utf8.Valid(b.Bytes()) {
				return b.String()
			}
		}
		return umpire.Hole
	})
	out.taint |= command.FromDecoder
	return out
}

// gunzip reads all parts of a gzip file. Package compress/gzip would bring hash/crc32, which fills
// tables at each start of the hook.
func gunzip(s string) (io.Reader, error) {
	var out bytes.Buffer
	for len(s) > 10 && strings.HasPrefix(s, "\x1f\x8b\x08") && out.Len() < maxValue {
		flags := s[3]
		if s = s[10:]; flags&4 != 0 && len(s) > 2 { // further fields, after their length
			s = s[min(len(s), 2+int(s[0])+int(s[1])<<8):]
		}
		for _, text := range [...]byte{8, 16} { // the file's name, and a comment
			if flags&text != 0 {
				_, s, _ = strings.Cut(s, "\x00")
			}
		}
		r := strings.NewReader(s[min(len(s), int(flags&2)):]) // after a checksum of the head
		if _, err := io.Copy(&out, io.LimitReader(flate.NewReader(r), maxValue)); err != nil {
			return nil, err
		}
		s = s[len(s)-max(0, r.Len()-8):] // after a checksum and the length
	}
	if out.Len() == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return &out, nil
}
