package tool

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/umpire-dev/umpire/internal/agent"
)

func TestReadFile(t *testing.T) {
	long := strings.Repeat("x", maxSlice+10)
	w := newWorld(t, map[string]string{
		"f": "one\ntwo\nthree\n", "no-end": "one\ntwo", "empty": "", "crlf": "\ufeffone\r\ntwo\r\n", "latin": "caf\xe9\n", "long": long + "\nnext\n",
		"many": strings.Repeat(strings.Repeat("y", 99)+"\n", 3000), "binary": "a\x00b", "utf16": "\xff\xfea\x00",
	})
	for _, c := range []struct {
		name   string
		in     args
		output string
		want   args
	}{
		{"whole", args{"file_path": "f"}, "    1 | one\n    2 | two\n    3 | three", args{"content": "one\ntwo\nthree\n", "startLine": 1.0, "endLine": 3.0, "totalLines": 3.0, "sizeBytes": 14.0, "truncated": false}},
		{"offset", args{"file_path": "f", "offset": 2}, "    2 | two\n    3 | three", args{"content": "two\nthree\n", "startLine": 2.0, "endLine": 3.0, "totalLines": 3.0, "sizeBytes": 14.0, "truncated": false}},
		{"offset and limit", args{"file_path": "f", "offset": 2, "limit": 1}, "    2 | two", args{"content": "two", "startLine": 2.0, "endLine": 2.0, "totalLines": 3.0, "sizeBytes": 14.0, "truncated": true}},
		{"limit beyond the end", args{"file_path": "f", "limit": 9}, "    1 | one\n    2 | two\n    3 | three", args{"content": "one\ntwo\nthree\n", "startLine": 1.0, "endLine": 3.0, "totalLines": 3.0, "sizeBytes": 14.0, "truncated": false}},
		{"no line feed at the end", args{"file_path": "no-end", "offset": 2}, "    2 | two", args{"content": "two", "startLine": 2.0, "endLine": 2.0, "totalLines": 2.0, "sizeBytes": 7.0, "truncated": false}},
		{"empty", args{"file_path": "empty"}, "", args{"content": "", "startLine": 1.0, "endLine": 0.0, "totalLines": 0.0, "sizeBytes": 0.0, "truncated": false}},
		{"Windows", args{"file_path": "crlf"}, "    1 | one\n    2 | two", args{"content": "one\ntwo\n", "startLine": 1.0, "endLine": 2.0, "totalLines": 2.0, "sizeBytes": 13.0, "truncated": false}},
		{"another encoding", args{"file_path": "latin"}, "    1 | caf\uFFFD", args{"content": "caf\uFFFD\n", "startLine": 1.0, "endLine": 1.0, "totalLines": 1.0, "sizeBytes": 5.0, "truncated": false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ok(t, w.run("read_file", c.in))
			c.want["filePath"] = filepath.Join(w.dir, c.in["file_path"].(string))
			same(t, "output", r.Output, c.output)
			same(t, "data", data(t, r), c.want)
		})
	}
	d := data(t, ok(t, w.run("read_file", args{"file_path": "long"})))
	if d["truncated"] != true || len(d["content"].(string)) != maxSlice || d["endLine"] != 1.0 {
		t.Errorf("of a long line: %d bytes, %v", len(d["content"].(string)), d["endLine"])
	}
	d = data(t, ok(t, w.run("read_file", args{"file_path": "many"})))
	if d["truncated"] != true || d["endLine"] != 2048.0 {
		t.Errorf("of many lines it read up to %v", d["endLine"])
	}
	for path, want := range map[string]string{"f/x": "not a folder", "gone": "does not exist", "gone/x": "does not exist", ".": "is a folder", "binary": "is not text", "utf16": "UTF-16", "/dev/zero": "is not a regular file", "": "empty"} {
		fails(t, w.run("read_file", args{"file_path": path}), want)
	}
	fails(t, w.run("read_file", args{"file_path": "f", "offset": 4}), "there is no line 4")
	fails(t, w.run("read_file", args{"file_path": "empty", "offset": 2}), "there is no line 2")
	if _, ok := w.env.Run.WasRead(filepath.Join(w.dir, "f")); !ok {
		t.Error("what was read was not noted")
	}
}

