package main

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const example = `package p

import "errors"

var limit = 3

func check(n int, f func() error) (bool, error) {
	if err := f(); err != nil {
		return false, err
	}
	switch {
	case n == 0:
		return false, errors.New("zero is too little")
	}
	for n > limit && n < 10 {
		n--
	}
	defer done("x")
	return n != 2, nil
}

func done(string) {}
`

// Each operator finds its places, and each mutant is Go.
func TestSites(t *testing.T) {
	found, err := sites("p.go", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, s := range found {
		count[s.operator]++
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", s.apply([]byte(example)), 0); err != nil {
			t.Errorf("%s in line %d: %v", s.operator, s.line, err)
		}
	}
	want := map[string]int{"early return": 1, "skip error check": 1, "delete case": 1, "negate": 1, "compare": 5, "logic": 1, "drop statement": 2, "constant": 7}
	if !maps.Equal(count, want) {
		t.Errorf("found %v, want %v", count, want)
	}
}

func TestDiffOfAMutant(t *testing.T) {
	s := site{line: 2, start: len("a\nif "), end: len("a\nif x"), text: "!(x)"}
	if got, want := s.diff([]byte("a\nif x {\nb\n")), "    - if x {\n    + if !(x) {\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestParseDiff(t *testing.T) {
	got := parseDiff([]byte("--- a/x.go\n+++ b/x.go\n@@ -1 +2,2 @@ func f() {\n+a\n+b\n@@ -9,3 +7,0 @@\n-c\n--- a/x_test.go\n+++ b/x_test.go\n@@ -0,0 +1 @@\n+d\n--- a/y.go\n+++ b/y.go\n@@ -5 +5 @@\n+e\n"))
	if len(got) != 2 || !slices.Equal(slices.Sorted(maps.Keys(got["x.go"])), []int{2, 3}) || !got["y.go"][5] {
		t.Errorf("got %v", got)
	}
}

// A fault that the tests notice is killed, and one that they do not is shown.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.test/m\n\ngo 1.24\n",
		"sum.go":      "package m\n\nfunc sum(a, b int) int {\n\tif a > 100 {\n\t\treturn 100\n\t}\n\treturn a + b\n}\n",
		"sum_test.go": "package m\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif sum(1, 2) != 3 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	lines, err := changedLines(t.Context(), "", []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	all, err := sample(lines, "", 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	r, err := run(t.Context(), all, time.Minute, false, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.report(&out, 0); err != nil {
		t.Fatal(err)
	}
	got := map[string]verdict{}
	for _, x := range r {
		got[x.operator] = x.verdict
	}
	if got["early return"] != killed || got["constant"] != survived {
		t.Errorf("got %v\n%s", got, &out)
	}
	if !strings.Contains(out.String(), "    + \t\treturn (100 + 1)") {
		t.Errorf("the survivor is not shown:\n%s", &out)
	}
	if !strings.Contains(out.String(), "early return  1 of 1 killed") {
		t.Errorf("the report does not count by operator:\n%s", &out)
	}
	if err := r.report(&out, 100); err == nil {
		t.Error("a report below -least has no error")
	}
	if only, err := sample(lines, "compare", 100, 1); err != nil || len(only) != 1 || only[0].operator != "compare" {
		t.Errorf("with -operator compare: %+v, %v, want the one comparison", only, err)
	}

	// Tests that fail anyway would count every mutant as killed.
	if err := os.WriteFile(filepath.Join(dir, "sum_test.go"), []byte("package m\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) { t.Fail() }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t.Context(), all, time.Minute, false, &out); err == nil || !strings.Contains(err.Error(), "fail without a mutant") {
		t.Errorf("with failing tests: %v, want an error that says so", err)
	}
}
