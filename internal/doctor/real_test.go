//go:build unix

package doctor

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/live"
)

// The real clients, if they are installed in the cache and somebody wants to wait for
// them: UMPIRE_REAL_CLIENTS=1.
func TestRealClients(t *testing.T) {
	if os.Getenv("UMPIRE_REAL_CLIENTS") != "1" {
		return
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	var path []string
	for _, pattern := range []string{"*/node_modules/.bin", "droid-*/node_modules/@factory/*/bin"} {
		dirs, err := filepath.Glob(filepath.Join(cache, "umpire-realclients", pattern))
		if err != nil {
			t.Fatal(err)
		}
		path = append(path, dirs...)
	}
	m := newMachine(t)
	m.env = []string{"HOME=" + os.Getenv("HOME"), "PATH=" + strings.Join(append(path, os.Getenv("PATH")), ":")}
	args := []string{"doctor", "--live", "--json"}
	for _, c := range live.Clients() {
		args = append(args, c.Name)
	}
	out, exit := m.run(args...)
	var doc struct{ Clients []live.Report }
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, r := range doc.Clients {
		t.Logf("%s %s: %s %s (%.1f s)", r.Client, r.Version, r.Result, r.Detail, r.Seconds)
		if r.Result != live.Passed || !strings.Contains(r.Told, "umpire") {
			t.Errorf("%s: %+v", r.Client, r)
		}
	}
	if exit != 0 || len(doc.Clients) != len(live.Clients()) {
		t.Errorf("exit status %d: %s", exit, out)
	}
}
