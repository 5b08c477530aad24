package inject

import (
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/normal"
)

// mayTrain reports whether a model that learned from texts under a licence may be shipped.
func mayTrain(licence string) bool {
	switch licence {
	case "Apache-2.0", "MIT", "CC0-1.0", "BSD-3-Clause", "CC-BY-4.0", "MIT/CC-BY-SA", "project-authored", "mixed":
		return true
	}
	return false // no licence is stated, or not everybody may use the text
}

// InputExample returns the example for the input model in a labelled row, or false if the row is
// not for training.
func InputExample(text, label, source, lang, licence string) (Example, bool) {
	if !mayTrain(licence) || strings.HasPrefix(source, "obf-") { // judging undoes disguises, so the model must not learn them
		return Example{}, false
	}
	e := Example{Text: normal.Text(text).Text, Group: source, Lang: lang, Weight: 1}
	switch {
	case label == "injection":
		e.Attack = true
	case label != "benign":
		return Example{}, false
	case source == "prompt-book-ml" || source == "tldr-ml":
		e.Weight = 0.25
	}
	return e, true
}

var (
	//go:embed own.txt
	ownText string
	//go:embed owninput.txt
	ownInputText string
)

// Own returns examples written for this project, for both models.
func Own() []Example { return own(ownText) }

// LessonsFile has most of the project's texts for the input model. Programs read it where they
// train, because it would be a large part of each program that embeds it.
const LessonsFile = "lessons-input.txt"

// englishLesson is the weight of an English attack among the lessons. The corpora have many, and
// people ask an assistant for much that these attacks ask for, too.
const englishLesson = 0.5

// Lessons returns the examples in the text of LessonsFile.
func Lessons(text string) []Example {
	out := own(text)
	for i := range out {
		e := &out[i]
		e.Group = "lesson-" + e.Lang
		e.Text = strings.ReplaceAll(e.Text, `\n`, "\n")
		if e.Lang == "en" && e.Attack {
			e.Weight *= englishLesson
		}
	}
	return out
}

// OwnInput returns the embedded examples for the input model alone.
func OwnInput() []Example { return append(own(ownInputText), Short()...) }

func own(text string) []Example {
	var out []Example
	for line := range strings.Lines(text) {
		lang, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || lang == "#" {
			continue
		}
		sign, text, _ := strings.Cut(rest, " ")
		out = append(out, Example{Text: normal.Text(text).Text, Attack: sign == "+", Weight: 0.9, Group: "own-" + lang, Lang: lang, Ours: true})
	}
	return out
}

// InputTexts returns the examples for the input model alone: the embedded ones, and the lessons in a
// folder.
func InputTexts(dir string) ([]Example, error) {
	lessons, err := os.ReadFile(filepath.Join(dir, LessonsFile))
	return append(OwnInput(), Lessons(string(lessons))...), err
}

// Row is one labelled text of a corpus.
type Row struct {
	Text    string `json:"text"`
	Label   string `json:"label"`
	Source  string `json:"source"`
	Lang    string `json:"lang"`
	Licence string `json:"licence"`
}

// InputExamples returns the examples in rows that train both models, and Own.
func InputExamples(rows []Row) []Example {
	var out []Example
	for _, r := range rows {
		if e, ok := InputExample(r.Text, r.Label, r.Source, r.Lang, r.Licence); ok {
			out = append(out, e)
		}
	}
	return append(out, Own()...)
}

// ToolExtra returns the examples of input that may also occur in tool output: attacks, but not
// those as long as documents. Requests of users do not count as harmless tool output.
func ToolExtra(input []Example) []Example {
	var out []Example
	for _, e := range input {
		if e.Attack && len(e.Text) < 400 {
			e.Weight *= 0.2
			out = append(out, e)
		}
	}
	return slices.Concat(out, ownTool(), orders())
}

//go:embed owntool.txt
var ownToolText string

// ownTool combines the parts in owntool.txt to some hundreds of the possible texts.
func ownTool() []Example {
	parts := map[string][]string{}
	for line := range strings.Lines(ownToolText) {
		kind, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		parts[kind] = append(parts[kind], text)
	}
	var out []Example
	add := func(text, group, lang string, attack bool, weight float64) {
		out = append(out, Example{Text: strings.Join(strings.Fields(text), " "), Attack: attack, Weight: weight, Group: group, Lang: lang, Ours: true})
	}
	for i, n := 0, len(parts["act"])*14; i < n; i++ { // steps without common factors reach all parts
		who := parts["who"][i*5%len(parts["who"])]
		if i%5 == 4 {
			who = ""
		}
		add(who+" "+parts["why"][i*7/3%len(parts["why"])]+" "+parts["act"][i%len(parts["act"])]+". "+parts["hush"][i*4%len(parts["hush"])], "own-made", "en", true, 2)
	}
	at := func(kind string, i int) string { return parts[kind][i%len(parts[kind])] }
	for i := range len(parts["act"]) * 6 {
		act := at("act", i)
		add(at("crowd", i*3)+" "+at("modal", i*7/2)+" "+act+". "+at("hush", i*5), "own-crowd", "en", true, 2)
		add(at("prior", i*5/2)+" "+act+". "+at("hush", i*3), "own-prior", "en", true, 2)
	}
	for i := range len(parts["deed"]) * 12 {
		add(at("human", i*3/2+i/20)+" "+at("modal", i*7/2)+" "+at("deed", i)+".", "own-human", "en", false, 2)
		add(at("todo", i*5/2)+" "+at("work", i)+".", "own-todo", "en", false, 2)
	}
	for line := range strings.Lines(ownToolText) {
		kind, text, _ := strings.Cut(line, " ")
		kind, lang, other := strings.Cut(kind, ":")
		if !other {
			lang = "en"
		}
		switch kind {
		case "attack":
			add(text, "own", lang, true, 6)
		case "none":
			add(text, "own", lang, false, 10)
		}
	}
	return out
}

// ToolDocs returns the documents in rows that train the model of tool output.
func ToolDocs(rows []Row) []Doc {
	var out []Doc
	for _, r := range rows {
		if mayTrain(r.Licence) {
			out = append(out, Doc{Text: r.Text, Attack: r.Label == "injection", Group: r.Source, Lang: r.Lang})
		}
	}
	return out
}
