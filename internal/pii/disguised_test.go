package pii

import (
	"slices"
	"strings"
	"testing"
)

func TestDisguised(t *testing.T) {
	for text, want := range map[string][]string{
		// Dots of machines in brackets, in words and in full width.
		"peer 10[.]20[.]30[.]40 left":                                      {"ip:10[.]20[.]30[.]40"},
		"peer 10(dot)20(dot)30(dot)40":                                     {"ip:10(dot)20(dot)30(dot)40"},
		"it is 198 dot 51 dot 100 dot 7, I think":                          {"ip:198 dot 51 dot 100 dot 7"},
		"host １９８．５１．１００．７ answers":                                        {"ip:１９８．５１．１００．７"},
		"1[.]2[.]3[.]4[.]5 and 300[.]1[.]1[.]1, 1 dot 2 dot 3 dot 4 dot 5": nil,
		"three dot four, 3 dot 14 and 1 dot 2 dot":                         nil,

		// Signs of an address between marks, as escapes, and in words of other languages.
		"ask paul_at_firm_dot_org today":                                 {"email:paul_at_firm_dot_org"},
		"ask paul -at- firm -dot- org today":                             {"email:paul -at- firm -dot- org"},
		"ask paul#at#firm#dot#co#dot#uk":                                 {"email:paul#at#firm#dot#co#dot#uk"},
		"ask paul&#64;firm.org, paul%40firm.org":                         {"email:paul&#64;firm.org", "email:paul%40firm.org"},
		`{"to":"paul\u0040firm.org"}`:                                    {`email:paul\u0040firm.org`},
		"ask paul at sign firm period org":                               {"email:paul at sign firm period org"},
		"p a u l @ f i r m . o r g, thanks":                              {"email:p a u l @ f i r m . o r g"},
		"frag rita ät firma punkt de":                                    {"email:rita ät firma punkt de"},
		"ask paul_ray_at_firm_dot_org today":                             {"email:paul_ray_at_firm_dot_org"},
		"ask paul.ray_at_firm_dot_org today":                             {"email:paul.ray_at_firm_dot_org"},
		"ask paul-ray#at#firm#dot#org today":                             {"email:paul-ray#at#firm#dot#org"},
		"look_at_the_dot_map, a-at-b, x_at_y":                            nil,
		"row_is_created_at_once, a_b_c_at_d":                             nil,
		"IP is 203 . 0 . 113 . 77, says he":                              {"ip:203 . 0 . 113 . 77"},
		"1 . 2 . 3 . 4 . 5 and 300 . 1 . 1 . 1":                          nil,
		"see 1. 2. 3. 4. and 7 .8 .9 .10":                                nil,
		"Karte 5500/0000/0000/0004, bitte":                               {"credit_card:5500/0000/0000/0004"},
		"card 5500 - 0000 - 0000 - 0004":                                 {"credit_card:5500 - 0000 - 0000 - 0004"},
		"amex 3714/496353/98431":                                         {"credit_card:3714/496353/98431"},
		"rows 5500/0000/0000/0003 and 5500/0000/0000/0004/2, 12/05/1999": nil,
		"a b c d @ e and f . g h":                                        nil,
		"100%40 off, AT&#64;T":                                           nil,

		// Numbers whose word has an ending, that are repeated, and with written dashes.
		"電話番号は０３ １２３４ ５６７８です":                                               {"phone:０３ １２３４ ５６７８"},
		"celular: um um nove sete seis cinco quatro três dois um oito":      {"phone:um um nove sete seis cinco quatro três dois um oito"},
		"phone: 212 dash 555 dash 0187":                                     {"phone:212 dash 555 dash 0187"},
		"SSN 219-09-9999":                                                   {"ssn:219-09-9999"},
		"DNI 12345678-Z":                                                    {"national_id:12345678-Z"},
		"IBAN: NL91/ABNA/0417/1643/00":                                      {"iban:NL91/ABNA/0417/1643/00"},
		"write jane AT firm DOT org, jane@firm。org, then jane@firm.org。Bye": {"email:jane AT firm DOT org", "email:jane@firm。org", "email:jane@firm.org"},
		"MEET ME AT NOON DOT COM, open from 0900 to 1700":                   nil,
		"我的手机号是13812345678, 手机是一三八一二三四五六七八, 订单号是13812345678":                                           {"phone:13812345678", "phone:一三八一二三四五六七八"},
		"전화 번호 01012345678, 운송장 번호 123456789012":                                                       {"phone:01012345678"},
		"mi número es 612345679, moi nomer vosem devyat odin dva tri chetyre pyat shest sem vosem sem": {"phone:612345679", "phone:vosem devyat odin dva tri chetyre pyat shest sem vosem sem"},
		"four one five, five five five, two six seven one is my phone":                                 {"phone:four one five, five five five, two six seven one"},
		"my number is 212 dot 555 dot 0187":                                                            {"phone:212 dot 555 dot 0187"},
		"ponsel: nol delapan satu tiga, lima lima nol satu dua tiga":                                   {"phone:nol delapan satu tiga, lima lima nol satu dua tiga"},
		"nomor pesanan nol delapan satu tiga, lima lima nol satu dua tiga":                             nil,
		"٠٥٠٢٢٢٤٥٦١ هذا رقم جوالي, 612345679 es mi móvil":                                              {"phone:٠٥٠٢٢٢٤٥٦١", "phone:612345679"},
		"رقمي ٠٥٠٢٢٢٤٥٦١, رقم الطلب ٠٥٠٢٢٢٤٥٦١":                                                        {"phone:٠٥٠٢٢٢٤٥٦١"},
		"nino AB-12-34-56-C, AB 12-34-56 C, part AB-12-34-56-C":                                        {"national_id:AB-12-34-56-C", "national_id:AB 12-34-56 C"},
		"Nota fiscal 000.123.456, pedido 000.123.456":                                                  nil,
		"Table 1.2.3.4 and figure 10.20.30.40":                                                         nil,
	} {
		var got []string
		for _, s := range New(nil, nil).Find(text) {
			got = append(got, string(s.Kind)+":"+text[s.Start:s.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// What a growing text settles must not depend on where it was cut.
func TestDisguisedGrowing(t *testing.T) {
	f := New(nil, nil)
	for _, text := range []string{
		"peer 10[.]20[.]30[.]40 left", "it is 198 dot 51 dot 100 dot 7.", "host １９８．５１．１００．７ answers", "ask paul_at_firm_dot_org today",
		"ask paul -at- firm -dot- org today", "ask paul&#64;firm.org.", "p a u l @ f i r m . o r g, thanks", "ask paul_ray_at_firm_dot_org today", "IP is 203 . 0 . 113 . 77.", "card 5500 - 0000 - 0000 - 0004.", "phone: 212 dash 555 dash 0187.", "DNI 12345678-Z.",
	} {
		want := f.Find(text)
		for cut := range len(text) {
			spans, settled := f.Scan(text[:cut], 0, true, false)
			rest, _ := f.Scan(text[max(0, settled-Before):], min(settled, Before), settled <= Before, true)
			for _, s := range rest {
				off := max(0, settled-Before)
				spans = append(spans, Span{s.Kind, s.Detail, s.Start + off, s.End + off})
			}
			if !slices.Equal(spans, want) {
				t.Errorf("%s cut at %d: %v, want %v", text, cut, spans, want)
			}
		}
	}
	if spans := f.Find(strings.Repeat("a ", 10_000) + strings.Repeat("a_at_", 10_000) + strings.Repeat("1[.]", 10_000)); spans != nil {
		t.Errorf("found %v", spans)
	}
}

// People group numbers with letters as they like, and mistype or escape the dot of an address.
func TestGroupedAndMistyped(t *testing.T) {
	f := New(nil, nil)
	for text, want := range map[string]string{
		"codice fiscale RSS MRA 85T10 A562S":    "RSS MRA 85T10 A562S",
		"mi DNI es 12.345.678-Z":                "12.345.678-Z",
		"dni 12345678 Z, gracias":               "12345678 Z",
		"NIE X 1234567 L":                       "X 1234567 L",
		"PAN card ABCPE-1234-F":                 "ABCPE-1234-F",
		"身份证 110105 19491231 002X":              "110105 19491231 002X",
		"card 4111-1111 1111.1111":              "4111-1111 1111.1111",
		"kim@firm,example.com is my mail":       "kim@firm,example.com",
		"he typed kim@firm ,com":                "kim@firm ,com",
		"reach john@example&#46;com":            "john@example&#46;com",
		"build X 1234567 L of 12.345.678-Z":     "",
		"ABCPE 1234 F on the shelf":             "",
		"thanks kim@firm, come again":           "",
		"kim@firm,then bob@shop; @org/tool,com": "",
		"S 1234567 D is a part":                 "",
		"4111-1111 1111-1112 are rows":          "",
		"110105 19491231 0021 are columns":      "",
	} {
		got := ""
		for _, s := range f.Find(text) {
			got += text[s.Start:s.End]
		}
		if got != want {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}
