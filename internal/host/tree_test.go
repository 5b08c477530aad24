package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// lay makes files below a new folder: a name with a final slash is a folder, and a
// content that begins with "-> " is a symbolic link.
func lay(t *testing.T, files map[string]string) (string, *Tree) {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, files)
	tree, err := OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tree.Close)
	return dir, tree
}

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		switch target, link := strings.CutPrefix(content, "-> "); {
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(at, 0o755)
		case link:
			err = os.Symlink(target, at)
		default:
			err = os.WriteFile(at, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// listing is all that is below a folder, in the form of lay, with modes that are not
// the usual ones.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		name, _ := filepath.Rel(dir, p)
		switch {
		case d.IsDir():
			out = append(out, name+"/")
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			out = append(out, name+"=-> "+target)
			return err
		default:
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			st, err := d.Info()
			if err != nil {
				return err
			}
			line := name + "=" + string(data)
			if st.Mode().Perm() != 0o644 {
				line += fmt.Sprintf(" %o", st.Mode().Perm())
			}
			out = append(out, line)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestApply(t *testing.T) {
	files := map[string]string{"a.txt": "old", "run.sh": "x", "sub/b.txt": "b", "link": "-> a.txt", "empty/": ""}
	before := "a.txt=old\nempty/\nlink=-> a.txt\nrun.sh=x\nsub/\nsub/b.txt=b"
	for _, tt := range []struct {
		name string
		set  []Change
		want string
	}{
		{"write a new file", []Change{{Op: Write, Path: "n/e/w.txt", Content: []byte("new")}}, "a.txt=old\nempty/\nlink=-> a.txt\nn/\nn/e/\nn/e/w.txt=new\nrun.sh=x\nsub/\nsub/b.txt=b"},
		{"write an empty file with a mode", []Change{{Op: Write, Path: "w", Mode: 0o755}}, before + "\nw= 755"},
		{"write over", []Change{{Op: Write, Path: "./sub/../a.txt", Content: []byte("new")}}, strings.Replace(before, "old", "new", 1)},
		{"write over a link, and not behind it", []Change{{Op: Write, Path: "link", Content: []byte("new")}}, strings.Replace(before, "link=-> a.txt", "link=new", 1)},
		{"write the same", []Change{{Op: Write, Path: "a.txt", Content: []byte("old")}}, before},
		{"delete", []Change{{Op: Delete, Path: "a.txt"}, {Op: Delete, Path: "link"}, {Op: Delete, Path: "empty"}}, "run.sh=x\nsub/\nsub/b.txt=b"},
		{"move", []Change{{Op: Move, From: "a.txt", Path: "deep/er/a.txt"}}, "deep/\ndeep/er/\ndeep/er/a.txt=old\nempty/\nlink=-> a.txt\nrun.sh=x\nsub/\nsub/b.txt=b"},
		{"chmod", []Change{{Op: Chmod, Path: "run.sh", Mode: 0o755}}, strings.Replace(before, "run.sh=x", "run.sh=x 755", 1)},
		{"link and mkdir", []Change{{Op: Mkdir, Path: "z/y"}, {Op: Link, Path: "z/l", Target: "../a.txt"}}, before + "\nz/\nz/l=-> ../a.txt\nz/y/"},
		{"several", []Change{{Op: Write, Path: "a.txt", Content: []byte("1")}, {Op: Delete, Path: "sub/b.txt"}, {Op: Move, From: "run.sh", Path: "sub/run.sh"}, {Op: Write, Path: "sub/c", Content: []byte("2")}},
			"a.txt=1\nempty/\nlink=-> a.txt\nsub/\nsub/c=2\nsub/run.sh=x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, tree := lay(t, files)
			if err := Check(tt.set); err != nil {
				t.Fatal(err)
			}
			if err := tree.Bind(tt.set); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time there is nothing to do
				if err := tree.Apply(t.Context(), "x", tt.set); err != nil {
					t.Fatal(err)
				}
				if got := listing(t, dir); got != tt.want {
					t.Fatalf("got\n%s\nwant\n%s", got, tt.want)
				}
			}
		})
	}
}

func TestCheckRefuses(t *testing.T) {
	for name, c := range map[string]Change{
		"absolute": {Op: Write, Path: "/etc/passwd"}, "climbing": {Op: Write, Path: "a/../../b"}, "backslashes": {Op: Write, Path: `..\b`}, "root": {Op: Write, Path: "."},
		"drive": {Op: Write, Path: "C:/x"}, "control": {Op: Write, Path: "a\nb"}, "bad text": {Op: Write, Path: "a\xff"}, "long name": {Op: Write, Path: strings.Repeat("a", 256)},
		"git": {Op: Write, Path: ".git/config"}, "git below": {Op: Delete, Path: "sub/.git"}, "git in capitals": {Op: Write, Path: ".GIT/hooks/pre-commit"}, "git with a dot": {Op: Write, Path: ".git./config"},
		"git with a space": {Op: Write, Path: ".git /config"}, "git unseen": {Op: Write, Path: ".g\u200cit/config"}, "git short": {Op: Write, Path: "GIT~1/config"}, "git stream": {Op: Write, Path: ".git::$INDEX_ALLOCATION/config"},
		"umpire's": {Op: Write, Path: ".umpire.yaml"}, "umpire's stage": {Op: Delete, Path: ".umpire-1/0"}, "move out of git": {Op: Move, Path: "x", From: ".git/config"},
		"setuid": {Op: Chmod, Path: "a", Mode: 0o4755}, "no mode": {Op: Chmod, Path: "a"}, "link out": {Op: Link, Path: "a", Target: "../x"}, "absolute link": {Op: Link, Path: "a", Target: "/etc"},
		"link out by a link": {Op: Link, Path: "a", Target: "d/up/../../x"}, "link out by a dot": {Op: Link, Path: "d/a", Target: "../d/.././../x"}, "link out, backslashes": {Op: Link, Path: "a", Target: `..\x`},
		"link to a drive": {Op: Link, Path: "a", Target: `C:\x`}, "link to git": {Op: Link, Path: "build", Target: ".git/hooks"}, "link to a module's git": {Op: Link, Path: "a/b", Target: "../sub/.GIT"}, "link to umpire's": {Op: Link, Path: "a", Target: ".umpire.yaml"},
		"unknown": {Op: "exec", Path: "a"}, "foreign field": {Op: Delete, Path: "a", Content: []byte("x")}, "into itself": {Op: Move, From: "a", Path: "a/b"}, "large": {Op: Write, Path: "a", Content: make([]byte, MaxContent+1)},
	} {
		if err := Check([]Change{c}); err == nil {
			t.Errorf("%s: %+v is let through", name, c.Path)
		}
	}
	for _, p := range []string{".gitignore", ".github/x", "a.git", "git", "...", "é.txt", ".git1"} {
		if _, err := CleanPath(p); err != nil {
			t.Errorf("%s: error %v, want a clean path", p, err)
		}
	}
	for _, c := range []Change{{Path: "a", Target: "b/c"}, {Path: "a/b/c", Target: "../../x"}, {Path: "a/b", Target: ".././x/y"}, {Path: "a/b", Target: ".."}, {Path: "a", Target: ".gitignore"}} {
		if c.Op = Link; Check([]Change{c}) != nil {
			t.Errorf("%s -> %s: error %v, want none", c.Path, c.Target, Check([]Change{c}))
		}
	}
	if err := Check([]Change{{Op: Write, Path: "a"}, {Op: Delete, Path: "./a"}}); err == nil {
		t.Error("the same path twice")
	}
	if Check(nil) == nil || Check(make([]Change, MaxChanges+1)) == nil {
		t.Error("too few or too many")
	}
}

// A set that does not fit the host changes nothing, whatever of it would fit.
func TestConflict(t *testing.T) {
	for name, meddle := range map[string]func(dir string) error{
		"edited":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "b"), []byte("theirs"), 0o644) },
		"removed": func(dir string) error { return os.Remove(filepath.Join(dir, "b")) },
		"linked": func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "b")), os.Symlink("a", filepath.Join(dir, "b")))
		},
		"mode":    func(dir string) error { return os.Chmod(filepath.Join(dir, "b"), 0o600) },
		"created": func(dir string) error { return os.WriteFile(filepath.Join(dir, "new"), []byte("theirs"), 0o644) },
		"source":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "m"), []byte("theirs"), 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, tree := lay(t, map[string]string{"a": "1", "b": "2", "d": "4", "m": "m"})
			set := []Change{{Op: Write, Path: "a", Content: []byte("x")}, {Op: Delete, Path: "d"}, {Op: Write, Path: "b", Content: []byte("y")}, {Op: Write, Path: "new", Content: []byte("z")}, {Op: Move, From: "m", Path: "moved"}}
			if err := tree.Bind(set); err != nil {
				t.Fatal(err)
			}
			if err := meddle(dir); err != nil {
				t.Fatal(err)
			}
			before := listing(t, dir)
			if err := tree.Apply(t.Context(), "x", set); !errors.Is(err, ErrConflict) {
				t.Fatalf("error %v, want %v", err, ErrConflict)
			}
			if got := listing(t, dir); got != before {
				t.Errorf("got\n%s\nwant\n%s", got, before)
			}
			// The same while the set is being made, just before each step.
			dir, tree = lay(t, map[string]string{"a": "1", "b": "2", "d": "4", "m": "m"})
			if err := tree.Bind(set); err != nil {
				t.Fatal(err)
			}
			tree.step = func(at string) {
				if at == "change 1 made" {
					if err := meddle(dir); err != nil {
						t.Error(err)
					}
				}
			}
			if err := tree.Apply(t.Context(), "x", set); !errors.Is(err, ErrConflict) {
				t.Fatalf("error %v, want %v", err, ErrConflict)
			}
			if got := listing(t, dir); got != before {
				t.Errorf("in the middle: got\n%s\nwant\n%s", got, before)
			}
		})
	}
}

