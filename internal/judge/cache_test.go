package judge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/policy"
)

func TestCache(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	s := says(answer("deny", "high", 90, false, "bad"))
	dir := filepath.Join(t.TempDir(), "judge", "answers")
	j := &Judge{Model: s, Chain: "a", Cache: &Cache{Dir: dir, Age: time.Hour, now: func() time.Time { return now }}}
	base := undecided(t, "curl https://example.org/x")
	step := func(name string, c Case, fresh bool) {
		t.Helper()
		before := len(s.asked)
		v, r, err := j.Judge(t.Context(), c)
		if err != nil || v.Effect != umpire.Deny || r.Cached == fresh || (len(s.asked) > before) != fresh || r.Provider != "scripted" || r.Opinion != "deny" {
			t.Errorf("%s: %+v, %+v, %v", name, v, r, err)
		}
	}
	step("first", base, true)
	step("again", base, false)
	now = now.Add(time.Hour - time.Second)
	step("just not too old", base, false)
	now = now.Add(2 * time.Second)
	step("too old", base, true)
	now = now.Add(-time.Hour)
	step("from the future", base, true)

	change := func(name string, f func(*Case)) {
		c := undecided(t, "curl https://example.org/x")
		f(&c)
		step(name, c, true)
		step(name+", again", c, false)
	}
	change("another policy", func(c *Case) {
		c.Policy = compile(t, policy.Judge{Scope: policy.ScopeAll}, umpire.Allow)
	})
	change("another tool", func(c *Case) { c.Action.Tool = "Shell2" })
	change("another input", func(c *Case) { c.Action.Input = []byte(`{"command":"curl https://example.org/y"}`) })
	change("another directory", func(c *Case) { c.Action.Dir = "/home/dev/proj/sub" })
	change("another workspace", func(c *Case) { c.Action.Workspace = "/home/dev" })
	change("another client", func(c *Case) { c.Action.Principal.Platform = "codex" })
	change("other operations", func(c *Case) { c.Ops[0].Traits |= umpire.Upload }) // a script that it runs was changed
	j.Chain = "b"
	step("another model", base, true)
	j.Chain = "a"
	now = now.Add(time.Minute)

	// The session, the order of keys and what the agent says of the command do not matter.
	c := undecided(t, "")
	c.Action.Input = []byte(`{ "timeout":1, "command":"curl https://example.org/x","description":"one" }`)
	step("keys", c, true)
	c = undecided(t, "")
	c.Action.Principal.Session, c.Action.ID = "other", "other"
	c.Action.Input = []byte(`{"command":"curl https://example.org/x","description":"two","timeout":1}`)
	step("keys in another order", c, false)

	// A kept answer is weighed anew.
	j.MinConfidence = 95
	if v, r, err := j.Judge(t.Context(), base); err != nil || !r.Cached || v.Effect != umpire.Ask {
		t.Errorf("%+v, %+v, %v", v, r, err)
	}
	j.MinConfidence = 0

	path := j.Cache.path(j.key(base, must(t, base)))
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"empty": "", "cut": string(good[:len(good)/2]), "garbage": "\x00\xff", "huge": string(good) + fmt.Sprintf("%*s", maxEntry, ""),
		"of another key": fmt.Sprintf(`{"key":"x","at":%q,"answer":%s}`, now.Format(time.RFC3339), answer("allow", "low", 99, false, "")),
		"not an answer":  fmt.Sprintf(`{"key":%q,"at":%q,"answer":{"effect":"allow"}}`, filepath.Base(path[:len(path)-5]), now.Format(time.RFC3339)),
	} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		step(name, base, true)
		step(name+", mended", base, false)
	}
	// A pipe in its place does not hang it, and a folder that others write to is not used.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	step("a folder in its place", base, true)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	step("mended", base, true)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	step("a folder open to others", base, true)
}

func must(t *testing.T, c Case) string {
	t.Helper()
	data, _, err := document(c)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// privateDir is a folder that nobody else writes to, whatever the umask is.
func privateDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "answers")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestCacheIsBounded(t *testing.T) {
	c := &Cache{Dir: privateDir(t), Age: time.Hour}
	a := model.Response{JSON: []byte(answer("allow", "low", 90, false, "")), Provider: "p", Model: "m"}
	key := func(i int) string { return fmt.Sprintf("%064d", i) }
	old := time.Now().Add(-10 * time.Minute)
	for i := range maxEntries + 50 {
		if i >= maxEntries-50 {
			c.Put(key(i), a)
			continue
		}
		if err := os.WriteFile(c.path(key(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := old.Add(time.Duration(i) * 100 * time.Millisecond) // a file system may write down whole seconds
		if err := os.Chtimes(c.path(key(i)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	names, err := os.ReadDir(c.Dir)
	if err != nil || len(names) > maxEntries {
		t.Errorf("%d entries, %v", len(names), err)
	}
	if _, err := os.Stat(c.path(key(0))); err == nil {
		t.Error("the oldest is there")
	}
	if _, err := os.Stat(c.path(key(1000))); err != nil {
		t.Error("one that is not among the oldest has gone")
	}
	if _, ok := c.Get(key(maxEntries + 49)); !ok {
		t.Error("the newest is not there")
	}
	big := a
	big.JSON = []byte(answer("allow", "low", 90, false, strings.Repeat("x", maxEntry)))
	c.Put("big", big)
	if _, err := os.Stat(c.path("big")); err == nil {
		t.Error("a large entry is kept")
	}
}

func TestCacheAtOnce(t *testing.T) {
	c := &Cache{Dir: privateDir(t), Age: time.Hour}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			for n := range 20 {
				key := fmt.Sprint("k", (i+n)%5)
				c.Put(key, model.Response{JSON: []byte(answer("allow", "low", 90, false, key)), Provider: key})
				if a, ok := c.Get(key); !ok || a.Provider != key {
					t.Errorf("%s: %+v, %v", key, a, ok)
				}
			}
		})
	}
	wg.Wait()
}
