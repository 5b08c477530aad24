package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A lazy expression is compiled at its first use, which may be on a user's machine. This test compiles all of them.
func TestLazyRegexps(t *testing.T) {
	files, found := token.NewFileSet(), 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil //nolint:nilerr // broken on purpose: test data
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			if name, ok := call.Fun.(*ast.SelectorExpr); !ok || name.Sel.Name != "Regexp" {
				return true
			} else if pkg, ok := name.X.(*ast.Ident); !ok || pkg.Name != "lazy" {
				return true
			}
			found++
			at := files.Position(call.Pos())
			text, ok := call.Args[0].(*ast.BasicLit)
			if !ok && strings.Contains(path, "review/static") {
				return true // joined from constants; the rules of that package have examples
			}
			if !ok {
				t.Errorf("%s: the expression is not a literal, so no test can compile it", at)
				return true
			}
			expr, err := strconv.Unquote(text.Value)
			if err == nil {
				_, err = regexp.Compile(expr)
			}
			if err != nil {
				t.Errorf("%s: %v", at, err)
			}
			return true
		})
		return nil
	})
	if err != nil || found < 40 {
		t.Errorf("found %d expressions, %v: this test looks at nothing", found, err)
	}
}
