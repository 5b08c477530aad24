package pii

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// A connector stands between the parts of an address that is written in words.
type connector uint8

const (
	noConnector connector = iota
	dot
	underscore
	dash
	at     // a sign with no other meaning
	maybe  // "at", which is also an ordinary word
	pureAt // the sign itself, with spaces around it or in full width
)

// readConnectors returns the words for the signs in email addresses.
func readConnectors() map[string]connector {
	m := map[string]connector{}
	for k, words := range map[connector]string{
		dot: "dot punto punkt point ponto punt kropka точка крапка nokta डॉट نقطة دات tečka bodka piste pont punct punctum prik ドット 点 닷 점 titik chấm नुक्ता nuqta period دوت",
		at: "arroba chiocciola chiocciolina klammeraffe klammeraffen arobase arobas apenstaartje apestaartje małpa malpa собака собачка равлик арроба snabel-a snabela alfakrøll " +
			"kukac zavináč zavinac miukumauku kissanhäntä एट آت अट アットマーク アット 골뱅이 παπάκι ät ätt 艾特",
		maybe:      "at et chez",
		underscore: "underscore unterstrich subrayado sublinhado tiret-bas undertone podkreślnik podkreślenie подчёркивание подчеркивание altçizgi understreck アンダーバー 下划线 밑줄",
		dash:       "dash hyphen bindestrich guion guión trattino tiret hífen minus koppelteken streepje myślnik дефис тире tire bindestreck ハイフン 하이픈",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = k
		}
	}
	return m
}

// endings lists the top-level domains of email addresses. An address in words must end with one.
var endings = lazy.Words("com org net edu gov mil int info biz io co dev app me tv ai xyz online site email cloud tech name pro eu asia " +
	"de at ch fr be nl lu es pt it uk ie se no dk fi is pl cz sk hu ro bg gr cy mt si hr rs ba mk al ee lv lt ru ua by kz uz ge am az tr il sa ae eg ma dz tn ly jo lb sy iq ir qa kw bh om ye " +
	"in pk bd lk np cn tw hk jp kr th vn id my sg ph au nz za ng ke gh et tz ug us ca mx br ar cl pe ve ec uy py bo cr do gt cu pr example test invalid ру ком орг рф укр भारत")

// notLocal lists words that no address begins with.
var notLocal = lazy.Words("to us me him her them you it look find visit meet see more shop site online page available here there hosted found located arrive live work works working and or on start buy " +
	"read learn book order sign login is are was be been up out over back now anything everything something someone this that these those email mail details info's free website docs documentation " +
	"check try join reach available registered sold listed published posted running served only also just not")

// mailWords lists words that announce an address.
var mailWords = lazy.Words("mail email e-mail mails emails address write contact send forward cc reach inbox adresse schreib schreiben mailadresse correo escribe escribir contacto posta scrivi contatto " +
	"indirizzo courriel écrivez écrire mél endereço escreve contato schrijf adres adresim napisz kontakt почта почту пишите адрес отправьте eposta e-posta yaz adresinden adresine iletişim " +
	"ईमेल मेल लिखें भेजें पता बريد بريدي البريد راسلني اكتب drop ping skriv sähköposti")

// connector parses a connector at i, and returns its end.
func (c *scan) connector(i int) (connector, int) {
	if b := c.at(i); b == '&' || b == '%' || b == '\\' {
		return c.escaped(i)
	}
	start := i
	for i-start < 2 && c.at(i) == ' ' {
		i++
	}
	blank := i > start
	b := c.at(i)
	bracket := b == '(' || b == '[' || b == '{' || b == '<'
	if bracket {
		if i++; c.at(i) == ' ' {
			i++
		}
		b = c.at(i)
	}
	var k connector
	word := false
	switch {
	case b == '@':
		k = pureAt
		i++
	case b == '.':
		k = dot
		i++
	case b == '_' && bracket:
		k = underscore
		i++
	case b >= utf8.RuneSelf && connectorFilter.lengths[b] == 0 && b != 0xef:
		c.incomplete(i)
		return noConnector, 0
	default:
		if full, n := c.fullWidth(i); full != noConnector {
			k = full
			i += n
			break
		}
		if !bracket && !blank {
			return noConnector, 0
		}
		k, i = c.connectingWord(i, bracket)
		word = true
	}
	if k == noConnector {
		return k, 0
	}
	if c.at(i) == ' ' && bracket {
		i++
	}
	if bracket {
		switch c.at(i) {
		case ')', ']', '}', '>':
			i++
		default:
			return noConnector, 0
		}
	}
	after := i
	for i-after < 2 && c.at(i) == ' ' {
		i++
	}
	if word && !bracket && i == after {
		return noConnector, 0
	}
	if k == dot && !word && !bracket && blank != (i > after) {
		return noConnector, 0 // the end of a sentence
	}
	if bracket && k == pureAt {
		k = at
	}
	return k, i
}

