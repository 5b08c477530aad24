package pii

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// written are texts whose values are not in plain digits and signs.
var written = map[string][]string{
	// digits in words, of other scripts, one by one
	"Call me: four one five, five five five, oh one three two.":               {"phone:four one five, five five five, oh one three two"},
	"text plus four four two zero seven nine four six zero nine five eight":   {"phone:four four two zero seven nine four six zero nine five eight"},
	"my phone is double five one, two three four, triple seven":               {"phone:double five one, two three four, triple seven"},
	"Tel. null eins sieben eins zwei drei vier fünf sechs sieben acht":        {"phone:null eins sieben eins zwei drei vier fünf sechs sieben acht"},
	"Mobil: null einsundsechzig":                                              nil,
	"Mon téléphone : zéro six douze trente-quatre cinquante-six vingt-deux":   {"phone:zéro six douze trente-quatre cinquante-six vingt-deux"},
	"Tel. ноль девять один два три четыре пять шесть":                         {"phone:ноль девять один два три четыре пять шесть"},
	"card four one one one one one one one one one one one one one one one":   {"credit_card:four one one one one one one one one one one one one one one one"},
	"card ４１１１　１１１１　１１１１　１１１１":                                                {"credit_card:４１１１　１１１１　１１１１　１１１１"},
	"بطاقة ٤١١١ ١١١١ ١١١١ ١١١١":                                               {"credit_card:٤١١١ ١١١١ ١١١١ ١١١١"},
	"कार्ड ४१११-११११-११११-११११":                                               {"credit_card:४१११-११११-११११-११११"},
	"card 4️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣":                   {"credit_card:4️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣"},
	"电话一三八一二三四五六七八":                                                           {"phone:一三八一二三四五六七八"},
	"ssn １２３-４５-６７８９":                                                         {"ssn:１２３-４５-６７８９"},
	"phone +٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨":                                                  {"phone:+٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨"},
	"my card is 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1":                              {"credit_card:4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"},
	"0171 234 5678 numaralı, ٠٥٣٢ ١٢٣ ٤٥ ٦٧ numarasından ara":                 {"phone:0171 234 5678", "phone:٠٥٣٢ ١٢٣ ٤٥ ٦٧"},
	"one two three four five six seven eight nine ten, phone me":              nil,
	"lottery: four one five five five five oh one three two":                  nil,
	"pi is three one four one five nine two six five three five eight":        nil,
	"cost ١٢٣٤٥٦٧٨٩ riyal, year २०२४, 第一二三四五六七八九条":                            nil,
	"on one of two or three, at four to five, do six or seven, eight to nine": nil,
	"फोन नौ आठ सात छह पाँच चार तीन दो चार आठ":                                 {"phone:नौ आठ सात छह पाँच चार तीन दो चार आठ"},
	"call: nine eight seven six five four three two one zero":                 nil,
	// separators
	"card 4111_1111_1111_1111, 4111/1111/1111/1111":       {"credit_card:4111_1111_1111_1111", "credit_card:4111/1111/1111/1111"},
	"4111•1111•1111•1111 or 4111 — 1111 — 1111 — 1111":    {"credit_card:4111•1111•1111•1111", "credit_card:4111 — 1111 — 1111 — 1111"},
	"order 4111_1111_1111_1111":                           nil,
	"call 202_555_0143, 202·555·0144":                     {"phone:202_555_0143", "phone:202·555·0144"},
	"202_555_0143, 1 / 2 / 3 / 4 / 5 / 6 / 7 / 8":         nil,
	"12:30:11:45, 10|20|30|40|50":                         nil,
	"D E 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0":         {"iban:D E 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0"},
	"DE89.3704.0044.0532.0130.00, ＤＥ８９３７０４００４４０５３２０１３０００": {"iban:DE89.3704.0044.0532.0130.00", "iban:ＤＥ８９３７０４００４４０５３２０１３０００"},
	"DE88_3704_0044_0532_0130_00 D E 8 9 3 7 and so on":   nil,
	// addresses
	"mail jane at example dot org, please":                          {"email:jane at example dot org"},
	"jane dot doe at mail dot example dot org":                      {"email:jane dot doe at mail dot example dot org"},
	"jane(at)example(dot)org; jane [at] example.org":                {"email:jane(at)example(dot)org", "email:jane [at] example.org"},
	"jane arroba example punto com, jo chiocciola posta punto it":   {"email:jane arroba example punto com", "email:jo chiocciola posta punto it"},
	"ana guion bajo gil arroba buzon punto es":                      {"email:ana guion bajo gil arroba buzon punto es"},
	"jo tiret bas lie arobase poste point fr":                       {"email:jo tiret bas lie arobase poste point fr"},
	"ugo trattino basso re chiocciola posta punto it":               {"email:ugo trattino basso re chiocciola posta punto it"},
	"rui sublinhado reis arroba correio ponto pt":                   {"email:rui sublinhado reis arroba correio ponto pt"},
	"jan streepje smit apenstaartje postbus punt nl":                {"email:jan streepje smit apenstaartje postbus punt nl"},
	"el guion bajo del punto es largo, le tiret bas du point":       nil,
	"電話番号は０９０ー１２３４ー５６７８です":                                          {"phone:０９０ー１２３４ー５６７８"},
	"jan klammeraffe example punkt de":                              {"email:jan klammeraffe example punkt de"},
	"иван собака пример точка рф":                                   {"email:иван собака пример точка рф"},
	"ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ":                                              {"email:ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ"},
	"ａｎｎ＿ｌｅｅ＠ｅｘａｍｐｌｅ．ｃｏｍ":                                           {"email:ａｎｎ＿ｌｅｅ＠ｅｘａｍｐｌｅ．ｃｏｍ"},
	"ann＋b－c＠example．com":                                           {"email:ann＋b－c＠example．com"},
	"jane @ example.com":                                            {"email:jane @ example.com"},
	"Look at example dot org. Find us at shop dot example dot com.": nil,
	"meet at noon. Com is a name; La chiocciola va al punto it":     nil,
	"see issue (a) in the org, f(at) dot product":                   nil,
	"Rembrandt at museum dot":                                       nil,
	// several kinds
	"I am jane (at) example (dot) org, call ٠٢٠ ٧٩٤٦ ٠٩٥٨, card 4111 / 1111 / 1111 / 1111": {"email:jane (at) example (dot) org", "phone:٠٢٠ ٧٩٤٦ ٠٩٥٨", "credit_card:4111 / 1111 / 1111 / 1111"},
	// numbers of things
	"Rechnungsnummer 0171 234 5678, Losnummer 030 1234 5678, lottery ticket 202-555-0173": nil,
	"Facture 06 12 34 56 78. Factuur 06 12345678. Pedido 912 345 678":                     nil,
}

