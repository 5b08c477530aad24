package redact

import "strings"

// A Form is the kind of evidence for a secret.
type Form uint8

// The forms.
const (
	ByShape   Form = iota // a credential of a known service, a key, a signed token
	ByAddress             // the password of an address, as in scheme://user:password@host
	ByName                // the name beside it says so, and it looks random
	ByWord                // the name beside it says so, and it could be a word
)

// Found is the place of a secret in a text.
type Found struct {
	Start, End int
	Kind       string // as its mask names it
	Form       Form
}

// Find returns the secrets of a text, at most n. Placeholders, as
// documentation has them, are left out.
func Find(s string, n int) (list []Found) {
	sc := scanner{s: s}
	for m, ok := sc.next(); ok && len(list) < n; m, ok = sc.next() {
		if !isExample(s[m.start:m.end]) {
			list = append(list, Found{m.start, m.end, m.kind, formOf(s, m)})
		}
	}
	return list
}

func formOf(s string, m match) Form {
	if m.end < len(s) && s[m.end] == '@' {
		before := s[max(0, m.start-200):m.start]
		if i := strings.LastIndex(before, "://"); i >= 0 && !strings.ContainsAny(before[i:], " \t\n\"'`") {
			return ByAddress
		}
	}
	switch m.kind {
	case kindPassword, kindSecret, kindToken, kindAPIKey, kindCookie, kindCredential, kindBearer, kindBasic:
		if m.strong {
			return ByName
		}
		return ByWord
	}
	if m.strong {
		return ByShape
	}
	return ByWord
}
