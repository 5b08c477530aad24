package inject

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/normal"
)

// Doc is a labelled output for training.
type Doc struct {
	Text   string
	Attack bool
	Group  string
	Lang   string
	// Exact means that the position of the planted text is known: Text[From:To].
	Exact    bool
	From, To int
}

// CaseFiles lists the files of complete outputs that train the model of tool output.
var CaseFiles = []string{
	"own-tool.txt",
	"hard-tool-poison.txt", "hard-tool-clean.txt",
	"late-tool-poison.txt", "late-tool-clean.txt",
	"fresh-tool-poison.txt", "fresh-tool-clean.txt",
	"wide-tool-poison.txt", "wide-tool-clean.txt",
	"last-tool-poison.txt", "last-tool-clean.txt",
	"other-tool-poison.txt", "other-tool-clean.txt",
	"office-tool-poison.txt", "office-tool-clean.txt",
	"dev-tool-poison.txt", "dev-tool-clean.txt",
	"world-tool-poison.txt", "world-tool-clean.txt",
	"bare-tool-poison.txt", "bare-tool-clean.txt",
	"machine-tool-poison.txt", "machine-tool-clean.txt",
	"services-tool-poison.txt", "services-tool-clean.txt",
	"pages-tool-poison.txt", "pages-tool-clean.txt",
	"coding-tool-poison.txt", "coding-tool-clean.txt",
}

// ReadCases reads the outputs of CaseFiles in a folder.
func ReadCases(dir string) ([]Doc, error) {
	var out []Doc
	for _, name := range CaseFiles {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		docs, err := ParseCases(name, string(b))
		if err != nil {
			return nil, err
		}
		out = append(out, docs...)
	}
	return out, nil
}

// ParseCases parses hand-written outputs. Each begins with "===", the kind and an optional
// language; ⟦ and ⟧ enclose the planted text.
func ParseCases(name, text string) ([]Doc, error) {
	group, _, _ := strings.Cut(name, "-")
	var out []Doc
	for i, block := range strings.Split(text, "\n=== ")[1:] {
		head, text, _ := strings.Cut(block, "\n")
		d := Doc{Text: text, Group: "cases-" + group, Lang: "en", Exact: true}
		if _, lang, ok := strings.Cut(head, " "); ok {
			d.Lang = lang
		}
		if before, rest, ok := strings.Cut(text, "⟦"); ok {
			plant, after, ok := strings.Cut(rest, "⟧")
			if !ok {
				return nil, fmt.Errorf("%s: case %d has no ⟧", name, i+1)
			}
			d.Text = before + plant + after
			d.Attack, d.From, d.To = true, len(before), len(before)+len(plant)
		}
		out = append(out, d)
	}
	return out, nil
}

// The least and the largest size of a document that trains the model, in bytes.
const leastDocument, maxDocument = 200, 30000

