package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/file"
)

func TestWriteFile(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "one\ntwo\n", "crlf": "\ufeffa\r\nb\r\n"})
	r := ok(t, w.run("write_file", args{"file_path": "new/deep/x.txt", "content": "é\nb"}))
	same(t, "data", data(t, r), args{"filePath": filepath.Join(w.dir, "new/deep/x.txt"), "bytesWritten": 4.0, "linesWritten": 2.0, "isNewFile": true})
	same(t, "output", r.Output, "--- /dev/null\n+++ new/deep/x.txt\n@@ -0,0 +1,2 @@\n+é\n+b\n\\ No newline at end of file\n")
	same(t, "the file", w.read("new/deep/x.txt"), "é\nb")

	r = ok(t, w.run("write_file", args{"file_path": "f", "content": "one\n2\n"}))
	same(t, "data", data(t, r), args{"filePath": filepath.Join(w.dir, "f"), "bytesWritten": 6.0, "linesWritten": 2.0, "isNewFile": false})
	same(t, "output", r.Output, "--- f\n+++ f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n")

	r = ok(t, w.run("write_file", args{"file_path": "f", "content": "one\n2\n"}))
	same(t, "output of no change", r.Output, "f: nothing changed (6 characters)")
	same(t, "data of no change", data(t, r), args{"filePath": filepath.Join(w.dir, "f"), "bytesWritten": 6.0, "linesWritten": 2.0, "isNewFile": false})

	ok(t, w.run("write_file", args{"file_path": "crlf", "content": "a\nc\n"}))
	same(t, "line ends and mark", w.read("crlf"), "\ufeffa\r\nc\r\n")
	same(t, "an empty file", ok(t, w.run("write_file", args{"file_path": "e", "content": ""})).Output, "e: created, with 0 characters")

	long := strings.Repeat("line\n", 80)
	out := ok(t, w.run("write_file", args{"file_path": "long", "content": long})).Output
	if !strings.HasSuffix(out, "... 33 more lines\n") || strings.Count(out, "\n") != 50+1 { // 80 lines and three heads
		t.Errorf("a long diff is %q", out)
	}
	for path, want := range map[string]string{".": "is a folder", "f/x": "not a folder", "../../state/x": "belongs to umpire", "../.config/umpire/policy.yaml": "belongs to umpire", "../.config/UMPIRE/policy.yaml": "belongs to umpire", ".umpire.yaml": "belongs to umpire", "sub/.Umpire.YAML": "belongs to umpire"} {
		fails(t, w.run("write_file", args{"file_path": path, "content": "x"}), want)
	}
	must(t, os.Symlink(w.o.State, filepath.Join(w.dir, "way")))
	fails(t, w.run("write_file", args{"file_path": "way/x", "content": "x"}), "belongs to umpire")
	must(t, os.Chmod(filepath.Join(w.dir, "f"), 0o444))
	fails(t, w.run("write_file", args{"file_path": "f", "content": "x"}), "read-only")
}

