package plural

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// plurals finds a number with a noun in the plural in a format. A bound that is a constant
// is not one thing: "more than %d rules".
var (
	plurals = regexp.MustCompile(`(\S+ )?%d (?:[a-z]+ )?(?:agents|attacks|calls|changes|commands|days|entries|events|faults|files|findings|folders|hunks|lines|links|matches|messages|opinions|options|paths|questions|reasons|requests|rows|rules|runs|sessions|spills|texts|times|tokens|warnings)\b`)
	bound   = regexp.MustCompile(`^(than|most|least|last|to|these) $`)
)

// exempt are formats whose number is a bound or is never 1, and programs for developers.
var exempt = regexp.MustCompile(`internal/(score|guardscore|tools|egress/bench|review/score)/|` +
	`rules exceed the limit|rules, and|change %d files:|%s these %d files|%d \+ %d tokens|revoke them by ID|sessions are open|^.\[Summary|cannot summarize|` +
	`occurs %d times|^.%d days|events of|too many|batch has|between 1 and|raise %s|: %d calls|^.%d lines|/%d calls|it has %d lines|%d matches, |` +
	`and %d more links|^.%d times|, %d times|to no checkpoint|1 of %d|calls: median|%d rows`)

// TestSource keeps "1 calls" out of what people read.
func TestSource(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != root):
			return fs.SkipDir
		case d.IsDir() || exempt.MatchString(filepath.ToSlash(path)) || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING || exempt.MatchString(lit.Value) {
				return true
			}
			for _, m := range plurals.FindAllStringSubmatch(lit.Value, -1) {
				if !bound.MatchString(m[1]) {
					t.Errorf("%s: %s: write the number by plural.Count", set.Position(lit.Pos()), m[0])
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
