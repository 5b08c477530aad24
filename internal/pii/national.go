package pii

import (
	"slices"
	"strings"
)

// National numbers of people. A number whose form and check digits leave little to chance counts by
// itself, and others count only after a word that names them.
const (
	korea     = "kr-rrn"
	china     = "cn-resident-id"
	france    = "fr-nir"
	brazil    = "br-cpf"
	spain     = "es-nif"
	italy     = "it-codice-fiscale"
	finland   = "fi-hetu"
	singapore = "sg-nric"
	pakistan  = "pk-cnic"
	russia    = "ru-snils"
	mexico    = "mx-curp"
	indiaTax  = "in-pan"
	britain   = "gb-nino"
	passport  = "passport"
)

// named lists the words that name a number before it.
var named = map[string][]string{
	korea:     {"주민", "외국인등록", "rrn", "resident registration", "resident number"},
	china:     {"身份证", "身分證", "resident identity", "resident id"},
	france:    {"sécurité sociale", "securite sociale", "sécu", "secu", "nir", "insee"},
	brazil:    {"cpf"},
	spain:     {"dni", "nif", "nie"},
	italy:     {"codice fiscale", "fiscale", "cod. fisc"},
	finland:   {"henkilötunnus", "hetu", "personal identity code", "personbeteckning"},
	singapore: {"nric", "fin"},
	pakistan:  {"cnic", "nicop", "شناختی"},
	russia:    {"снилс", "snils"},
	mexico:    {"curp"},
	indiaTax:  {"pan", "permanent account number"},
	britain:   {"nino", "national insurance", "ni", "n.i"},
	passport: {"passport", "passeport", "reisepass", "pass-nr", "passnummer", "pasaporte", "passaporte", "passaporto", "paspoort", "paszport", "paszportu", "паспорт", "паспорта", "pasaport", "paspor",
		"पासपोर्ट", "پاسپورٹ", "جواز سفر", "جواز السفر", "护照", "護照", "パスポート", "旅券", "여권", "পাসপোর্ট", "hộ chiếu"},
}

// labeled reports whether the text right before p names a number with one of the words.
func (c *scan) labeled(p int, words ...string) bool { return has(c.label(p), words) }

// has reports whether a label contains one of the words.
func has(text string, words []string) bool {
	for _, w := range words {
		for rest := text; ; {
			i := strings.Index(rest, w)
			if i < 0 {
				break
			}
			start, end := len(text)-len(rest)+i, len(text)-len(rest)+i+len(w)
			if w[0] >= 0x80 || (start == 0 || !isAlnum(text[start-1])) && (end == len(text) || !isAlnum(text[end])) {
				return true
			}
			rest = rest[i+len(w):]
		}
	}
	return false
}

// label returns the text right before p that may name a number, in lower case. Text before a comma
// belongs to another number.
func (c *scan) label(p int) string {
	text := strings.ToLower(c.s[max(0, p-Before/2):p])
	return text[strings.LastIndexAny(text, ",;")+1:]
}

// known returns the span of a number with the form of a national one. A sure number needs no name,
// unless the words before it name an order or a similar thing.
func (c *scan) known(detail string, start, end int, sure bool) (Span, bool) {
	if !c.ends(end) {
		return Span{}, false
	}
	ok := c.labeled(start, named[detail]...) ||
		sure && (c.before(start) != saysOther || c.labeled(start, "id", "identity", "national id", "citizen"))
	return Span{National, detail, start, end}, ok
}

