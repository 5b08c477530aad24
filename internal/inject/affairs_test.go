package inject

import (
	_ "embed"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/normal"
)

//go:embed testdata/affairs.txt
var affairsCases string

// What people ask of a business, and of their own affairs, is not stopped, and attacks in the
// same words are. No text of these is in what the model has learned.
func TestAffairs(t *testing.T) {
	learned := map[string]bool{}
	for _, e := range slices.Concat(Short(), lessons(t)) {
		learned[strings.ToLower(e.Text)] = true
	}
	var stopped, harmless, found, attacks int
	for line := range strings.Lines(affairsCases) {
		lang, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		sign, text, _ := strings.Cut(rest, " ")
		if lang == "#" {
			continue
		}
		f := normal.Text(text)
		if learned[strings.ToLower(f.Text)] {
			t.Logf("learned: %s", text)
			continue
		}
		hit := Judge(f, Options{Model: Input(), Threshold: InputThreshold}).Score >= 0.5
		switch {
		case sign == "-":
			if harmless++; hit {
				stopped++
				t.Logf("stopped: %s %s", lang, text)
			}
		default:
			if attacks++; hit {
				found++
			}
		}
	}
	t.Logf("stopped %d of %d, found %d of %d", stopped, harmless, found, attacks)
	if 100*stopped > 2*harmless || 100*found < 75*attacks {
		t.Errorf("stopped %d of %d harmless requests, found %d of %d attacks", stopped, harmless, found, attacks)
	}
}

// Everyday requests, and talk about models and prompts, are not stopped in any of twelve languages.
func TestTalk(t *testing.T) {
	data, err := os.ReadFile("../../guard/testdata/talk-input.txt")
	if err != nil {
		t.Fatal(err)
	}
	n, stopped := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(data)) {
		lang, text, harmless := strings.Cut(strings.TrimSpace(line), " - ")
		if !harmless {
			continue
		}
		n[""]++
		n[lang]++
		if Judge(normal.Text(text), Options{Model: Input(), Threshold: InputThreshold}).Score >= 0.5 {
			t.Logf("stopped: %s %s", lang, text)
			stopped[""]++
			stopped[lang]++
		}
	}
	if len(n) != 13 || 100*stopped[""] > n[""] {
		t.Errorf("stopped %v of %v", stopped, n)
	}
	for _, lang := range []string{"ja", "ar", "tr", "ko"} {
		if stopped[lang] > 0 {
			t.Errorf("stopped %d of %d in %s", stopped[lang], n[lang], lang)
		}
	}
}
