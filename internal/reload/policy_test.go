package reload

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
)

// mine is a policy unlike the built-in one, and broken is not a valid policy.
const (
	mine   = "version: 1\nrules:\n  - deny: read(/srv/mine/**)\n    reason: it is mine\n"
	broken = "version: 1\nrules: 7\n"
)

// denies reports whether the rule of mine is in force.
func denies(p *policy.Policy) bool {
	a := &umpire.Action{Tool: "Read"}
	return p.Decide(a, []umpire.Operation{{Kind: umpire.Read, Resource: "/srv/mine/x"}}).Effect == umpire.Deny
}

// user is a home with a policy file and a cache.
func user(t *testing.T, text string) (layers snapshot.Layers, home string) {
	t.Helper()
	home = t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	layers.User = filepath.Join(home, "policy.yaml")
	write(t, layers.User, text)
	return layers, home
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
}

func cachedAt(layers snapshot.Layers, home string) string {
	return layers.Name(snapshot.CacheDir(home, "", os.Getenv), "")
}

// open returns the policy in force. It makes the compiled one look older than the clock's tick, in
// which its files could have changed again.
func open(t *testing.T, layers snapshot.Layers, home string) *policy.Policy {
	t.Helper()
	defer func() {
		path := cachedAt(layers, home)
		if s, err := snapshot.Last(path); err == nil {
			s.Written = s.Written.Add(time.Minute)
			if err := snapshot.Write(path, s); err != nil {
				t.Error(err)
			}
		}
	}()
	f, err := OpenPolicy(layers, home, "", func(err error) { t.Errorf("told %v, want no fault", err) })
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Now()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A compiled policy is kept in the cache, and used only if it is whole and of just these files.
// Whatever happens to the cache, the user's rules are in force.
func TestPolicyFromTheCache(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"nothing":           nil,
		"away":              func(t *testing.T, path string) { remove(t, path) },
		"empty":             func(t *testing.T, path string) { write(t, path, "") },
		"cut off":           func(t *testing.T, path string) { truncate(t, path) },
		"of another policy": func(t *testing.T, path string) { other(t, path) },
		"a folder":          func(t *testing.T, path string) { remove(t, path); mkdir(t, path) },
	} {
		t.Run(name, func(t *testing.T) {
			layers, home := user(t, mine)
			if !denies(open(t, layers, home)) {
				t.Fatal("the user's rule is not in force, want it compiled")
			}
			path := cachedAt(layers, home)
			if _, ok := kept(path, built(t), layers); !ok {
				t.Fatal("nothing is in the cache, want the compiled policy")
			}
			if damage != nil {
				damage(t, path)
				if _, ok := kept(path, built(t), layers); ok {
					t.Error("the damaged policy of the cache is used, want none")
				}
			}
			if !denies(open(t, layers, home)) {
				t.Error("the user's rule is not in force after the cache was damaged")
			}
			if _, ok := kept(path, built(t), layers); !ok && name != "a folder" {
				t.Error("the cache is not mended, want the compiled policy in it")
			}
		})
	}
	layers, home := user(t, mine)
	open(t, layers, home)
	path := cachedAt(layers, home)
	for name, ok := range map[string]bool{"another build": second(kept(path, "x", layers)), "other layers": second(kept(path, built(t), snapshot.Layers{User: layers.User, Project: layers.User + "2"}))} {
		if ok {
			t.Errorf("the compiled policy of %s is used, want none", name)
		}
	}
	p, _ := kept(path, built(t), layers)
	truncate(t, path)
	if !denies(p) || !p.Intact() {
		t.Error("a policy in use changed with its file in the cache, want a copy")
	}
}

// A policy with a fault is not compiled, and the cache keeps the last valid one for the hook.
func TestFaultyPolicyIsNotCached(t *testing.T) {
	layers, home := user(t, mine)
	open(t, layers, home)
	path := cachedAt(layers, home)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, layers.User, broken)
	if f, err := OpenPolicy(layers, home, "", nil); err == nil || f != nil {
		t.Errorf("a broken policy: got %v, %v, want only an error", f, err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the cache changed, want the last valid policy: %v", err)
	}
}