func TestEditFile(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new, want  string
		line, removed, added, total float64
		err                         string
	}{
		{name: "a word", file: "a\nb\nc\n", old: "b", new: "x", want: "a\nx\nc\n", line: 2, removed: 1, added: 1, total: 3},
		{name: "nothing special in $", file: "a\nb\n", old: "b", new: "$1 $& $$", want: "a\n$1 $& $$\n", line: 2, removed: 1, added: 1, total: 2},
		{name: "lines taken away", file: "a\nb\nc\n", old: "b\nc\n", new: "", want: "a\n", line: 2, removed: 2, added: 0, total: 1},
		{name: "lines added", file: "a\n", old: "a\n", new: "a\nb\nc\n", want: "a\nb\nc\n", line: 1, removed: 0, added: 2, total: 3},
		{name: "Windows", file: "a\r\nb\r\nc\r\n", old: "a\nb", new: "a\nx\ny", want: "a\r\nx\r\ny\r\nc\r\n", line: 1, removed: 1, added: 2, total: 4},
		{name: "Windows, one line for two", file: "a\r\nb\r\n", old: "b", new: "x\ny", want: "a\r\nx\r\ny\r\n", line: 2, removed: 1, added: 2, total: 3},
		{name: "Windows, from a line end on", file: "a\r\nb\r\n", old: "\nb", new: "c", want: "ac\r\n", line: 1, removed: 2, added: 1, total: 1},
		{name: "mixed", file: "a\r\nb\nc\n", old: "b\nc", new: "x\ny", want: "a\r\nx\ny\n", line: 2, removed: 2, added: 2, total: 3},
		{name: "mark", file: "\ufeffa\n", old: "a", new: "b", want: "\ufeffb\n", line: 1, removed: 1, added: 1, total: 1},
		{name: "not UTF-8", file: "caf\xe9 a\n", old: "a\n", new: "b\n", err: "", want: "caf\xe9 b\n", line: 1, removed: 1, added: 1, total: 1},
		{name: "into an empty file", file: "", old: "", new: "x\n", want: "x\n", line: 1, removed: 0, added: 1, total: 1},
		{name: "not found", file: "a\n", old: "b", new: "x", err: "was not found"},
		{name: "found twice", file: "a\na\n", old: "a", new: "x", err: "occurs 2 times and must be unique: include more"},
		{name: "found three times", file: "aaa", old: "a", new: "x", err: "occurs 3 times"},
		{name: "overlapping", file: "aaa", old: "aa", new: "x", err: "occurs 2 times"},
		{name: "empty", file: "a", old: "", new: "x", err: "old_string is empty"},
		{name: "the same", file: "a", old: "a", new: "a", err: "the same"},
		{name: "binary", file: "a\x00", old: "a", new: "b", err: "is not text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"f": c.file})
			r := w.run("edit_file", args{"file_path": "f", "old_string": c.old, "new_string": c.new})
			if c.err != "" {
				fails(t, r, c.err)
				same(t, "the file", w.read("f"), c.file)
				return
			}
			ok(t, r)
			same(t, "the file", w.read("f"), c.want)
			same(t, "data", data(t, r), args{"filePath": filepath.Join(w.dir, "f"), "editLine": c.line, "linesRemoved": c.removed, "linesAdded": c.added, "totalLines": c.total})
			if !strings.HasPrefix(r.Output, "--- f\n+++ f\n@@ ") {
				t.Errorf("output %q", r.Output)
			}
		})
	}
	w := newWorld(t, nil)
	fails(t, w.run("edit_file", args{"file_path": "gone", "old_string": "a", "new_string": "b"}), "does not exist")
}

func edit(path, old, repl string) args {
	return args{"file_path": path, "old_string": old, "new_string": repl}
}

func TestMultiEdit(t *testing.T) {
	w := newWorld(t, map[string]string{"a": "one\ntwo\n", "b": "x\ny\n"})
	must(t, os.Symlink("a", filepath.Join(w.dir, "link")))
	r := ok(t, w.run("multi_edit", args{"edits": []args{edit("a", "one", "1\n1"), edit("b", "y", "z"), edit("link", "1\n1\n", "uno\n")}}))
	same(t, "data", data(t, r), args{"totalFilesEdited": 2.0, "totalEditsApplied": 3.0, "fileResults": []any{
		args{"resolvedPath": filepath.Join(w.dir, "a"), "editIndex": 0.0, "editLine": 1.0, "linesRemoved": 1.0, "linesAdded": 2.0},
		args{"resolvedPath": filepath.Join(w.dir, "b"), "editIndex": 1.0, "editLine": 2.0, "linesRemoved": 1.0, "linesAdded": 1.0},
		args{"resolvedPath": filepath.Join(w.dir, "a"), "editIndex": 2.0, "editLine": 1.0, "linesRemoved": 2.0, "linesAdded": 1.0},
	}})
	same(t, "output", r.Output, "--- a\n+++ a\n@@ -1,2 +1,2 @@\n-one\n+uno\n two\n--- b\n+++ b\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n")
	same(t, "a", w.read("a"), "uno\ntwo\n")
	same(t, "b", w.read("b"), "x\nz\n")
	for _, c := range []struct {
		edits []args
		err   string
	}{
		{nil, "at least one"},
		{[]args{edit("a", "uno", "1"), edit("b", "", "1")}, "edits[1]: old_string is empty"},
		{[]args{edit("a", "uno", "1"), edit("b", "nowhere", "1")}, "edits[1]:"},
		{[]args{edit("a", "uno", "1"), edit("a", "uno", "2")}, "edits[1]:"}, // each against what the one before left
		{[]args{edit("a", "uno", "1"), edit("gone", "x", "2")}, "edits[1]:"},
		{[]args{edit("a", "uno", "1"), edit("../../state/s", "x", "2")}, "edits[1]:"},
	} {
		fails(t, w.run("multi_edit", args{"edits": c.edits}), c.err)
		same(t, "a", w.read("a"), "uno\ntwo\n")
		same(t, "b", w.read("b"), "x\nz\n")
	}
}