func TestGlob(t *testing.T) {
	w := newWorld(t, map[string]string{
		"b.go": "", "a.go": "", "src/c.go": "", "src/deep/d.go": "", "src/e.ts": "", ".hidden.go": "", ".dir/x.go": "", "node_modules/m/x.go": "", ".git/x.go": "", "src/node_modules/y.go": "",
	})
	must(t, os.Symlink("/etc", filepath.Join(w.dir, "outside")))
	must(t, os.Symlink("src", filepath.Join(w.dir, "link.d")))
	must(t, os.Symlink("a.go", filepath.Join(w.dir, "link.f")))
	for _, c := range []struct {
		pattern, path string
		want          []any
	}{
		{"*.go", "", []any{"a.go", "b.go"}},
		{"**/*.go", "", []any{"a.go", "b.go", "src/c.go", "src/deep/d.go"}},
		{"./src/*", "", []any{"src/c.go", "src/e.ts"}},
		{"**/*.{go,ts}", "src", []any{"c.go", "deep/d.go", "e.ts"}},
		{".*", "", []any{}},
		{".dir/*", "", []any{".dir/x.go"}},
		{"outside/**", "", []any{}},
		{"node_modules/**", "", []any{}},
		{".git/*", "", []any{}},
		{"**/node_modules/*.go", "", []any{}},
		{"*.md", "", []any{}},
		{"src", "", []any{}},
		{"link.*", "", []any{"link.f"}}, // files only, and what leads to one
		{"a.go", "", []any{"a.go"}},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			r := ok(t, w.run("glob", args{"pattern": c.pattern, "path": c.path}))
			same(t, "data", data(t, r), args{"files": c.want, "count": float64(len(c.want)), "pattern": c.pattern, "searchDir": filepath.Join(w.dir, c.path)})
			lines := strings.Split(r.Output, "\n")
			switch n := len(c.want); n {
			case 0:
				same(t, "output", r.Output, "No files matched.")
			case 1:
				same(t, "output", lines, []string{"Found 1 file", c.want[0].(string)})
			default:
				same(t, "count line", lines[0], fmt.Sprintf("Found %d files", n))
				same(t, "lines", len(lines), n+1)
			}
		})
	}
	for pattern, want := range map[string]string{"/etc/*": "absolute", "../*": "leaves the folder", "src/../../*": "leaves the folder", "[": "not a file pattern", "": "empty", strings.Repeat("{a,b}", 9): "alternatives"} {
		fails(t, w.run("glob", args{"pattern": pattern}), want)
	}
	fails(t, w.run("glob", args{"pattern": "*", "path": "gone"}), "does not exist")
	fails(t, w.run("glob", args{"pattern": "*", "path": "a.go"}), "directory")
}

