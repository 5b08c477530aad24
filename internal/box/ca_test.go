package box

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/authority"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// With a CA, each program in a sandbox gets its certificate by every variable that the user did not
// set; without one, nothing changes; and a CA that cannot be read stops the run.
func TestTrustCA(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	dir, err := CADir()
	if err != nil || dir != filepath.Join(state, "umpire", "ca") {
		t.Fatalf("the CA is in %s, %v", dir, err)
	}
	own := authority.Variables()[0] + "=/mine.pem"
	run := func() *Run { return &Run{Config: sandbox.Config{Home: "/home/u", Env: []string{"A=b", own}}} }
	r := run()
	if err := TrustCA(r); err != nil || len(r.Config.Shown) > 0 || !slices.Equal(r.Config.Env, run().Config.Env) {
		t.Errorf("without a CA: %v, %+v", err, r.Config)
	}
	if _, err := authority.Create(dir, false); err != nil {
		t.Fatal(err)
	}
	if err := TrustCA(r); err != nil {
		t.Fatal(err)
	}
	const inside = "/home/u/.umpire-ca.pem"
	if c := r.Config; len(c.Shown) != 1 || c.Shown[0].To != inside || c.Shown[0].Writable || !slices.Contains(c.Env, own) || len(c.Env) != 1+len(authority.Variables()) {
		t.Errorf("with a CA: %+v", c)
	}
	for _, name := range authority.Variables()[1:] {
		if !slices.Contains(r.Config.Env, name+"="+inside) {
			t.Errorf("%s is not in %v", name, r.Config.Env)
		}
	}
	if text, err := os.ReadFile(r.Config.Shown[0].From); err != nil || !strings.Contains(string(text), "BEGIN CERTIFICATE") || strings.Contains(string(text), "PRIVATE") {
		t.Errorf("shown is %v, %.40q", err, text)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name()), []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r = run()
	if err := TrustCA(r); err == nil || len(r.Config.Shown) > 0 {
		t.Errorf("with a damaged CA: %v, %+v; want an error", err, r.Config)
	}
}