// An edit between the last look and the exchange is found in the stage, and put back.
func TestLateEdit(t *testing.T) {
	for _, op := range []Change{{Op: Write, Path: "a", Content: []byte("ours")}, {Op: Delete, Path: "a"}, {Op: Move, From: "a", Path: "b"}} {
		dir, tree := lay(t, map[string]string{"a": "old"})
		set := []Change{op}
		if err := tree.Bind(set); err != nil {
			t.Fatal(err)
		}
		tree.step = func(at string) {
			if at != "change 0 moved" {
				return
			}
			// The other's file is where the replaced one was found: in the stage, or moved.
			at = filepath.Join(dir, ".umpire-x", "0")
			if op.Op == Move {
				at = filepath.Join(dir, "b")
			}
			if err := os.WriteFile(at, []byte("theirs"), 0o644); err != nil {
				t.Error(err)
			}
		}
		if err := tree.Apply(t.Context(), "x", set); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: error %v, want %v", op.Op, err, ErrConflict)
		}
		if got := listing(t, dir); got != "a=theirs" {
			t.Errorf("%s: the folder has %s, want a=theirs", op.Op, got)
		}
	}
}

// An agent that swaps a folder for a link to somewhere else, again and again, never has
// anything written or read there.
func TestSymlinkRace(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, map[string]string{"f": "secret", "sub/f": "secret"})
	dir, tree := lay(t, map[string]string{"d/sub/f": "in"})
	var stop atomic.Bool
	var turn atomic.Int64
	var wg sync.WaitGroup
	var swapping sync.Mutex
	away := func() {
		_ = os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, "kept"))
		_ = os.Symlink(outside, filepath.Join(dir, "d"))
	}
	back := func() {
		_ = os.Remove(filepath.Join(dir, "d"))
		_ = os.Rename(filepath.Join(dir, "kept"), filepath.Join(dir, "d"))
	}
	wg.Go(func() {
		for seen := int64(0); !stop.Load(); {
			if now := turn.Load(); now < seen+2 { // some of the writes are to find the folder
				runtime.Gosched()
				continue
			} else {
				seen = now
			}
			swapping.Lock()
			away()
			back()
			swapping.Unlock()
		}
	})
	// On a machine that is busy nothing may happen between two calls: every tenth write is
	// met by a swap, at one of its steps after the other.
	steps, swapAt, swapped := 0, 0, false
	tree.step = func(string) {
		if steps++; steps == swapAt {
			swapping.Lock()
			away()
			swapped = true
		}
	}
	applied := 0
	for i := range 1000 {
		turn.Add(1)
		set := []Change{{Op: Write, Path: "d/sub/f", Content: []byte(strconv.Itoa(i))}, {Op: Write, Path: "d/new" + strconv.Itoa(i), Content: []byte("x")}}
		if err := tree.Bind(set); err != nil {
			continue
		}
		if set[0].Base.Sum == sum([]byte("secret")) {
			t.Fatal("a file outside was read")
		}
		steps, swapAt, swapped = 0, 0, false
		if i%10 == 0 {
			swapAt = 1 + i/10%8
		}
		err := tree.Apply(t.Context(), "x"+strconv.Itoa(i), set)
		if err == nil {
			applied++
		}
		if swapped {
			back()
			swapping.Unlock()
		}
	}
	stop.Store(true)
	wg.Wait()
	if got := listing(t, outside); got != "f=secret\nsub/\nsub/f=secret" {
		t.Errorf("outside:\n%s\nwant it as it was", got)
	}
	if applied == 0 || applied == 1000 {
		t.Errorf("%d of 1000 were applied: there was no race", applied)
	}
}

