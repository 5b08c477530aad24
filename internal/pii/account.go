package pii

import (
	"crypto/sha256"
	"math/big"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// ibanLengths has the length of an IBAN by country.
var ibanLengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28,
	"CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
	"GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28,
	"LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28,
	"NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24,
	"SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// iban looks for an IBAN: its country's length and its check digits.
func (c *scan) iban(p int) (Span, bool) {
	if !isLetter(c.at(p+1)) || !isDigit(c.at(p+2)) || !isDigit(c.at(p+3)) {
		return c.looseIBAN(p)
	}
	n, ok := ibanLengths[strings.ToUpper(c.s[p:p+2])]
	if !ok || c.back(p-1) == '-' && isAlnum(c.back(p-2)) {
		return Span{}, false
	}
	var sep byte // the separator of all groups, or none
	var buf [34]byte
	i, got := p, 0
	for got < n {
		b := c.at(i)
		if isAlnum(b) {
			buf[got] = b &^ (b >> 1 & 0x20) // to upper case
			got++
			i++
			continue
		}
		if b != ' ' && b != '-' || sep != 0 && sep != b || got < 4 || c.s[i-1] == b {
			return c.looseIBAN(p)
		}
		sep = b
		i++
	}
	if next := c.at(i); isAlnum(next) || next == '_' || next == '-' && isAlnum(c.at(i+1)) {
		return Span{}, false
	}
	return Span{IBAN, "", p, i}, remainder(buf[:n])
}

// looseIBAN looks for an IBAN with one unusual separator, with its characters apart, or in
// full-width letters.
func (c *scan) looseIBAN(p int) (Span, bool) {
	var buf [34]byte
	sep, i, got, n := "", p, 0, 4
	if c.s[p] < utf8.RuneSelf {
		if b := c.at(p + 1); isDigit(b) || isLetter(b) && isLetter(c.at(p+2)) || b == ' ' && isLetter(c.at(p+3)) {
			return Span{}, false // a word
		}
	}
	for got < n {
		b, w := c.at(i), 1
		if b == 0xef {
			if r, width := c.rune(i); 0xff01 <= r && r <= 0xff5e {
				b, w = byte(r-0xfee0), width
			}
		}
		if !isAlnum(b) || (got < 2) != isLetter(b) && got < 4 {
			return Span{}, false
		}
		buf[got] = b &^ (b >> 1 & 0x20)
		got++
		i += w
		if got == 2 {
			if n = ibanLengths[string(buf[:2])]; n == 0 {
				return Span{}, false
			}
		}
		if got == n {
			break
		}
		k := i
		for k-i < 8 {
			b := c.at(k)
			if b < utf8.RuneSelf && b != 0 && strings.IndexByte(" -._/|*~:,", b) >= 0 {
				k++
			} else if r, w := c.rune(k); w > 0 && oddSeparator(r) {
				k += w
			} else {
				break
			}
		}
		if c.short {
			return Span{}, false
		}
		if between := c.s[i:k]; between == "/" && c.nearest(p) != "iban" {
			return Span{}, false // a path
		} else if between != "" && sep == "" {
			sep = between
		} else if between != "" && between != sep {
			return Span{}, false
		}
		i = k
	}
	if next := c.at(i); isAlnum(next) || next == '_' {
		return Span{}, false
	}
	return Span{IBAN, "", p, i}, remainder(buf[:n])
}

// remainder reports whether the check digits of an IBAN are right. Words that begin like a country
// and a number ("by 41 members") pass by chance, so a third of the characters must be digits.
func remainder(d []byte) bool {
	rest, digits := 0, 0
	for k := range d {
		b := d[(k+4)%len(d)]
		if isDigit(b) {
			digits++
			rest = (rest*10 + int(b-'0')) % 97
		} else {
			rest = (rest*100 + int(b-'A') + 10) % 97
		}
	}
	return rest == 1 && 3*digits >= len(d)
}

const longestWallet = 110

// crypto looks for the address of a wallet, and verifies its checksum if it has one.
func (c *scan) crypto(p int) (Span, bool) {
	switch b := c.s[p]; b {
	case '0', '1', '3', 'a', 'b', 'l', 't', 'L', 'M', 'D', 'T', 'B', 'r', '4', '8':
	default:
		return Span{}, false
	}
	if prev := c.back(p - 1); prev == '-' || prev == '/' || prev == '+' {
		return Span{}, false
	}
	i := p
	for i-p <= longestWallet && isAlnum(c.at(i)) {
		i++
	}
	w := c.s[p:i]
	if len(w) < 25 || len(w) > longestWallet || c.at(i) == '_' || c.at(i) == '-' && isAlnum(c.at(i+1)) || c.at(i) == '+' || c.at(i) == '=' {
		return Span{}, false
	}
	lower := strings.ToLower(w)
	ok := false
	switch {
	case strings.HasPrefix(w, "0x"):
		ok = len(w) == 42 && allHex(w[2:]) && strings.Trim(w[2:], "0") != ""
	case strings.HasPrefix(lower, "bc1"), strings.HasPrefix(lower, "tb1"), strings.HasPrefix(lower, "ltc1"), strings.HasPrefix(lower, "addr1"):
		ok = (w == lower || w == strings.ToUpper(w)) && bech32(lower)
	case (w[0] == '4' || w[0] == '8') && len(w) == 95: // Monero
		ok = strings.Trim(w, base58) == "" && strings.ContainsAny(w, "abcdefghijkmnopqrstuvwxyz") && strings.ContainsAny(w, "ABCDEFGHJKLMNPQRSTUVWXYZ")
	case len(w) <= 35 && strings.IndexByte("13LMDT", w[0]) >= 0:
		ok = base58check(w)
	case w[0] == 'r' && len(w) <= 35:
		ok = base58check(strings.Map(func(r rune) rune { // Ripple orders the same letters differently
			return rune(base58[max(0, strings.IndexRune("rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz", r))])
		}, w))
	}
	return Span{Crypto, "", p, i}, ok
}

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

func base58check(w string) bool {
	n, d := new(big.Int), big.NewInt(58)
	zeros := 0
	for i := range len(w) {
		k := strings.IndexByte(base58, w[i])
		if k < 0 {
			return false
		}
		if k == 0 && zeros == i {
			zeros++
		}
		n.Mul(n, d).Add(n, big.NewInt(int64(k)))
	}
	b := append(make([]byte, zeros), n.Bytes()...)
	if len(b) != 25 {
		return false
	}
	sum := sha256.Sum256(b[:21])
	sum = sha256.Sum256(sum[:])
	return string(sum[:4]) == string(b[21:])
}

func bech32(w string) bool {
	const letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	sep := strings.LastIndexByte(w, '1')
	if sep < 1 || len(w)-sep < 7 {
		return false
	}
	sum := uint32(1)
	step := func(v byte) {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(v)
		for i, g := range [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 == 1 {
				sum ^= g
			}
		}
	}
	for i := range sep {
		step(w[i] >> 5)
	}
	step(0)
	for i := range sep {
		step(w[i] & 31)
	}
	for i := sep + 1; i < len(w); i++ {
		k := strings.IndexByte(letters, w[i])
		if k < 0 {
			return false
		}
		step(byte(k))
	}
	return sum == 1 || sum == 0x2bc830a3
}

func allHex(s string) bool {
	for i := range len(s) {
		if !isHex(s[i]) {
			return false
		}
	}
	return true
}

// ip6 looks for an IPv6 address.
func (c *scan) ip6(p int) (Span, bool) {
	if prev := c.back(p - 1); isAlnum(prev) || prev == ':' || prev == '.' {
		return Span{}, false
	}
	i, colons := p, 0
	for i-p < 48 {
		b := c.at(i)
		if b == ':' {
			colons++
		} else if !isHex(b) && b != '.' {
			break
		} else if colons == 0 && i-p > 4 {
			return Span{}, false
		}
		i++
	}
	if next := c.at(i); colons < 2 || isAlnum(next) || next == '_' {
		return Span{}, false
	}
	for i > p && (c.s[i-1] == '.' || c.s[i-1] == ':' && (i < 2 || c.s[i-2] != ':')) {
		i-- // the end of a sentence
	}
	w := c.s[p:i]
	// a::b is a name in many programming languages, and :: alone is not a person's address.
	if !strings.ContainsAny(w, "0123456789") {
		return Span{}, false
	}
	addr, err := netip.ParseAddr(w)
	if c.at(i) == '%' && isAlnum(c.at(i+1)) { // the zone is part of the address
		for i++; i-p < 80 && isAlnum(c.at(i)); i++ {
		}
	}
	return Span{IP, "", p, i}, err == nil && addr.Is6() && !c.nobodys(addr, p, i)
}

// nobodys reports whether an address from p to end is not about a person. It may be a netmask, a
// whole network (10.0.0.0/8), or an address of every machine, such as 127.0.0.1. The last counts as
// such only in a setting, that is in a URL or before a port. Private addresses are about a person,
// because in a company's logs they name one desk. So are the ranges for documentation, because they
// stand for real addresses.
func (c *scan) nobodys(a netip.Addr, p, end int) bool {
	a = a.Unmap().WithZone("")
	if a.Is4() && a.As4()[0] == 255 && a.As4()[3] != 255 {
		return true
	}
	if bits, ok := c.prefixLength(end); ok && bits < a.BitLen() {
		if n, err := a.Prefix(bits); err == nil && n.Addr() == a {
			return true
		}
	}
	if !a.IsLoopback() && !a.IsUnspecified() {
		return false
	}
	if c.at(end) == ']' {
		end++
	}
	b := c.at(end)
	return (b == ':' || b == '/') && isDigit(c.at(end+1)) || p >= 2 && strings.HasSuffix(strings.TrimSuffix(c.s[:p], "["), "//")
}

// prefixLength parses the length of a network's prefix at i: "/24".
func (c *scan) prefixLength(i int) (bits int, ok bool) {
	if c.at(i) != '/' {
		return 0, false
	}
	k := i + 1
	for k-i <= 3 && isDigit(c.at(k)) {
		bits = 10*bits + int(c.s[k]-'0')
		k++
	}
	return bits, k > i+1 && !isAlnum(c.at(k))
}

// dotted reports whether four numbers with dots begin at p, whether or not they are a person's
// address.
func (c *scan) dotted(p int) bool {
	i := p
	for part := range 4 {
		n, v := 0, 0
		for n < 4 && isDigit(c.at(i)) {
			v = 10*v + int(c.s[i]-'0')
			n++
			i++
		}
		if n == 0 || v > 255 || part < 3 && c.at(i) != '.' {
			return false
		}
		if part < 3 {
			i++
		}
	}
	return !(c.at(i) == '.' && isAlnum(c.at(i+1))) && !isAlnum(c.at(i))
}

// ip4 looks for an IPv4 address that is not the version of a program.
func (c *scan) ip4(p int) (Span, bool) {
	i := p
	for part := range 4 {
		start := i
		for i-start < 4 && isDigit(c.at(i)) {
			i++
		}
		if n := i - start; n == 0 || n > 3 {
			return Span{}, false
		}
		if part < 3 {
			if c.at(i) != '.' {
				return Span{}, false
			}
			i++
		}
	}
	next := c.at(i)
	if isAlnum(next) || next == '_' || next == '.' && isAlnum(c.at(i+1)) || next == '-' && isAlnum(c.at(i+1)) {
		return Span{}, false
	}
	if addr, err := netip.ParseAddr(c.s[p:i]); err != nil || c.nobodys(addr, p, i) {
		return Span{}, false
	}
	if c.back(p-1) == '-' && isAlnum(c.back(p-2)) { // package-1.2.3.4
		return Span{}, false
	}
	if prev := c.back(p - 1); prev == '=' && strings.IndexByte("<>=~!^", c.back(p-2)) >= 0 && c.back(p-2) != 0 || prev == '^' || prev == '~' {
		return Span{}, false // package>=1.2.3.4
	}
	word := c.nearest(p)
	if strings.HasSuffix(word, "version") || saysVersion(word) || c.upgrade(p, i) {
		return Span{}, false
	}
	switch word {
	case "v", "ver", "release", "build", "section", "chapter", "figure", "fig", "table", "clause", "firmware", "driver", "oid", "chrome", "edge",
		"firefox", "safari", "opera", "chromium", "electron", "windows", "android", "ios", "article", "art", "see", "para", "paragraph", "annex", "appendix", "rule", "item", "step":
		return Span{}, false
	}
	return Span{IP, "", p, i}, true
}

// saysVersion reports whether a word before a number means version. A stem stands for its endings.
func saysVersion(word string) bool {
	for _, stem := range [...]string{"version", "versió", "versão", "versao", "versõ", "versie", "versiun", "verzi", "verze", "verzí", "wersj", "верси", "версі", "sürüm", "έκδοσ", "إصدار", "الإصدار"} {
		if strings.HasPrefix(word, stem) {
			return true
		}
	}
	for _, end := range [...]string{"版本", "バージョン", "버전", "संस्करण"} { // what comes before them is written without a space
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return word == "versi"
}

// upgrade reports whether a number is one of two versions: "upgrade from 12.4.0.17 to 12.5.1.2". One
// number alone may be the machine that upgrades.
func (c *scan) upgrade(p, end int) bool {
	before := c.s[max(0, p-Before/2):p]
	if newVersion().MatchString(before) {
		return true
	}
	if !oldVersion().MatchString(before) {
		return false
	}
	i := end
	for i < end+len(" through ") && (c.at(i) == ' ' || isLetter(c.at(i)) || c.at(i) >= utf8.RuneSelf) {
		i++
	}
	if i < end+3 || c.back(i-1) != ' ' {
		return false
	}
	dots := 0
	for start := i; i < start+len("255.255.255.255") && (isDigit(c.at(i)) || c.at(i) == '.'); i++ {
		if c.at(i) == '.' && isDigit(c.at(i+1)) {
			dots++
		}
	}
	return dots >= 2
}

var (
	oldVersion = lazy.Regexp(`(?i)\b(?:up|down)grad\pL* \pL{1,6} $`)
	newVersion = lazy.Regexp(`(?i)\b(?:up|down)grad\pL* \pL{1,6} \d+(?:\.\d+){2,3} \pL{1,6} $`)
)

// nearest returns the word right before p.
func (c *scan) nearest(p int) string {
	end := p
	if strings.HasSuffix(strings.TrimRight(c.s[:p], " \u00a0"), "§") {
		return "section"
	}
	for end > 0 && end > p-8 && strings.IndexByte(" :=(\"'v/#", c.s[end-1]) >= 0 {
		if c.s[end-1] == 'v' && !isAlnum(c.back(end-2)) {
			return "v"
		}
		if c.s[end-1] == 'v' {
			break
		}
		end--
	}
	start := end
	for start > 0 && start > end-32 && (isAlnum(c.s[start-1]) || c.s[start-1] >= utf8.RuneSelf) {
		start--
	}
	words := strings.FieldsFunc(c.s[start:end], func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) })
	if len(words) == 0 {
		return ""
	}
	return strings.ToLower(words[len(words)-1])
}
