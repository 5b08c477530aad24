// Package pii finds personal data in text: card and account numbers, phone numbers, email, IP and
// wallet addresses, and the credentials of services.
//
// A value counts if it follows the rules of its kind (checksums, number plans, lengths) and its
// context does not contradict it: order numbers, versions, timestamps and parts of longer
// identifiers do not count. Ambiguous digits count only after a word that names them.
//
// New makes a Finder for some kinds and regions. Find returns the Spans of a complete text; Scan does
// so for a text that still grows, and returns how much of it is settled. Both read the text once, from
// left to right, without regular expressions, because its author may choose it to be slow. A finding
// depends on at most Before bytes before it.
package pii

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/redact"
)

// Kind is the type of a span.
type Kind string

// The kinds.
const (
	CreditCard Kind = "credit_card"
	IBAN       Kind = "iban"
	SSN        Kind = "ssn"
	Phone      Kind = "phone"
	Email      Kind = "email"
	IP         Kind = "ip"
	NHS        Kind = "nhs"
	Crypto     Kind = "crypto"
	National   Kind = "national_id"
	Token      Kind = "token" // a credential with a known shape

	Name    Kind = "name"    // a person's name, after a title or a label
	Address Kind = "address" // a postal address
)

// Optional lists the kinds that a Finder finds only on request.
var Optional = []Kind{Name, Address}

// Kinds lists all other kinds, which a Finder finds by default.
var Kinds = []Kind{CreditCard, IBAN, SSN, Phone, Email, IP, NHS, National, Crypto, Token}

// Span is one value with its position in bytes.
type Span struct {
	Kind       Kind
	Detail     string // the type of a token or national number, such as "github-token"
	Start, End int
}

// Before is the number of bytes before a value that can decide whether it counts.
const Before = 96

// Finder finds the values of some kinds. It is safe for concurrent use.
type Finder struct {
	on      kinds
	regions []*region
}

// kinds has a switch for each kind, because the scan asks for them at each word.
type kinds struct{ card, iban, ssn, phone, email, ip, nhs, crypto, national, token, name, address bool }

// DefaultRegions are the countries whose national phone numbers are found by default.
var DefaultRegions = []string{"US", "GB", "IE", "AU", "NZ", "ZA", "IN", "DE", "AT", "CH", "FR", "BE", "NL", "ES", "IT", "PT", "SE", "NO", "DK", "FI",
	"PL", "CZ", "HU", "GR", "TR", "IL", "JP", "KR", "CN", "BR", "MX", "AR", "RU", "UA"}

// New returns a Finder for the wanted kinds, or for Kinds if there are none. It knows the national
// phone numbers of the regions, such as "GB", or of DefaultRegions if there are none. It ignores
// unknown regions.
func New(wanted []Kind, regions []string) *Finder {
	if len(wanted) == 0 {
		wanted = Kinds
	}
	if len(regions) == 0 {
		regions = DefaultRegions
	}
	readWords()
	f := &Finder{}
	for _, k := range wanted {
		switch k {
		case CreditCard:
			f.on.card = true
		case IBAN:
			f.on.iban = true
		case SSN:
			f.on.ssn = true
		case Phone:
			f.on.phone = true
		case Email:
			f.on.email = true
		case IP:
			f.on.ip = true
		case NHS:
			f.on.nhs = true
		case Crypto:
			f.on.crypto = true
		case National:
			f.on.national = true
		case Token:
			f.on.token = true
		case Name:
			f.on.name = true
		case Address:
			f.on.address = true
		}
	}
	for _, r := range regions {
		if p := byRegion(r); p != nil {
			f.regions = append(f.regions, p)
		}
	}
	return f
}

// Find returns the spans of a complete text, from left to right, without overlap.
func (f *Finder) Find(text string) []Span {
	spans, _ := f.Scan(text, 0, true, true)
	return spans
}

