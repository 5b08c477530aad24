package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

const table = "# Words to avoid\n\n| not | but |\n| --- | --- |\n| whitelist | allowlist |\n"

// treeWith is a tree of one file, without budget.
func treeWith(name, text string) fstest.MapFS {
	return fstest.MapFS{
		avoidFile:  {Data: []byte(table)},
		budgetFile: {Data: []byte("# empty\n")},
		allowFile:  {Data: []byte("# empty\n")},
		name:       {Data: []byte(text)},
	}
}

// report checks a tree and returns the lines of the report.
func report(t *testing.T, tree fstest.MapFS) (string, bool) {
	t.Helper()
	var b strings.Builder
	ok, err := run(tree, &b, nil, false, false)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), ok
}

func TestSentences(t *testing.T) {
	for _, c := range []struct{ sentence, reason string }{
		{"What is asked is denied there.", `opens with "What"`},
		{"Who needs isolation runs the sandbox.", `opens with "Who"`},
		{"Whoever reads the key can pose as any host.", `opens with "Whoever"`},
		{"Whether the call ran is in the log.", `opens with "Whether"`},
		{"Rules answer first; what they leave open is a question.", "no clause as a subject"},
		{"The value 4x is no duration.", `"is no duration"`},
		{"These are no files.", `"are no files"`},
		{"The gateway goes away after 4h.", `"goes away"`},
		{"Among the calls are that of the hook.", `"are that"`},
		{"The agent is told the reason.", `"is told"`},
		{"It does not change anything.", `"does not change anything"`},
		{"The list is empty for now.", `"for now"`},
		{"A stub answers.", `"stub"`},
		{"TODO: write this.", `"TODO"`},
		{"main.go has 3 hunks: there is no hunk 9.", `"has 3 hunks: there is no"`},
		{"A log is no place for a key.", `"is no place"`},
		{"The file is the one that the program reads.", ""},
		{"Whatever it is, it is the one that counts.", `opens with "Whatever"`},
		{"It is the one that counts.", `"It is the one that"`},
		{"A timeout rejects, and so does an error.", `", and so does an"`},
		{"The gateway has it cancelled.", `"has it cancelled"`},
		{"The rule had nothing to say.", `"had nothing to say"`},
		{"The prompt is not to be shown.", `"is not to be shown"`},
		{"How many processes may run, 4096 without.", `ends with "without"`},
		{"It returns what is known of a session.", `"what is known of"`},
		{"It returns nil where there is none.", `"where there is none"`},
		{"It tells whether the call ran.", `"tells whether"`},
		{"A relative path is none.", `"is none."`},
		{"It prints what came of the call.", `"what came of"`},
		{"The folder is empty but for a file.", `"empty but for"`},
		{"Hosts on the Whitelist pass.", "write allowlist"},
		{"Word " + strings.Repeat("word ", 35) + ".", "36 words"},

		{"Approve pending calls, once each.", ""},
		{"What would umpire ask you?", ""},
		{"There is no policy file.", ""},
		{"It returns nil if there is none.", ""},
		{"Umpire cannot tell what it would run.", ""},
		{"The rule is no longer in force.", ""},
		{"The value must be a duration such as 4h.", ""},
		{"Umpire tells the agent what to do instead.", ""},
		{"It shows the call; what it would do comes first.", ""},
		{"Run `what goes away for now` again.", ""},
		{"The allowlist holds hosts.", ""},
		{"Word " + strings.Repeat("word ", 34) + ".", ""},
	} {
		for name, text := range map[string]string{
			"docs/a.md": "Before.\n\n" + c.sentence + " After it.\n",
			"a/b.go":    "package a\n\n// Before.\n\n// A names it. " + c.sentence + "\ntype A int\n",
		} {
			got, ok := report(t, treeWith(name, text))
			if c.reason == "" && !ok {
				t.Errorf("%s: %q: want no fault, got %s", name, c.sentence, got)
			}
			if c.reason != "" && !(strings.Contains(got, c.reason) && strings.HasPrefix(got, name+":")) {
				t.Errorf("%s: %q: want %s, got %q", name, c.sentence, c.reason, got)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"a second line of a paragraph", "docs/a.md", "One line\nof text. It is told\nmore.\n", "docs/a.md:2: "},
		{"a cell of a table", "docs/a.md", "| a | b |\n| --- | --- |\n| fine | it goes away |\n", "docs/a.md:3: "},
		{"a list", "docs/a.md", "Intro:\n\n- one\n- it is told more\n", "docs/a.md:4: "},
		{"a string", "a/b.go", "package a\n\nvar x = \"the value is no duration\"\n", "a/b.go:3: "},
		{"a sum of strings", "a/b.go", "package a\n\nvar y = 1\n\nvar x = \"the value \" + string(rune(y)) +\n\t\" is no duration\"\n", "a/b.go:5: "},
		{"a line of a raw string", "a/b.go", "package a\n\nvar x = `One line.\nThe agent is told more.`\n", "a/b.go:4: "},
		{"a comment of a field", "a/b.go", "package a\n\n// A is a type.\ntype A struct {\n\t// B is told more.\n\tB int\n}\n", "a/b.go:5: "},
		{"a comment that says an error is that", "a/b.go", "package a\n\n// ErrA is that the key is unknown.\nvar ErrA error\n", "a/b.go:3: write \"ErrA means\""},
		{"a comment that defines a name by a clause", "a/b.go", "package a\n\n// Result is what the call printed.\ntype Result int\n", "a/b.go:3: defines Result by a clause"},
		{"a comment with a clause behind the definition", "a/b.go", "package a\n\n// Result is the text that shows what the call printed.\ntype Result int\n", ""},
		{"a page", "a/b.html", "<p>Fine.</p>\n<p>The agent\n<b>is told</b> more.</p>\n", "a/b.html:2: "},

		{"a fence", "docs/a.md", "```\nit goes away\n```\n", ""},
		{"an indented block", "docs/a.md", "Text:\n\n    it goes away\n\n    and is told\n\nMore.\n", ""},
		{"a comment of what is not exported", "a/b.go", "package a\n\n// a is told more.\ntype a int\n", ""},
		{"two words", "a/b.go", "package a\n\nvar x = \"go away\"\n", ""},
		{"a struct tag", "a/b.go", "package a\n\ntype a struct {\n\tb int `json:\"the value is no duration\"`\n}\n", ""},
		{"licences of others", "THIRD_PARTY.md", "It goes away.\n", ""},
		{"a test", "a/b_test.go", "package a\n\nvar x = \"the value is no duration\"\n", ""},
	} {
		got, ok := report(t, treeWith(c.file, c.text))
		if c.want == "" && !ok || !strings.HasPrefix(got, c.want) || c.want != "" && ok {
			t.Errorf("%s: want %q, got %q", c.name, c.want, got)
		}
	}
}

func TestBudgetOnlyShrinks(t *testing.T) {
	for _, c := range []struct {
		budget string
		want   string
	}{
		{"2 docs/a.md\n", ""},
		{"1 docs/a.md\n", "2 faults, the budget is 1"},
		{"3 docs/a.md\n", "2 faults, the budget is 3: run go run"},
		{"2 docs/a.md\n1 docs/b.md\n", "docs/b.md: 0 faults, the budget is 1"},
	} {
		tree := treeWith("docs/a.md", "It goes away. It is told more.\n")
		tree[budgetFile].Data = []byte(c.budget)
		if got, ok := report(t, tree); ok != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("budget %q: want %q, got %q", c.budget, c.want, got)
		}
	}
}

func TestExceptions(t *testing.T) {
	tree := treeWith("docs/a.md", "It goes away.\n")
	tree[allowFile].Data = []byte("docs/a.md | goes away | a quotation\n")
	if got, ok := report(t, tree); !ok {
		t.Error(got)
	}
	tree[allowFile].Data = []byte("docs/a.md | goes away | a quotation\ndocs/a.md | is told | nothing says so\n")
	if got, ok := report(t, tree); ok || !strings.Contains(got, "no sentence needs this exception") {
		t.Error("an exception that nothing needs passed:", got)
	}
	tree[allowFile].Data = []byte("docs/a.md | goes away\n")
	if _, err := run(tree, new(strings.Builder), nil, false, false); err == nil {
		t.Error("an exception without a reason passed")
	}
}
