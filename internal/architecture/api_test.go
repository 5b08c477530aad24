package architecture

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/programs"
)

// public are the packages whose API programs depend on. Each has a file below api/.
var public = []string{"", "client", "decision", "enforce", "guard", "guard/telemetry", "hooks", "policy", "reader"}

// The files below api/ record the exported API, one line for each feature. A line that is
// removed or changed breaks programs that import umpire; a new line is a promise to keep.
// UPDATE_API=1 writes the files.
func TestAPI(t *testing.T) {
	dir := filepath.Join("..", "..", "api")
	load := exported(t)
	for _, p := range public {
		name := strings.ReplaceAll(p, "/", "-")
		if p == "" {
			name = "umpire"
		}
		pkg, err := load(strings.TrimSuffix(module+"/"+p, "/"))
		if err != nil {
			t.Fatal(err)
		}
		got := features(pkg)
		file := filepath.Join(dir, name+".txt")
		if os.Getenv("UPDATE_API") != "" {
			if err := os.WriteFile(file, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil { //nolint:gosec // a document
				t.Fatal(err)
			}
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		gone, added := compareAPI(strings.Split(strings.TrimSpace(string(b)), "\n"), got)
		for _, l := range gone {
			t.Errorf("api/%s.txt: incompatible: removed or changed: %s", name, l)
		}
		for _, l := range added {
			t.Errorf("api/%s.txt: not recorded: %s (run UPDATE_API=1 go test ./internal/architecture -run TestAPI)", name, l)
		}
	}
}

// A package that programs can import is a promise: it is either listed in public or has
// nothing to import.
func TestAPICoversPackages(t *testing.T) {
	for _, p := range list(t, "./...") {
		rel := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		first, _, _ := strings.Cut(rel, "/")
		switch first {
		case "internal", "cmd", "examples", "docs", "journeys":
			continue
		}
		if !slices.Contains(public, rel) {
			t.Errorf("package %s can be imported but has no file below api/: add it to public or move it below internal/", rel)
		}
	}
}

func TestCompareAPI(t *testing.T) {
	gone, added := compareAPI([]string{"func A()", "func B(int)"}, []string{"func A()", "func B(string)", "func C()"})
	if want := []string{"func B(int)"}; !slices.Equal(gone, want) {
		t.Errorf("removed or changed: %q, want %q", gone, want)
	}
	if want := []string{"func B(string)", "func C()"}; !slices.Equal(added, want) {
		t.Errorf("added: %q, want %q", added, want)
	}
}

// compareAPI returns the features of old that now lacks, and those that only now has.
func compareAPI(old, now []string) (gone, added []string) {
	for _, l := range old {
		if !slices.Contains(now, l) {
			gone = append(gone, l)
		}
	}
	for _, l := range now {
		if !slices.Contains(old, l) {
			added = append(added, l)
		}
	}
	return gone, added
}

// exported returns a function that loads the type information of a public package, for
// Linux whatever the machine, so that everybody compares the same API.
func exported(t *testing.T) func(path string) (*types.Package, error) {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}
	for _, p := range public {
		args = append(args, "./"+p)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = programs.Sources(t)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -export: %v: %s", err, stderr.String())
	}
	files := map[string]string{}
	for l := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(l), "\t")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	}).Import
}

// features returns a sorted line for each exported name of pkg, field and method.
func features(pkg *types.Package) []string {
	q := types.RelativeTo(pkg)
	lines := map[string]bool{}
	add := func(format string, args ...any) { lines[fmt.Sprintf(format, args...)] = true }
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Const:
			add("const %s %s = %s", name, types.TypeString(obj.Type(), q), obj.Val().ExactString())
		case *types.Var:
			add("var %s %s", name, types.TypeString(obj.Type(), q))
		case *types.Func:
			add("func %s%s", name, signature(obj, q))
		case *types.TypeName:
			typeFeatures(obj, q, add)
		}
	}
	return slices.Sorted(maps.Keys(lines))
}

// typeFeatures adds the lines of one exported type.
func typeFeatures(obj *types.TypeName, q types.Qualifier, add func(format string, args ...any)) {
	name := obj.Name()
	if obj.IsAlias() {
		add("type %s = %s", name, types.TypeString(types.Unalias(obj.Type()), q))
		return
	}
	switch u := obj.Type().Underlying().(type) {
	case *types.Interface: // a new method breaks those who implement it, so all are in one line
		var methods []string
		for m := range u.Methods() {
			if m.Exported() {
				methods = append(methods, m.Name()+signature(m, q))
			} else {
				methods = append(methods, "unexported")
			}
		}
		slices.Sort(methods)
		add("type %s interface { %s }", name, strings.Join(slices.Compact(methods), "; "))
		return
	case *types.Struct:
		add("type %s struct", name)
		if types.Comparable(u) {
			add("type %s struct, comparable", name)
		}
		for i := range u.NumFields() {
			f := u.Field(i)
			if !f.Exported() {
				continue
			}
			tag := ""
			if s := u.Tag(i); s != "" {
				tag = " `" + s + "`" // the names in JSON are a promise too
			}
			add("type %s struct, %s %s%s", name, f.Name(), types.TypeString(f.Type(), q), tag)
		}
	default:
		add("type %s %s", name, types.TypeString(u, q))
	}
	values := types.NewMethodSet(obj.Type())
	for m := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
		f := m.Obj()
		if !f.Exported() {
			continue
		}
		star := "*"
		if values.Lookup(f.Pkg(), f.Name()) != nil {
			star = ""
		}
		add("method (%s%s) %s%s", star, name, f.Name(), signature(f, q))
	}
}

// signature returns the parameters and results of f without their names, which callers do
// not depend on.
func signature(f types.Object, q types.Qualifier) string {
	s := f.Type().(*types.Signature)
	unnamed := func(in *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range in.Variables() {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	var params []*types.TypeParam
	for p := range s.TypeParams().TypeParams() {
		params = append(params, p)
	}
	if len(params) > 0 { // type parameters belong to one signature and cannot be copied
		return strings.TrimPrefix(types.TypeString(s, q), "func")
	}
	plain := types.NewSignatureType(nil, nil, nil, unnamed(s.Params()), unnamed(s.Results()), s.Variadic())
	return strings.TrimPrefix(types.TypeString(plain, q), "func")
}
