package pii

import (
	"strings"
	"testing"
)

func masked(f *Finder, text string) string {
	var b strings.Builder
	at := 0
	for _, s := range f.Find(text) {
		b.WriteString(text[at:s.Start] + "[" + string(s.Kind) + "]")
		at = s.End
	}
	return b.String() + text[at:]
}

// Names and addresses are found where a word tells, if they are asked for.
func TestPersons(t *testing.T) {
	f := New([]Kind{Name, Address}, nil)
	for text, want := range map[string]string{
		"Dear Mr. Smith, your order is on its way.":               "Dear Mr. [name], your order is on its way.",
		"My name is Jane van der Berg and I need help.":           "My name is [name] and I need help.",
		"Frau Müller-Lüdenscheidt hat angerufen.":                 "Frau [name] hat angerufen.",
		"Je m'appelle Émile Zola.":                                "Je m'appelle [name].",
		"меня зовут Анна Каренина, здравствуйте":                  "меня зовут [name], здравствуйте",
		"Name: J. R. Doe\nAge: 4":                                 "Name: [name]\nAge: 4",
		"Best regards,\nMaria Garcia":                             "Best regards,\n[name]",
		"Ship it to 221B Baker Street, London NW1 6XE, please.":   "Ship it to [address], please.",
		"Ship it to 12 Main St., Apt 4, Springfield, IL 62704 on": "Ship it to [address] on",
		"Ich wohne in der Hauptstraße 12a, 10115 Berlin, seit":    "Ich wohne in der [address], seit",
		"J'habite 10 rue de la Paix, 75002 Paris.":                "J'habite [address].",
		"Vivo en Calle Mayor 5, 28013 Madrid.":                    "Vivo en [address].",
		"Write to P.O. Box 1234, Springfield.":                    "Write to [address].",
	} {
		if got := masked(f, text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{
		"Dear Customer, dear Sir or Madam, dear all,", "The name is required.", "Main Street is long.", "It is a 2 way street.", "Version 12 Beta Release",
		"3 Wise Men and 12 Angry Men", "Mr and Mrs are titles.", "the drama queen Anna", "Section 4 Street names", "10 Downloads", "via the API 5 times", "Run 12 tests in Place", "In 1980, Mount St. Helens", "Dear There. Ask the Dr. But do not",
	} {
		if got := masked(f, text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got := masked(New(nil, nil), "Mr. Smith, 12 Main Street"); strings.Contains(got, "[") {
		t.Errorf("nobody asked for these: %q", got)
	}
}

// However a text grows, the same is found.
func TestPersonsGrow(t *testing.T) {
	f := New([]Kind{Name, Address}, nil)
	text := "Dear Mr. John van der Berg, we ship to 12 Main St., Apt 4, Springfield, IL 62704 and Hauptstraße 12, 10115 Berlin. My name is Ann"
	want := f.Find(text)
	for cut := range len(text) {
		first, settled := f.Scan(text[:cut], 0, true, false)
		got := first
		rest, _ := f.Scan(text, settled, true, true)
		if got = append(got, rest...); len(got) != len(want) {
			t.Fatalf("cut at %d: %v, want %v", cut, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("cut at %d: %v, want %v", cut, got, want)
			}
		}
	}
}

// Several kinds in one sentence are each found.
func TestSeveralKinds(t *testing.T) {
	f := New(append(append([]Kind{}, Kinds...), Optional...), nil)
	text := "I am Mr. John Doe of 12 Main Street, Springfield, mail jane at example dot org or j@example.com, card 4111 1111 1111 1111, call +1 202 555 0143, SSN 536-90-4399, IBAN DE89 3704 0044 0532 0130 00, passport C01X00T47 no."
	want := "I am Mr. [name] of [address], mail [email] or [email], card [credit_card], call [phone], SSN [ssn], IBAN [iban], passport [national_id] no."
	if got := masked(f, text); got != want {
		t.Errorf("%q", got)
	}
	text = "Паспорт 45 08 123456, СНИЛС 112-233-445 95, CURP HEGG560427MVZRRL04, CPF 529.982.247-25, Aadhaar 2341 2341 2346, 身份证 11010519491231002X"
	if got := masked(f, text); strings.Count(got, "[national_id]") != 6 || strings.ContainsAny(got, "0123456789") {
		t.Errorf("%q", got)
	}
}