func TestLinksAbove(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, map[string]string{"f": "secret"})
	dir, tree := lay(t, map[string]string{"d": "-> " + outside, "own": "-> real", "real/x": "x", "f": "-> " + filepath.Join(outside, "f")})
	for _, p := range []string{"d/f", "d/new", "own/x"} {
		if err := tree.Bind([]Change{{Op: Write, Path: p}}); err == nil {
			t.Errorf("%s: bound through a link", p)
		}
	}
	if _, _, err := tree.Read("f"); err == nil {
		t.Error("a link was read")
	}
	set := []Change{{Op: Chmod, Path: "f", Mode: 0o777}}
	if err := tree.Bind(set); err == nil {
		t.Error("a link was bound")
	}
	if err := tree.Apply(t.Context(), "x", []Change{{Op: Write, Path: "d/f", Content: []byte("y")}}); err == nil {
		t.Error("written through a link")
	}
	if got := listing(t, outside); got != "f=secret" {
		t.Errorf("outside: %s, want f=secret", got)
	}
	if _, err := os.Stat(filepath.Join(dir, ".umpire-x")); err == nil {
		t.Error("the stage stays")
	}
}

// A link that stays in the project may not be moved to where it leads out of it.
func TestMovedLink(t *testing.T) {
	_, tree := lay(t, map[string]string{"a/b/in": "-> ../../f", "f": "x", "d/git": "-> .git"})
	for _, tt := range []struct {
		from, to string
		ok       bool
	}{{"a/b/in", "in", false}, {"a/b/in", "a/in", false}, {"a/b/in", "a/c/in", true}, {"d/git", "git", false}} {
		if err := tree.Bind([]Change{{Op: Move, From: tt.from, Path: tt.to}}); (err == nil) != tt.ok {
			t.Errorf("%s to %s: error %v, want it to be taken: %t", tt.from, tt.to, err, tt.ok)
		}
	}
}