// Without policy files the built-in policy is in force; without a place for the cache, each start
// compiles.
func TestPolicyWithoutFilesOrCache(t *testing.T) {
	layers, home := user(t, mine)
	if p := open(t, snapshot.Layers{}, home); p.Hash() != built(t) || denies(p) {
		t.Errorf("without files %s is in force, want the built-in policy %s", p.Hash(), built(t))
	}
	t.Setenv("XDG_CACHE_HOME", layers.User) // a file
	if !denies(open(t, layers, home)) {
		t.Error("the user's rule is not in force without a cache")
	}
}

// The policy of one file has no other layer. The file must exist, at the start and later.
func TestOpenFile(t *testing.T) {
	layers, _ := user(t, mine)
	var told []error
	f, err := OpenFile(layers.User, func(err error) { told = append(told, err) })
	if err != nil {
		t.Fatal(err)
	}
	if p, err := f.Now(); err != nil || !denies(p) {
		t.Errorf("the rule of the file is not in force: %v", err)
	}
	remove(t, layers.User)
	if p, err := f.Now(); !errors.Is(err, os.ErrNotExist) || !denies(p) || len(told) != 1 {
		t.Errorf("after the file is removed: got the fault %v, told %v, want the last policy and the fault once", err, told)
	}
	if f, err := OpenFile(layers.User, nil); !errors.Is(err, os.ErrNotExist) || f != nil {
		t.Errorf("a missing file: got %v, %v, want only %v", f, err, os.ErrNotExist)
	}
	write(t, layers.User, broken)
	if f, err := OpenFile(layers.User, nil); err == nil || f != nil {
		t.Errorf("a broken file: got %v, %v, want only an error", f, err)
	}
}

// The sources of a policy have the built-in rules and those of the files, or there is an error.
func TestSource(t *testing.T) {
	layers, _ := user(t, mine)
	s, err := Source(layers)
	if err != nil {
		t.Fatal(err)
	}
	own := 0
	for _, r := range s.Rules {
		if r.Reason == "it is mine" {
			own++
		}
	}
	if own != 1 || len(s.Rules) < 100 {
		t.Errorf("%d rules with %d of the file, want the built-in rules and one of the file", len(s.Rules), own)
	}
	write(t, layers.User, broken)
	if s, err := Source(layers); err == nil || s != nil {
		t.Errorf("a broken file: got %v, %v, want only an error", s, err)
	}
}

// A workspace is a folder that exists.
func TestFolder(t *testing.T) {
	layers, home := user(t, mine)
	t.Chdir(home)
	for _, tt := range []struct {
		dir, want string
		err       error
	}{
		{"", home, nil},
		{".", home, nil},
		{home, home, nil},
		{layers.User, layers.User, syscall.ENOTDIR},
		{"none", filepath.Join(home, "none"), os.ErrNotExist},
	} {
		got, err := Folder(tt.dir)
		if got != tt.want || !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
			t.Errorf("Folder(%q): got %q, %v, want %q, %v", tt.dir, got, err, tt.want, tt.err)
		}
		if op := map[error]string{syscall.ENOTDIR: "open ", os.ErrNotExist: "stat "}[tt.err]; err != nil && !strings.HasPrefix(err.Error(), op+tt.want+": ") {
			t.Errorf("Folder(%q): the error is %v, want it to begin with %s%s", tt.dir, err, op, tt.want)
		}
	}
}

func built(t *testing.T) string {
	t.Helper()
	p, err := packs.Default()
	if err != nil {
		t.Fatal(err)
	}
	return p.Hash()
}

func second(_ *policy.Policy, ok bool) bool { return ok }

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, info.Size()/2)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// other puts the compiled policy of another file there.
func other(t *testing.T, path string) {
	t.Helper()
	layers, home := user(t, strings.Replace(mine, "deny", "allow", 1))
	open(t, layers, home)
	if err := os.Rename(cachedAt(layers, home), path); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Dir(filepath.Dir(path)))
}
