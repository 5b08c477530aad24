// Package hostname gives each host name one spelling: in ASCII, in lower case, with plain dots
// and without a final dot. It has no Unicode tables, because the hook links it.
package hostname

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
)

// ASCII returns a host in the form that resolvers get: %-encoding decoded, and each label in other
// letters encoded as in RFC 3492. A label becomes a Hole if programs may disagree about its ASCII
// form, or if only Unicode tables determine it. Of an IPv6 address, ASCII changes only the case.
func ASCII(host string) string {
	if strings.Contains(host, ":") || isASCII(host) && !strings.Contains(host, "%") {
		return strings.ToLower(strings.TrimSuffix(host, "."))
	}
	host, encoded := decode(host)
	labels := strings.Split(strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61", ".").Replace(host), ".")
	if n := len(labels); n > 1 && labels[n-1] == "" {
		labels = labels[:n-1]
	}
	for i, l := range labels {
		labels[i] = label(l, encoded)
	}
	return strings.Join(labels, ".")
}

// isASCII reports whether a string has no other characters.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// decode decodes the %-encoding of a host once, as programs that fetch do. Other text stays.
func decode(s string) (out string, changed bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := digit(s[i+1]), digit(s[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				changed = true
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String(), changed
}

func digit(c byte) int { return strings.IndexByte("0123456789abcdef", c|0x20) }

// label spells one label. encoded means that the host was %-encoded.
func label(l string, encoded bool) string {
	if bare := strings.ReplaceAll(l, umpire.Hole, ""); bare != l {
		if !isASCII(bare) {
			return umpire.Hole
		}
		return strings.ToLower(l)
	}
	other := encoded
	var b strings.Builder
	for _, r := range l {
		other = other || r >= utf8.RuneSelf
		switch lower := unicode.ToLower(r); {
		case r > 0xff00 && r <= 0xff5e: // full-width ASCII
			r = unicode.ToLower(r - 0xff01 + '!')
		case r == 0x130 || lower >= utf8.RuneSelf && !simple(lower):
			return umpire.Hole
		default:
			r = lower
		}
		b.WriteRune(r)
	}
	l = b.String()
	// Programs disagree about the end of such a host. Wildcards cannot be encoded either.
	if other && strings.ContainsFunc(l, func(r rune) bool { return r < utf8.RuneSelf && !named(r) }) {
		return umpire.Hole
	}
	if isASCII(l) {
		return l
	}
	if len(l) > maxLabel {
		return umpire.Hole
	}
	return prefix + encode([]rune(l))
}

// named reports whether host names may contain an ASCII character.
func named(r rune) bool {
	return r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
}

// maxLabel limits the bytes of a label in other letters: resolvers accept 63 bytes of ASCII, and
// encoding more runes gives more.
const maxLabel = 63 * utf8.UTFMax

const prefix = "xn--"

// simple reports whether IDNA maps a lower-case letter to itself, whatever its neighbors. Other
// characters have other spellings, or none: marks that compose with the previous letter, characters
// that stand for others, and the four (such as ß) that the editions of IDNA treat differently.
func simple(r rune) bool {
	for i := 0; i < len(letters); i += 2 {
		if r <= letters[i+1] {
			return r >= letters[i]
		}
	}
	return false
}

// letters has the first and the last of each range of such letters.
var letters = [...]rune{
	0xe0, 0xf6, 0xf8, 0x131, 0x134, 0x13e, 0x141, 0x148, 0x14a, 0x17e, // Latin
	0x3ac, 0x3c1, 0x3c3, 0x3ce, // Greek without the final sigma
	0x430, 0x45f, 0x48a, 0x52f, // Cyrillic
	0x561, 0x586, // Armenian
	0x5d0, 0x5ea, // Hebrew
	0x620, 0x63f, 0x641, 0x64a, 0x671, 0x674, 0x679, 0x6d3, // Arabic
	0xe01, 0xe30, // Thai
	0x10d0, 0x10fa, // Georgian
	0x1e00, 0x1e99, 0x1ea0, 0x1eff, // Latin of Vietnam
	0x3041, 0x3096, 0x30a1, 0x30fa, 0x30fc, 0x30fc, // Kana
	0x4e00, 0x9fff, // Han
	0xac00, 0xd7a3, // Hangul
}

// The parameters of RFC 3492.
const (
	base, tMin, tMax  = 36, 1, 26
	skew, damp        = 38, 700
	startBias, startN = 72, 0x80
)

const digits = "abcdefghijklmnopqrstuvwxyz0123456789"

// encode encodes a label as in RFC 3492, section 6.3.
func encode(label []rune) string {
	var out []byte
	for _, r := range label {
		if r < startN {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(startN), 0, startBias
	for done := basic; done < len(label); {
		next := rune(unicode.MaxRune)
		for _, r := range label {
			if r >= n {
				next = min(next, r)
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range label {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := base; ; k += base {
				t := threshold(k, bias)
				if q < t {
					break
				}
				out = append(out, digits[t+(q-t)%(base-t)])
				q = (q - t) / (base - t)
			}
			out = append(out, digits[q])
			bias = adapt(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
		n++
	}
	return string(out)
}

// Unicode returns an ASCII host with its encoded labels decoded. A label without a valid encoding
// stays as it is.
func Unicode(host string) string {
	labels := strings.Split(host, ".")
	for i, l := range labels {
		if rest, ok := strings.CutPrefix(l, prefix); ok && len(l) <= 63 {
			if runes, ok := unpack(rest); ok {
				labels[i] = string(runes)
			}
		}
	}
	return strings.Join(labels, ".")
}

// unpack decodes a label as in RFC 3492, section 6.2.
func unpack(s string) (out []rune, ok bool) {
	if i := strings.LastIndexByte(s, '-'); i >= 0 {
		out, s = []rune(s[:i]), s[i+1:]
	}
	n, i, bias := startN, 0, startBias
	for len(s) > 0 {
		start, weight := i, 1
		for k := base; ; k += base {
			if s == "" {
				return nil, false
			}
			d := strings.IndexByte(digits, s[0])
			s = s[1:]
			if d < 0 || d > (1<<31-1-i)/weight {
				return nil, false
			}
			i += d * weight
			t := threshold(k, bias)
			if d < t {
				break
			}
			if weight > (1<<31-1)/(base-t) {
				return nil, false
			}
			weight *= base - t
		}
		bias = adapt(i-start, len(out)+1, start == 0)
		n += i / (len(out) + 1)
		i %= len(out) + 1
		if n > unicode.MaxRune {
			return nil, false
		}
		out = append(out[:i], append([]rune{rune(n)}, out[i:]...)...)
		i++
	}
	return out, true
}

func threshold(k, bias int) int { return max(tMin, min(tMax, k-bias)) }

// adapt computes the next bias as in RFC 3492, section 6.1.
func adapt(delta, points int, first bool) int {
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for ; delta > (base-tMin)*tMax/2; k += base {
		delta /= base - tMin
	}
	return k + (base-tMin+1)*delta/(delta+skew)
}
