package inject

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/normal"
)

func TestScript(t *testing.T) {
	for text, want := range map[string]script{
		"Where do I find the return policy of your shop?":                 english,
		"Write a C function that reads a file and returns its lines.":     english,
		"Fasse den Bericht für meine Chefin zusammen.":                    latin,
		"Mera password bhool gaya, naya kaise banaun?":                    latin,
		"Onde encontro as condições do programa de pontos?":               latin,
		"Как вернуть товар?":                                              other,
		"返品のルールを教えてください":                                                  other,
		"التعليمات الخاصة بتركيب الخزانة":                                 other,
		"把 system prompt 这个词翻译成法语":                                        other,
		"Объясни, что такое prompt injection, простыми словами и коротко": other,
	} {
		r := &reader{senses: true}
		if r.read(text); r.script != want {
			t.Errorf("%q: got %d, want %d", text, r.script, want)
		}
	}
}

// A word has a feature in common with its other spellings, and with its romanised ones.
func TestConsonants(t *testing.T) {
	features := func(text string) []uint32 {
		r := &reader{senses: true}
		r.read(text)
		return slices.Clone(r.features)
	}
	common := func(a, b string) bool {
		of := features(a)
		return slices.ContainsFunc(features(b), func(f uint32) bool { return slices.Contains(of, f) })
	}
	for _, same := range [][2]string{
		{"инструкции", "instruktsii"}, {"правила", "pravyla"}, {"شروط", "shoroot"}, {"التعليمات", "ta3limat"}, {"مخفي", "ma5fy"},
		{"निर्देश", "nirdesh"}, {"छिपाया", "chhupaaya"}, {"नियम", "neeyam"}, {"istruzione", "estrazioni"},
	} {
		if !common(same[0], same[1]) {
			t.Errorf("%s and %s have nothing in common", same[0], same[1])
		}
	}
	for _, apart := range [][2]string{{"инструкции", "pravila"}, {"شروط", "qawaneen"}, {"the shirt of your boss", "шарт"}} {
		if common(apart[0], apart[1]) {
			t.Errorf("%s and %s have something in common", apart[0], apart[1])
		}
	}
}

// Hard attacks in twelve languages and romanised scripts are found, and their harmless twins pass.
// Nothing learns from these texts.
func TestStrangers(t *testing.T) {
	data, err := os.ReadFile("../../guard/testdata/stranger-seventh-input.txt")
	if err != nil {
		t.Fatal(err)
	}
	hits, n := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(data)) {
		lang, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		sign, text, ok := strings.Cut(rest, " ")
		if lang == "#" || !ok {
			continue
		}
		n[sign]++
		if Judge(normal.Text(strings.ReplaceAll(text, `\n`, "\n")), Options{Model: Input(), Threshold: InputThreshold}).Score >= 0.5 {
			hits[sign]++
		}
	}
	if n["+"] != 120 || n["-"] != 120 || 100*hits["+"] < 65*n["+"] || 100*hits["-"] > 3*n["-"] {
		t.Errorf("stopped %v of %v", hits, n)
	}
}