// Scan finds spans in text[from:]. The text before from is context only: it must be Before bytes
// long or complete. first means that text begins with the first byte of all, and last that no more
// follows. All spans that begin before settled are returned, whatever follows, and a later call may
// start there.
func (f *Finder) Scan(text string, from int, first, last bool) (spans []Span, settled int) {
	s := scan{f: f, s: text, first: first, last: last}
	p := from
	for p < len(text) {
		if !starts[text[p]] {
			p++
			continue
		}
		s.short = false
		span, ok := s.match(p)
		switch {
		case s.short:
			return spans, p
		case ok:
			spans = append(spans, span)
			p = span.End
		default:
			p++
		}
	}
	return spans, p
}

// starts has the bytes that a value can begin with.
var starts = func() (t [256]bool) {
	for c := range t {
		t[c] = isAlnum(byte(c)) || c >= utf8.RuneSelf || strings.IndexByte("+(:-_", byte(c)) >= 0
	}
	return t
}()

// A scan is the search in one text.
type scan struct {
	f           *Finder
	s           string
	first, last bool
	short       bool // the search read past the end of the text, and more may follow
	runEnd      int
	plain       bool // the text is already the plain form of a number
	strict      bool // the separators are unusual: digits without context are not a phone number
	fold        *fold
	localEnd    int // end of the local part that was read last
	group       [16]group
}

// at returns the byte at i, or zero beyond the end. All reads ahead use it, so that short is
// correct.
func (c *scan) at(i int) byte {
	if i < len(c.s) {
		return c.s[i]
	}
	c.short = c.short || !c.last
	return 0
}

// back returns the byte at i, or zero before the text.
func (c *scan) back(i int) byte {
	if i < 0 {
		return 0
	}
	return c.s[i]
}

// has reports whether the text continues with s at i.
func (c *scan) has(i int, s string) bool {
	for k := range len(s) {
		if c.at(i+k) != s[k] {
			return false
		}
	}
	return true
}

// match looks for a value that begins at p.
func (c *scan) match(p int) (Span, bool) {
	b, prev := c.s[p], c.back(p-1)
	on := c.f.on
	if b == '+' || utf8.RuneStart(b) && b >= utf8.RuneSelf || !isAlnum(prev) && (isDigit(b) || isLetter(b)) {
		if s, ok := c.written(p); ok || c.short {
			return s, ok
		}
	}
	switch {
	case b == '-':
		if on.token && prev != '-' && c.has(p, "-----BEGIN ") {
			return c.pem(p)
		}
		return Span{}, false
	case b == '+' || b == '(':
		if on.phone {
			return c.phone(p)
		}
		return Span{}, false
	case b == ':':
		if on.ip && prev != ':' && !isAlnum(prev) && prev != '.' && c.at(p+1) == ':' {
			return c.ip6(p)
		}
		return Span{}, false
	case isAlnum(prev):
		return Span{}, false // a value does not begin inside a word
	}
	if s, ok := c.worded(p); ok || c.short {
		return s, ok
	}
	if b == 0xef && on.iban {
		return c.looseIBAN(p)
	}
	if b >= utf8.RuneSelf || b == '_' || prev == '_' {
		return Span{}, false
	}
	return c.coded(p)
}

// worded looks for a value at p that may contain words: a credential, an address, a name.
func (c *scan) worded(p int) (Span, bool) {
	b, on := c.s[p], c.f.on
	if on.token && b < utf8.RuneSelf {
		if end := c.run(p); end-p >= 20 || c.short {
			if s, ok := c.token(p, end); ok || c.short {
				return s, ok
			}
		}
	}
	if on.email {
		c.localEnd = 0
		if s, ok := c.email(p); ok || c.short {
			return s, ok
		}
		if s, ok := c.obfuscated(p); ok || c.short {
			return s, ok
		}
		if s, ok := c.disguised(p); ok || c.short {
			return s, ok
		}
	}
	if on.ip && (isDigit(b) || b == 0xef) {
		if s, ok := c.writtenIP(p); ok || c.short {
			return s, ok
		}
	}
	if on.address {
		if s, ok := c.postal(p); ok || c.short {
			return s, ok
		}
	}
	if on.name && !isDigit(b) {
		if s, ok := c.name(p); ok || c.short {
			return s, ok
		}
	}
	return Span{}, false
}

