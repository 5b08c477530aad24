package inject

import (
	_ "embed"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/normal"
)

// Grammars for the instructions that attackers plant in tool output, and for short texts of users.
var (
	//go:embed orders.txt
	ordersText string
	//go:embed orders-world.txt
	ordersWorldText string
	//go:embed orders-voice.txt
	ordersVoiceText string
	//go:embed short.txt
	shortText string
	//go:embed affairs.txt
	affairsText string
	//go:embed ways.txt
	waysText string
)

// grammar maps each kind, or each kind with a language as in "deed:de", to its lines.
type grammar map[string][]string

func parseGrammar(texts ...string) grammar {
	g := grammar{}
	for _, t := range texts {
		for line := range strings.Lines(t) {
			line = strings.TrimSuffix(line, "\n")
			if line == "" || line[0] == '#' {
				continue
			}
			kind, text, _ := strings.Cut(line, " ")
			g[kind] = append(g[kind], strings.Split(text, " ¦ ")...)
		}
	}
	return g
}

// lines returns the lines of a kind in a language or, if there are none, in English or for all
// languages.
func (g grammar) lines(kind, lang string) []string {
	if lang != "en" {
		if l := g[kind+":"+lang]; l != nil {
			return l
		}
		switch kind { // English words, which other languages must not use
		case "when", "hush", "call", "deed", "task", "then", "dont", "bid", "inf", "chore", "tail":
			return nil
		}
	}
	return g[kind]
}

// languages returns the languages that a kind has lines in, sorted.
func (g grammar) languages(kind string) []string {
	out := []string{"en"}
	for k := range g {
		if name, lang, ok := strings.Cut(k, ":"); ok && name == kind && lang != "*" {
			out = append(out, lang)
		}
	}
	slices.Sort(out)
	return out
}

// fill replaces each {kind} in a text by a random line of that kind.
func (g grammar) fill(text, lang string, r *rand.Rand) string {
	for range 40 { // deeper nesting is a cycle
		before, rest, ok := strings.Cut(text, "{")
		if !ok {
			break
		}
		kind, after, ok := strings.Cut(rest, "}")
		if !ok {
			break
		}
		word := ""
		if l := g.lines(kind, lang); len(l) > 0 {
			word = l[r.IntN(len(l))]
		}
		text = before + word + after
	}
	text = strings.Join(strings.Fields(text), " ")
	text = strings.TrimSuffix(strings.ReplaceAll(text+" ", " . ", ". "), " ")
	if lang == "zh" || lang == "ja" { // written without spaces
		words := strings.Fields(text)
		for i, w := range words {
			if i > 0 && (words[i-1][len(words[i-1])-1] < utf8.RuneSelf || w[0] < utf8.RuneSelf) {
				words[i] = " " + w
			}
		}
		text = strings.Join(words, "")
	}
	return text
}

// orders returns examples of instructions planted in tool output.
func orders() []Example {
	g := parseGrammar(ordersText, ordersWorldText, ordersVoiceText)
	return g.examples("orders-", g.languages("deed"), ordersEach, ordersWeight)
}

// Short returns examples of short texts of users, made from the grammars short.txt, affairs.txt and
// ways.txt. They are plain orders to a model, everyday phrases, requests to a business, and attacks
// that name neither a prompt nor rules. Only the input model learns them.
func Short() []Example {
	g := parseGrammar(shortText)
	out := g.examples(shortGroup, g.languages("none"), shortEach, shortWeight)
	g = parseGrammar(affairsText)
	out = append(out, g.examples(affairsGroup, g.languages("none"), affairsEach, affairsWeight)...)
	g = parseGrammar(waysText)
	out = append(out, g.examples(waysGroup, g.languages("none"), waysEach, waysWeight)...)
	for i := range out {
		out[i].Text = normal.Text(out[i].Text).Text
		if out[i].Lang != "en" { // there are twice as many texts
			out[i].Weight /= 2
		}
	}
	return out
}

// examples fills each form of the grammar each times, and twice as often in languages other than
// English.
func (g grammar) examples(group string, languages []string, each int, weight float64) []Example {
	var out []Example
	for _, lang := range languages {
		for _, label := range [...]string{"attack", "none"} {
			var forms []string
			if lang == "en" {
				forms = g[label]
			} else {
				forms = append(slices.Clone(g[label+":"+lang]), g[label+":*"]...)
			}
			r := rand.New(rand.NewPCG(uint64(len(forms)), uint64(len(out))))
			each := each
			if lang != "en" {
				each *= 2
			}
			seen := map[string]bool{}
			for _, form := range forms {
				n := each
				if !strings.Contains(form, "{") {
					n = 1
				}
				for range n {
					text := g.fill(form, lang, r)
					if !seen[text] {
						seen[text] = true
						out = append(out, Example{Text: text, Attack: label == "attack", Weight: weight, Group: group + lang, Lang: lang, Ours: true})
					}
				}
			}
		}
	}
	return out
}

// The number of texts from each form in English, and the weight of one.
const (
	ordersEach   = 24
	ordersWeight = 4
	shortGroup   = "short-"
	shortEach    = 8
	shortWeight  = 1

	affairsGroup  = shortGroup + "affairs-"
	affairsEach   = 12
	affairsWeight = 1.4

	waysGroup  = shortGroup + "ways-"
	waysEach   = 16
	waysWeight = 0.8
)
