package pii

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nyaruka/phonenumbers"
)

// find lists what is found as kind:value.
func find(f *Finder, text string) []string {
	var got []string
	for _, s := range f.Find(text) {
		got = append(got, string(s.Kind)+":"+text[s.Start:s.End])
	}
	return got
}

func TestFind(t *testing.T) {
	f := New(nil, nil)
	for text, want := range map[string][]string{
		// words with a capital inside: one known word, or two
		"WhatsApp 00491701234567":   {"phone:00491701234567"},
		"whatsApp: 0151 23456789":   {"phone:0151 23456789"},
		"customerId 00491701234567": nil,
		"timeStamp 4917012345678":   nil,
		// cards
		"My card is 4111 1111 1111 1111, exp 12/26":     {"credit_card:4111 1111 1111 1111"},
		"card 378282246310005 and 4012-8888-8888-1881":  {"credit_card:378282246310005", "credit_card:4012-8888-8888-1881"},
		"my credit card number is 4012-8888-8888-1882":  nil,
		"What's your credit card? 30582693301054":       {"credit_card:30582693301054"},
		"session 30582693301054":                        nil,
		"4111111111111111-2, x4111111111111111":         nil,
		"0000 0000 0000 0000":                           nil,
		"RS35 2600 0560 1001 6113 70":                   nil,
		"micros 1732190400123456, IMEI 356938035643809": nil,
		// accounts
		"DE89 3704 0044 0532 0130 00 today":              {"iban:DE89 3704 0044 0532 0130 00"},
		"GB29NWBK60161331926819":                         {"iban:GB29NWBK60161331926819"},
		"GB29NWBK60161331926818":                         nil,
		"XX29NWBK60161331926819":                         nil,
		"ssn 123-45-6789, SSN: 078051121":                {"ssn:123-45-6789", "ssn:078051121"},
		"666-45-6789 000-12-3456 078-05-0000":            nil,
		"ZIP 12345-6789, 94105-1234":                     nil,
		"NHS number 4010232137, 401-023-2138":            {"nhs:4010232137"},
		"連絡先はjane@example.comです。메일은 kim@example.co.kr으로": {"email:jane@example.com", "email:kim@example.co.kr"},
		"请写信到wang.li@mail.example.cn谢谢, อีเมลjane@example.comครับ":                {"email:wang.li@mail.example.cn", "email:jane@example.com"},
		"山田@example.jp, 山田123@例え.jp":                                              {"email:山田@example.jp", "email:山田123@例え.jp"},
		"on 127.0.0.1:80 and http://[::1]/x, from 0.0.0.0/0, not 198.51.100.7:80": {"ip:198.51.100.7"},
		"tarjeta 3782 8224 6310 005":                                              {"credit_card:3782 8224 6310 005"},
		// national numbers
		"주민등록번호: 900101-1234568 입니다":                                             {"national_id:900101-1234568"},
		"Kim, 900101-1234568, Seoul":                                             {"national_id:900101-1234568"},
		"900101-1234567, 991332-1234561":                                         nil,                            // no check digit, no day
		"주민등록번호 210315-3123456":                                                  {"national_id:210315-3123456"}, // given out after October 2020: none can be checked
		"my rrn is 9001011234568":                                                {"national_id:9001011234568"},
		"1701011234568 ms, t=9001011234568":                                      nil,
		"order 900101-1234568":                                                   nil,
		"ID 900101-1234568":                                                      {"national_id:900101-1234568"},
		"외국인등록번호 900101-5234563":                                                 {"national_id:900101-5234563"},
		"build 240115-1234567, 240115-12345":                                     nil,
		"身份证号11010519491231002X":                                                 {"national_id:11010519491231002X"},
		"11010519491231002x 110105194912310021 110105194913310024":               {"national_id:11010519491231002x"},
		"1 84 12 76 451 089 46, 184127645108946":                                 {"national_id:1 84 12 76 451 089 46", "national_id:184127645108946"},
		"numéro de sécu 1 84 12 76 451 089 46, mon n° de sécu : 184127645108946": {"national_id:1 84 12 76 451 089 46", "national_id:184127645108946"},
		"1 84 12 76 451 089 47, 184137645108946, 1841276451089 47":               nil,
		"PESEL 44051401359, pesel: 44051401358":                                  {"national_id:44051401359"},
		"took 44051401359 ns":                                                    nil,
		"529.982.247-25, CPF 11144477735":                                        {"national_id:529.982.247-25", "national_id:11144477735"},
		"529.982.247-26, 111.111.111-11, 11144477735 rows":                       nil,
		"Aadhaar: 3123 4567 8909, aadhaar no 399876543211":                       {"national_id:3123 4567 8909", "national_id:399876543211"},
		"3123 4567 8909, aadhaar 312345678908, bytes 399876543211":               nil,
		"DNI 12345678Z, NIE: X1234567L, dni 12345678A":                           {"national_id:12345678Z", "national_id:X1234567L"},
		"commit 12345678Z, part X1234567L":                                       nil,
		"RSSMRA85T10A562S, RSSMRA85T10A562T, RSSMRA85T32A562S":                   {"national_id:RSSMRA85T10A562S"},
		"131052-308T 131052A308T 131052-308U 131352-308T 131052-308TX":           {"national_id:131052-308T", "national_id:131052A308T"},
		"S1234567D F1234567N S1234567E AS1234567D a/S1234567D S1234567d":         {"national_id:S1234567D", "national_id:F1234567N"},
		"CURP LOPM850712MDFRRR06, LOPM850712MDFRRR07":                            {"national_id:LOPM850712MDFRRR06"},
		"СНИЛС 112-233-445 95, снилс 11223344595, 112-233-445 96":                {"national_id:112-233-445 95", "national_id:11223344595"},
		"ИНН 500100732259, rows 500100732259":                                    {"national_id:500100732259"},
		"CNIC 35202-1234567-1, NIK 3171234507900001":                             {"national_id:35202-1234567-1", "national_id:3171234507900001"},
		"NIN 12345678901, took 12345678901 ns":                                   {"national_id:12345678901"},
		"NID 1234567890123, at 1234567890123":                                    {"national_id:1234567890123"},
		"PAN ABCPE1234F, part ABCPE1234F, PAN ABCXE1234F":                        {"national_id:ABCPE1234F"},
		"passport 123456789, Reisepass C01X00T47, passeport 12AB34567":           {"national_id:123456789", "national_id:C01X00T47", "national_id:12AB34567"},
		"my passport number is C01X00T47, PASSPORT EXPIRES2030, паспорт серия 4508 номер 123456, паспорт 45 08 № 123456": {"national_id:C01X00T47", "national_id:4508 номер 123456", "national_id:45 08 № 123456"},
		"NINO AB123456C, QQ123456C; on form AB 12 34 56 C, part AB123456C":                                               {"national_id:AB123456C", "national_id:AB 12 34 56 C"},
		"Steuer-ID: 86 095 742 719, BSN 111222333, TC kimlik no 10000000146, TFN 123 456 782":                            {"national_id:86 095 742 719", "national_id:111222333", "national_id:10000000146", "national_id:123 456 782"},
		"Steuer-ID: 86 095 742 718, BSN 111222334, kimlik 10000000147, TFN 123 456 783, 86095742719 ns":                  nil,
		"マイナンバーは123456789018です, AHV 756.9217.0769.85, NIF 123456789, CNP 1980418080072":                                  {"national_id:123456789018", "national_id:756.9217.0769.85", "national_id:123456789", "national_id:1980418080072"},
		"РНОКПП 3184710691, personnummer 811218-9876, rijksregisternummer 85.07.30-033.28, CUIL 20-12345678-6":           {"national_id:3184710691", "national_id:811218-9876", "national_id:85.07.30-033.28", "national_id:20-12345678-6"},
		"my passport is E12345678. Паспорт 45 08 123456, 护照号 G12345678":                                                  {"national_id:E12345678", "national_id:45 08 123456", "national_id:G12345678"},
		"E12345678, order 45 08 123456, a passport for 2026":                                                             nil,
		"serial S1234567D": nil,
		"BSN Sports is a shop with 111222333 followers": nil,
		// phones
		"+1.202.555.0143, Bestelnummer 123456782":                              {"phone:+1.202.555.0143"},
		"Call me on 4155550132 or +44 20 7946 0958; fax 020 7946 0958 ext. 12": {"phone:4155550132", "phone:+44 20 7946 0958", "phone:020 7946 0958 ext. 12"},
		"(202) 555-0143 1-800-555-0199 202.555.0143":                           {"phone:(202) 555-0143", "phone:1-800-555-0199", "phone:202.555.0143"},
		"06.12.34.56.78 or 01 23 45 67 89":                                     {"phone:06.12.34.56.78", "phone:01 23 45 67 89"},
		"+41 (0)62 585 51 90":                                                  {"phone:+41 (0)62 585 51 90"},
		"学生电话13812345678号":                                                     {"phone:13812345678"},
		"电话13812345678":                                                        {"phone:13812345678"},
		"Order 4155550132, ticket #4155550132, timestamp 1732190400":           nil,
		"2026-11-21 12:45:33, 21.11.2026, 11/21/2026":                          nil,
		"the range 1000-2000 5000, 40.712776, -74.005974":                      nil,
		"ISBN 978-3-16-148410-0":                                               nil,
		"550e8400-e29b-41d4-a716-446655440000":                                 nil,
		"f(123) 456-7890":                                                      nil,
		// mail
		"mailto:a.b@c.org, <jörg@münchen.de>.": {"email:a.b@c.org", "email:jörg@münchen.de"},
		"john [at] example [dot] com":          {"email:john [at] example [dot] com"},
		"git@github.com:org/repo.git ssh://git@host.example.com @pytest.fixture icon@2x.png lodash@4.17.21 a@b.c": nil,
		"info@presidio.": nil,
		"a.roux@\u200bmaison.fr, b.roux@mai\u2060son.fr c.roux@maison.\u200dfr @\u200b. d.roux@maison.fr\u200bBonjour": {"email:a.roux@\u200bmaison.fr", "email:b.roux@mai\u2060son.fr", "email:c.roux@maison.\u200dfr", "email:d.roux@maison.fr"},
		// machines
		"203.0.113.7:8080, [2001:db8::1]:80, my IP fe80::1%eth0":                                                                                                             {"ip:203.0.113.7", "ip:2001:db8::1", "ip:fe80::1%eth0"},
		"version 1.2.3.4, v1.2.3.4, 1.2.3, 256.1.1.1, 1.2.3.4.5":                                                                                                             nil,
		"versión 7.1.0.3, a versão: 7.1.0.3, wersji 7.1.0.3, версии 7.1.0.3, sürümü 7.1.0.3, Versionsnummer 7.1.0.3, 版本：7.1.0.3":                                             nil,
		"downgrade from 8.2.0.11 to 8.1.4.2; Upgrade von 8.1.4.2 auf 8.2.0.11":                                                                                               nil,
		"upgrade from 8.2.0.11, upgraded from 8.2.0.11 via 4 hops, upgrade on 8.2.0.11 to 12. An upgrade request from 8.2.0.12 to 8.2.0.13, moved from 8.2.0.14 to 8.2.0.15": {"ip:8.2.0.11", "ip:8.2.0.11", "ip:8.2.0.11", "ip:8.2.0.12", "ip:8.2.0.13", "ip:8.2.0.14", "ip:8.2.0.15"},
		"versus 8.2.0.11, converse 8.2.0.12, version host 8.2.0.13, é 8.2.0.14":                                                                                              {"ip:8.2.0.11", "ip:8.2.0.12", "ip:8.2.0.13", "ip:8.2.0.14"},
		"x (>=3.0.24.1) \"contentVersion\": \"1.0.0.0\"":                                                                                                                     nil,
		"signal 1010 1101 1001 0001, 2010 (2011), --count 2000000":                                                                                                           nil,
		"std::cout a::b 12:34:56 aa:bb:cc:dd:ee:ff":                                                                                                                          nil,
		// wallets
		"16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ, 16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ2": {"crypto:16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ"},
		"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq":                              {"crypto:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"},
		"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdz":                              nil,
		"0x742d35Cc6634C0532925a3b844Bc454e4438f44e":                              {"crypto:0x742d35Cc6634C0532925a3b844Bc454e4438f44e"},
		// credentials
		"key=sk-ant-api03-AbCdEfGh1234567890abcd.":                                             {"token:sk-ant-api03-AbCdEfGh1234567890abcd"},
		"a -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY----- b":                      {"token:-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----"},
		"a -----BEGIN PRIVATE KEY-----\nMII":                                                   {"token:-----BEGIN PRIVATE KEY-----\nMII"},
		"a -----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----":                        nil,
		"sk-learn-is-a-library-and-not-a-key, commit 8f953371d3e85eddb89b05ed6b9e680791055315": nil,
	} {
		if got := find(f, text); !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestKindsAndRegions(t *testing.T) {
	text := "a@b.org, 192.168.0.1, 0961 759 6216"
	if got := find(New([]Kind{Email}, nil), text); !slices.Equal(got, []string{"email:a@b.org"}) {
		t.Errorf("%q", got)
	}
	if got := find(New([]Kind{Phone}, []string{"DE"}), "0171 234 5678"); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if got := find(New([]Kind{Phone}, []string{"US"}), "0171 234 5678"); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// Numbers that look like personal data and belong to nobody stay. Real data beside them is masked.
func TestNobodys(t *testing.T) {
	f := New(nil, nil)
	for text, want := range map[string][]string{
		// addresses of settings and of networks
		"http://127.0.0.1/, 0.0.0.0:8080, [::1]:3000":                            nil,
		"netmask 255.255.255.0, mask 255.255.240.0":                              nil,
		"203.0.113.0/24, 3.5.140.0/22, 2001:db8::/32, 100.64.0.0/10, 10.0.0.0/8": nil,
		"10.0.0.12, http://192.168.1.1, fd00::17":                                {"ip:10.0.0.12", "ip:192.168.1.1", "ip:fd00::17"},
		"client_ip=10.2.3.4, but 198.51.100.7/24 and 2a02:8070::1":               {"ip:10.2.3.4", "ip:198.51.100.7", "ip:2a02:8070::1"},
		"Firefox 118.0.2.1, § 12.3.4.5, see 4.3.2.1, Article 5.1.2.3":            nil,
		// numbers of things
		"RMA 303-555-0107, PO number 617-555-0144, voucher 555 444 3333":   nil,
		"Package 415-555-0132 was left, asset tag 303 555 0100":            nil,
		"Bestellnummer 0171 234 5678, Teilenummer 030 1234567":             nil,
		"numéro de suivi 01 23 45 67 89, number of calls: 12345678":        nil,
		"주문번호 010-1234-5678, 注文番号 090-1234-5678, 접수번호: 20240318-0071":      nil,
		"orderId: \"415-555-0132\", ts: 1771322140":                        nil,
		"| Order | 415-555-0132 | shipped |":                               nil,
		"001 002 003 004, 010 020 030 040":                                 nil,
		"(2019) 123-4567, Nature 585 357 362 (2020)":                       nil,
		"Averages: 312 455 1890 2200. Totals: 212 555 1234":                nil,
		"registered 1234567 users, us 12345678, calls: 1234567":            nil,
		"mobile users: 12 345 678, 3 phone calls in 1234567 ns":            nil,
		"Signed by 41 members of the working group":                        nil,
		"Customer: my package is late, call 415-555-0132":                  {"phone:415-555-0132"},
		"Contact our delivery team at 415-555-0132, returns 020 7946 0958": {"phone:415-555-0132", "phone:020 7946 0958"},
		"Kontaktnummer 0171 2345678, Rückrufnummer 040 1234567":            {"phone:0171 2345678", "phone:040 1234567"},
		"내 번호는 010-1234-5678, 연락처번호 01012345678":                           {"phone:010-1234-5678", "phone:01012345678"},
		"携帯番号は090-1234-5678です, 手机号码13812345678":                            {"phone:090-1234-5678", "phone:13812345678"},
		"\"customerPhone\": \"2125550147\", | Phone | 212-555-0147 |":      {"phone:2125550147", "phone:212-555-0147"},
		"registered number 9876543210, numéro de téléphone 01 23 45 67 89": {"phone:9876543210", "phone:01 23 45 67 89"},
		"0041 44 668 18 00, call 020 7946 0958 (2020 prices)":              {"phone:0041 44 668 18 00", "phone:020 7946 0958"},
	} {
		if got := find(f, text); !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

// The plans are those of libphonenumber: its own examples are numbers to us.
func TestPlans(t *testing.T) {
	f := New([]Kind{Phone}, nil)
	bad := 0
	for r := range phonenumbers.GetSupportedRegions() {
		n := phonenumbers.GetExampleNumber(r)
		for _, form := range []phonenumbers.PhoneNumberFormat{phonenumbers.INTERNATIONAL, phonenumbers.E164} {
			text := phonenumbers.Format(n, form)
			if got := find(f, "at "+text+" now"); len(got) != 1 || got[0] != "phone:"+text {
				t.Logf("%s: %q found %q", r, text, got)
				bad++
			}
		}
	}
	if bad > 10 {
		t.Errorf("%d examples were not found", bad)
	}
}

// pieces scans a text as it would be scanned while it grows.
func pieces(f *Finder, text string, cut func(left int) int) []Span {
	var spans []Span
	have, done := 0, 0
	for {
		have += cut(len(text) - have)
		from := max(0, done-Before)
		got, settled := f.Scan(text[from:have], done-from, from == 0, have == len(text))
		for _, s := range got {
			s.Start += from
			s.End += from
			spans = append(spans, s)
		}
		done = max(done, from+settled)
		if have == len(text) {
			return spans
		}
	}
}

const sample = "Call me on 415 555 0132 or mail jörg.x@münchen.example.de; card 4111 1111 1111 1111, DE89 3704 0044 0532 0130 00. " +
	"key sk-ant-api03-AbCdEfGh1234567890abcd from 192.168.0.1 or 2001:db8::1 ssn 123-45-6789\n\n+41 (0)62 585 51 90 x12 john [at] example [dot] com " +
	"-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY----- 16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ, order 4155550132 v1.2.3.4 " +
	"900101-1234568 131052-308T RSSMRA85T10A562S 529.982.247-25 CPF 11144477735 S1234567D"

// However a text is cut, the same is found.
func TestScanInPieces(t *testing.T) {
	f := New(nil, nil)
	for _, text := range []string{sample, " 4111111111111111 ", "078051121", "RSSMRA85T10A562S", "dni 12345678Z", "131052-308T", "1 84 12 76 451 089 46", "11010519491231002X", strings.Repeat(sample+"\n", 3)} {
		want := f.Find(text)
		for seed := range uint64(200) {
			r := rand.New(rand.NewPCG(seed, 1))
			got := pieces(f, text, func(left int) int { return min(left, 1+r.IntN(1+int(seed)%40)) })
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d:\n got %v\nwant %v", seed, got, want)
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add(sample, uint64(3))
	f.Add("++(12) 3 - 4 (5) 6.7.8 9:: ::1 a@b.c 00 41 44 444 44 44", uint64(1))
	f.Add("eyJabc.def.ghi eyJ -----BEGIN \xff\xfe 1\xff2", uint64(2))
	for text := range written {
		f.Add(text, uint64(4))
	}
	finder := New(nil, nil)
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		want := finder.Find(text)
		end := 0
		for _, s := range want {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("%v", want)
			}
			end = s.End
		}
		r := rand.New(rand.NewPCG(seed, 1))
		if got := pieces(finder, text, func(left int) int { return min(left, 1+r.IntN(9)) }); !slices.Equal(got, want) {
			t.Fatalf("in pieces %v, whole %v", got, want)
		}
	})
}

// No text makes it slow.
func TestLinear(t *testing.T) {
	f := New(nil, nil)
	for name, unit := range map[string]string{
		"digits": "1", "groups": "1 ", "dashes": "12-", "brackets": "(1", "plus": "+1", "words": "a ", "letters": "a", "at": "a@", "dots": "a.", "keys": "sk-", "jwt": "-eyJ", "pem": "-----BEGIN PRIVATE KEY",
		"colons": "1:", "ibans": "GB29", "wallets": "0x1 ", "spelled": "a (at) ", "invalid": "\xff", "wide": "é",
	} {
		text := strings.Repeat(unit, (256<<10)/len(unit))
		start := time.Now()
		f.Find(text)
		t.Log(name, time.Since(start))
	}
}

func BenchmarkFind(b *testing.B) {
	f := New(nil, nil)
	for name, text := range map[string]string{"prose": strings.Repeat("The quick brown fox jumps over the lazy dog, and then some more. ", 16), "dense": sample} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				f.Find(text)
			}
		})
	}
}