// coded looks for a number or a code in ASCII at p.
func (c *scan) coded(p int) (Span, bool) {
	b, prev, on := c.s[p], c.back(p-1), c.f.on
	if on.iban && isLetter(b) {
		if s, ok := c.iban(p); ok || c.short {
			return s, ok
		}
	}
	if on.crypto {
		if s, ok := c.crypto(p); ok || c.short {
			return s, ok
		}
	}
	if on.national && 'A' <= b && b <= 'Z' {
		if s, ok := c.nationalWord(p); ok || c.short {
			return s, ok
		}
	}
	if on.ip && isHex(b) && prev != ':' && prev != '.' {
		if s, ok := c.ip6(p); ok || c.short {
			return s, ok
		}
	}
	if isDigit(b) {
		return c.number(p)
	}
	return Span{}, false
}

// run returns the end of the characters of credentials that begin at p, at most 4096 bytes. It does
// not read them again for the words in them.
func (c *scan) run(p int) int {
	if c.runEnd < p {
		c.runEnd = p
	}
	for c.runEnd-p < 4096 && inRun[c.at(c.runEnd)] {
		c.runEnd++
	}
	return c.runEnd
}

var inRun = func() (t [256]bool) {
	for i := range t {
		t[i] = i > 0 && (isAlnum(byte(i)) || strings.IndexByte("_-.:/+=~", byte(i)) >= 0)
	}
	return t
}()

func (c *scan) token(p, end int) (Span, bool) {
	n, kind := redact.Token(c.s[p:end])
	return Span{Token, kind, p, p + n}, n > 0
}

// pem looks for a private key. A key without an end is secret up to the end of the text.
func (c *scan) pem(p int) (Span, bool) {
	const longest = 16 << 10
	text := c.s[p:min(len(c.s), p+longest)]
	head := text[len("-----BEGIN "):]
	if !c.last && len(head) < 48 {
		c.short = true
		return Span{}, false
	}
	if k := strings.Index(head[:min(len(head), 48)], "PRIVATE KEY-----"); k < 0 || strings.Contains(head[:k], "--") {
		return Span{}, false
	}
	n := len(text)
	if e := strings.Index(text, "-----END "); e >= 0 {
		if k := strings.Index(text[e+9:min(n, e+9+48)], "-----"); k >= 0 {
			return Span{Token, "private-key", p, p + e + 9 + k + 5}, true
		}
	}
	if n < longest && !c.last {
		c.short = true
		return Span{}, false
	}
	return Span{Token, "private-key", p, p + n}, true
}

// isolated reports whether the value is the whole text, apart from spaces.
func (c *scan) isolated(start, end int) bool {
	if !c.first || start > Before/2 || strings.TrimSpace(c.s[:start]) != "" {
		return false
	}
	for i := end; i < end+Before/2; i++ {
		switch c.at(i) {
		case ' ', '\t', '\r', '\n':
		case 0:
			return i >= len(c.s)
		default:
			return false
		}
	}
	return false
}

// context is what the words near a value say about it.
type context uint8

const (
	says context = iota
	saysCard
	saysSSN
	saysPhone
	saysNHS
	saysOther  // not personal data
	saysNumber // "my number is": mostly a phone's
	saysCalls  // a word about phones and about other things
	saysCount  // a counted thing: "1234567 users"
)

// before returns the context from the nearest word before p that has a meaning.
func (c *scan) before(p int) context {
	var m meaning
	if k := c.nearestMeaning(p, &m); k != says || !m.numbers {
		return k
	}
	return saysPhone
}

