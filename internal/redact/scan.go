package redact

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// A match is one secret in the text.
type match struct {
	start, end int
	kind       string
	strong     bool // shaped like a credential, not only named like one
}

// A scanner finds the secrets of a text from left to right.
type scanner struct {
	s      string
	pos    int
	runEnd int // end of the base64 run that was measured last, so that no run is measured twice

	reading bool // keep text that could have an effect
	named   int  // with reading: up to here a value is left, and what is named in it stays as well
	inKey   bool // with reading: what was found last is a line of a key
}

// stops are the bytes at which a secret, or its name, can be recognized. They are rare in text, so
// most bytes cost one lookup.
var stops = [256]bool{
	'_': true, '-': true, '.': true, '0': true, '=': true, ':': true, 'K': true, 'S': true, 'z': true, 'J': true,
	'B': true, 'b': true, '[': true,
}

// next returns the next secret, never one that overlaps the last.
func (sc *scanner) next() (match, bool) {
	s := sc.s
	if sc.inKey {
		if m, ok := sc.keyLine(sc.pos); ok {
			return m, true
		}
	}
	for i := sc.pos; i < len(s); i++ {
		if !stops[s[i]] {
			continue
		}
		var m match
		ok := false
		switch s[i] {
		case '[':
			if n := maskLen(s[i:]); n > 0 {
				i += n - 1
				continue
			}
		case '=':
			if i >= sc.named {
				m, ok = sc.assigned(i)
			}
		case ':':
			if strings.HasPrefix(s[i:], "://") {
				m, ok = userinfo(s, i+3)
			} else if i < sc.named {
				m, ok = telegram(s, i)
			} else if m, ok = sc.assigned(i); !ok {
				m, ok = telegram(s, i)
			}
		case '_', '.', '0':
			if m, ok = shapeAt(s, i); !ok && s[i] == '.' {
				m, ok = webhook(s, i)
			}
		case '-':
			if !sc.reading {
				m, ok = privateKey(s, i)
			} else if at := keyBegins(s, i); at > 0 {
				if m, ok := sc.keyLine(at); ok {
					return m, true
				}
			}
			if !ok {
				if m, ok = shapeAt(s, i); !ok && i >= sc.named {
					m, ok = sc.flag(i)
				}
			}
		case 'K', 'S':
			m, ok = keyID(s, i)
		case 'z':
			if i >= 2 && s[i-2:i] == "AI" && i+1 < len(s) && s[i+1] == 'a' {
				if end := tokenEnd(s, i+2); end-i-2 >= 30 {
					m, ok = match{i - 2, end, kindGoogleKey, true}, true
				}
			}
		case 'J':
			if m, ok = shapeAt(s, i); !ok {
				m, ok = sc.jwt(i)
			}
		case 'B', 'b':
			m, ok = scheme(s, i)
		}
		// A secret may begin before the byte that gave it away, but not before the last one's end.
		if ok && m.start < sc.pos {
			m.start = sc.pos
		}
		if ok && sc.reading && acts(s[m.start:m.end]) {
			sc.named, ok = m.end, false
		}
		if ok && m.end > m.start && m.end > i {
			sc.pos = m.end
			return m, true
		}
	}
	sc.pos = len(s)
	return match{}, false
}

func tokenEnd(s string, i int) int {
	for i < len(s) && isToken(s[i]) {
		i++
	}
	return i
}

// jwt looks for a token of three dotted parts; s[i] is the J of "eyJ".
func (sc *scanner) jwt(i int) (match, bool) {
	s := sc.s
	if i < 2 || s[i-1] != 'y' || s[i-2] != 'e' {
		return match{}, false
	}
	if i >= sc.runEnd {
		sc.runEnd = tokenEnd(s, i)
	}
	end := sc.runEnd
	if end-i < 8 || end >= len(s) || s[end] != '.' {
		return match{}, false
	}
	parts := 0
	for end < len(s) && s[end] == '.' {
		e := tokenEnd(s, end+1)
		if e == end+1 && parts == 0 {
			break
		}
		end, parts = e, parts+1
	}
	if parts == 0 || end-i < 24 {
		return match{}, false
	}
	return match{i - 2, end, kindJWT, true}, true
}

