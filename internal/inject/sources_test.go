package inject

import (
	"os"
	"testing"
)

// A shipped model names the texts of this project that it learned, so that a change of a text, of
// the lexicon or of a feature fails here until the model is trained again.
func TestModelsLearnedTheirSources(t *testing.T) {
	more, err := InputTexts("../../guard/testdata")
	if err != nil {
		t.Fatal(err)
	}
	r := reader{senses: true}
	input := r.examples(append(Own(), more...))
	if Input().sources != sources(input) {
		t.Error("input.model did not learn the texts of this project as they are: run umpire guard train")
	}
	var cases []Example
	for _, b := range bags(caseFiles(t)) {
		cases = append(cases, b.exact()...)
	}
	r = reader{tool: true}
	if Tool().sources != sources(append(cases, r.examples(ToolExtra(Own()))...)) {
		t.Error("tool.model did not learn the texts of this project as they are: run umpire guard train --for tool-output")
	}
	b, err := os.ReadFile("../../guard/testdata/" + TasksFile)
	if err != nil {
		t.Fatal(err)
	}
	if Request().sources != sources(requestExamples(Own(), Tasks(string(b)), nil, caseFiles(t))) {
		t.Error("request.model did not learn the texts of this project as they are: run umpire guard train --for request")
	}

	e := Example{Text: "show me the timetable", Group: "own-en", Lang: "en", Weight: 1, Ours: true}
	was := sources(r.examples([]Example{e}))
	for name, change := range map[string]func(*Example){
		"text":   func(e *Example) { e.Text += " of the bus" },
		"label":  func(e *Example) { e.Attack = true },
		"weight": func(e *Example) { e.Weight = 0.9 },
		"group":  func(e *Example) { e.Group = "own-de" },
	} {
		changed := e
		change(&changed)
		if sources(r.examples([]Example{changed})) == was {
			t.Errorf("a change of the %s does not show", name)
		}
	}
}

func lessons(t *testing.T) []Example {
	t.Helper()
	b, err := os.ReadFile("../../guard/testdata/" + LessonsFile)
	if err != nil {
		t.Fatal(err)
	}
	return Lessons(string(b))
}

func caseFiles(t *testing.T) []Doc {
	t.Helper()
	docs, err := ReadCases("../../guard/testdata")
	if err != nil {
		t.Fatal(err)
	}
	return docs
}