func (c *scan) nearestMeaning(p int, m *meaning) context {
	const reach = Before/2 + 16
	words, end := 0, p
	for i := p; i > 0 && i > p-reach && words < 8; {
		r, n := utf8.DecodeLastRuneInString(c.s[:i])
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			i -= n
			if i == 0 {
				return m.of(c.s[:end])
			}
			if !('A' <= r && r <= 'Z' && lower(c.back(i-1)) && lower(c.back(i-2))) {
				continue
			}
			if c.oneWord(i, end) {
				continue
			}
			// "orderId" is two words.
			words++
			if k := m.of(c.s[i:end]); k != says {
				return k
			}
			end = i
			continue
		}
		if i < end {
			words++
			if k := m.of(c.s[i:end]); k != says {
				return k
			}
		}
		switch {
		case r == '|' && words == 0:
			// In a table, the cell before a value is its label only if it has nothing else.
			cell := c.s[max(0, i-n-longestWord) : i-n]
			return m.of(strings.TrimSpace(cell[strings.LastIndexAny(cell, "|\n")+1:]))
		case r == ';' || r == '|':
			return says
		case r == '?' || r == '!' || r == '.':
			words += 3 // another sentence: only the one right before may still name the value
		case r == '\n' && c.back(i-2) == '\n' && words > 0:
			return says // another paragraph
		case r == '#' && i == p:
			words += 5 // "card # 123" is a card, "#123" is not
		}
		i -= n
		end = i
	}
	return says
}

// oneWord reports whether the letters around a capital one at i are a known word, as WhatsApp is.
func (c *scan) oneWord(i, end int) bool {
	start := i
	for start > 0 && i-start < longestWord && isLetter(c.s[start-1]) {
		start--
	}
	return meanings[strings.ToLower(c.s[start:end])] != says
}

// meaning reads the words before a value, nearest first.
type meaning struct {
	number  bool   // a word means "number", of a phone or of anything
	numbers bool   // the last word means a phone number, unless the next one names another thing
	away    bool   // a word that is not part of a label is in between
	last    string // the word that was read last
}

// of returns the context that a word gives.
func (m *meaning) of(w string) context {
	w = strings.ToLower(w)
	last := m.last
	m.last = w
	k, ok := meanings[w]
	if !ok {
		for _, p := range particles {
			if stem, ok := strings.CutSuffix(w, p); ok && stem != "" {
				w = stem
				k = meanings[w]
				break
			}
		}
	}
	switch {
	case m.numbers:
		if k == saysOther || numbered()[w] {
			return saysOther
		}
		return saysPhone
	case k == saysPhone && numberWords()[w] && (last == "de" || last == "du" || last == "d" || last == "do" || last == "di" || last == "da" || last == "del"):
		return saysOther // "numéro de suivi": the number of another thing, which no list has
	case k == saysCount && last == "":
		return saysOther
	case k == saysPhone && numberWords()[w]:
		m.numbers = true
		return says
	case k != says && k != saysCount:
		return k
	case !m.away && numbered()[w]:
		return saysOther
	}
	if k := compound(w); k != says {
		return k
	}
	switch {
	case w == "number" || numberWords()[w]:
		m.number = true
	case m.number && possessives()[w]:
		return saysNumber
	}
	m.away = m.away || !fillers()[w]
	return says
}

