package changes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// TestMain is also the first process of boxes.
func TestMain(m *testing.M) {
	os.Exit(m.Run())
}

// put makes files: "name/" is a folder, "-> x" a link, "whiteout" what an overlay marks as
// gone, "pipe" a pipe.
func put(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(at), 0o755)
		switch {
		case err != nil:
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(at, 0o755)
		case strings.HasPrefix(text, "-> "):
			err = os.Symlink(text[3:], at)
		case text == "whiteout":
			err = unix.Mknod(at, unix.S_IFCHR|0o600, 0)
		case text == "pipe":
			err = unix.Mkfifo(at, 0o600)
		default:
			err = os.WriteFile(at, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// laid is a run that has ended, with these files in the project and in the overlay.
func laid(t testing.TB, low, up map[string]string) *Box {
	t.Helper()
	dir := t.TempDir()
	b := &Box{ID: "run", Dir: filepath.Join(dir, "proj"), State: filepath.Join(dir, "state")}
	for _, d := range []string{b.Dir, b.Upper()} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, b.Dir, low)
	b.Started = later(t, b.Dir)
	later(t, b.Dir)
	put(t, b.Upper(), up)
	return b
}

// later returns a time after all that was done to a folder until now.
func later(t testing.TB, dir string) time.Time {
	t.Helper()
	mark := filepath.Join(filepath.Dir(dir), "mark")
	for before := time.Now(); ; {
		if err := os.WriteFile(mark, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		fi, err := os.Stat(mark)
		if err != nil {
			t.Fatal(err)
		}
		if fi.ModTime().After(before) { // the kernel's clock of files has passed what was read
			return fi.ModTime()
		}
	}
}

func (b *Box) mustList(t testing.TB) []ChangedPath {
	t.Helper()
	list, err := b.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// told is a list in words.
func told(list []ChangedPath) string {
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "%s %s", e.What, e.Path)
		if e.From != "" {
			fmt.Fprintf(&b, " from %s", e.From)
		}
		if e.Target != "" {
			fmt.Fprintf(&b, " -> %s", e.Target)
		}
		if e.Was != 0 {
			fmt.Fprintf(&b, " %o to %o", e.Was, e.Mode)
		}
		if e.Kind == host.Folder {
			b.WriteString(" folder")
		}
		if e.In != "" {
			fmt.Fprintf(&b, " in %s", e.In)
		}
		if e.Clash {
			b.WriteString(" conflict")
		}
		if e.Not != "" {
			b.WriteString(" not")
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// What the kernel's overlay writes down is read as what the program did.
func TestListOfAnOverlay(t *testing.T) {
	b := laid(t, map[string]string{"kept": "kept\n", "gone": "gone\n", "dir/one": "one\n", "dir/two/three": "three\n", "tool": "tool\n", "untouched/file": "x", "whole/file": "file\n", "a/b": "a/b\n", "was/file": "y\n", "name": "a name\n", "same": "same\n"}, nil)
	c := sandbox.Config{Dir: b.Dir, State: b.State, Home: filepath.Dir(b.Dir), Env: sandbox.Environment(os.Environ(), nil, "HOME="+filepath.Dir(b.Dir)),
		Args: []string{"/bin/sh", "-c", `echo more >> kept; echo new > made; rm gone; rm -r dir; mkdir dir; echo x > dir/other; mkdir -p new/deep; ln -s kept link; chmod 700 tool; rm -r whole; touch tmp; rm tmp; mv a/b c; rm -r was; echo z > was; rm name; mkdir name; echo q > name/q; cat same > s; cat s > same; rm s; touch same`}}
	if list := b.mustList(t); len(list) != 0 {
		t.Errorf("before: %s", told(list))
	}
	if err := inBox(t, c); err != nil {
		t.Fatal(err)
	}
	const want = "renamed c from a/b; deleted dir/one; created dir/other; deleted dir/two folder; deleted dir/two/three in dir/two; deleted gone; changed kept; created link -> kept; created made; " +
		"deleted name; created name folder; created name/q; created new folder; created new/deep folder; mode tool 644 to 700; deleted was folder; created was; deleted was/file in was; deleted whole folder; deleted whole/file in whole"
	if got := told(b.mustList(t)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	w, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	n, err := w.WriteAll(t.Context(), b.mustList(t), false, func(e *ChangedPath, err error) { t.Errorf("%s: %v", e.Path, err) })
	if err != nil || n != 20 {
		t.Errorf("%d, %v", n, err)
	}
	if got := told(b.mustList(t)); got != "" {
		t.Errorf("left: %s", got)
	}
	const files = "a/ c=a/b\n|644 dir/ dir/other=x\n|644 kept=kept\nmore\n|644 link->kept made=new\n|644 name/ name/q=q\n|644 new/ new/deep/ same=same\n|644 tool=tool\n|700 untouched/ untouched/file=x|644 was=z\n|644"
	if got := listing(t, b.Dir); got != files {
		t.Errorf("got  %q\nwant %q", got, files)
	}
}

// inBox runs a program in a box.
func inBox(t *testing.T, c sandbox.Config) error {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	in, out := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = null, null
	defer func() { os.Stdin, os.Stdout = in, out; null.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	status, err := sandbox.Run(ctx, c)
	if err == nil && status != 0 {
		err = fmt.Errorf("it ended with %d", status)
	}
	return err
}

// listing is all of a folder in one line.
func listing(t testing.TB, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(at string, d os.DirEntry, err error) error {
		if err != nil || at == dir {
			return err
		}
		rel, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			out = append(out, rel+"/")
		case d.Type()&os.ModeSymlink != 0:
			to, err := os.Readlink(at)
			out = append(out, rel+"->"+to)
			return err
		case d.Type().IsRegular():
			data, err := os.ReadFile(at)
			if err != nil {
				return err
			}
			fi, err := d.Info()
			if err != nil {
				return err
			}
			out = append(out, fmt.Sprintf("%s=%s|%o", rel, data, fi.Mode().Perm()))
		default:
			out = append(out, rel+"?")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

func TestList(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, tt := range []struct {
		name    string
		low, up map[string]string
		edit    map[string]string // in the project, while the program ran
		want    string
	}{
		{"nothing", map[string]string{"a": "1"}, nil, nil, ""},
		{"same content", map[string]string{"a": "1"}, map[string]string{"a": "1"}, nil, ""},
		{"same link", map[string]string{"a": "-> b"}, map[string]string{"a": "-> b"}, nil, ""},
		{"renamed and another of the size", map[string]string{"a": long, "d/e": long + "y"}, map[string]string{"a": "whiteout", "b": long, "c": strings.Repeat("y", 100)}, nil, "renamed b from a; created c"},
		{"renamed into what was a file", map[string]string{"a": long}, map[string]string{"a/b": long}, nil, "deleted a; created a folder; created a/b"},
		{"empty files are not renamed", map[string]string{"a": ""}, map[string]string{"a": "whiteout", "b": ""}, nil, "deleted a; created b"},
		{"same name first", map[string]string{"x/a": long, "x/b": long}, map[string]string{"x/a": "whiteout", "x/b": "whiteout", "y/b": long}, nil, "deleted x/a; created y folder; renamed y/b from x/b"},
		{"whiteout of nothing", nil, map[string]string{"a": "whiteout"}, nil, ""},
		{"conflict", map[string]string{"a": "1"}, map[string]string{"a": "2"}, map[string]string{"a": "3"}, "changed a conflict"},
		{"both alike", map[string]string{"a": "1"}, map[string]string{"a": "2"}, map[string]string{"a": "2"}, ""},
		{"made in both", nil, map[string]string{"a": "2"}, map[string]string{"a": "3"}, "changed a conflict"},
		{"removed and edited", map[string]string{"a": "1"}, map[string]string{"a": "whiteout"}, map[string]string{"a": "3"}, "deleted a conflict"},
		{"folder removed and written to", map[string]string{"d/a": "1"}, map[string]string{"d": "whiteout"}, map[string]string{"d/b": "3"}, "deleted d folder conflict; deleted d/a in d conflict; deleted d/b in d conflict"},
		{"folder with git's own", map[string]string{"d/.git/config": "1", "d/a": "2"}, map[string]string{"d": "whiteout"}, nil, "deleted d folder not; deleted d/.git folder in d not; deleted d/.git/config in d not; deleted d/a in d not"},
		{"git's own", map[string]string{".git/config": "1"}, map[string]string{".git/config": "2", ".git/hooks/pre-commit": "x", "sub/.GIT/config": "x", "git~1": "y", ".git ": "z"}, nil, "created .git  not; changed .git/config not; created .git/hooks folder not; created .git/hooks/pre-commit not; created git~1 not; created sub folder; created sub/.GIT folder not; created sub/.GIT/config not"},
		{"a submodule's file of git's", map[string]string{"sub/.git": "gitdir: ../.git/modules/sub"}, map[string]string{"sub/.git": "gitdir: /tmp/evil"}, nil, "changed sub/.git not"},
		{"umpire's own", nil, map[string]string{".umpire-x/0": "1", ".umpire.yaml": "2"}, nil, "created .umpire-x folder not; created .umpire-x/0 not; created .umpire.yaml not"},
		{"pipes", map[string]string{"b": "1", "c": "pipe"}, map[string]string{"a": "pipe", "b": "pipe", "c": "whiteout"}, nil, "created a not; deleted b not; created b not; deleted c not"},
		{"links out", nil, map[string]string{"a": "-> /etc/passwd", "b": "-> ../x", "c": "-> d/../../x", "d": "-> e"}, nil, "created a -> /etc/passwd not; created b -> ../x not; created c -> d/../../x not; created d -> e"},
		{"odd names", nil, map[string]string{"a\nb": "1", "c\x1b[2J": "2", "e\xff": "4", `f\g`: "5", "h:1": "6"}, nil, "created a\nb not; created c\x1b[2J not; created e\xff not; created f\\g not; created h:1 not"},
		{"names of another case", map[string]string{"readme": "1"}, map[string]string{"README": "2", "readme": "3"}, nil, "created README; changed readme"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := laid(t, tt.low, tt.up)
			put(t, b.Dir, tt.edit)
			if got := told(b.mustList(t)); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// Programs that keep times, as archives and builds do, hide no change by that.
func TestListOfEqualTimes(t *testing.T) {
	b := laid(t, map[string]string{"a": "1", "b": "1"}, map[string]string{"a": "2", "b": "2"})
	whole := time.Unix(1_700_000_000, 0)
	for _, dir := range []string{b.Dir, b.Upper()} {
		for name, at := range map[string]time.Time{"a": whole, "b": whole.Add(time.Nanosecond)} {
			if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.Started = later(t, b.Dir)
	if got := told(b.mustList(t)); got != "changed a" { // b has the very time of an overlay's copy
		t.Errorf("%s", got)
	}
}

// A file of 1 GiB is told and not read, and neither is one that hides a folder too deep.
func TestListOfLargeAndDeep(t *testing.T) {
	b := laid(t, nil, map[string]string{"big": "x", strings.Repeat("d/", maxDepth+20) + "f": "x"})
	if err := os.Truncate(filepath.Join(b.Upper(), "big"), 1<<30); err != nil {
		t.Fatal(err)
	}
	list := b.mustList(t)
	if len(list) != maxDepth+3 || list[0].Path != "big" || list[0].Size != 1<<30 || list[0].Not == "" {
		t.Errorf("%d: %s", len(list), told(list[:min(len(list), 3)]))
	}
	w, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Read(&list[0], true); err == nil {
		t.Error("it was read")
	}
}

// A program that lays links while its folders are gone through shows nothing of the host.
func TestListWhileFoldersBecomeLinks(t *testing.T) {
	b := laid(t, nil, map[string]string{"d/a": "1", "d/e/f": "2"})
	secret := filepath.Join(filepath.Dir(b.Dir), "secret")
	put(t, secret, map[string]string{"hidden": "s", "e/hidden": "s"})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		d, real := filepath.Join(b.Upper(), "d"), filepath.Join(b.Upper(), "real")
		var err error
		for ctx.Err() == nil && err == nil {
			if err = os.Rename(d, real); err == nil {
				if err = os.Symlink(secret, d); err == nil {
					if err = os.Remove(d); err == nil {
						err = os.Rename(real, d)
					}
				}
			}
		}
		done <- err
	}()
	for range 2000 {
		for _, e := range b.mustList(t) {
			if strings.Contains(e.Path, "hidden") {
				t.Fatalf("it shows %s", e.Path)
			}
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