// Whatever fails, and wherever, all files are as they were; and what succeeds is the same
// as the edits made one by one.
func TestMultiEditIsAllOrNothing(t *testing.T) {
	defer func() { write = (*file.File).Write }()
	rnd := rand.New(rand.NewPCG(1, 2))
	failed, succeeded := 0, 0
	for round := range 300 {
		w := newWorld(t, nil)
		texts := map[string]string{}
		for i := range 1 + rnd.IntN(4) {
			name := fmt.Sprintf("f%d", i)
			for n := range 1 + rnd.IntN(5) {
				texts[name] += fmt.Sprintf("line%d\n", n)
			}
			w.write(name, texts[name])
		}
		var edits []args
		for range 1 + rnd.IntN(6) {
			edits = append(edits, edit(fmt.Sprintf("f%d", rnd.IntN(4)), fmt.Sprintf("line%d", rnd.IntN(3)), fmt.Sprintf("new%d", rnd.IntN(9))))
		}
		breaks := -1
		if round%3 == 0 {
			breaks = rnd.IntN(3)
		}
		n := 0
		write = func(f *file.File, data []byte) error {
			if n++; n-1 == breaks {
				return errors.New("the disk is full")
			}
			return f.Write(data)
		}
		r := w.run("multi_edit", args{"edits": edits})
		if !r.Success {
			failed++
			for name, text := range texts {
				same(t, name, w.read(name), text)
			}
			continue
		}
		succeeded++
		for _, e := range edits {
			name := e["file_path"].(string)
			texts[name] = strings.Replace(texts[name], e["old_string"].(string), e["new_string"].(string), 1)
		}
		for name, text := range texts {
			same(t, name, w.read(name), text)
		}
	}
	if failed < 30 || succeeded < 30 {
		t.Errorf("%d failed, %d succeeded: the test looks at one side only", failed, succeeded)
	}
}

func TestMultiEditNamesWhatCouldNotBeRestored(t *testing.T) {
	defer func() { write = (*file.File).Write }()
	w := newWorld(t, map[string]string{"a": "x", "b": "x"})
	n := 0
	write = func(f *file.File, data []byte) error {
		if n++; n > 1 {
			return errors.New("the disk is gone")
		}
		return f.Write(data)
	}
	r := w.run("multi_edit", args{"edits": []args{edit("a", "x", "y"), edit("b", "x", "y")}})
	fails(t, r, "could not be restored: "+filepath.Join(w.dir, "a"))
}

func TestChangedSinceRead(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "one\n"})
	ok(t, w.run("read_file", args{"file_path": "f"}))
	ok(t, w.run("edit_file", edit("f", "one", "two"))) // its own change is known
	ok(t, w.run("edit_file", edit("f", "two", "three")))
	w.write("f", "three, and more\n")
	fails(t, w.run("edit_file", edit("f", "three", "x")), "read it again")
	fails(t, w.run("write_file", args{"file_path": "f", "content": "x"}), "read it again")
	fails(t, w.run("multi_edit", args{"edits": []args{edit("f", "three", "x")}}), "read it again")
	same(t, "the file", w.read("f"), "three, and more\n")
	ok(t, w.run("read_file", args{"file_path": "f"}))
	ok(t, w.run("edit_file", edit("f", "three", "x")))
}

// What was approved is what runs: not another file, not another content.
func TestApprovalBinds(t *testing.T) {
	for _, c := range []struct {
		name string
		swap func(w *world)
		err  string
	}{
		{"nothing", func(*world) {}, ""},
		{"other content", func(w *world) { w.write("dir/f", "one, swapped\n") }, "changed after the approval"},
		{"the file is gone", func(w *world) { must(w.t, os.Remove(filepath.Join(w.dir, "dir/f"))) }, "changed after the approval"},
		{"a link in the place of the folder", func(w *world) {
			w.write("victim/f", "one\n")
			must(w.t, os.Rename(filepath.Join(w.dir, "dir"), filepath.Join(w.dir, "aside")))
			must(w.t, os.Symlink("victim", filepath.Join(w.dir, "dir")))
		}, "changed after the approval"},
	} {
		for _, resolved := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, resolved %v", c.name, resolved), func(t *testing.T) {
				for tool, in := range map[string]args{
					"write_file": {"file_path": "dir/f", "content": "two\n"},
					"edit_file":  edit("dir/f", "one", "two"),
					"multi_edit": {"edits": []args{edit("dir/f", "one", "two")}},
				} {
					w := newWorld(t, map[string]string{"dir/f": "one\n"})
					env, in := w.env, input(in)
					if resolved {
						var err error
						in, err = w.tools[tool].Resolve(in, &env)
						must(t, err)
						env.Resolved = true
					}
					v := w.tools[tool].Preview(t.Context(), in, &env)
					same(t, "preview", v.Text, "--- dir/f\n+++ dir/f\n@@ -1 +1 @@\n-one\n+two\n")
					if v.Err != "" || !v.Diff || len(v.Sums) != 1 || len(v.Outside) != 0 {
						t.Errorf("preview %+v", v)
					}
					c.swap(w)
					env.Seen = &v
					r := w.tools[tool].Run(t.Context(), in, &env)
					if c.err == "" {
						ok(t, r)
						continue
					}
					want := c.err
					if resolved && strings.HasPrefix(c.name, "a link") {
						want = "a link appeared"
					}
					fails(t, r, want)
					if strings.HasPrefix(c.name, "a link") {
						same(t, "the victim", w.read("victim/f"), "one\n")
					}
				}
			})
		}
	}
}

