package reader_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/reader"
)

// machine is a machine with a few files and variables.
type machine struct {
	home       string
	files, env map[string]string
}

func (m machine) Home() string              { return m.home }
func (machine) Workspace(dir string) string { return dir }

func (m machine) Getenv(name string) (string, bool) {
	value, ok := m.env[name]
	return value, ok
}

func (m machine) ReadFile(path string) ([]byte, error) {
	text, ok := m.files[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

// homeless is a machine with a relative HOME.
type homeless struct{ machine }

func (homeless) Getenv(name string) (string, bool) {
	return map[string]string{"HOME": "relative"}[name], name == "HOME"
}

func bash(command string) *umpire.Action {
	input, _ := json.Marshal(map[string]string{"command": command})
	return &umpire.Action{Tool: "Bash", Input: input, Dir: "/home/dev/shop"}
}

// A reader that needs no files can be had without a machine of its own.
func ExampleRead() {
	ops, err := reader.Read(context.Background(), bash("cd .. && rm -rf $PWD/notes | tee log"), machine{home: "/home/dev"})
	if err != nil {
		panic(err)
	}
	for _, op := range ops {
		fmt.Println(op)
	}
	// Output:
	// exec(rm -rf /home/dev/notes)
	// delete(/home/dev/notes)
	// exec(tee log)
	// write(/home/dev/log)
}

// Rules about ~ and the workspace would keep silent about a call that has neither.
func TestIncomplete(t *testing.T) {
	for name, a := range map[string]*umpire.Action{
		"no action":       nil,
		"no tool":         {Dir: "/w", Home: "/home/dev"},
		"no folder":       {Tool: "Bash", Home: "/home/dev"},
		"relative folder": {Tool: "Bash", Dir: "w", Home: "/home/dev"},
		"no home":         {Tool: "Bash", Dir: "/w"},
		"relative home":   {Tool: "Bash", Dir: "/w", Home: "dev"},
		"broken input":    {Tool: "Bash", Dir: "/w", Home: "/home/dev", Input: json.RawMessage(`{"command": "rm -rf`)},
	} {
		if ops, err := reader.Read(t.Context(), a, machine{}); !errors.Is(err, reader.ErrIncomplete) || len(ops) > 0 {
			t.Errorf("%s: operations %v, error %v; want none, and ErrIncomplete", name, ops, err)
		}
	}
	if _, err := reader.Read(t.Context(), bash("ls"), homeless{}); err == nil || !strings.Contains(err.Error(), `Home "relative"`) {
		t.Errorf("a relative HOME: %v, want its value", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reader.Read(done, bash("ls"), machine{home: "/home/dev"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: error %v, want %v", err, context.Canceled)
	}
}

func TestReadUsesTheMachine(t *testing.T) {
	a := bash("./clean.sh; rm -rf $TMPDIR/cache")
	m := machine{"/home/dev", map[string]string{"/home/dev/shop/clean.sh": "rm -rf ~/notes\n"}, map[string]string{"TMPDIR": "/scratch"}}
	ops, err := reader.Read(t.Context(), a, m)
	if got := fmt.Sprint(ops); err != nil || !strings.Contains(got, "delete(/home/dev/notes)") || !strings.Contains(got, "delete(/scratch/cache)") {
		t.Errorf("operations %s, error %v; want delete(/home/dev/notes) and delete(/scratch/cache)", got, err)
	}
	if a.Home != "/home/dev" || a.Workspace != "/home/dev/shop" || a.Temp != "/scratch" {
		t.Errorf("completed to home %s, workspace %s, temp %s; want /home/dev, /home/dev/shop, /scratch", a.Home, a.Workspace, a.Temp)
	}
	a = bash("ls")
	a.Home, a.Workspace, a.Temp = "/h", "/w", "/t"
	if _, err := reader.Read(t.Context(), a, m); err != nil || a.Home != "/h" || a.Workspace != "/w" || a.Temp != "/t" {
		t.Errorf("what the caller set became home %s, workspace %s, temp %s, error %v; want it unchanged", a.Home, a.Workspace, a.Temp, err)
	}
}

func TestLocal(t *testing.T) {
	m := reader.Local()
	dir := t.TempDir()
	t.Setenv("HOME", filepath.Dir(dir))
	t.Setenv("USERPROFILE", filepath.Dir(dir))
	if err := os.WriteFile(filepath.Join(dir, "x.sh"), []byte("ls\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := m.ReadFile(filepath.Join(dir, "x.sh")); err != nil || string(b) != "ls\n" {
		t.Errorf("ReadFile = %q, error %v; want the text of x.sh", b, err)
	}
	if _, err := m.ReadFile(dir); err == nil {
		t.Error("a folder was read as a file")
	}
	if m.Home() != filepath.Dir(dir) || m.Workspace(dir) != dir {
		t.Errorf("home %s, workspace %s; want %s and %s", m.Home(), m.Workspace(dir), filepath.Dir(dir), dir)
	}
}

// A hostile project hides commands in files that a tool finds by listing a folder.
func TestLocalListsFolders(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "shop")
	if err := os.MkdirAll(filepath.Join(dir, "lib"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "lib", "BUILD"), []byte(`genrule(name = "a", cmd = "rm -rf $$HOME/notes")`), 0o600); err != nil {
		t.Fatal(err)
	}
	a := bash("bazel build //lib:a")
	a.Dir, a.Workspace, a.Home = dir, dir, home
	ops, err := reader.Read(context.Background(), a, reader.Local())
	if got := fmt.Sprint(ops); err != nil || !strings.Contains(got, "rm -rf") {
		t.Errorf("%s, %v: the command of lib/BUILD is missing", got, err)
	}
}
