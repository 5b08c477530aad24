package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// A type that writes in its own way embeds no bytes.Buffer: io.Copy, and so os/exec, calls the
// ReadFrom of the buffer in place of the type's Write, and a limit does not hold.
func TestWritersEmbedNoBuffer(t *testing.T) {
	files, embeds, writes := token.NewFileSet(), map[string]token.Position{}, map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil //nolint:nilerr // broken on purpose: test data
		}
		key := func(name string) string { return filepath.Dir(path) + "." + name }
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok {
					for _, field := range s.Fields.List {
						if e, ok := strip(field.Type).(*ast.SelectorExpr); ok && len(field.Names) == 0 && e.Sel.Name == "Buffer" {
							embeds[key(n.Name.Name)] = files.Position(field.Pos())
						}
					}
				}
			case *ast.FuncDecl:
				if n.Recv != nil && n.Name.Name == "Write" {
					if name, ok := strip(n.Recv.List[0].Type).(*ast.Ident); ok {
						writes[key(name.Name)] = true
					}
				}
			}
			return true
		})
		return nil
	})
	for name, at := range embeds {
		if writes[name] {
			t.Errorf("%s: %s has a Write of its own and embeds a buffer; use a field, or bounded.Buffer", at, name)
		}
	}
	if err != nil || len(writes) < 20 {
		t.Errorf("found %d writers, %v: this test looks at nothing", len(writes), err)
	}
}

// strip returns the type that a pointer points to.
func strip(e ast.Expr) ast.Expr {
	if p, ok := e.(*ast.StarExpr); ok {
		return p.X
	}
	return e
}
