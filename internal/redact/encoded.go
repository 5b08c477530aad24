package redact

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

const (
	maxEncoded = 16 << 10 // bytes of a text that HoldsKey reads
	minEncoded = 24       // bytes of the shortest credential in base64
)

// Exposes reports whether a text that leaves the machine holds a secret, by Contains or HoldsKey.
func Exposes(s string) bool { return Contains(s) || HoldsKey(s) }

// HoldsKey reports whether s holds a live credential that its shape gives away: as written, in
// percent-encoding, in base64 or in hexadecimal. An adversary who steers an agent encodes a key so
// that the address that carries it looks harmless. HoldsKey also counts the keys of documentation,
// because an address or a message has no need for one.
func HoldsKey(s string) bool {
	s = s[:min(len(s), maxEncoded)]
	if shaped(s) {
		return true
	}
	if plain := unpercent(s); len(plain) != len(s) {
		if s = plain; shaped(s) {
			return true
		}
	}
	for run := range strings.FieldsFuncSeq(s, func(r rune) bool { return r > 0x7f || !isBase64(byte(r)) || r == '=' }) {
		if len(run) < minEncoded {
			continue
		}
		for text := run; ; { // a slash also parts the segments of a path
			if decodes(text) {
				return true
			}
			i := strings.IndexByte(text, '/')
			if i < 0 || len(text)-i <= minEncoded {
				break
			}
			text = text[i+1:]
		}
	}
	return false
}

// shaped reports whether s holds a credential of a known service. It ignores keys of test accounts,
// and the keys of webhooks and Telegram bots, which are part of the service's own address.
func shaped(s string) bool {
	sc := scanner{s: s}
	for m, ok := sc.next(); ok; m, ok = sc.next() {
		text := s[m.start:m.end]
		n, _ := Token(text) // the password of an address may be a token
		if m.kind != kindWebhook && m.kind != kindTelegram && (n > 0 || m.strong && formOf(s, m) == ByShape) && !anyof.Contains(text, "sk_test_", "rk_test_") {
			return true
		}
	}
	return false
}

// unpercent decodes percent-encoding and keeps what is not part of it.
func unpercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				b.Write(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// decodes reports whether s is the base64 or the hexadecimal form of a credential.
func decodes(s string) bool {
	if text, err := hex.DecodeString(s[:len(s)&^1]); err == nil {
		return shaped(string(text))
	}
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	text, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(s))
	return err == nil && shaped(string(text))
}

// NamesKey reports whether a pattern of a search holds how the credentials of a known service begin.
func NamesKey(pattern string) bool {
	for i := range shapes {
		if p := strings.TrimRight(shapes[i].prefix, "-"); len(p) > 3 && (!shapes[i].weak || p == "npm_") && strings.Contains(pattern, p) {
			return true
		}
	}
	return anyof.Contains(pattern, "AKIA", "ASIA", "AIza", "eyJhbGciOi", "pypi-AgE")
}