// fullWidth parses a full-width at sign or full stop at i, and returns its size.
func (c *scan) fullWidth(i int) (connector, int) {
	if c.at(i) != 0xef {
		return noConnector, 0
	}
	switch r, n := c.rune(i); r {
	case 0xff20, 0xfe6b:
		return pureAt, n
	case 0xff0e:
		return dot, n
	}
	return noConnector, 0
}

// connectingWord parses a word at i that stands for a sign, such as "at" or "dot", and returns its
// end.
func (c *scan) connectingWord(i int, bracket bool) (connector, int) {
	b := c.at(i)
	if connectorFilter.lengths[lowered(b)] == 0 {
		return noConnector, 0
	}
	end := i
	for end-i < longestWord && (isLetter(c.at(end)) || c.at(end) == '-' && isLetter(c.at(end+1)) || c.at(end) >= utf8.RuneSelf && c.letter(end)) {
		end += max(1, c.width(end))
	}
	if c.short || connectorFilter.lengths[lowered(b)]>>min(end-i, 31)&1 == 0 && !(bracket && end-i == 1) {
		return noConnector, 0
	}
	w := strings.ToLower(c.s[i:end])
	k := connectors[w]
	if k == maybe && c.has(end, " sign ") {
		k, end = at, end+len(" sign")
	}
	if k == dash {
		for _, below := range [...]string{" bajo", " bas", " basso", " baixo"} { // "guion bajo"
			if c.has(end, below+" ") {
				k, end = underscore, end+len(below)
				break
			}
		}
	}
	if bracket && (k == maybe || w == "a") || k == maybe && c.s[i:end] == "AT" && lower(c.back(i-2)) {
		k = at // "jane AT example DOT com"
	}
	return k, end
}

// mayConnect reports whether a connector may follow at i. It is a fast filter.
func (c *scan) mayConnect(i int) bool {
	switch b := c.at(i); {
	case b == ' ':
		i++
		n := c.at(i)
		if n == ' ' {
			i++
			n = c.at(i)
		}
		return n == '@' || n == '(' || n == '[' || n == '{' || n == '<' || n == 0xef || connectorFilter.pass(n, c.at(i+1))
	case b == '(' || b == '[' || b == '{' || b == '<':
		return true
	case b == 0xef || b == '&' || b == '%' || b == '\\':
		return true
	}
	return false
}

// part returns the end of one part of an address at i: letters of any script, digits and, in the
// local part, the signs of names.
func (c *scan) part(i int, local bool) int {
	start := i
	for i-start <= longestLocal {
		b := c.at(i)
		switch {
		case isAlnum(b) || b == '-' && i > start:
			i++
		case local && (b == '_' || b == '+' || b == '.' && isAlnum(c.at(i+1))):
			i++
		case b >= utf8.RuneSelf && (c.letter(i) || local && (c.has(i, "＿") || c.has(i, "＋") || i > start && c.has(i, "－"))):
			i += max(1, c.width(i))
		default:
			return i
		}
	}
	return i
}