// compound returns the context from a compound word, as in languages without spaces: 주문번호 is the
// number of an order.
func compound(w string) context {
	if len(w) <= 6 {
		return says
	}
	for _, ending := range [...]string{"nummer", "nummern", "nummeret", "numero", "numeronne", "번호", "番号", "编号", "號碼", "号码", "单号", "單號", "号", "號"} {
		of, ok := strings.CutSuffix(w, ending)
		if !ok || of == "" {
			continue
		}
		if strings.HasPrefix(of, "tel") { // but not "bestelnummer"
			return saysPhone
		}
		for _, p := range [...]string{"fon", "phon", "handy", "mobil", "ruf", "fax", "gsm", "whats", "puhelin", "festnetz", "durchwahl", "hotline", "kontakt", "contact",
			"전화", "휴대", "핸드", "연락", "電話", "电话", "携帯", "連絡", "联系", "手机", "手機", "내", "제"} {
			if strings.Contains(of, p) {
				return saysPhone
			}
		}
		return saysOther
	}
	if w[len(w)-1] < utf8.RuneSelf {
		return says
	}
	return meanings[w[len(w)-6:]]
}

func lower(b byte) bool { return 'a' <= b && b <= 'z' }

var (
	// numberWords are words for "number" that mostly mean a phone's.
	numberWords = lazy.Words("numéro número numero nummer номер nomer number رقم رقمي नंबर nambar nomor numara numer 번호 番号")
	possessives = lazy.Words("my your his her their our mein meine meiner deine unsere mon ma notre votre mi su tu nuestro mio il meu seu nosso moj moja мой моя наш moi moy mijn benim मेरा mera")
	// fillers may stand between a label and its value.
	fillers = lazy.Words("number numbers no nr num code is was are the of for with ist war lautet est es era è with")
	// numbered are things that have numbers. They count only right before the number: "voucher 555
	// 444 3333". Farther away they may be a department that answers the phone.
	numbered = lazy.Words("rma po asset tag package packages voucher coupon gift quote quotation zoom meeting webinar conference docket patent cas acn abn ndc nsn duns siren siret cfr vat ein pnr waybill awb " +
		"consignment delivery dispatch return refund warranty membership member loyalty ledger journal entry deal job requisition task incident bug defect revision drawing equipment meter device imsi iccid lanr npi " +
		"cusip sedol wkn lei student employee badge locker seat channel frequency value values total totals sum sums average averages wins score scores resistor capacitor buffer position index " +
		"ts time checksum crc barcode plate suivi colissimo dossier expediente seguimiento spedizione tracciamento rastreio sendung paket vol volume nature fig figure matrix result results data length width height weight duration")
)

// after returns the context from the word right after a value, or from "is my phone".
func (c *scan) after(i int) context {
	for _, is := range [...]string{" is my ", " is our ", " is the ", " ist meine ", " es mi ", " est mon ", " è il mio ", " é meu ", " é o meu ", " это мой ", " هذا رقم ", " adalah nomor "} {
		if c.has(i, is) {
			i += len(is) - 1
			break
		}
	}
	k := i
	for k < i+4 {
		if b := c.at(k); b != ' ' && b != '-' && b != '(' && b != ',' {
			break
		}
		k++
	}
	start := k
	for k < start+2*longestWord && (isLetter(c.at(k)) || c.at(k) >= utf8.RuneSelf && c.letter(k)) {
		k += max(1, c.width(k))
	}
	w, ok := meanings[strings.ToLower(c.s[start:k])]
	if ok && w == saysCount && start == i+1 {
		return saysCount
	}
	if ok && start > i && w == saysPhone || start > i && (strings.EqualFold(c.s[start:k], "office") || strings.EqualFold(c.s[start:k], "home")) {
		return saysPhone
	}
	return says
}

// particles end a word and mark it as topic or object of a sentence.
var particles = [...]string{"は", "が", "を", "も", "는", "은", "이", "가", "를", "을", "是", "为", "為"}