// nationalNumber looks for a national number of digits, which may end in a letter.
func (c *scan) nationalNumber(g []group) (Span, bool) {
	start, end := g[0].start, g[0].end
	next := c.at(end)
	var buf [18]byte
	switch {
	case alike(g, 6, 7) && g[1].sep == '-':
		d := c.digits(buf[:0], g[:2])
		if checked, ok := rrn(d); ok {
			return c.known(korea, start, g[1].end, checked)
		}
	case g[0].len() == 6 && strings.IndexByte("+-ABCDEFYXWVU", next) >= 0 && next != 0:
		if c.hetu(start) {
			return c.known(finland, start, start+11, true)
		}
	case g[0].len() == 13:
		if len(g) > 1 && g[1].len() == 2 && nir(c.digits(buf[:0], g[:2])) {
			return c.known(france, start, g[1].end, true)
		}
	case g[0].len() == 15:
		if nir(c.digits(buf[:0], g[:1])) {
			return c.known(france, start, end, true)
		}
	case alike(g, 1, 2, 2, 2, 3, 3, 2):
		if nir(c.digits(buf[:0], g[:7])) {
			return c.known(france, start, g[6].end, true)
		}
	case g[0].len() == 18, g[0].len() == 17 && next|0x20 == 'x':
		if resident(c.s[start:min(len(c.s), start+18)]) {
			return c.known(china, start, start+18, true)
		}
	case alike(g, 6, 8, 4), alike(g, 6, 8, 3) && c.at(g[2].end)|0x20 == 'x':
		d, end := c.digits(buf[:0], g[:3]), g[2].end
		if len(d) == 17 {
			d, end = append(d, 'X'), end+1
		}
		if resident(string(d)) {
			return c.known(china, start, end, true)
		}
	case sized(g, false, 3, 3, 3, 2) && g[1].sep == '.' && g[2].sep == '.' && g[3].sep == '-':
		if cpf(c.digits(buf[:0], g[:4])) {
			return c.known(brazil, start, g[3].end, true)
		}
	case alike(g, 5, 7, 1) && g[1].sep == '-' && g[2].sep == '-' && c.s[start] != '0':
		return c.known(pakistan, start, g[2].end, true)
	case sized(g, false, 3, 3, 3, 2) && g[1].sep == '-' && g[2].sep == '-' && (g[3].sep == ' ' || g[3].sep == '-'):
		if snils(c.digits(buf[:0], g[:4])) {
			return c.known(russia, start, g[3].end, true)
		}
	case g[0].len() == 8, alike(g, 2, 3, 3):
		n := 1
		if g[0].len() == 2 {
			n = 3
		}
		end := g[n-1].end
		if b := c.at(end); b == '-' || b == ' ' {
			end++
		}
		if check := c.at(end); check != 0 && check == spanish(string(c.digits(buf[:0], g[:n])), 0) {
			return c.known(spain, start, end+1, false)
		}
	}
	return c.other(g)
}

// other looks for numbers that only the word right before distinguishes from others. People group
// their digits as they like.
func (c *scan) other(g []group) (Span, bool) {
	start := g[0].start
	if s, ok := c.mixed(start); ok && c.labeled(start, named[passport]...) {
		return s, true
	}
	label := "" // read only when a number has the right form
	says := func(words []string, n int) bool {
		if label == "" {
			label = c.label(start)
		}
		return has(lastWords(label, n), words)
	}
	var buf [18]byte
	for i, n := 0, 0; i < len(g) && n < cap(buf); i++ {
		n += g[i].len()
		end := g[i].end
		if n == 4 { // "серия 45 08 № 123456"
			end = c.numbered(end)
		} else if n < 7 {
			end = 0
		}
		if end == 0 || !c.ends(end) {
			continue
		}
		d := c.digits(buf[:0], g[:i+1])
		for k := range codes {
			if o := &codes[k]; slices.Contains(o.digits, len(d)) && (o.ok == nil || o.ok(d)) && says(o.words, 5) {
				return Span{National, o.detail, start, end}, true
			}
		}
		if (n == 4 || n <= 10 && i <= 2) && says(named[passport], Before) {
			return Span{National, passport, start, end}, true
		}
	}
	return Span{}, false
}

// lastWords returns the last n words of a text. A name farther away proves less: "BSN Sports is a
// shop with".
func lastWords(text string, n int) string {
	for i := len(text) - 1; i > 0; i-- {
		if text[i] != ' ' && text[i-1] == ' ' {
			if n--; n == 0 {
				return text[i:]
			}
		}
	}
	return text
}