// obfuscated looks for an address in words whose local part begins at p: "jane dot doe at example
// dot org".
func (c *scan) obfuscated(p int) (Span, bool) {
	if c.localEnd <= p || !utf8.RuneStart(c.s[p]) {
		return Span{}, false
	}
	if prev := c.back(p - 1); isLocal(prev) && (isAlnum(prev) || prev >= utf8.RuneSelf && c.letterBefore(p)) || prev == '/' {
		return Span{}, false
	}
	if c.localEnd-p == 2 && notLocal()[c.s[p:c.localEnd]] {
		return Span{}, false
	}
	local := c.s[p:min(c.localEnd, len(c.s))]
	if !c.mayConnect(c.localEnd) && strings.IndexByte(local, 0xef) < 0 && !strings.Contains(local, "%40") {
		return Span{}, false
	}
	i := c.part(p, true)
	if i == p || i-p > longestLocal || !c.mayConnect(i) {
		return Span{}, false
	}
	// Reject words that begin no address without reading further: a growing text then settles
	// sooner.
	first := strings.ToLower(c.s[p:i])
	if notLocal()[first] {
		return Span{}, false
	}
	k, next := c.connector(i)
	if k == noConnector || c.short || connectors[first] != noConnector {
		return Span{}, false
	}
	complex := strings.ContainsAny(first, "._0123456789")
	kind := noConnector
	for range 5 {
		if k == noConnector || c.short {
			return Span{}, false
		}
		i = next
		if k >= at {
			kind = k
			break
		}
		if k == dot && c.s[next-1] == ' ' && c.s[next-2] == '.' {
			return Span{}, false
		}
		complex = true
		if next = c.part(i, true); next == i {
			return Span{}, false
		}
		i = next
		k, next = c.connector(i)
	}
	if kind == noConnector {
		return Span{}, false
	}
	end, ok := c.writtenHost(p, i)
	if !ok || c.short || end <= 0 || c.at(end) == '@' || kind == maybe && !complex && !c.mailNear(p, end) {
		return Span{}, false
	}
	return Span{Email, "", p, end}, !c.short
}

// writtenHost parses the host of an address in words at i, and returns the end of its last known
// top-level domain, or 0 or less if there is none. ok is false if the words only continue, as in "a
// dot b".
func (c *scan) writtenHost(p, i int) (end int, ok bool) {
	said := false // a dot or a word for it was read
	for range 6 {
		label := i
		i = c.part(i, false)
		if i == label || i-label > 63 || c.s[i-1] == '-' {
			break
		}
		if label > p && end == 0 && connectors[strings.ToLower(c.s[label:i])] == dot {
			return 0, false
		}
		if endings()[strings.ToLower(c.plainLetters(label, i))] && (said || end > 0) {
			end = i
		} else if end == 0 {
			end = -1 // one label
		}
		if c.at(i) == '.' && isAlnum(c.at(i+1)) {
			i++
			said = true
			continue
		}
		k, next := c.connector(i)
		if k == noConnector && end < 0 { // mistyped: "jane@example,com"
			if next = i; c.at(i) == ' ' {
				next++
			}
			if c.at(next) == ',' && isLetter(c.at(next+1)) {
				k, next = dot, next+1
			}
		}
		if k != dot {
			break
		}
		said = true
		i = next
	}
	return end, true
}

// plainLetters returns s[from:to] with full-width characters replaced by ASCII.
func (c *scan) plainLetters(from, to int) string {
	if strings.IndexByte(c.s[from:to], 0xef) < 0 {
		return c.s[from:to]
	}
	return strings.Map(func(r rune) rune {
		if 0xff01 <= r && r <= 0xff5e {
			return r - 0xfee0
		}
		return r
	}, c.s[from:to])
}

// mailNear reports whether a word near the address announces it.
func (c *scan) mailNear(p, end int) bool {
	split := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '-' }
	for w := range strings.FieldsFuncSeq(c.s[max(0, p-Before/2):p], split) {
		if mailWords()[strings.ToLower(w)] {
			return true
		}
	}
	n := end
	for n < end+Before/2 && c.at(n) != 0 && c.at(n) != '\n' {
		n++
	}
	if c.short {
		return false
	}
	for w := range strings.FieldsFuncSeq(c.s[end:n], split) {
		if mailWords()[strings.ToLower(w)] {
			return true
		}
	}
	return false
}
