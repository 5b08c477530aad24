package question

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

// An approval covers the contents of what a call runs and reads: a file that is not among them
// could be exchanged after a person said yes.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	script, data := put("x.sh", "id\n"), put("data", "text")
	exec := func(source string) umpire.Operation { return umpire.Operation{Kind: umpire.Exec, Source: source} }
	read := func(path string) umpire.Operation { return umpire.Operation{Kind: umpire.Read, Resource: path} }
	with := func(op umpire.Operation, t umpire.Trait) umpire.Operation { op.Traits = t; return op }
	led := read(data)
	led.Via = []string{"script", "link /a to " + data}
	for _, tt := range []struct {
		name   string
		op     umpire.Operation
		opened map[string][]byte
		want   []umpire.File
	}{
		{"a file that it reads", read(data), nil, []umpire.File{{Path: data, Sum: sum("text")}}},
		{"a relative file", read("data"), nil, []umpire.File{{Path: data, Sum: sum("text")}}},
		{"a path that is not clean", read(dir + "/sub/../data"), nil, []umpire.File{{Path: data, Sum: sum("text")}}},
		{"a missing file", read(dir + "/none"), nil, []umpire.File{{Path: dir + "/none", Sum: "missing"}}},
		{"a folder", read(dir), nil, nil},
		{"a pattern", read(dir + "/*"), nil, nil},
		{"a name that only the run knows", read(dir + "/" + umpire.Hole), nil, nil},
		{"a file of another machine", with(read(data), umpire.Remote), nil, nil},
		{"a file of a container", with(read(data), umpire.Container), nil, nil},
		{"a file that it writes", umpire.Operation{Kind: umpire.Write, Resource: data}, nil, nil},
		{"a program by its path", exec("./x.sh -v"), nil, []umpire.File{{Path: script, Sum: sum("id\n")}}},
		{"a program by its name", exec("x.sh -v"), nil, nil},
		{"a program that only the run knows", exec(`"$DIR"/x.sh`), nil, nil},
		{"a link", led, nil, []umpire.File{{Path: data, Sum: sum("text")}, {Path: data, Sum: "link /a to " + data}}},
		{"what the reading opened", umpire.Operation{}, map[string][]byte{script: []byte("id\n")}, []umpire.File{{Path: script, Sum: sum("id\n")}}},
		{"what it could not keep", umpire.Operation{}, map[string][]byte{script: nil}, []umpire.File{{Path: script, Sum: sum("id\n")}}},
		{"what is opened and read", read(script), map[string][]byte{script: []byte("id\n")}, []umpire.File{{Path: script, Sum: sum("id\n")}}},
	} {
		got := Files(&umpire.Action{Dir: dir}, []umpire.Operation{tt.op}, tt.opened)
		slices.SortFunc(tt.want, func(x, y umpire.File) int { return strings.Compare(x.Path+x.Sum, y.Path+y.Sum) })
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: files %v, want %v", tt.name, got, tt.want)
		}
	}
	// What changed while it was judged is no file that can be approved: no two looks agree.
	opened := map[string][]byte{script: []byte("ls\n")}
	one, two := Files(&umpire.Action{Dir: dir}, nil, opened), Files(&umpire.Action{Dir: dir}, nil, opened)
	if len(one) != 1 || !strings.HasPrefix(one[0].Sum, "changed while it was judged") || slices.Equal(one, two) {
		t.Errorf("a file that changed meanwhile: %v, then %v; want two sums that differ", one, two)
	}
}