// keyID looks for the key IDs that start with AKIA, ASIA and SK.
func keyID(s string, i int) (match, bool) {
	if i > 0 && s[i-1] == 'A' && strings.HasPrefix(s[i+1:], "IA") {
		end := i + 3
		for end < len(s) && (isUpper(s[end]) || isDigit(s[end])) {
			end++
		}
		if end-i-3 >= 16 {
			return match{i - 1, end, kindAWSKey, true}, true
		}
	}
	if s[i] == 'S' && startsWord(s, i) && i+34 <= len(s) && s[i+1] == 'K' && (i+34 == len(s) || !isAlnum(s[i+34])) {
		for _, c := range []byte(s[i+2 : i+34]) {
			if !isDigit(c) && (c < 'a' || c > 'f') {
				return match{}, false
			}
		}
		return match{i, i + 34, kindTwilio, true}, true
	}
	return match{}, false
}

// telegram looks for a bot token, digits:35 characters; s[i] is the colon.
func telegram(s string, i int) (match, bool) {
	start := i
	for start > 0 && isDigit(s[start-1]) && i-start < 12 {
		start--
	}
	if i-start < 8 || i-start > 10 {
		return match{}, false
	}
	end := tokenEnd(s, i+1)
	if n := end - i - 1; n < 33 || n > 40 || !looksRandom(s[i+1:end]) {
		return match{}, false
	}
	return match{start, end, kindTelegram, true}, true
}

// webhook looks for the addresses that anyone who knows them may post to.
func webhook(s string, i int) (match, bool) {
	for _, w := range [...]string{"hooks.slack.com/services/", "discord.com/api/webhooks/"} {
		dot := strings.IndexByte(w, '.')
		if i < dot || s[i-dot:i] != w[:dot] || !strings.HasPrefix(s[i:], w[dot:]) {
			continue
		}
		start := i - dot + len(w)
		end := start
		for end < len(s) && (isToken(s[end]) || s[end] == '/') {
			end++
		}
		if end-start >= 20 {
			return match{start, end, kindWebhook, true}, true
		}
	}
	return match{}, false
}

// privateKey looks for a PEM block; without an end mark, the rest of the text is secret.
func privateKey(s string, i int) (match, bool) {
	const begin, end = "-----BEGIN ", "-----END "
	if !strings.HasPrefix(s[i:], begin) {
		return match{}, false
	}
	head := s[i+len(begin):]
	if k := strings.Index(head[:min(len(head), 48)], "PRIVATE KEY"); k < 0 || strings.Contains(head[:k], "--") {
		return match{}, false
	}
	e := strings.Index(head, end)
	if e < 0 {
		return match{i, len(s), kindPrivateKey, true}, true
	}
	stop := i + len(begin) + e + len(end)
	if k := strings.Index(s[stop:min(len(s), stop+48)], "-----"); k >= 0 {
		stop += k + len("-----")
	}
	return match{i, stop, kindPrivateKey, true}, true
}

// keyBegins returns where the mark ends that a key begins with, or 0.
func keyBegins(s string, i int) int {
	const begin, dashes = "-----BEGIN ", "-----"
	if !strings.HasPrefix(s[i:], begin) {
		return 0
	}
	at := i + len(begin)
	n := strings.Index(s[at:min(len(s), at+48)], dashes)
	if n < 0 || !strings.Contains(s[at:at+n], "PRIVATE KEY") {
		return 0
	}
	return at + n + len(dashes)
}

// keyLine looks for the next line of a key, for who reads: words between the marks of one
// are no key. The last line is shorter: it tells nothing, and could be a command as well.
func (sc *scanner) keyLine(at int) (match, bool) {
	s := sc.s
	from := between(s, at)
	end := from
	for end < len(s) && isBase64(s[end]) {
		end++
	}
	if sc.inKey = isKeyLine(s[from:end]); sc.inKey {
		sc.pos = end
	}
	return match{from, end, kindPrivateKey, true}, sc.inKey
}

// isKeyLine reports whether a run of base64 is a line of a key: long, and of all sorts of
// characters, as no word is and hardly a path.
func isKeyLine(run string) bool {
	upper, lower, digit := false, false, false
	for i := 0; i < len(run); i++ {
		upper, lower, digit = upper || run[i] >= 'A' && run[i] <= 'Z', lower || isLower(run[i]), digit || isDigit(run[i])
	}
	return len(run) >= 60 && upper && lower && digit
}

