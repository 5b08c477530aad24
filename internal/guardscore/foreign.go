package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/umpire-dev/umpire/internal/inject"
)

func init() { measures["foreign"] = scoreForeign }

// foreign returns the request in a text that is foreign to it.
func foreign(text string) (request string, ok bool) {
	segs := inject.Segments(text)
	_, found := inject.JudgeOutput(segs)
	if len(found) == 0 {
		return "", false
	}
	return segs[found[0]].Text, true
}

// scoreForeign counts the outputs with a task that is foreign to them. Nothing was learned
// from any of these files for that.
func scoreForeign(o options) error {
	rows, err := readAll(o, toolCorpora...)
	if err != nil {
		return err
	}
	scores := make([]float64, len(rows))
	for i := range rows {
		if request, ok := foreign(rows[i].Text); ok {
			scores[i] = 1
			if o.misses && !rows[i].attack() {
				fmt.Printf("%s %q\n", rows[i].ID, request)
			}
		}
	}
	table(rows, scores, 0.5, func(r *Row) string { return r.Source })
	cases, err := inject.ReadCases(o.cases)
	if err != nil {
		return err
	}
	hit, n := map[bool]int{}, map[bool]int{}
	for _, c := range cases {
		n[c.Attack]++
		if request, ok := foreign(c.Text); ok {
			hit[c.Attack]++
			if o.misses && !c.Attack {
				fmt.Printf("case %q\n", request)
			}
		}
	}
	fmt.Printf("cases written by hand: %d of %d poisoned, %d of %d harmless\n", hit[true], n[true], hit[false], n[false])
	return scoreForeignDocs(o)
}

// scoreForeignDocs counts the outputs of foreign.txt that are flagged: each task in three outputs, at
// their beginning, middle and end, and each output alone and with each request of its own.
func scoreForeignDocs(o options) error {
	b, err := os.ReadFile(filepath.Join(o.cases, "foreign.txt"))
	if err != nil {
		return err
	}
	var docs, tasks []string
	twins := map[int][]string{}
	for line := range strings.Lines(strings.ReplaceAll(string(b), `\n`, "\x00")) {
		kind, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		text = strings.ReplaceAll(text, "\x00", "\n")
		switch kind {
		case "doc":
			docs = append(docs, text)
		case "task":
			tasks = append(tasks, text)
		case "twin":
			twins[len(docs)-1] = append(twins[len(docs)-1], text)
		}
	}
	put := func(doc, sentence string, at int) string {
		if strings.HasPrefix(doc, "{") {
			sentence = strings.ReplaceAll(sentence, `"`, `\"`)
		}
		parts := strings.Split(doc, "@")
		after := strings.Join(parts[at+1:], "")
		if at == 0 && parts[0] == "" {
			after = "\n" + after
		}
		return strings.Join(parts[:at+1], "") + sentence + after
	}
	flagged := func(text string, poisoned bool) int {
		_, ok := foreign(text)
		if o.misses && ok != poisoned {
			fmt.Printf("%v %q\n", poisoned, text)
		}
		if ok {
			return 1
		}
		return 0
	}
	hit, n, alarms, harmless := 0, 0, 0, 0
	for i, task := range tasks {
		for at := range 3 {
			n++
			hit += flagged(put(docs[(i*5+at*4)%len(docs)], task, at), true)
		}
	}
	for i, doc := range docs {
		harmless++
		alarms += flagged(strings.ReplaceAll(doc, "@", ""), false)
		for _, twin := range twins[i] {
			for at := range 3 {
				harmless++
				alarms += flagged(put(doc, twin, at), false)
			}
		}
	}
	fmt.Printf("foreign.txt: %d of %d poisoned, %d of %d harmless\n", hit, n, alarms, harmless)
	return nil
}