func TestGrep(t *testing.T) {
	w := newWorld(t, map[string]string{
		"a.go": "package a\n\n  func Foo() {}  \r\n", "src/b.go": "// foo\n// FOO\n", "src/c.txt": "foo", "yarn.lock": "foo", ".env": "foo", "node_modules/x": "foo", ".git/x": "foo", "binary": "foo\x00", "utf16": "\xff\xfef\x00o\x00",
		"many": strings.Repeat("needle\n", 51), "fifty": strings.Repeat("pin\n", 50), "wide": strings.Repeat("é", 3000) + "target" + strings.Repeat("é", 3000),
	})
	must(t, os.Symlink("/etc/passwd", filepath.Join(w.dir, "passwd")))
	match := func(file string, line int, content string) any {
		return args{"file": file, "line": float64(line), "content": content}
	}
	for _, c := range []struct {
		name   string
		in     args
		want   args
		output string
	}{
		{"all files, any case", args{"pattern": "foo"}, args{"matches": []any{match("a.go", 3, "func Foo() {}"), match("src/b.go", 1, "// foo"), match("src/b.go", 2, "// FOO"), match("src/c.txt", 1, "foo")}, "count": 4.0, "pattern": "foo", "truncated": false, "filesSearched": 6.0}, "Found 4 matches\na.go:3: func Foo() {}\nsrc/b.go:1: // foo\nsrc/b.go:2: // FOO\nsrc/c.txt:1: foo"},
		{"files of a name", args{"pattern": "foo$", "file_pattern": "*.go"}, args{"matches": []any{match("src/b.go", 1, "// foo"), match("src/b.go", 2, "// FOO")}, "count": 2.0, "pattern": "foo$", "truncated": false, "filesSearched": 2.0}, "Found 2 matches\nsrc/b.go:1: // foo\nsrc/b.go:2: // FOO"},
		{"in a folder", args{"pattern": "^foo", "path": "src"}, args{"matches": []any{match("src/c.txt", 1, "foo")}, "count": 1.0, "pattern": "^foo", "truncated": false, "filesSearched": 2.0}, "Found 1 match\nsrc/c.txt:1: foo"},
		{"in one file", args{"pattern": "foo", "path": "src/c.txt"}, args{"matches": []any{match("src/c.txt", 1, "foo")}, "count": 1.0, "pattern": "foo", "truncated": false, "filesSearched": 1.0}, "Found 1 match\nsrc/c.txt:1: foo"},
		{"paths", args{"pattern": "foo", "file_pattern": "src/**/*.go"}, args{"matches": []any{match("src/b.go", 1, "// foo"), match("src/b.go", 2, "// FOO")}, "count": 2.0, "pattern": "foo", "truncated": false, "filesSearched": 1.0}, "Found 2 matches\nsrc/b.go:1: // foo\nsrc/b.go:2: // FOO"},
		{"nothing", args{"pattern": "root:x"}, args{"matches": []any{}, "count": 0.0, "pattern": "root:x", "truncated": false, "filesSearched": 6.0}, "No matches found."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ok(t, w.run("grep", c.in))
			same(t, "data", data(t, r), c.want)
			same(t, "output", r.Output, c.output)
		})
	}
	d := data(t, ok(t, w.run("grep", args{"pattern": "needle"})))
	same(t, "count and truncated of 51", []any{d["count"], d["truncated"]}, []any{50.0, true})
	r := ok(t, w.run("grep", args{"pattern": "pin"}))
	d = data(t, r)
	same(t, "count and truncated of 50", []any{d["count"], d["truncated"]}, []any{50.0, false})
	line := data(t, ok(t, w.run("grep", args{"pattern": "TARGET"})))["matches"].([]any)[0].(args)["content"].(string)
	if !strings.Contains(line, "target") || len([]rune(line)) > maxLine+2 {
		t.Errorf("of a long line it tells %q", line)
	}
	fails(t, w.run("grep", args{"pattern": "("}), "must be a regular expression")
	fails(t, w.run("grep", args{"pattern": ""}), "empty")
	fails(t, w.run("grep", args{"pattern": "x", "path": "gone"}), "does not exist")
}

func TestTree(t *testing.T) {
	w := newWorld(t, map[string]string{
		"z.txt": strings.Repeat("x", 1536), "a.txt": "12", "src/main.go": strings.Repeat("x", 3<<20), "src/sub/deep/f": "1234", "build/out": "x", "src/build/out": "x", "app.log": "x", "keep.log": "x",
		".gitignore": "# a comment\nbuild/\n*.log\n!keep.log\n/only\n", "only": "x", "src/only": "1", ".env": "x", "node_modules/x": "x", "src/.gitignore": "main.go\n",
	})
	must(t, os.MkdirAll(filepath.Join(w.dir, "void"), 0o755))
	all := args{"root": w.dir, "depth": 3.0, "totalFiles": 5.0, "totalDirs": 4.0, "totalSize": 1536.0 + 2 + 3<<20 + 4 + 1}
	r := ok(t, w.run("tree", args{}))
	same(t, "data", data(t, r), all)
	same(t, "output", r.Output, w.dir+`
├── src/
│   ├── sub/
│   │   └── deep/
│   ├── main.go (3.0 MB)
│   └── only (1 B)
├── void/
├── a.txt (2 B)
└── z.txt (1.5 KB)

5 files, 4 directories, 3.0 MB`)
	// The model is given the drawing with the numbers, or it would have called for nothing.
	drawn, isTeller := r.Data.(agent.ModelView)
	if !isTeller {
		t.Fatalf("the model is told %#v", r.Data)
	}
	told := data(t, agent.Result{Data: drawn.ForModel()})
	same(t, "drawing for the model", told["tree"], any(r.Output))
	delete(told, "tree")
	same(t, "numbers for the model", told, all)
	all["depth"] = 0.0
	r = ok(t, w.run("tree", args{"depth": 0}))
	same(t, "data at depth 0", data(t, r), all)
	same(t, "output at depth 0", r.Output, "5 files, 4 directories, 3.0 MB")
	r = ok(t, w.run("tree", args{"path": "src", "depth": 1}))
	same(t, "output of a folder", r.Output, filepath.Join(w.dir, "src")+"\n├── build/\n├── sub/\n└── only (1 B)\n\n3 files, 3 directories, 6 B")
	r = ok(t, w.run("tree", args{"path": "void"}))
	same(t, "output of an empty folder", r.Output, filepath.Join(w.dir, "void")+"\n(empty directory)\n\n0 files, 0 directories, 0 B")
	fails(t, w.run("tree", args{"path": "gone"}), "does not exist")
	fails(t, w.run("tree", args{"depth": -1}), "0 or more")
	fails(t, w.run("tree", args{"depth": 1.5}), "does not fit")
	fails(t, w.run("tree", args{"path": "a.txt"}), "directory")
}