func TestPreview(t *testing.T) {
	w := newWorld(t, map[string]string{"f": strings.Repeat("x\n", 200)})
	must(t, os.WriteFile(filepath.Join(w.dir, "..", "beside"), []byte("x\n"), 0o600))
	show := func(tool string, in args) agent.Preview {
		return w.tools[tool].Preview(t.Context(), input(in), &w.env)
	}
	v := show("write_file", args{"file_path": "f", "content": strings.Repeat("y\n", 200)})
	same(t, "lines of a long diff: none is left out", strings.Count(v.Text, "\n"), 403)
	v = show("edit_file", edit("../beside", "x", "y"))
	same(t, "outside", v.Outside, []string{filepath.Join(filepath.Dir(w.dir), "beside")})
	if !strings.Contains(v.Text, "--- "+v.Outside[0]+"\n") {
		t.Errorf("the diff does not name the file in full: %s", v.Text)
	}
	v = show("write_file", args{"file_path": "new\n+evil\x1b[2J", "content": "x"})
	if strings.Contains(v.Text, "\n+evil") || strings.Contains(v.Text, "\x1b") {
		t.Errorf("a name draws in the diff: %q", v.Text)
	}
	same(t, "sum of a new file", v.Sums[filepath.Join(w.dir, "new\n+evil\x1b[2J")], "")
	same(t, "a new and empty file", show("write_file", args{"file_path": "n", "content": ""}).Text, "n: a new file, empty\n")
	same(t, "no change", show("write_file", args{"file_path": "f", "content": w.read("f")}).Text, "f: nothing would change\n")
	same(t, "an edit that cannot be", show("edit_file", edit("f", "z", "y")).Err != "", true)
	same(t, "umpire's file", strings.Contains(show("write_file", args{"file_path": w.o.State + "/x", "content": ""}).Err, "belongs to umpire"), true)
	same(t, "a command", show("bash", args{"command": "rm -rf x\necho $HOME"}).Text, "rm -rf x\necho $HOME")
}

type recorder struct {
	list []string
	err  error
}

func (r *recorder) Touched(path string, before []byte, mode fs.FileMode, exists bool) error {
	r.list = append(r.list, fmt.Sprintf("touched %s %q %v %v", filepath.Base(path), before, mode, exists))
	return r.err
}

func (r *recorder) Wrote(path string, after []byte) {
	r.list = append(r.list, fmt.Sprintf("wrote %s %q", filepath.Base(path), after))
}

func TestChangesAreTold(t *testing.T) {
	w := newWorld(t, map[string]string{"f": "a\n"})
	rec := &recorder{}
	w.o.Changes = rec
	w.use()
	ok(t, w.run("write_file", args{"file_path": "n", "content": "x"}))
	ok(t, w.run("edit_file", edit("f", "a", "b")))
	fails(t, w.run("edit_file", edit("f", "a", "b")), "not found")
	same(t, "what was told", rec.list, []string{`touched n "" ---------- false`, `wrote n "x"`, `touched f "a\n" -rw-r--r-- true`, `wrote f "b\n"`})
	rec.err = errors.New("there is no room")
	fails(t, w.run("edit_file", edit("f", "b", "c")), "there is no room")
	same(t, "what cannot be undone", w.read("f"), "b\n")
}

// A file with both line ends keeps, where text is replaced, the ones that were there.
func TestReplaceKeepsLineEnds(t *testing.T) {
	for _, tt := range []struct{ file, old, repl, want string }{
		{"a\r\nb\n", "b\n", "x\r\ny\n", "a\r\nx\ny\n"},
		{"a\r\nb\n", "a\n", "x\ny\n", "x\r\ny\r\nb\n"},
		{"a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n"},
		{"a\nb\n", "b\n", "x\r\n", "a\nx\r\n"}, // without Windows line ends, the text is put in as it is
	} {
		if got, _, err := replaceOnce(tt.file, tt.old, tt.repl); err != nil || got != tt.want {
			t.Errorf("%q for %q in %q: got %q, %v, want %q", tt.repl, tt.old, tt.file, got, err, tt.want)
		}
	}
}