// between returns where what stands between the lines of a key ends: white space, and the
// signs of comments and of texts in programs.
func between(s string, at int) int {
	for at < len(s) {
		switch c := s[at]; {
		case isSpace(c) || c == '\n' || c == '\r' || c == '"' || c == '\'' || c == ',' || c == '#' || c == '*':
			at++
		case c == '\\' && at+1 < len(s) && (s[at+1] == 'n' || s[at+1] == 'r' || s[at+1] == '\n'):
			at += 2
		default:
			return at
		}
	}
	return at
}

// acts reports whether a text could have an effect on a shell or another program: it has more than
// one word, or a special character, or it names a file or an address. curl -d password=@/etc/shadow
// sends a file.
func acts(s string) bool {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '=' || r == ':' }) {
		if anyof.HasPrefix(part, "@", "~", "./", "../", "//") || part[0] == '/' && !looksRandom(part) {
			return true
		}
	}
	return strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || strings.ContainsRune("`$;|&<>(){}", r) })
}

// scheme looks for the credential after "Bearer " and "Basic ".
func scheme(s string, i int) (match, bool) {
	kind, n := "", 0
	switch {
	case len(s)-i > 7 && strings.EqualFold(s[i:i+6], "bearer"):
		kind, n = kindBearer, 6
	case len(s)-i > 6 && strings.EqualFold(s[i:i+5], "basic"):
		kind, n = kindBasic, 5
	}
	if n == 0 || !isSpace(s[i+n]) || !startsWord(s, i) {
		return match{}, false
	}
	start := i + n
	for start < len(s) && isSpace(s[start]) {
		start++
	}
	end := start
	for end < len(s) && (isBase64(s[end]) || s[end] == '.' || s[end] == '~') {
		end++
	}
	v := s[start:end]
	if len(v) < 8 || !looksRandom(v) && !(len(v) >= 8 && mixed(v)) {
		return match{}, false
	}
	return match{start, end, kind, looksRandom(v)}, true
}

// mixed reports whether s has both letters and digits, or ends in padding, so that it is hardly
// prose.
func mixed(s string) bool {
	letters, digits := false, strings.HasSuffix(s, "=")
	for i := 0; i < len(s); i++ {
		letters = letters || isLetter(s[i])
		digits = digits || isDigit(s[i])
	}
	return letters && digits
}

// userinfo looks for the password in user:password@host, which starts at i.
func userinfo(s string, i int) (match, bool) {
	colon, at := -1, -1
	for k := i; k < len(s) && k-i < 1024; k++ {
		c := s[k]
		if n := maskLen(s[k:]); n > 0 { // its colon is ours
			k += n - 1
		} else if c == '@' {
			at = k // the last one counts: passwords hold some
		} else if c == ':' && colon < 0 {
			colon = k
		} else if c <= ' ' || c == '/' || c == '?' || c == '#' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || c == '\\' {
			break
		}
	}
	if at < 0 {
		return match{}, false
	}
	if colon < 0 || colon > at {
		if v := s[i:at]; looksRandom(v) && !placeholder(v) { // a token in the user's place
			return match{i, at, kindToken, false}, true
		}
		return match{}, false
	}
	if v := s[colon+1 : at]; v != "" && !placeholder(v) {
		return match{colon + 1, at, kindPassword, false}, true
	}
	return match{}, false
}

