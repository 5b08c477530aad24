package redact

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// A Weight is how much a name suggests about the value beside it.
type weight uint8

const (
	silent  weight = iota
	hinting        // may be a secret: mask what looks random
	telling        // is a secret
)

// maxName bounds a name in bytes; longer text is not a name.
const maxName = 64

// weigh says whether name announces a secret, and of which kind.
func weigh(name string) (kind string, w weight) {
	if len(name) < 2 || len(name) > maxName {
		return "", silent
	}
	var buf [maxName]byte
	n := 0
	for i := 0; i < len(name); i++ {
		if c := name[i]; isLetter(c) {
			buf[n] = c | 0x20
			n++
		} else if isDigit(c) {
			buf[n] = c
			n++
		}
	}
	flat := buf[:n]
	for i := range flat {
		if k, width := wordAt(flat[i:]); width > 0 {
			kind = k
			if harmlessTail(flat[i+width:]) {
				return kind, hinting
			}
			if k == kindPassword && width == 3 && (n == 3 || has(flat, "oldpwd")) { // the shell's PWD
				return "", silent
			}
			return kind, telling
		}
	}
	switch last := lastWord(name); {
	case fold(last, "pass") || fold(last, "passwd") || fold(last, "pw") || fold(last, "psk"):
		return kindPassword, telling
	case fold(last, "key") || fold(last, "keys"):
		return kindAPIKey, hinting
	case fold(last, "auth") || fold(last, "sig") || fold(last, "signature") || fold(last, "sid") || fold(last, "session") ||
		fold(last, "jwt") || fold(last, "dsn") || fold(last, "pat"):
		return kindToken, hinting
	}
	return "", silent
}

// wordAt returns the sensitive word that b starts with.
func wordAt(b []byte) (kind string, width int) {
	switch b[0] {
	case 'p':
		for _, w := range [...]string{"password", "passwd", "passphrase", "passcode", "pwd"} {
			if has(b, w) {
				return kindPassword, len(w)
			}
		}
		if has(b, "privatekey") {
			return kindPrivateKey, len("privatekey")
		}
	case 's':
		for _, w := range [...]string{"secret", "signingkey", "sharedkey", "storagekey", "servicekey", "subscriptionkey"} {
			if has(b, w) {
				if w == "secret" && len(b) > 6 && b[6] == 'a' && has(b, "secretar") {
					return "", 0
				}
				return kindSecret, len(w)
			}
		}
		if has(b, "setcookie") {
			return kindCookie, len("setcookie")
		}
	case 't':
		if has(b, "token") && !has(b, "tokeniz") && !has(b, "tokenis") {
			return kindToken, len("token")
		}
	case 'c':
		if has(b, "credential") {
			return kindCredential, len("credential")
		}
		if has(b, "cookie") {
			return kindCookie, len("cookie")
		}
	case 'a':
		for _, w := range [...]string{"apikey", "accesskey", "accountkey", "authkey"} {
			if has(b, w) {
				return kindAPIKey, len(w)
			}
		}
		if has(b, "authorization") {
			return kindCredential, len("authorization")
		}
	case 'e':
		if has(b, "encryptionkey") {
			return kindSecret, len("encryptionkey")
		}
	case 'm':
		if has(b, "masterkey") {
			return kindSecret, len("masterkey")
		}
	case 'w':
		if has(b, "webhookkey") {
			return kindSecret, len("webhookkey")
		}
	}
	return "", 0
}

// harmlessTail reports whether what follows a sensitive word makes the name one
// of something about the secret: token_url, password-stdin, secret_name.
func harmlessTail(b []byte) bool {
	if len(b) > 0 && b[0] == 's' {
		b = b[1:]
	}
	return anyof.Equal(string(b), "file", "path", "url", "uri", "endpoint", "type", "name", "length", "len", "count", "limit", "size", "policy",
		"expiry", "expires", "expiresin", "expiration", "ttl", "age", "lifetime", "stdin", "prompt", "field", "label", "hint",
		"env", "var", "header", "format", "algorithm", "alg", "provider", "manager", "store", "helper", "command", "cmd",
		"arn", "ref", "version", "pattern", "required", "enabled", "usage", "budget", "dir", "id", "keyref", "rotation",
		"less", "consent", "banner", "jar", "domain", "samesite")
}

// has reports whether b starts with w.
func has(b []byte, w string) bool { return len(b) >= len(w) && string(b[:len(w)]) == w }

// lastWord returns the last word of a name in snake_case, kebab-case, dotted or camelCase.
func lastWord(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		c := name[i]
		if !isAlnum(c) {
			return name[i+1:]
		}
		if isUpper(c) && i > 0 && isLower(name[i-1]) {
			return name[i:]
		}
	}
	return name
}

func fold(s, lower string) bool { return len(s) == len(lower) && strings.EqualFold(s, lower) }