// ListedDocuments reads the documentation below the folders that a file lists, one a line. All of it
// counts as honest: people write sentences there that no author of examples invents. Without a
// list there are none.
func ListedDocuments(list string) ([]Doc, error) {
	if list == "" {
		return nil, nil
	}
	dirs, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	var out []Doc
	seen := map[string]bool{}
	for i, dir := range strings.Fields(string(dirs)) {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			if !anyof.Equal(strings.ToLower(filepath.Ext(path)), "", ".md", ".rst", ".txt", ".html", ".adoc") {
				return nil
			}
			b, err := os.ReadFile(path)
			if err != nil || len(b) < leastDocument || len(b) > maxDocument || !utf8.Valid(b) || seen[string(b)] {
				return err
			}
			seen[string(b)] = true
			out = append(out, Doc{Text: string(b), Group: fmt.Sprint("documents-", i), Lang: "en"})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Pasted returns documents as examples of what people paste into a request.
func Pasted(docs []Doc) []Example {
	var out []Example
	for _, d := range docs {
		out = append(out, Example{Text: normal.Text(d.Text).Text, Group: d.Group, Lang: d.Lang, Weight: 4})
	}
	return out
}

// everyNth is the share of the parts of documents that TrainRequests takes: they have many more than it
// needs.
const everyNth = 3

// TasksFile has tasks for assistants, in parts, and sentences that resemble them.
const TasksFile = "tasks.txt"

// Tasks returns the examples in the text of TasksFile. An attack is a task.
func Tasks(text string) []Example {
	parts := map[string][]string{}
	var out []Example
	add := func(task bool, words ...string) {
		out = append(out, Example{Text: strings.Join(words, " "), Attack: task, Group: "tasks", Lang: "en", Weight: 1, Ours: true})
	}
	for line := range strings.Lines(text) {
		switch kind, rest, _ := strings.Cut(strings.TrimSpace(line), " "); kind {
		case "#":
		case "whole", "none":
			add(kind == "whole", rest)
		default:
			parts[kind] = strings.Split(rest, "|")
		}
	}
	each := func(n int, kinds ...string) {
		if slices.ContainsFunc(kinds, func(k string) bool { return len(parts[k]) == 0 }) {
			return
		}
		for i := range n {
			words := make([]string, len(kinds))
			for k, kind := range kinds {
				words[k] = parts[kind][i*(2*k+1)/(k+1)%len(parts[kind])] // different steps, so that the pairs differ
			}
			add(true, strings.Join(words, " ")+[]string{".", ""}[i%2])
		}
	}
	each(len(parts["work"])*12, "make", "work", "about")
	each(len(parts["topic"])*11, "ask", "topic")
	each(len(parts["things"])*10, "list", "things")
	return out
}

// measuredGroup begins the sources that measure requests foreign to an output.
const measuredGroup = "bipia"

// TrainRequests fits the model of requests: it learns tasks and the harmless examples for the input
// model against the parts of honest documents, and of cases around what was planted.
func TrainRequests(input, tasks []Example, honest, cases []Doc) *Model {
	return train(requestExamples(input, tasks, honest, cases), &reader{tool: true})
}

func requestExamples(input, tasks []Example, honest, cases []Doc) []Example {
	out := slices.Clone(tasks)
	for _, e := range input {
		segs := Segments(e.Text)
		if e.Attack || e.Lang != "en" || len(segs) == 0 {
			continue
		}
		if text, ok := segs[0].request(); ok {
			e.Text, e.Attack, e.Weight, e.features = normal.Canonical(text).Text, true, 1, nil
			out = append(out, e)
		}
	}
	seen := map[string]bool{}
	add := func(d *Doc, n int, ours bool) {
		for i, s := range Segments(d.Text) {
			if text, ok := s.request(); ok && d.Lang == "en" && i%n == 0 && !seen[text] && d.planted(&s) == 0 {
				seen[text] = true
				out = append(out, Example{Text: normal.Canonical(text).Text, Group: d.Group, Lang: d.Lang, Weight: 1, Ours: ours})
			}
		}
	}
	for i := range cases {
		add(&cases[i], 1, true)
	}
	for i := range honest {
		if d := &honest[i]; !strings.HasPrefix(d.Group, measuredGroup) {
			add(d, everyNth, false)
		}
	}
	r := reader{tool: true}
	return r.examples(out)
}

// planted returns the share of a segment that was planted.
func (d *Doc) planted(s *Segment) float64 {
	return float64(max(0, min(s.End, d.To)-max(s.Start, d.From))) / float64(s.End-s.Start)
}

// Weights: of a segment of a case for the words, and of planted and other segments for the trees.
// Planted text of the corpora has little weight for the trees, because a program chose its
// position.
const (
	caseWeight  = 7
	plantWeight = 3
	corpusPlant = 0.02
	corpusOther = 0.15
)

const treeFolds = 4

// bag is an output with its segments as examples.
type bag struct {
	*Doc
	segs     []Segment
	examples []Example
}

func bags(docs []Doc) []bag {
	r := reader{tool: true}
	out := make([]bag, len(docs))
	for i := range docs {
		b := bag{Doc: &docs[i], segs: Segments(docs[i].Text)}
		for k := range b.segs {
			e := Example{Text: b.segs[k].Text, Weight: 1, Group: b.Group, Lang: b.Lang, Attack: b.Attack, Ours: b.Exact}
			if b.Exact {
				e.Weight, e.Attack = caseWeight, b.planted(&b.segs[k]) > 0.5
			}
			b.examples = append(b.examples, e)
		}
		b.examples = r.examples(b.examples)
		out[i] = b
	}
	return out
}

// exact returns the segments of a case that were clearly planted or clearly not.
func (b *bag) exact() []Example {
	var out []Example
	for k, e := range b.examples {
		if p := b.planted(&b.segs[k]); b.Exact && (p == 0 || p > 0.5) {
			out = append(out, e)
		}
	}
	return out
}

// clean returns the texts that harmless outputs contain.
func clean(in []bag) map[string]bool {
	out := map[string]bool{}
	for _, b := range in {
		for _, s := range b.segs {
			if !b.Attack && !b.Exact {
				out[s.Text] = true
			}
		}
	}
	return out
}

// TrainWords fits a model for the words of tool output, without their context. extra has more
// examples.
func TrainWords(docs []Doc, extra []Example, first *Model) *Model {
	return trainWords(bags(docs), extra, first)
}

// TrainTool fits a model for tool output. extra has examples for the words alone. The trees learn
// from parts whose words are scored by a model that was not trained on them.
func TrainTool(docs []Doc, extra []Example, first *Model) *Model {
	all := bags(docs)
	r := reader{tool: true}
	extra = r.examples(extra)
	folds := make([]int, len(docs))
	var groups []string
	for i := range docs {
		if docs[i].Exact {
			folds[i] = i / 2 % treeFolds // cases often come in pairs
			continue
		}
		k := slices.Index(groups, docs[i].Group)
		if k < 0 {
			k = len(groups)
			groups = append(groups, docs[i].Group)
		}
		folds[i] = k % treeFolds
	}
	harmless := clean(all)
	var m *Model
	var sights [treeFolds][]sight
	var wg sync.WaitGroup
	wg.Go(func() { m = trainWords(all, extra, first) })
	for k := range treeFolds {
		wg.Go(func() {
			var rest []bag
			for i := range all {
				if folds[i] != k {
					rest = append(rest, all[i])
				}
			}
			m := trainWords(rest, extra, first)
			for i := range all {
				if folds[i] == k {
					sights[k] = append(sights[k], all[i].sights(m, harmless)...)
				}
			}
		})
	}
	wg.Wait()
	m.trees = grow(slices.Concat(sights[:]...), wordsBase)
	return m
}

// sights returns the segments of b from which the trees learn.
func (b *bag) sights(m *Model, harmless map[string]bool) []sight {
	segs := b.segs
	parts := look(segs, m, nil)
	if len(parts) < 2 {
		return nil
	}
	c := contextOf(segs, parts)
	var out []sight
	take := func(i int, y, w float64) {
		var v vector
		c.features(i, &v)
		out = append(out, sight{x: v.x, start: wordsShare * parts[i].words(), y: y, w: w})
	}
	if b.Exact {
		for i := range segs {
			y, w := 0.0, 1.0
			switch p := b.planted(&segs[i]); {
			case p > 0.5:
				y, w = 1, plantWeight
			case p > 0:
				continue
			}
			take(i, y, w)
		}
		return out
	}
	var order []int
	for i := range segs {
		if !b.Attack || !harmless[segs[i].Text] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := parts[a].alone, parts[b].alone; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	if b.Attack { // its label does not name the part: take the worst one
		if len(order) > 0 {
			take(order[0], 1, corpusPlant)
		}
		return out
	}
	for n := 0; n < len(order); n++ {
		take(order[n], 0, corpusOther)
		if n >= 4 { // the worst ones, and some of the others
			n += len(order) / 8
		}
	}
	return out
}

// trainWords fits a model for the words of segments. It is not always known which segment of a
// poisoned output is the planted one. trainWords takes one that no clean output has: at first the
// one that the given model scores highest, then the one that the last fit does.
func trainWords(all []bag, extra []Example, first *Model) *Model {
	harmless := clean(all)
	var base []Example
	seen := map[string]bool{}
	for _, b := range all {
		base = append(base, b.exact()...)
		for _, e := range b.examples {
			if !b.Exact && !b.Attack && len(e.Text) >= 12 && !seen[e.Text] {
				seen[e.Text] = true
				base = append(base, e)
			}
		}
	}
	base = append(base, extra...)
	m := first
	for range 3 {
		examples := slices.Clone(base)
		for _, b := range all {
			if b.Exact || !b.Attack {
				continue
			}
			parts := look(b.segs, m, nil)
			best := -1
			for k, s := range b.segs {
				if !harmless[s.Text] && (best < 0 || parts[k].block > parts[best].block) {
					best = k
				}
			}
			for k, s := range b.segs {
				if best < 0 || harmless[s.Text] || s.Block != b.segs[best].Block || parts[k].alone < parts[best].alone-3 && k != best {
					continue
				}
				examples = append(examples, b.examples[k])
			}
		}
		m = train(examples, &reader{tool: true})
	}
	return m
}