func TestHardLinkedModeStays(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, tree := lay(t, nil)
	if err := os.Link(outside, filepath.Join(dir, "f")); err != nil {
		t.Fatal(err)
	}
	set := []Change{{Op: Chmod, Path: "f", Mode: 0o644}}
	if err := tree.Bind(set); err != nil {
		t.Fatal(err)
	}
	if err := tree.Apply(t.Context(), "x", set); err == nil {
		t.Error("the mode of a file with other names was changed")
	}
	set = []Change{{Op: Write, Path: "f", Content: []byte("new")}}
	if err := errors.Join(tree.Bind(set), tree.Apply(t.Context(), "y", set)); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "secret" {
		t.Errorf("the other name has %q, %v", data, err)
	}
}

// Wherever a process dies, the host has the old set or the new one, and after Apply was
// called again, the new one.
func TestKilledAtEveryStep(t *testing.T) {
	files := map[string]string{"a": "old", "d": "gone", "m": "m", "run": "x"}
	set := []Change{{Op: Write, Path: "a", Content: []byte("new")}, {Op: Write, Path: "n/new", Content: []byte("n")}, {Op: Delete, Path: "d"}, {Op: Move, From: "m", Path: "n/m"}, {Op: Chmod, Path: "run", Mode: 0o755},
		{Op: Link, Path: "l", Target: "a"}, {Op: Mkdir, Path: "e"}}
	if dir := os.Getenv("HOST_TEST_DIE_IN"); dir != "" {
		at, _ := strconv.Atoi(os.Getenv("HOST_TEST_DIE_AT"))
		tree, err := OpenTree(dir)
		if err == nil {
			err = tree.Bind(set)
		}
		if err != nil {
			t.Fatal(err)
		}
		tree.step = func(string) {
			if at--; at == 0 {
				p, _ := os.FindProcess(os.Getpid())
				_ = p.Kill()
				select {}
			}
		}
		if err := tree.Apply(t.Context(), "x", set); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := "a=new\ne/\nl=-> a\nn/\nn/m=m\nn/new=n\nrun=x 755"
	for at := 1; ; at++ {
		dir, tree := lay(t, files)
		bound := slices.Clone(set)
		if err := tree.Bind(bound); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledAtEveryStep$")
		cmd.Env = append(os.Environ(), "HOST_TEST_DIE_IN="+dir, "HOST_TEST_DIE_AT="+strconv.Itoa(at))
		out, err := cmd.CombinedOutput()
		if data, _ := os.ReadFile(filepath.Join(dir, "a")); string(data) != "old" && string(data) != "new" {
			t.Errorf("step %d: a has %q", at, data)
		}
		if again := tree.Apply(t.Context(), "x", bound); again != nil {
			t.Errorf("step %d: applying it again: %v, want no error", at, again)
		}
		if got := listing(t, dir); got != want {
			t.Errorf("step %d: got\n%s", at, got)
		}
		if err == nil { // it came to its end
			if at < 15 {
				t.Errorf("only %d steps: %s", at, out)
			}
			return
		}
	}
}

func TestCanceled(t *testing.T) {
	dir, tree := lay(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tree.Apply(ctx, "x", []Change{{Op: Write, Path: "a"}}); err == nil || listing(t, dir) != "" {
		t.Errorf("error %v, the folder has %s; want an error and nothing written", err, listing(t, dir))
	}
}

func TestDiff(t *testing.T) {
	key := "AKIA" + "IOSFODNN7EXAMPLQ"
	_, tree := lay(t, map[string]string{"a": "one\ntwo\nthree\n", "bin": "a\x00b", "run": "x\n", "s": "key: " + key + "\n"})
	for _, tt := range []struct {
		name string
		c    Change
		want []string
	}{
		{"edit", Change{Op: Write, Path: "a", Content: []byte("one\n2\nthree\n")}, []string{"write a\n", "--- a/a\n+++ b/a\n", "-two\n+2\n", " three\n"}},
		{"new", Change{Op: Write, Path: "n", Content: []byte("x\n"), Mode: 0o755}, []string{"write n, a new file of 2 bytes, mode 0755", "--- /dev/null", "+x\n"}},
		{"delete", Change{Op: Delete, Path: "run"}, []string{"delete run\n", "+++ /dev/null", "-x\n"}},
		{"binary", Change{Op: Write, Path: "bin", Content: []byte("a\x00c")}, []string{"no text: 3 bytes become 3, sha256 "}},
		{"chmod", Change{Op: Chmod, Path: "run", Mode: 0o755}, []string{"chmod run from 0644 to 0755"}},
		{"move", Change{Op: Move, From: "run", Path: "b"}, []string{"move run to b"}},
		{"secret", Change{Op: Write, Path: "n", Content: []byte("k = " + key + "\n")}, []string{"+k = [masked:"}},
		{"only the secret", Change{Op: Write, Path: "s", Content: []byte("key: " + strings.Replace(key, "Q", "R", 1) + "\n")}, []string{"within what is masked"}},
		{"long", Change{Op: Write, Path: "n", Content: []byte(strings.Repeat("line of it\n", 20_000))}, []string{"bytes of this difference are not shown: look there]"}},
		{"very long", Change{Op: Write, Path: "n", Content: []byte(strings.Repeat("line of it\n", 100_000))}, []string{"0 bytes become 1100000, which is too much to show here: look there]"}},
	} {
		set := []Change{tt.c}
		if err := tree.Bind(set); err != nil {
			t.Fatal(err)
		}
		got, err := tree.Diff(set, "look there")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q lacks %q", tt.name, got[:min(len(got), 500)], want)
			}
		}
		whole, err := tree.Whole(&set[0])
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(tt.c.Content), "line of it\n"); strings.Contains(whole, "[umpire:") || strings.Count(whole, "+line of it\n") != n {
			t.Errorf("%s: %q is not whole", tt.name, whole[:min(len(whole), 500)])
		}
		if strings.Contains(got+whole, key) {
			t.Errorf("%s: the secret is shown", tt.name)
		}
	}
}

