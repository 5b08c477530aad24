package redact

import "strings"

// longestToken bounds what Token reads: nothing longer is a credential.
const (
	longestToken = 512
	longestJWT   = 4096
	longestKey   = 16 << 10 // a PEM block
)

// Token returns the length and the kind of a credential at the start of s, for credentials with
// a known shape that need no name before them. It returns zero if there is no such credential.
// The caller cuts words: s should start one.
//
// More text could change the answer if the length is that of s. Without a credential, it could
// do so if s is shorter than a PEM block or ends within its first word.
func Token(s string) (n int, kind string) {
	if s == "" {
		return 0, ""
	}
	switch s[0] {
	case '-':
		if m, ok := privateKey(s[:min(len(s), longestKey)], 0); ok && (m.end < len(s) || strings.HasSuffix(s, "-----")) {
			return m.end, m.kind
		}
		return 0, ""
	case 'e':
		if strings.HasPrefix(s, "eyJ") {
			sc := scanner{s: s[:min(len(s), longestJWT)]}
			if m, ok := sc.jwt(2); ok && m.end < longestJWT {
				return m.end, m.kind
			}
			return 0, ""
		}
	}
	s = s[:min(len(s), longestToken)]
	m, ok := match{}, false
	switch c := s[0]; {
	case c == 'A' && strings.HasPrefix(s, "AIza"):
		if end := tokenEnd(s, 4); end >= 34 {
			m, ok = match{0, end, kindGoogleKey, true}, true
		}
	case c == 'A' && len(s) > 3 && (s[1] == 'K' || s[1] == 'S') && s[2] == 'I':
		m, ok = keyID(s, 1)
	case isDigit(c):
		if i := strings.IndexByte(s[:min(len(s), 12)], ':'); i > 0 {
			m, ok = telegram(s, i)
		}
	case c == 'h' || c == 'd':
		if i := strings.IndexByte(s[:min(len(s), 12)], '.'); i > 0 {
			if m, ok = webhook(s, i); ok {
				m.start = 0 // the host tells nothing, but the whole is one address
			}
		}
	case c == 'S':
		m, ok = keyID(s, 0)
	}
	for k := 0; k < len(shapes) && !ok; k++ {
		if p := shapes[k].prefix; p[0] == s[0] && strings.HasPrefix(s, p) {
			m, ok = shapeAt(s, len(p)-1)
		}
	}
	if !ok || !m.strong || m.start != 0 || m.end >= longestToken || isExample(s[:m.end]) {
		return 0, ""
	}
	return m.end, m.kind
}
