package enforce_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/enforce"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
)

// user is a person's home with a project in it.
type user struct {
	t         *testing.T
	dir, file string // the project, the policy file
	cache     string // where the compiled policy is kept
	layers    snapshot.Layers
}

func TestOpenWantsAFolder(t *testing.T) {
	u := newUser(t, "version: 1\n")
	for _, dir := range []string{u.file, filepath.Join(u.dir, "none")} {
		if _, err := enforce.Open(enforce.Options{Dir: dir}); err == nil {
			t.Errorf("%s is not a folder, and was opened", dir)
		}
	}
}

func newUser(t *testing.T, text string) user {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR"} {
		t.Setenv(k, "")
	}
	u := user{t: t, dir: filepath.Join(home, "proj")}
	if err := os.MkdirAll(filepath.Join(u.dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	u.layers = snapshot.DefaultLayers(home, u.dir, os.Getenv)
	u.file = u.layers.User
	u.cache = u.layers.Name(snapshot.CacheDir(home, u.dir, os.Getenv), u.dir)
	if text != "" {
		u.write(text)
	}
	return u
}

func (u user) write(text string) {
	u.t.Helper()
	if err := os.MkdirAll(filepath.Dir(u.file), 0o700); err != nil {
		u.t.Fatal(err)
	}
	if err := os.WriteFile(u.file, []byte("version: 1\n"+text), 0o600); err != nil {
		u.t.Fatal(err)
	}
}

func (u user) open() (*enforce.Enforcer, error) {
	return enforce.Open(enforce.Options{Platform: "mine", Dir: u.dir, State: filepath.Join(filepath.Dir(u.dir), "state")})
}

func (u user) mustOpen() *enforce.Enforcer {
	u.t.Helper()
	e, err := u.open()
	if err != nil {
		u.t.Fatal(err)
	}
	return e
}

// keep puts a compiled policy, which only a test could have, where the real one is kept.
func (u user) keep(change func(*snapshot.Snapshot)) *policy.Policy {
	u.t.Helper()
	builtin, err := packs.Default()
	if err != nil {
		u.t.Fatal(err)
	}
	p, err := policy.Compile(policy.Source{Default: umpire.Deny})
	if err != nil {
		u.t.Fatal(err)
	}
	// In an hour: no source changed shortly before.
	s := &snapshot.Snapshot{Policy: p, Build: builtin.Hash(), Written: time.Now().Add(time.Hour), Sources: snapshot.StatAll(u.layers.Watched())}
	if change != nil {
		change(s)
	}
	if err := snapshot.Write(u.cache, s); err != nil {
		u.t.Fatal(err)
	}
	return p
}

// The policy comes from where it is compiled, as long as that is true of the files.
func TestOpenKept(t *testing.T) {
	const text = "rules:\n  - deny: exec(make deploy)\n"
	for _, tt := range []struct {
		name string
		set  func(u user)
		kept bool
	}{
		{"fresh", func(u user) { u.keep(nil) }, true},
		{"nothing there", func(user) {}, false},
		{"of another build", func(u user) { u.keep(func(s *snapshot.Snapshot) { s.Build = "other" }) }, false},
		{"the last good one of files that had a fault", func(u user) { u.keep(func(s *snapshot.Snapshot) { s.Fault = "a fault" }) }, false},
		{"of other files", func(u user) { u.keep(func(s *snapshot.Snapshot) { s.Sources = nil }) }, false},
		{"older than the files", func(u user) { u.keep(nil); u.write(text + "  - ask: exec(make other)\n") }, false},
		{"older than a file that is new", func(u user) {
			u.keep(nil)
			if err := os.WriteFile(u.layers.Project, []byte("version: 1\n"), 0o600); err != nil {
				u.t.Fatal(err)
			}
		}, false},
		{"its end is damaged", func(u user) { u.keep(nil); u.damage(func(b []byte) { b[len(b)-1] ^= 1 }) }, false},
		{"its head is damaged", func(u user) { u.keep(nil); u.damage(func(b []byte) { b[20] ^= 1 }) }, false},
		{"others could have written it", func(u user) {
			u.keep(nil)
			if err := os.Chmod(u.cache, 0o666); err != nil {
				u.t.Fatal(err)
			}
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := newUser(t, text)
			tt.set(u)
			e := u.mustOpen()
			if kept := e.Policy().Default() == umpire.Deny; kept != tt.kept {
				t.Fatalf("what is kept is used: %v, want %v", kept, tt.kept)
			}
			d, _, err := e.Decide(shell(hooks.NewRun("ada", ""), "make deploy"))
			if err != nil || d.Effect != umpire.Deny {
				t.Errorf("decision %v, error %v; want a denial", d, err)
			}
			last, err := snapshot.Last(u.cache)
			if err != nil || last.Policy.Hash() != e.Policy().Hash() || last.Fault != "" {
				t.Errorf("the policy in force is not kept for the next time: %+v, %v", last, err)
			}
		})
	}
}

func (u user) damage(how func([]byte)) {
	u.t.Helper()
	b, err := os.ReadFile(u.cache)
	if err == nil {
		how(b)
		err = os.WriteFile(u.cache, b, 0o600)
	}
	if err != nil {
		u.t.Fatal(err)
	}
}

// A fault is told with its place, whatever was compiled before, and what is kept for the
// hook stays.
func TestOpenFaultsOfKept(t *testing.T) {
	u := newUser(t, "ruls: []\n")
	u.keep(func(s *snapshot.Snapshot) { s.Fault = "a fault" })
	before, err := os.ReadFile(u.cache)
	if err != nil {
		t.Fatal(err)
	}
	_, err = u.open()
	var faults policyfile.Errors
	if !errors.As(err, &faults) || len(faults) != 1 || faults[0].File != u.file || faults[0].Line != 2 {
		t.Errorf("error %v, want one fault in line 2 of %s", err, u.file)
	}
	if after, err := os.ReadFile(u.cache); err != nil || string(after) != string(before) {
		t.Errorf("the last good policy was written over: %v", err)
	}
}

// Nobody loses their rules to a cache that cannot be written.
func TestOpenWithoutCache(t *testing.T) {
	u := newUser(t, "rules:\n  - deny: exec(make deploy)\n")
	if err := os.WriteFile(filepath.Dir(filepath.Dir(u.cache)), nil, 0o600); err != nil { // a file where a folder belongs
		t.Fatal(err)
	}
	if d, _, err := u.mustOpen().Decide(shell(hooks.NewRun("ada", ""), "make deploy")); err != nil || d.Effect != umpire.Deny {
		t.Errorf("decision %v, error %v; want a denial", d, err)
	}
}

// What is allowed for a session comes to the rules of the policy, however that was opened.
func TestAllow(t *testing.T) {
	for name, text := range map[string]string{"no files": "", "a file": "rules:\n  - deny: exec(make secret)\n"} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t, text)
			u.mustOpen() // which keeps it
			e := u.mustOpen()
			before := e.Policy().Len()
			allow := func(id, pattern string) error {
				p, err := policy.ParsePattern(pattern)
				if err != nil {
					t.Fatal(err)
				}
				return e.Allow(policy.Rule{ID: id, Effect: umpire.Allow, Match: []policy.Pattern{p}, Layer: policy.User})
			}
			if err := errors.Join(allow("one", "exec(git push)"), allow("two", "exec(make deploy)")); err != nil {
				t.Fatal(err)
			}
			if got := e.Policy().Len(); got != before+2 {
				t.Errorf("%d rules, and %d before", got, before)
			}
			want := map[string]umpire.Effect{"make deploy": umpire.Allow, "rm -rf ~": umpire.Deny}
			if text != "" {
				want["make secret"] = umpire.Deny
			}
			for command, want := range want {
				d, _, err := e.Decide(shell(hooks.NewRun("ada", ""), command))
				if err != nil || d.Effect != want || d.Effect == umpire.Allow && !d.Explicit {
					t.Errorf("%s: decision %v, error %v; want %v, by a rule if it is allowed", command, d, err, want)
				}
			}
		})
	}
}

// A file that broke meanwhile changes nothing of what is in force.
func TestAllowFault(t *testing.T) {
	u := newUser(t, "rules:\n  - deny: exec(make secret)\n")
	e := u.mustOpen()
	hash := e.Policy().Hash()
	u.write("ruls: []\n")
	if err := e.Allow(); err == nil || !strings.Contains(err.Error(), u.file) {
		t.Errorf("error %v, want one that names %s", err, u.file)
	}
	if e.Policy().Hash() != hash {
		t.Error("another policy is in force")
	}
}
