package code_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/code"
	"github.com/umpire-dev/umpire/internal/operation/golden"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// machine has the files that examples read, and nothing else.
var machine = shell.Env{
	Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj", Temp: "/tmp"},
	Getenv: func(name string) (string, bool) {
		return map[string]string{"HOME": "/home/dev"}[name], name == "HOME"
	},
	ReadFile: func(string) ([]byte, bool) { return nil, false },
}

func readCode(lang, text string) []umpire.Operation {
	r := shell.NewReader(machine)
	r.Code(lang, text)
	return r.Operations()
}

// Every row of every table has an example of its own, which says what operations come of
// such a call: kind, resource, traits and places. The same comes of it with each other name
// of the row in the place of the first.
func TestCalls(t *testing.T) {
	for table, rows := range code.Tables() {
		t.Run(table, func(t *testing.T) {
			examples := golden.Check(t, "testdata/calls/"+table+".txt", readCode)
			delete(examples, "")
			for _, names := range rows {
				first := examples[names[0]]
				delete(examples, names[0])
				if len(first) == 0 {
					t.Errorf("the row %q has no example", names[0])
					continue
				}
				for _, name := range names[1:] {
					if len(examples[name]) == 0 {
						checkRenamed(t, first[0], names, name)
					}
					delete(examples, name)
				}
			}
			for name := range examples {
				t.Errorf("the example %q is of no row", name)
			}
		})
	}
}

// checkRenamed reads the example of a row with one name of it in the place of those that it has.
func checkRenamed(t *testing.T, e golden.Example, row []string, name string) {
	t.Helper()
	spelled := func(name string) []string { // the whole name, and what is called of something
		return []string{name, name[strings.LastIndexAny(name, "./:")+1:]}
	}
	own := spelled(name)
	for i, s := range own {
		if wordOf(s, i == 0).MatchString(e.Text) {
			return // the file says what comes of it
		}
	}
	for i, to := range own {
		for _, other := range slices.SortedFunc(slices.Values(row), func(a, b string) int { return len(b) - len(a) }) {
			word := wordOf(spelled(other)[i], i == 0)
			if !word.MatchString(e.Text) {
				continue
			}
			in := func(s string) string {
				return word.ReplaceAllString(s, "${1}"+strings.ReplaceAll(to, "$", "$$")+"${2}")
			}
			got := strings.Join(golden.Lines(readCode(e.Lang, in(e.Text))), "\n")
			if got != e.Read && got != in(e.Read) {
				t.Errorf("%s: %s> %s\nis read as\n%s\nand with %s as\n%s", name, e.Lang, in(e.Text), got, other, e.Read)
			}
			return
		}
	}
	t.Errorf("%s: its row has no example with a name of the row in it, so write one for this name: %s> %s", name, e.Lang, e.Text)
}

// wordOf finds a name that is not a part of a longer one, or a whole one that is called of nothing.
func wordOf(name string, whole bool) *regexp.Regexp {
	before := `[^\w:-]|::`
	if whole {
		before = `[^\w:.$-]`
	}
	return regexp.MustCompile(`(?i)(^|` + before + `)` + regexp.QuoteMeta(name) + `(?:Sync)?($|[^\w-])`)
}

// A name that stands in two rows of a table would be found in one of them only.
func TestNamesOnce(t *testing.T) {
	if twice := slices.Compact(code.Twice()); len(twice) > 0 {
		t.Errorf("in two rows: %q", twice)
	}
}

// What is folded, followed and looked into in each language, besides its calls.
func TestLanguages(t *testing.T) {
	golden.Check(t, "testdata/languages.txt", readCode)
}

// An argument that is passed by its name is read as the one in its place.
func TestArgumentsByName(t *testing.T) {
	for _, lang := range []string{"python", "r"} {
		examples := golden.Check(t, "testdata/calls/"+lang+".txt", readCode)
		for row, places := range code.Named(lang) {
			for _, e := range examples[row] {
				for at, names := range places {
					for _, name := range names {
						text := byName(e.Text, row[strings.LastIndex(row, ".")+1:], at, name)
						if got := strings.Join(golden.Lines(readCode(e.Lang, text)), "\n"); got != e.Read {
							t.Errorf("%s: %s> %s\nis read as\n%s\nand without the name as\n%s", row, e.Lang, text, got, e.Read)
						}
					}
				}
			}
		}
	}
}

var passedByName = regexp.MustCompile(`^\*|^\w+ *=[^=]`)

// byName gives the last argument of the first call of a function its name, if it stands in this place.
func byName(text, function string, at int, name string) string {
	begin := strings.Index(text, function+"(")
	if begin < 0 {
		return text
	}
	begin += len(function) + 1
	n, depth, quote := 0, 0, byte(0)
	for i, from := begin, begin; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case depth > 0 && strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && (c == ',' || c == ')'):
			arg := strings.TrimSpace(text[from:i])
			if n == at && c == ')' && arg != "" && !passedByName.MatchString(arg) {
				return text[:from] + name + "=" + arg + text[i:]
			}
			if n, from = n+1, i+1; c == ')' {
				return text
			}
		}
	}
	return text
}
