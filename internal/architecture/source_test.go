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
	found := 0
	eachFile(t, func(path string, f *ast.File, files *token.FileSet) {
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
	})
	if found < 40 {
		t.Errorf("found %d expressions, want at least 40: this test looks at nothing", found)
	}
}

// A large interface is hard to implement, and hides which of its methods a function needs.
func TestSmallInterfaces(t *testing.T) {
	const most = 9
	found := 0
	eachFile(t, func(path string, f *ast.File, files *token.FileSet) {
		ast.Inspect(f, func(n ast.Node) bool {
			i, ok := n.(*ast.InterfaceType)
			if !ok || strings.HasSuffix(path, "_test.go") {
				return true
			}
			found++
			own := 0
			for _, m := range i.Methods.List {
				own += len(m.Names) // embedded interfaces have none
			}
			if own > most {
				t.Errorf("%s: the interface has %d methods of its own, want at most %d: split it", files.Position(i.Pos()), own, most)
			}
			return true
		})
	})
	if found < 40 {
		t.Errorf("found %d interfaces, want at least 40: this test looks at nothing", found)
	}
}

// eachFile calls do for each Go file of the module that parses.
func eachFile(t *testing.T, do func(path string, f *ast.File, files *token.FileSet)) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		if f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution); err == nil { // test data is broken on purpose
			do(path, f, files)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
