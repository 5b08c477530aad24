package code_test

import (
	"maps"
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

// Each column of a row counts: without it, an example of the row is read as something else.
func TestColumnsCount(t *testing.T) {
	examples := map[string]map[string][]golden.Example{}
	for table := range code.Tables() {
		examples[table] = golden.Check(t, "testdata/calls/"+table+".txt", readCode)
	}
	var unseen []string
	for _, c := range code.Columns() {
		c.Blanked(func() {
			if !slices.ContainsFunc(examples[c.Table][c.Row], func(e golden.Example) bool {
				return strings.Join(golden.Lines(readCode(e.Lang, e.Text)), "\n") != e.Read
			}) {
				unseen = append(unseen, c.Table+": "+c.Row+" "+c.Name)
			}
		})
	}
	slices.Sort(unseen)
	if most := 60; len(unseen) > most { // such as what print puts between its arguments
		t.Errorf("%d columns are in no example's reading, want %d at most: write an example for those that you added\n%s", len(unseen), most, strings.Join(unseen, "\n"))
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

// A variable that a function or a method writes to is not what it was before.
func TestChangedVariables(t *testing.T) {
	programs := map[string]string{
		"awk": `BEGIN { v = "ls"; CALL; system(v) }`, "php": `$v = "ls"; CALL; system($v);`, "perl": `$v = "ls"; CALL; system($v);`,
		"js": `let v = ["ls"]; CALL; require("child_process").execSync(v[0])`, "lua": `v = {"ls"}; CALL; os.execute(v[1])`,
		"python": `import os, random, heapq; v = ["ls"]; CALL; os.system(v[0])`, "ruby": `v = ["ls"]; CALL; system(v[0])`,
	}
	check := func(lang, call string) {
		t.Helper()
		if lang == "php" || lang == "perl" {
			call = strings.Replace(call, "v,", "$v,", 1)
		}
		text := strings.Replace(programs[lang], "CALL", call, 1)
		got := golden.Lines(readCode(lang, text))
		if len(got) == 0 || !strings.Contains(got[len(got)-1], "[unseen-code unknown]") {
			t.Errorf("%s> %s\nis read as %q, and it runs what umpire cannot know", lang, text, got)
		}
	}
	for row := range strings.Lines(strings.TrimSpace(code.SetsArguments)) {
		f := strings.Fields(row)
		check(f[0], f[1]+"("+strings.Repeat("1, ", int(f[2][0]-'0'))+"v, 1, 1, 1)")
	}
	grow := strings.Fields("append push add extend addAll concat insert unshift prepend update put putAll") // the others show in languages.txt
	for method := range strings.FieldsSeq(code.Changers) {
		if !slices.Contains(grow, method) {
			check("python", "v."+method+"(1)")
			check("ruby", "v."+strings.TrimSuffix(method, "!")+"!(1)")
		}
	}
}

// What is folded, followed and looked into in each language, besides its calls.
func TestLanguages(t *testing.T) {
	golden.Check(t, "testdata/languages.txt", readCode)
}

// These take an argument by its place only, as their languages define them, or take any number.
var positional = map[string]string{
	"python": `sys.stdout.write os.write os.putenv dict getattr globals exec functools.partial operator.attrgetter operator.methodcaller pickle.loads marshal.loads os.execl os.execle
		os.spawnl os.kill os.path.join Path Path.cwd bytes.fromhex`,
	"r": `file.remove file.path paste paste0 c cat Map`,
}

// An argument that is passed by its name is read as the one in its place. Every row names its
// arguments: a call whose names no row has would be read as if it had no arguments.
func TestArgumentsByName(t *testing.T) {
	for lang, exempt := range positional {
		examples := golden.Check(t, "testdata/calls/"+lang+".txt", readCode)
		for row, places := range code.Named(lang) {
			if unnamed := slices.ContainsFunc(slices.Collect(maps.Values(places)), func(names []string) bool { return names[0] == "" }); unnamed != slices.Contains(strings.Fields(exempt), row) {
				t.Errorf("%s: %s has an argument without a name: %v, and the list of those says otherwise", lang, row, unnamed)
			}
			for _, e := range examples[row] {
				for at, names := range places {
					for _, name := range names {
						if name == "" {
							continue
						}
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