// numbered returns the end of the six digits that follow the series of a passport at i, or 0.
func (c *scan) numbered(i int) int {
	for _, word := range [...]string{" ", " № ", " №", " номер ", " n ", " N "} {
		if k := i + len(word); c.has(i, word) && isDigit(c.at(k)) {
			for k < i+len(word)+6 && isDigit(c.at(k)) {
				k++
			}
			if k == i+len(word)+6 {
				return k
			}
		}
	}
	return 0
}

// mixed looks for a passport number of capital letters and digits, in any order, at p.
func (c *scan) mixed(p int) (Span, bool) {
	i, digits := p, 0
	for ; i-p < 10 && (isDigit(c.at(i)) || 'A' <= c.at(i) && c.at(i) <= 'Z'); i++ {
		if isDigit(c.s[i]) {
			digits++
		}
	}
	return Span{National, passport, p, i}, i-p >= 8 && i-p <= 9 && digits >= 5 && c.ends(i)
}

// nationalWord looks for a national number that begins with a letter, at p.
func (c *scan) nationalWord(p int) (Span, bool) {
	if prev := c.back(p - 1); strings.IndexByte("-./@", prev) >= 0 && prev != 0 {
		return Span{}, false
	}
	n := 0
	for n <= 18 && isAlnum(c.at(p+n)) {
		n++
	}
	if c.short {
		return Span{}, false
	}
	w := c.s[p : p+n]
	switch {
	case n == 2 || n == 9 && strings.IndexByte("ABCD", w[8]) >= 0:
		if end, spaced := c.nino(p); end > 0 {
			return c.known(britain, p, end, spaced)
		}
	}
	if (n == 8 || n == 9) && c.labeled(p, named[passport]...) {
		return c.mixed(p)
	}
	var buf [18]byte
	for i, n := p, 0; n < len(buf); i++ { // people group the characters as they like
		switch b := c.at(i); {
		case isDigit(b) || 'A' <= b && b <= 'Z':
			buf[n] = b
			n++
			if n >= 9 && !isAlnum(c.at(i+1)) {
				if s, ok := c.lettered(string(buf[:n]), p, i+1); ok || c.short {
					return s, ok
				}
			}
		case strings.IndexByte(" -.", b) < 0 || b == 0 || !isAlnum(c.s[i-1]):
			return Span{}, false
		}
	}
	return Span{}, false
}

// lettered returns the span of a national number of capital letters and digits, which is w without its
// separators.
func (c *scan) lettered(w string, start, end int) (Span, bool) {
	switch n := len(w); {
	case n == 9 && nric(w):
		return c.known(singapore, start, end, end-start == n)
	case n == 9 && 'X' <= w[0] && w[0] <= 'Z' && w[8] == spanish(w[1:8], w[0]-'X'):
		return c.known(spain, start, end, false)
	case n == 10 && pan(w):
		return c.known(indiaTax, start, end, false)
	case n == 16 && codice(w):
		return c.known(italy, start, end, true)
	case n == 18 && curp(w):
		return c.known(mexico, start, end, true)
	}
	return Span{}, false
}

// nino returns the end of a British national insurance number that begins at p, or 0, and whether
// it is written in pairs, which little else is.
func (c *scan) nino(p int) (end int, spaced bool) {
	i := p
	for n, form := range []byte("AA000000A") {
		if sep := c.at(i); n > 0 && n%2 == 0 && (sep == ' ' || sep == '-') {
			i++
			spaced = spaced || sep == ' '
		}
		b := c.at(i)
		if form == 'A' && (b < 'A' || b > 'Z') || form != 'A' && !isDigit(b) || n < 2 && strings.IndexByte("DFIQUV", b) >= 0 || n == 8 && b > 'D' {
			return 0, false
		}
		i++
	}
	return i, spaced
}

// day reports whether a day exists in some year.
func day(month, day int) bool {
	return month >= 1 && month <= 12 && day >= 1 && day <= [...]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
}