// assigned looks for the value of name=value, name: value, "name": "value" and their kin; s[i] is = or :.
func (sc *scanner) assigned(i int) (match, bool) {
	s := sc.s
	end := i
	for end > sc.pos && i-end < 4 && (isSpace(s[end-1]) || s[end-1] == ':' && s[i] == '=' && end == i) {
		end--
	}
	spaced := end < i && isSpace(s[end])
	for end > sc.pos && (s[end-1] == '"' || s[end-1] == '\'' || s[end-1] == '`' || s[end-1] == '\\' || s[end-1] == ']') && i-end < 8 {
		end--
	}
	start := end
	for start > sc.pos && end-start <= maxName && (isToken(s[start-1]) || s[start-1] == '.') {
		start--
	}
	name := strings.TrimLeft(s[start:end], "-.")
	if start > 0 && s[start-1] == '\\' && len(name) > 1 { // \nTOKEN=: the n belongs to the escape
		if k, w := weigh(name[1:]); w != silent && k != "" {
			name = name[1:]
		}
	}
	kind, w := weigh(name)
	if w == silent {
		return match{}, false
	}
	v := i + 1
	if v < len(s) && (s[v] == '=' || s[v] == '>' || s[v] == '~') && s[i] == '=' { // ==, => and =~
		v++
	}
	if v < len(s) && s[v] == '=' && s[i] == ':' { // := is met again at the =
		return match{}, false
	}
	if s[i] == ':' && v < len(s) && s[v] == ':' || s[i] == ':' && i > 0 && s[i-1] == ':' { // a scope, not a value
		return match{}, false
	}
	if s[i] == ':' || spaced || v > i+1 {
		for v < len(s) && v-i < 16 && isSpace(s[v]) {
			v++
		}
	}
	if header(name) {
		return sc.headerValue(v, kind)
	}
	vs, ve := value(s, v, s[i] == '=' && !spaced)
	return verdict(s, vs, ve, kind, w)
}

// flag looks for the value of --name value; s[i] is a dash.
func (sc *scanner) flag(i int) (match, bool) {
	s := sc.s
	if i+3 >= len(s) || s[i+1] != '-' || !isLetter(s[i+2]) || i > 0 && isToken(s[i-1]) {
		return match{}, false
	}
	end := tokenEnd(s, i+2)
	if end >= len(s) || !isSpace(s[end]) {
		return match{}, false
	}
	kind, w := weigh(s[i+2 : end])
	if w == silent {
		return match{}, false
	}
	v := end
	for v < len(s) && isSpace(s[v]) {
		v++
	}
	if v < len(s) && s[v] == '-' { // the next option
		return match{}, false
	}
	vs, ve := value(s, v, true)
	return verdict(s, vs, ve, kind, w)
}

// verdict says whether s[vs:ve], the value of a name of that weight, is a secret.
func verdict(s string, vs, ve int, kind string, w weight) (match, bool) {
	v := s[vs:ve]
	if v == "" || placeholder(v) {
		return match{}, false
	}
	random := looksRandom(v)
	if w == hinting && !random || kind == kindToken && len(v) <= 9 && allDigits(v) {
		return match{}, false
	}
	// A known shape says more than the name.
	inner := scanner{s: v}
	if m, ok := inner.next(); ok && m.strong && m.start == 0 && m.end == len(v) {
		return match{vs, ve, m.kind, true}, true
	}
	return match{vs, ve, kind, random && w == telling}, true
}

// header reports whether name is a header whose value goes on over spaces.
func header(name string) bool {
	switch len(name) {
	case len("authorization"), len("proxy-authorization"), len("cookie"), len("set-cookie"):
		return strings.EqualFold(name, "authorization") || strings.EqualFold(name, "proxy-authorization") ||
			strings.EqualFold(name, "cookie") || strings.EqualFold(name, "set-cookie")
	}
	return false
}

// headerValue takes what stands to the end of the quotes or the line, less the scheme's name.
func (sc *scanner) headerValue(v int, kind string) (match, bool) {
	s := sc.s
	if v < len(s) && (s[v] == '"' || s[v] == '\'' || s[v] == '\\') {
		for v < len(s) && (s[v] == '"' || s[v] == '\'' || s[v] == '\\') {
			v++
		}
	}
	end := v
	for end < len(s) && s[end] >= ' ' && s[end] != '"' && s[end] != '\'' && s[end] != '`' && s[end] != '\\' {
		end++
	}
	word := v
	for word < end && isToken(s[word]) {
		word++
	}
	if word < end && word > v && s[word] == ' ' && word-v <= 16 {
		switch {
		case strings.EqualFold(s[v:word], "bearer"):
			v, kind = word+1, kindBearer
		case strings.EqualFold(s[v:word], "basic"):
			v, kind = word+1, kindBasic
		case strings.EqualFold(s[v:word], "token"):
			v, kind = word+1, kindToken
		}
	}
	for v < end && s[v] == ' ' {
		v++
	}
	for end > v && s[end-1] == ' ' {
		end--
	}
	text := s[v:end]
	if text == "" || placeholder(text) {
		return match{}, false
	}
	return match{v, end, kind, looksRandom(text)}, true
}