// Putting in what was taken out gives the same text; line ends stay as they were.
func FuzzReplaceOnce(f *testing.F) {
	for _, s := range [][3]string{{"a\nb\nc\n", "b", "x"}, {"a\r\nb\r\n", "\nb", "x\ny"}, {"a\r\nb\n", "b\n", ""}, {"aaa", "aa", ""}, {"", "", "x"}, {"\r\n\r\n", "\n\n", "\n"}, {"a\rb", "\r", "\r\n"}} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, s, old, repl string) {
		out, line, err := replaceOnce(s, old, repl)
		if err != nil {
			return
		}
		if n := strings.Count(lf(s), lf(old)); n != 1 && strings.Contains(s, "\r\n") {
			t.Fatalf("%q is %d times in %q", old, n, s)
		}
		if line < 1 || line > countLines(s)+1 {
			t.Errorf("line %d of %q", line, s)
		}
		if !strings.Contains(s, "\r\n") {
			if want := strings.Replace(s, old, repl, 1); out != want {
				t.Errorf("%q instead of %q", out, want)
			}
			return
		}
		// A lone carriage return may come to stand before a line feed.
		if strings.Contains(strings.ReplaceAll(s+"|"+old+"|"+repl, "\r\n", ""), "\r") {
			return
		}
		if got, want := lf(out), strings.Replace(lf(s), lf(old), lf(repl), 1); got != want {
			t.Errorf("%q instead of %q", got, want)
		}
		if strings.Count(s, "\n") == strings.Count(s, "\r\n") && strings.Count(out, "\n") != strings.Count(out, "\r\n") {
			t.Errorf("line ends changed: %q became %q", s, out)
		}
	})
}

// A diff says what was there and what is there.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n")
	f.Add("", "a")
	f.Add("a", "")
	f.Add(strings.Repeat("l\n", 40), strings.Repeat("l\n", 20)+"m\n"+strings.Repeat("l\n", 20))
	f.Add("a\r\n", "a\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		u, added, removed := diff("f", before, after, false, 0)
		if lf(before) != lf(after) {
			before, after = lf(before), lf(after)
		}
		if (u == "") != (before == after) {
			t.Fatalf("%q and %q: %q", before, after, u)
		}
		if countLines(after)-countLines(before) != added-removed && strings.HasSuffix(before, "\n") == strings.HasSuffix(after, "\n") && before != "" && after != "" {
			t.Errorf("%d added and %d removed between %q and %q", added, removed, before, after)
		}
		for line := range strings.SplitSeq(u, "\n") {
			if line == "" || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++") {
				continue
			}
			side := map[byte][]string{' ': {before, after}, '-': {before}, '+': {after}}[line[0]]
			for _, s := range side {
				if !strings.Contains(valid(s), line[1:]) {
					t.Errorf("%q is not in %q", line, s)
				}
			}
		}
		cut, _, _ := diff("f", before, after, false, 3)
		if n := strings.Count(cut, "\n"); n > 2+3+1 {
			t.Errorf("%d lines instead of 3", n)
		}
	})
}

func TestLargeDiff(t *testing.T) {
	var a, b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&a, "line %d\n", i)
		if i%2 == 0 {
			fmt.Fprintf(&b, "line %d\n", i)
		} else {
			fmt.Fprintf(&b, "other %d\n", i)
		}
	}
	u, added, removed := diff("f", a.String(), b.String(), false, diffLines)
	if added < 30_000 || added != removed || strings.Count(u, "\n") != diffLines+1 {
		t.Errorf("%d added, %d removed, %d lines", added, removed, strings.Count(u, "\n"))
	}
}

func TestTodo(t *testing.T) {
	w := newWorld(t, nil)
	r := ok(t, w.run("todo", args{"items": []args{{"text": "a  b\nc", "done": true}, {"text": "next", "now": true}, {"text": "later"}}}))
	same(t, "output", r.Output, "[x] a b c\n[>] next\n[ ] later\n1 of 3 done")
	same(t, "the list", w.env.Run.Todo(), []agent.Todo{{Text: "a b c", Done: true}, {Text: "next", Now: true}, {Text: "later"}})
	fails(t, w.run("todo", args{"items": []args{{"text": "a", "now": true}, {"text": "b", "now": true}}}), "one entry")
	same(t, "the list after an error", len(w.env.Run.Todo()), 3)
}
