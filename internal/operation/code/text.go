package code

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// text does the methods and functions of plain text that every language has under some
// name.
func (m *machine) text(c *call) (value, bool) {
	v := c.recv
	name := c.method()
	if !strings.Contains(c.ref, ".") {
		if len(c.args) == 0 {
			return value{}, false
		}
		v = c.args[0] // join(...), strrev(x), lc(x)
	}
	arg := func(i int) value {
		if strings.Contains(c.ref, ".") {
			return c.arg(i)
		}
		return c.arg(i + 1)
	}
	switch name {
	case "strip", "trim", "rstrip", "lstrip", "chomp", "trimEnd", "trimStart", "chop", "rtrim", "ltrim", "trimws":
		return v.mapText(strings.TrimSpace), true
	case "lower", "toLowerCase", "downcase", "lc", "strtolower", "casefold", "tolower":
		return v.mapText(strings.ToLower), true
	case "upper", "toUpperCase", "upcase", "uc", "strtoupper", "toupper":
		return v.mapText(strings.ToUpper), true
	case "decode", "encode", "toString", "to_s", "String", "str", "valueOf", "to_str", "dup", "freeze", "bytes", "bytearray", "as_posix", "force_encoding", "utf8_encode", "expand_path", "toNamespacedPath":
		codec := strings.ToLower(c.arg(0).text())
		switch {
		case len(c.args) == 0 && name != "str":
		case codec == "base64" || codec == "base64_codec":
			return decode(v, "base64"), true
		case codec == "hex" || codec == "hex_codec":
			return decode(v, "hex"), true
		case codec == "rot13" || codec == "rot_13":
			return v.mapText(rot13), true
		}
		if v.seq && len(v.list) > 0 && (name == "bytes" || name == "bytearray") {
			return chars(v.list), true
		}
		if v.ref == refPath && name != "str" || v.ref == refEnv {
			return v, true
		}
		v.ref, v.recv = "", nil
		return v, true
	case "join", "implode":
		sep, list := v, arg(0)
		if !m.l.is("python") && strings.Contains(c.ref, ".") || v.seq {
			sep, list = arg(0), v
			if sep.isNil() && m.l.is("js") {
				sep = lit(",")
			}
		}
		if sep.seq || !list.seq {
			return value{taint: sep.taint | list.taint}, len(v.alts) > 0 || v.seq
		}
		out := lit("")
		for i, x := range list.list {
			if i > 0 && !sep.isNil() {
				out = concat(out, sep)
			}
			out = concat(out, value{alts: x.all(), taint: x.taint})
		}
		return out, true
	case "replace", "replaceAll", "gsub", "sub", "str_replace", "tr":
		from, to := arg(0), arg(1)
		if name == "str_replace" || m.l.is("r") {
			from, to, v = c.arg(0), c.arg(1), c.arg(2)
		}
		if len(v.alts) == 0 || !from.known() || !to.known() {
			return value{taint: v.taint}, len(v.alts) > 0
		}
		return v.mapText(func(s string) string {
			if name == "tr" {
				return transliterate(s, from.text(), to.text())
			}
			return substitute(s, from.text(), to.text())
		}), true
	case "split", "explode", "split_whitespace", "splitlines", "lines":
		sep := arg(0)
		if name == "explode" || m.l.is("perl") {
			sep, v = c.arg(0), c.arg(1)
		}
		if len(v.alts) == 0 {
			return value{taint: v.taint}, v.ref == "" && v.recv == nil
		}
		var out []value
		var parts []string
		switch {
		case name == "lines" || name == "splitlines":
			parts = strings.Split(v.text(), "\n")
		case sep.isNil() || sep.text() == " " || sep.text() == `\s+`:
			parts = strings.Fields(v.text())
		default:
			parts = strings.Split(v.text(), sep.text())
		}
		if len(parts) > 2000 {
			return value{taint: v.taint}, true
		}
		for _, s := range parts {
			out = append(out, value{alts: []string{s}, taint: v.taint})
		}
		return listOf(out), true
	case "reverse", "reversed", "strrev", "rev":
		if v.seq {
			n := len(v.list)
			out := make([]value, n)
			for i := range v.list {
				out[n-1-i] = v.list[i]
			}
			return listOf(out), true
		}
		return v.mapText(reverse), true
	case "concat", "append", "push", "extend", "unshift", "add":
		if v.seq || len(v.alts) == 0 {
			if !v.seq {
				return value{}, false
			}
			for _, a := range c.args {
				v.list = append(v.list[:len(v.list):len(v.list)], a.items()...)
			}
			return v, true
		}
		for _, a := range c.args {
			v = concat(v, a)
		}
		return v, true
	case "repeat", "str_repeat", "rep":
		n, err := atoi(arg(0).text())
		if err != nil {
			return value{taint: v.taint}, true
		}
		return v.mapText(func(s string) string { return repeat(s, n) }), true
	case "slice", "substring", "substr", "strsub":
		a, e1 := atoi(arg(0).text())
		if e1 != nil {
			return value{taint: v.taint}, len(v.alts) > 0
		}
		b, e2 := atoi(arg(1).text())
		if v.seq {
			if a > 0 && a <= len(v.list) {
				return listOf(v.list[a:]), true
			}
			return v, true
		}
		return v.mapText(func(s string) string {
			if a < 0 {
				a = max(0, a+len(s))
			}
			if a > len(s) {
				return ""
			}
			if e2 != nil {
				return s[a:]
			}
			end := b
			if name == "substr" {
				end = a + b
			} else if b < 0 {
				end = len(s) + b
			}
			if end < a {
				return ""
			}
			return s[a:min(end, len(s))]
		}), true
	case "format":
		if m.l.is("lua") && c.ref == "string.format" || m.l.is("ruby", "groovy") && c.ref == "format" || c.ref == "String.format" {
			if len(c.args) > 0 {
				return format(c.args[0], c.args[1:]), true
			}
		}
		return braces(v, c.args, c.kw), len(v.alts) > 0
	case "sprintf", "vsprintf":
		return format(c.arg(0), c.args[min(1, len(c.args)):]), true
	case "chr", "unichr", "fromCharCode", "fromCodePoint", "intToUtf8", "char":
		return chars(c.args), len(c.args) > 0
	case "pack":
		if m.l.is("perl") && len(c.args) > 1 {
			if f := c.args[0].text(); strings.HasPrefix(f, "H") {
				return decode(c.args[1], "hex"), true
			} else if strings.HasPrefix(f, "C") || strings.HasPrefix(f, "U") || strings.HasPrefix(f, "c") {
				return chars(c.args[1:]), true
			}
		}
		if m.l.is("ruby") && v.seq {
			if f := arg(0).text(); strings.HasPrefix(f, "H") && len(v.list) > 0 {
				return decode(v.list[0], "hex"), true
			}
			return chars(v.list), true
		}
	case "unpack", "unpack1":
		f, x := arg(0), v
		if m.l.is("perl") {
			f, x = c.arg(0), c.arg(1)
		}
		switch ft := f.text(); {
		case strings.HasPrefix(ft, "m"):
			out := decode(x, "base64")
			if name == "unpack" && m.l.is("ruby") {
				return listOf([]value{out}), true
			}
			return out, true
		case strings.HasPrefix(ft, "u"):
			return value{taint: x.taint | command.FromDecoder}, true
		}
		return value{taint: x.taint}, true
	case "first", "pop", "shift", "last", "fetch":
		if v.seq && len(v.list) > 0 && v.keys == nil {
			if name == "pop" || name == "last" {
				return v.list[len(v.list)-1], true
			}
			return v.list[0], true
		}
		if v.ref == refEnv && name == "fetch" {
			return either(m.getenv(c.arg(0).text()), c.arg(1)), true
		}
	case "get":
		if v.ref == refEnv {
			x := m.getenv(c.arg(0).text())
			if len(x.alts) > 0 {
				return x, true
			}
			return either(x, c.arg(1)), true
		}
		if x, ok := v.get(c.arg(0).text()); ok {
			return x, true
		}
	case "items", "entries", "to_a", "to_h", "copy", "toObject", "dict", "values", "stringify", "dumps", "inspect", "to_json", "json_encode", "list", "sorted", "tuple", "set", "assign":
		for _, x := range append([]value{v}, c.args...) {
			if x.ref == refEnv {
				return value{ref: refEnv, taint: x.taint}, true
			}
		}
		if name == "stringify" || name == "dumps" || name == "json_encode" {
			x := c.arg(0)
			return value{taint: x.taint, alts: x.alts}, true
		}
		if v.seq || v.ref == refPath {
			return v, true
		}
	case "map", "forEach", "each", "collect", "select", "filter", "then", "tap", "flatMap", "reduce", "every", "some", "finally", "catch", "apply", "call", "bind":
		if v.fn != nil && (name == "call" || name == "apply") {
			return m.apply(v.fn, c.args[min(1, len(c.args)):]), true
		}
		if name == "call" || name == "apply" {
			if f := c.recv; f.ref != "" && len(c.args) > 0 { // fs.rmSync.call(null, "x")
				args := c.args[1:]
				if name == "apply" && len(args) > 0 && args[0].seq {
					args = args[0].list
				}
				return m.call(f, args, value{}), true
			}
		}
		if name == "bind" {
			return v, true
		}
		if len(c.args) == 0 {
			return v, true
		}
		f := c.args[0]
		fv := v
		if !strings.Contains(c.ref, ".") { // python's map(f, list)
			f, fv = c.args[0], c.arg(1)
		}
		if f.fn == nil && f.ref == "" {
			return value{}, false
		}
		x := fv.each()
		if !fv.seq {
			x = fv
		}
		x.taint |= fv.taint
		if f.fn == nil && len(x.alts) > 1 && strings.HasSuffix(f.ref, "fromCharCode") {
			return chars(fv.list), true
		}
		if fv.seq && fv.keys == nil && len(fv.list) <= 64 {
			var out []value
			for _, e := range fv.list {
				out = append(out, m.call(f, []value{e}, value{}))
			}
			return listOf(out), true
		}
		return m.call(f, []value{x, x}, value{}), true
	case "atob", "b64decode", "standard_b64decode", "urlsafe_b64decode", "decode_base64", "decode64", "strict_decode64", "urlsafe_decode64", "base64_decode", "decodebytes", "a2b_base64", "decodestring", "base64decode", "decodeBase64":
		return decode(c.arg(0), "base64"), true
	case "fromhex", "unhexlify", "a2b_hex", "hex2bin", "decode_hex":
		return decode(c.arg(0), "hex"), true
	case "b32decode", "b85decode", "a85decode", "b16decode", "uudecode", "convert_uudecode":
		return value{taint: c.arg(0).taint | command.FromDecoder}, true
	case "decompress", "inflateSync", "gunzipSync", "unzipSync", "brotliDecompressSync", "gzinflate", "gzuncompress", "gzdecode", "inflate", "inflateRawSync":
		return decompress(c.arg(0)), true
	case "unescape", "decodeURIComponent", "decodeURI", "urldecode", "unquote", "rawurldecode":
		return c.arg(0).mapText(unpercent), true
	case "rot13", "str_rot13":
		return c.arg(0).mapText(rot13), true
	}
	return value{}, false
}

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
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

// chars makes text of character codes.
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

// decode undoes an encoding that hides text from a reader. The taint stays even when the
// text is known: nobody who means well runs code out of a decoder.
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
		return string(b) // maybe compressed: not text yet
	})
	out.ref = ""
	out.taint |= command.FromDecoder
	return out
}

func decompress(v value) value {
	out := v.mapText(func(s string) string {
		for _, open := range []func() (io.Reader, error){
			func() (io.Reader, error) { return zlib.NewReader(strings.NewReader(s)) },
			func() (io.Reader, error) { return gzip.NewReader(strings.NewReader(s)) },
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
