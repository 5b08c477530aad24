package mcpclient

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent/tool"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

func TestServerInTheBox(t *testing.T) {
	w := newWorld(t)
	s := stdio("one")
	s.Sandbox = true
	w.connect(s)
	if len(w.warnings) != 1 || !strings.Contains(w.warnings[0], "requires the sandbox") {
		t.Errorf("without a box: %v, %q", w.tools, w.warnings)
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	proj := filepath.Join(top, "home", "proj")
	must(t, os.MkdirAll(proj, 0o755))
	must(t, os.WriteFile(filepath.Join(top, "home", "secret"), []byte("hunter2"), 0o600))
	must(t, os.WriteFile(filepath.Join(proj, "f"), []byte("text"), 0o600))
	o := tool.Options{State: filepath.Join(top, "state"), Home: filepath.Join(top, "home")}
	w.o.Dir = proj
	w.o.Box = func(program, dir string) (sandbox.Config, func() error, error) { return o.Box(program, dir, proj) }
	w.connect(s)
	same(t, "warnings", w.warnings, []string(nil))
	same(t, "a file of the project", w.call(oddName, "read "+filepath.Join(proj, "f")).Output, "text")
	if r := w.call(oddName, "read "+filepath.Join(top, "home", "secret")); r.Success || strings.Contains(r.Output, "hunter2") {
		t.Errorf("it reads outside: %+v", r)
	}
	env := w.call(oddName, "env").Output
	if !strings.Contains(env, "GIVEN=yes") || strings.Contains(env, "GITHUB_TOKEN") {
		t.Errorf("the environment is %s", env)
	}
	if r := w.call(oddName, "die"); !strings.Contains(r.Error, "out of memory") {
		t.Errorf("%+v", r)
	}
	same(t, "started again", w.call("mcp__s__echo", "hi").Output, "you said hi")
	w.clients.Close()
	entries, err := os.ReadDir(filepath.Join(o.State, "boxes"))
	must(t, err)
	same(t, "boxes left behind", len(entries), 0)
}
