package platform

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/umpire-dev/umpire"
)

func TestWorkspace(t *testing.T) {
	home := t.TempDir()
	proj := filepath.Join(home, "src", "proj")
	deep := filepath.Join(proj, "a", "b")
	for _, d := range []string{deep, filepath.Join(proj, ".git"), filepath.Join(home, ".git"), filepath.Join(home, "loose")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ dir, project, want string }{
		{deep, "", proj},
		{proj, "", proj},
		{deep, filepath.Join(proj, "a"), filepath.Join(proj, "a")},
		{deep, "/elsewhere", proj},
		{deep, home, proj},
		{deep, "/", proj},
		{deep, filepath.Dir(home), proj},
		{deep, home + "/", proj},
		{filepath.Join(home, "loose"), "", filepath.Join(home, "loose")},
		{home, "", home},
		{"/", "", "/"},
		{"", "", ""},
	} {
		if got := Workspace(tt.dir, tt.project, home); got != tt.want {
			t.Errorf("Workspace(%q, %q) = %q, want %q", tt.dir, tt.project, got, tt.want)
		}
	}
}

// What the client says of a call is kept; the rest comes from the environment.
func TestComplete(t *testing.T) {
	home := t.TempDir()
	proj := filepath.Join(home, "proj")
	for _, tt := range []struct {
		given   umpire.Action
		project string
		want    umpire.Action
	}{
		{umpire.Action{Dir: proj}, "", umpire.Action{Dir: proj, Home: home, Temp: "/t", Workspace: proj}},
		{umpire.Action{Dir: proj + "/a"}, proj, umpire.Action{Dir: proj + "/a", Home: home, Temp: "/t", Workspace: proj}},
		{umpire.Action{Dir: proj + "/a", Workspace: proj + "/a"}, proj, umpire.Action{Dir: proj + "/a", Home: home, Temp: "/t", Workspace: proj + "/a"}},
		{umpire.Action{Dir: "/p/a", Home: "/h", Temp: "/u"}, "/p", umpire.Action{Dir: "/p/a", Home: "/h", Temp: "/u", Workspace: "/p"}},
	} {
		got := tt.given
		Complete(&got, tt.project, func(name string) string { return map[string]string{"HOME": home, "TMPDIR": "/t"}[name] })
		if got.Dir != tt.want.Dir || got.Home != tt.want.Home || got.Temp != tt.want.Temp || got.Workspace != tt.want.Workspace {
			t.Errorf("Complete(%+v, %q) = %+v, want %+v", tt.given, tt.project, got, tt.want)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small"), filepath.Join(dir, "large")
	if err := os.WriteFile(small, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, make([]byte, MaxFile+9), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, ok := ReadFile(small); !ok || string(b) != "x" {
		t.Errorf("small: %q, %v", b, ok)
	}
	if b, ok := ReadFile(large); !ok || len(b) != MaxFile+1 {
		t.Errorf("large: %d bytes, %v", len(b), ok)
	}
	bundle := filepath.Join(dir, "bundle.cjs")
	if err := os.WriteFile(bundle, make([]byte, maxBundle+9), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, ok := ReadFile(bundle); !ok || len(b) != maxBundle+1 {
		t.Errorf("bundle: %d bytes, %v", len(b), ok)
	}
	for _, p := range []string{dir, filepath.Join(dir, "none")} {
		if _, ok := ReadFile(p); ok {
			t.Errorf("ReadFile(%s) reads it, want nothing", p)
		}
	}
}

func TestReadDir(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"b", "a"} {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := ReadDir(dir); len(got) != 2 || got[0] != "a" {
		t.Errorf("names are %q", got)
	}
	if got := ReadDir(filepath.Join(dir, "a")); got != nil {
		t.Errorf("a file has names: %q", got)
	}
}