// readMeanings returns the words that give a number near them its context.
func readMeanings() map[string]context {
	m := map[string]context{}
	for k, words := range map[context]string{
		saysCard: "card cards visa mastercard amex maestro discover debit credit cc pan jcb diners karte kreditkarte carte tarjeta cartão cartao carta kaart karta",
		saysSSN:  "ssn ssns social tin itin",
		saysPhone: "phone phones tel telephone call called calling mobile cell cellphone fax text texted ring sms whatsapp dial contact hotline pager " +
			"landline telefon telefono teléfono téléphone móvil movil celular handy rufnummer nummer telefax cellulare telemóvel telefone puhelin telefonnummer mobil mobilnummer portable " +
			"numéro komórka telefoon mobiel gsm тел телефон мобильный звоните 电话 手机 電話 電話番号 携帯 전화 전화번호 번호 휴대폰 هاتف جوال फोन मोबाइल tlf ligue llame appeler anrufen phoned rang voicemail " +
			"ruf rufe erreichst appelez appelle appelez-moi tél llámame llama llámeme chiamami chiama chiamate telefonino handynummer telefoonnummer mobielnummer नंबर liga liga-me ligue telefones bel belt mobiele zadzwoń zadzwonić telefonie komórkowy " +
			"позвоните позвони звони звонить телефону мобильного telefonum telefonumdan hp ponsel ponselku telepon simu thoại τηλέφωνο κινητό טלפון נייד تلفن ফোন মোবাইল telefonszám mobilom cep numarasından arayın ara फ़ोन कॉल نمبر اتصل هاتفي الهاتف رقمي جوالي الجوال موبايل موبايلي",
		saysCalls: "calls messages answering reach desk registered us japanese extension",
		saysCount: "users units steps times people seconds minutes hours days years km kg px lines words pages votes views visits downloads requests records entries tokens points dollars euros copies " +
			"inhabitants residents subscribers visitors customers samples iterations packets events errors files sessions shipments sales stück einwohner nutzer personnes habitants personas usuarios habitantes " +
			"persone abitanti",
		saysNHS: "nhs patient",
		saysOther: "order orders invoice ticket case ref reference serial isbn issn doi tracking version release build port zip sku part model page line issue pr commit total price amount bytes byte " +
			"timestamp epoch seed hash uuid guid year date license licence passport policy id ids sn lot batch row rows item product article transaction txn offset size population postcode " +
			"bestellnummer rechnung auftrag rechnungsnummer commande facture pedido factura ordine fattura section chapter rfc cve pid error code isin ean upc gtin imei vin seq sequence elapsed ms ns usd eur gbp " +
			"count max min limit timeout subscription booking reservation flight shipment parcel gate confirmation contract claim account customer session request trace span " +
			"lottery lotto draw receipt winning raffle jackpot lottozahlen los losnummer lottoschein ziehung belegnummer beleg lieferschein sendungsnummer auftragsnummer aktenzeichen vertragsnummer kundennummer gewinnzahlen " +
			"loterie tirage billet reçu contrat dossier colis bon lotería sorteo billete recibo albarán expediente contrato lotteria estrazione biglietto ricevuta bolla pratica contratto " +
			"nota fiscal fatura lotaria loteria sorteio bilhete guia processo encomenda recibo factuur loterij trekking kaartje bon pakbon ordernummer bestelling lotnummer klantnummer factuurnummer " +
			"faktura losowanie bilet paragon umowa zamówienie przesyłka sprawy счет-фактура фактура лотерея тираж билет квитанция договор заказ посылка накладная накладной счёт счет " +
			"pesanan resi faktur tagihan piyango çekiliş makbuz sözleşme sipariş kargo seri चालान लॉटरी रसीद ड्रॉ ऑर्डर आदेश पार्सल क्रमांक فاتورة يانصيب إيصال سحب شحنة طلب الطلب العقد السعر المبلغ série serie seriennummer 发票 订单 彩票 請求書 注文 宝くじ 주문 송장 복권 발주 예약 접수 운송장 사건 계좌 회원 고객 상품 영수증 vorgang vorgangsnummer fallnummer artikelnummer",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = k
		}
	}
	return m
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
func isAlnum(b byte) bool  { return isLetter(b) || isDigit(b) }
func isHex(b byte) bool    { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' }