func two[T string | []byte](d T) int { return int(d[0]-'0')*10 + int(d[1]-'0') }

// weighed returns the sum of digits, each times its weight.
func weighed[T string | []byte](d T, weights ...int) (sum int) {
	for i, w := range weights {
		sum += w * int(d[i]-'0')
	}
	return sum
}

func digitsOnly(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// rrn reports whether 13 digits are a Korean resident registration number (ok), and whether the
// check digit is right (checked). Numbers issued since October 2020 have none: the digits after the
// one for century and sex are random.
func rrn(d []byte) (checked, ok bool) {
	century := d[6]
	if !day(two(d[2:]), two(d[4:])) || century < '1' || century > '8' {
		return false, false
	}
	base := 11
	if century >= '5' { // foreigners
		base = 13
	}
	check := (base - weighed(d, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)%11) % 10
	return check == int(d[12]-'0'), true
}

// hetu reports whether a Finnish personal identity code begins at p.
func (c *scan) hetu(p int) bool {
	for _, i := range [...]int{7, 8, 9} {
		if !isDigit(c.at(p + i)) {
			return false
		}
	}
	check := c.at(p + 10)
	if check == 0 {
		return false
	}
	n := 0
	for _, b := range []byte(c.s[p:p+6] + c.s[p+7:p+10]) {
		n = n*10 + int(b-'0')
	}
	return day(two(c.s[p+2:]), two(c.s[p:])) && n%1000 >= 2 && check == "0123456789ABCDEFHJKLMNPRSTUVWXY"[n%31]
}

// nir checks the 15 digits of a French social security number.
func nir(d []byte) bool {
	month := two(d[3:])
	if d[0] != '1' && d[0] != '2' || month < 1 || month > 12 && (month < 20 || month > 42) {
		return false
	}
	n := 0
	for _, b := range d[:13] {
		n = n*10 + int(b-'0')
	}
	return 97-n%97 == two(d[13:])
}

// resident checks the 18 characters of a Chinese identity card number.
func resident(s string) bool {
	if len(s) < 18 || s[0] < '1' || s[0] > '8' || two(s[6:]) != 19 && two(s[6:]) != 20 || !day(two(s[10:]), two(s[12:])) {
		return false
	}
	last := s[17]
	if last == 'x' {
		last = 'X'
	}
	return last == "10X98765432"[weighed(s, 7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)%11]
}

func pesel(d []byte) bool {
	return day(two(d[2:])%20, two(d[4:])) && (10-weighed(d, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3)%10)%10 == int(d[10]-'0')
}

func cpf(d []byte) bool {
	check := func(sum int) int {
		if r := sum % 11; r >= 2 {
			return 11 - r
		}
		return 0
	}
	return strings.Trim(string(d), string(d[:1])) != "" &&
		check(weighed(d, 10, 9, 8, 7, 6, 5, 4, 3, 2)) == int(d[9]-'0') && check(weighed(d, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)) == int(d[10]-'0')
}

// aadhaar checks the 12 digits of an Indian identity number, by Verhoeff's scheme.
func aadhaar(d []byte) bool {
	turn := [10]byte{1, 5, 7, 6, 2, 8, 3, 0, 9, 4}
	sum := byte(0)
	for i := range d {
		b := d[len(d)-1-i] - '0'
		for range i % 8 {
			b = turn[b]
		}
		sum = dihedral(sum, b)
	}
	return d[0] >= '2' && sum == 0 && strings.Trim(string(d), string(d[:1])) != ""
}

// dihedral multiplies in the symmetry group of a pentagon.
func dihedral(a, b byte) byte {
	switch {
	case a < 5 && b < 5:
		return (a + b) % 5
	case a < 5:
		return 5 + (a+b)%5
	case b < 5:
		return 5 + (a-b)%5
	}
	return (a - b + 5) % 5
}

// spanish returns the check letter of a Spanish number, or 0.
func spanish(digits string, first byte) byte {
	if !digitsOnly(digits) {
		return 0
	}
	n := int(first)
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return "TRWAGMYFPDXBNJZSQVHLCKE"[n%23]
}

// nric checks the number of an identity card of Singapore.
func nric(w string) bool {
	if !digitsOnly(w[1:8]) {
		return false
	}
	sum := weighed(w[1:], 2, 7, 6, 5, 4, 3, 2)
	if w[0] == 'T' || w[0] == 'G' {
		sum += 4
	}
	switch w[0] {
	case 'S', 'T':
		return w[8] == "JZIHGFEDCBA"[sum%11]
	case 'F', 'G':
		return w[8] == "XWUTRQPNMLK"[sum%11]
	}
	return false
}

// codice checks an Italian tax code.
func codice(w string) bool {
	const odd = "BAFHJNPRTV" // value of a digit at an odd position, as the letter with that number
	const letters = "BAFHJNPRTVCESULDGIMOQKWZYX"
	sum := 0
	for i := range 16 {
		letter := w[i] >= 'A' && w[i] <= 'Z'
		if want := strings.IndexByte("AAAAAA00A00A000A"[i:i+1], 'A') == 0; letter != want || !letter && !isDigit(w[i]) {
			return false
		}
		switch {
		case i == 15:
			return int(w[15]-'A') == sum%26 && day(strings.IndexByte("ABCDEHLMPRST", w[8])+1, two(w[9:])%40)
		case i%2 == 1 && letter:
			sum += int(w[i] - 'A')
		case i%2 == 1:
			sum += int(w[i] - '0')
		case letter:
			sum += int(letters[w[i]-'A'] - 'A')
		default:
			sum += int(odd[w[i]-'0'] - 'A')
		}
	}
	return false
}

// nik checks the 16 digits of an Indonesian identity number: a province, and a date of birth whose
// day is 40 higher for women.
func nik(s []byte) bool {
	province, d := two(s), two(s[6:])
	return province >= 11 && province <= 96 && day(two(s[8:]), d%40) && d < 72
}

// snils checks the 11 digits of a Russian pension insurance number.
func snils(d []byte) bool {
	sum := weighed(d, 9, 8, 7, 6, 5, 4, 3, 2, 1) % 101
	return sum%100 == two(d[9:]) && strings.Trim(string(d), "0") != ""
}

// inn checks a Russian tax number, of 10 digits for companies and 12 for people.
func inn(d []byte) bool {
	if strings.Trim(string(d), "0") == "" {
		return false
	}
	digit := func(i int) int { return int(d[i] - '0') }
	if len(d) == 10 {
		return weighed(d, 2, 4, 10, 3, 5, 9, 4, 6, 8)%11%10 == digit(9)
	}
	return weighed(d, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)%11%10 == digit(10) && weighed(d, 3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)%11%10 == digit(11)
}

// curp checks a number of Mexico's population register: letters of the name, a date of birth, the
// sex, a state, and a check digit.
func curp(w string) bool {
	const values = "0123456789ABCDEFGHIJKLMN?OPQRSTUVWXYZ" // ? stands for the letter with a tilde
	for i := range 16 {
		if digit := i >= 4 && i < 10; digit != isDigit(w[i]) || strings.IndexByte(values, w[i]) < 0 {
			return false
		}
	}
	sum := 0
	for i := range 17 {
		sum += strings.IndexByte(values, w[i]) * (18 - i)
	}
	return strings.IndexByte("HMX", w[10]) >= 0 && day(two(w[6:]), two(w[8:])) && int(w[17]-'0') == (10-sum%10)%10
}

// pan checks the form of an Indian tax number.
func pan(w string) bool {
	for i := range 10 {
		if digit := i >= 5 && i < 9; digit != isDigit(w[i]) || !digit && (w[i] < 'A' || w[i] > 'Z') {
			return false
		}
	}
	return strings.IndexByte("PCHFATBLJG", w[3]) >= 0
}
