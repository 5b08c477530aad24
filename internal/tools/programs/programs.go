// Package programs builds this module's programs for the tests that start them.
package programs

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// What the process began with: a test may have a $HOME, below which Go has its caches, and a
// working folder of its own.
var (
	environ   = append(os.Environ(), "CGO_ENABLED=0") // as they are shipped
	folder, _ = os.Getwd()
)

// Build builds packages, folders below the module's root, into dir. The programs take the user's
// home from the password file passwd; with "" they believe $HOME. They have no symbols, which costs
// less to link.
func Build(t testing.TB, dir, passwd string, packages ...string) {
	t.Helper()
	root, flags := Sources(t), "-ldflags=-s -w -X=github.com/umpire-dev/umpire/internal/home.passwd="+passwd
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		args := []string{"build", flags, "-o", dir, "./" + p}
		if passwd == "" { // go run, unlike go build, keeps the program in Go's cache: the next package's tests need not link it
			args = []string{"run", flags, "-exec=cp", "./" + p, dir}
		}
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = root, environ
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", p, err, out)
		}
	}
}

// sources has the module's root, once this process has opened its folders.
var sources struct {
	sync.Mutex
	root string
}

// Sources returns the module's root. From then on, Go caches the results of this test process
// only until a source changes: it records which folders a test opens, and with a folder the time
// of each file in it. Nothing is recorded in TestMain before the tests run, hence testing.TB.
// A test that has other processes read sources needs Sources.
func Sources(t testing.TB) string {
	t.Helper()
	sources.Lock()
	defer sources.Unlock()
	if sources.root != "" {
		return sources.root
	}
	cmd := exec.CommandContext(t.Context(), "go", "env", "GOMOD")
	cmd.Dir, cmd.Env = folder, environ
	mod, err := cmd.Output()
	if err != nil {
		t.Fatalf("find the module: %v", err)
	}
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root || !d.IsDir() {
			return err
		}
		switch name := d.Name(); {
		case name[0] == '.', name == "bin", name == "dist", name == "node_modules", name == "testdata":
			return filepath.SkipDir
		}
		return nil
	}); err != nil {
		t.Fatalf("look at the sources: %v", err)
	}
	sources.root = root
	return root
}

var shared struct {
	sync.Mutex
	dir string
}

// Dir returns a folder with umpire and umpire-hook that believe $HOME. The first call builds
// them, and Run removes them.
func Dir(t testing.TB) string {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.dir == "" {
		dir, err := os.MkdirTemp("", "umpire-programs-")
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if shared.dir == "" { // the build failed
				os.RemoveAll(dir)
			}
		}()
		Build(t, dir, "", "cmd/umpire", "cmd/umpire-hook")
		shared.dir = dir
	}
	return shared.dir
}

// Run runs the tests for a TestMain, and then removes what Dir built.
func Run(m interface{ Run() int }) int {
	defer func() { os.RemoveAll(shared.dir) }()
	return m.Run()
}