// Each file up to the limit counts by its content. What is beyond the limits matches no approval.
func TestManyFiles(t *testing.T) {
	dir := t.TempDir()
	path := func(i int) string { return filepath.Join(dir, fmt.Sprintf("%04d", i)) }
	var ops, links []umpire.Operation
	for i := range maxFiles + 2 {
		if err := os.WriteFile(path(i), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		ops = append(ops, umpire.Operation{Kind: umpire.Read, Resource: path(i)})
		links = append(links, umpire.Operation{Kind: umpire.Write, Resource: path(i), Via: []string{"link " + path(i)}})
	}
	files := func(ops []umpire.Operation) []umpire.File { return Files(&umpire.Action{Dir: dir}, ops, nil) }
	before := files(ops[:maxFiles])
	if len(before) != maxFiles || slices.ContainsFunc(before, func(f umpire.File) bool { return f.Sum != sum("x") }) {
		t.Errorf("%d files: got %d, want each with its sum", maxFiles, len(before))
	}
	info, err := os.Stat(path(maxFiles - 1))
	if err == nil {
		err = os.WriteFile(path(maxFiles-1), []byte("y"), 0o600)
	}
	if err == nil {
		err = os.Chtimes(path(maxFiles-1), info.ModTime(), info.ModTime())
	}
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(files(ops[:maxFiles]), before) {
		t.Error("other content of the same size and time: the files are the same, want that they differ")
	}
	if got := files(links[:maxFiles]); len(got) != maxFiles || !slices.Equal(got, files(links[:maxFiles])) {
		t.Errorf("%d links: got %d, want each, and the same again", maxFiles, len(got))
	}
	for what, ops := range map[string][]umpire.Operation{"files": ops, "links": links} {
		one, two := files(ops), files(ops)
		beyond := slices.IndexFunc(one, Unbound)
		if len(one) != maxFiles+1 || beyond < 0 || one[beyond].Path != "and 2 more "+what || slices.Equal(one, two) {
			t.Errorf("%d %s: got %d, the unbound one at %d; want that 2 more match no approval", len(ops), what, len(one), beyond)
		}
	}
}

// A file that is too large to read matches no approval, but does not take the room of smaller ones.
func TestLargeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 10), 0o600); err != nil {
		t.Fatal(err)
	}
	left := int64(15)
	if got := sumOf(path, &left); got != sum(strings.Repeat("x", 10)) || left != 5 {
		t.Errorf("10 bytes of 15: got %s with %d bytes left, want the sum with 5", got, left)
	}
	one, two := sumOf(path, &left), sumOf(path, &left)
	if !Unbound(umpire.File{Sum: one}) || one == two || left != 5 {
		t.Errorf("10 bytes of 5: got %s, then %s with %d bytes left, want two that are not bound, with 5", one, two, left)
	}
	left = 10
	if got := sumOf(path, &left); got != sum(strings.Repeat("x", 10)) || left != 0 {
		t.Errorf("10 bytes of 10: got %s with %d bytes left, want the sum with none", got, left)
	}
}

// A call on other files is another call, and no two lists of files can be mistaken for one.
func TestDigestOfFiles(t *testing.T) {
	seen := map[string]int{}
	for i, files := range [][]umpire.File{
		nil, {{}}, {{Path: "ab", Sum: "c"}}, {{Path: "a", Sum: "bc"}}, {{Path: "ab", Sum: "d"}}, {{Path: "ab", Sum: "c"}, {Path: "ab", Sum: "c"}}, {{Path: "ab", Sum: "c"}, {}},
	} {
		a := call("make deploy")
		a.Files = files
		digest := Digest(a)
		if other, ok := seen[digest]; ok {
			t.Errorf("the lists %d and %d of files have one digest, want two", other, i)
		}
		seen[digest] = i
	}
}

// Only yes and no are answers, and only an approval can be used.
func TestNoAnswers(t *testing.T) {
	b := Open(t.TempDir())
	q := asked(t, b, call("make deploy"))
	for _, s := range []State{Pending, Used, Abandoned, "", "x"} {
		if got, err := b.Answer(q, s, "x", ""); err == nil {
			t.Errorf("answered with %q: %+v, want an error", s, got)
		}
	}
	if err := b.Use(q); err == nil {
		t.Error("a pending question was used, want an error")
	}
	q = answered(t, b, q, Denied)
	if err := b.Use(q); err == nil {
		t.Error("a denied question was used, want an error")
	}
	if _, ok := b.Take(call("make deploy")); ok {
		t.Error("a denied call was taken, want that it is not")
	}
}