func TestIgnored(t *testing.T) {
	for _, c := range []struct {
		rules, path string
		folder      bool
		want        bool
	}{
		{"*.log", "a/b/x.log", false, true},
		{"/*.log", "a/x.log", false, false},
		{"/*.log", "x.log", false, true},
		{"a/b", "a/b", true, true},
		{"a/b", "c/a/b", true, false},
		{"**/b", "c/a/b", true, true},
		{"a/**", "a/x/y", false, true},
		{"build/", "build", false, false},
		{"build/", "x/build", true, true},
		{"{a,b}", "a", false, false},
		{"{a,b}", "{a,b}", false, true},
		{`\#x`, "#x", false, true},
		{"x   ", "x", false, true},
		{"# x", "# x", false, false},
		{"!x", "x", false, false},
		{"[", "[", false, false},
		{"[ab]", "b", false, true},
		{"\ufeffx\r\n", "x", false, true},
	} {
		if got := parseIgnored(c.rules).match(c.path, c.folder); got != c.want {
			t.Errorf("%q on %q: %v", c.rules, c.path, got)
		}
	}
}

func FuzzIgnored(f *testing.F) {
	for _, s := range []string{"*.log", "/a/**/b", "{a,b}", "[a-", `\`, "**", "a/\n!b"} {
		f.Add(s, "a/b/c.log")
	}
	f.Fuzz(func(t *testing.T, rules, path string) {
		l := parseIgnored(rules)
		if len(l) > maxIgnoreLines {
			t.Error("there is no end to it")
		}
		if l.match(path, false) && !l.match(path, true) {
			t.Errorf("%q ignores the file %q and not the folder", rules, path)
		}
	})
}

// No pattern finds what is not below the folder, or is hidden.
func FuzzGlobPattern(f *testing.F) {
	for _, s := range []string{"**", "*", "../*", "{..,a}/*", "[.]*", "a/./b", `\..`, "{a,b{c,d}}", "/"} {
		f.Add(s)
	}
	dir := f.TempDir()
	for _, name := range []string{"in/a/b", "in/.hidden/x", "in/.git/x", "in/node_modules/x", "in/.x", "out"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		pattern, base, err := globPattern(s)
		if err != nil || hasSkipped(base) {
			return
		}
		root, err := openFolder(filepath.Join(dir, "in"))
		must(t, err)
		defer root.Close()
		err = walk(t.Context(), root, base, func(name string, _ fs.DirEntry) error {
			if doublestar.MatchUnvalidated(pattern, name) && (!filepath.IsLocal(name) || strings.Contains(name, ".git") || strings.Contains(name, "node_modules") || strings.Contains(name, ".x") && !strings.Contains(s, "x")) {
				t.Errorf("%q finds %q", s, name)
			}
			return nil
		})
		must(t, err)
	})
}