func TestWritten(t *testing.T) {
	f := New(nil, nil)
	for text, want := range written {
		if got := find(f, text); !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

// However a text is cut, the same is found.
func TestWrittenInPieces(t *testing.T) {
	f := New(nil, nil)
	for text := range written {
		text = "So, " + text + " and that is all that there is to say of it. " + text
		want := f.Find(text)
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 2))
			got := pieces(f, text, func(left int) int { return min(left, 1+r.IntN(1+int(seed)%40)) })
			if !slices.Equal(got, want) {
				t.Fatalf("%q, seed %d:\n got %v\nwant %v", text, seed, got, want)
			}
		}
	}
}

// No text makes it slow.
func TestWrittenLinear(t *testing.T) {
	f := New(nil, nil)
	for _, unit := range []string{"one ", "dos-", "a at b dot ", "a dot ", "١", "١ ", "一", "1_", "1 / ", "D E 8 9 ", "＠", "a＠", "double ", "twenty ", "a (", "четыре ", "a ", "a_at_", "1[.]", "1 dot ", "a%40", "a&#64;", "um "} {
		text := strings.Repeat(unit, (128<<10)/len(unit))
		start := time.Now()
		f.Find(text)
		t.Log(unit, time.Since(start))
	}
}

// page is 50 KB of what tools return: prose in several scripts, code and a log.
var page = strings.Repeat("The quick brown fox jumps over one lazy dog at the river, and then some more came to eat (as they do). "+
	"Der Umsatz stieg im dritten Quartal auf vier Millionen Euro, obwohl drei Werke ruhten. "+
	"Компания сообщила, что точка роста находится в новом регионе и один завод закрыт. 会社は新しい工場を三つ開いた。 "+
	"func (c *conn) read(b []byte) (n int, err error) { return c.fd.Read(b[:min(len(b), 4096)]) }\n"+
	"2026-11-20T10:22:31.123Z INFO worker-7 request id=8f953371 took 12ms status=200 bytes=48213\n", 50<<10/560)

func BenchmarkPage(b *testing.B) {
	f := New(nil, nil)
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		f.Find(page)
	}
}