func FuzzCleanPath(f *testing.F) {
	for _, p := range []string{"a/b", "../x", ".git/x", `a\..\..\b`, "/x", "a//b/./c", ".GiT "} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		clean, err := CleanPath(p)
		if err != nil {
			return
		}
		again, err := CleanPath(clean)
		if err != nil || again != clean || !filepath.IsLocal(clean) || strings.EqualFold(strings.SplitN(clean, "/", 2)[0], ".git") {
			t.Errorf("%q is %q, then %q, %v", p, clean, again, err)
		}
	})
}

// A new link leads out of the project by no link on its way either.
func TestLinkBehindLink(t *testing.T) {
	outside := t.TempDir()
	_, tree := lay(t, map[string]string{"out": "-> " + outside, "to-out": "-> out", "in": "-> real", "real/x": "x", "a": "-> b", "b": "-> a"})
	for target, ok := range map[string]bool{"out": false, "out/x": false, "to-out": false, "a": false, "in": true, "in/x": false, "real/x": true, "real": true, "new": true, "new/x": true, "real/x/y": false} {
		if err := tree.Bind([]Change{{Op: Link, Path: "l", Target: target}}); (err == nil) != ok {
			t.Errorf("a link to %s: %v", target, err)
		}
	}
	if err := tree.Bind([]Change{{Op: Link, Path: "real/l", Target: "../out"}}); err == nil {
		t.Error("a link out of a folder")
	}
}
