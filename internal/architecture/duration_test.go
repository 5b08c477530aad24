package architecture

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/programs"
)

// developers are programs whose output no user reads.
var developers = regexp.MustCompile(`internal/(bench|score|guardscore|tools|egress/bench|review/score|store/storetest|chaos)(/|$)`)

// forMachines are the places where a duration is written for a program: a log's field, a
// query, JSON.
var forMachines = regexp.MustCompile(`slog\.|\.Log\.|log\.(Info|Debug|Warn)|"\?wait="|json\.Marshal`)

// "2160h0m0s" is how Go writes 90 days: whatever a person reads is written by
// plural.Duration or plural.Rough.
func TestDurationsAreWords(t *testing.T) {
	seen := 0
	for _, p := range typed(t, "./...") {
		for _, file := range p.files {
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if fun, ok := call.Fun.(*ast.SelectorExpr); ok && fun.Sel.Name == "Duration" && len(call.Args) == 1 {
					seen++
				}
				if !developers.MatchString(p.ImportPath) && p.writesDuration(call) && !forMachines.MatchString(p.line(t, call.Pos())) {
					t.Errorf("%s: a duration in Go's notation: write it by plural.Duration", p.set.Position(call.Pos()))
				}
				return true
			})
		}
	}
	if seen < 20 {
		t.Errorf("found %d calls of Duration: this test looks at nothing", seen)
	}
}

// typedPackage is a package with the types of its expressions.
type typedPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string

	set   *token.FileSet
	files []*ast.File
	info  *types.Info
}

// typed returns this module's packages that a pattern names, type-checked, without tests.
func typed(t *testing.T, pattern string) []*typedPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", pattern)
	cmd.Dir = programs.Sources(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	var own []*typedPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		p := &typedPackage{}
		if err := dec.Decode(p); err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/") {
			own = append(own, p)
		}
	}
	set := token.NewFileSet()
	conf := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	for _, p := range own {
		p.set, p.info = set, &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			p.files = append(p.files, f)
		}
		if _, err := conf.Check(p.ImportPath, set, p.files, p.info); err != nil {
			t.Fatal(fmt.Errorf("%s: %w", p.ImportPath, err))
		}
	}
	return own
}

// writesDuration says whether a call writes a time.Duration as Go does: by String, or by
// handing it to a function that formats anything, such as fmt.Sprintf.
func (p *typedPackage) writesDuration(call *ast.CallExpr) bool {
	isDuration := func(e ast.Expr) bool { t := p.info.TypeOf(e); return t != nil && t.String() == "time.Duration" }
	if fun, ok := call.Fun.(*ast.SelectorExpr); ok && fun.Sel.Name == "String" && isDuration(fun.X) {
		return true
	}
	sig, ok := p.info.TypeOf(call.Fun).(*types.Signature)
	if !ok || !sig.Variadic() {
		return false
	}
	last, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if !ok || !types.IsInterface(last.Elem()) {
		return false
	}
	return slices.ContainsFunc(call.Args, isDuration)
}

// line returns the line of the source at a position.
func (p *typedPackage) line(t *testing.T, pos token.Pos) string {
	t.Helper()
	at := p.set.Position(pos)
	b, err := os.ReadFile(at.Filename)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(b), "\n")[at.Line-1]
}
