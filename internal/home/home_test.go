//go:build unix

package home

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// system makes a home folder that the password file names.
func system(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	before := passwd
	t.Cleanup(func() { passwd, own = before, "" })
	passwd = filepath.Join(dir, "passwd")
	home := filepath.Join(dir, "home")
	text := fmt.Sprintf("nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\nme:x:%d:1:Me,,,:%s:/bin/sh\n", os.Getuid(), home)
	if err := os.WriteFile(passwd, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	return home
}

func getenv(env map[string]string) func(string) string {
	return func(name string) string { return env[name] }
}

func TestSystem(t *testing.T) {
	home := system(t)
	if got := System(); got != home {
		t.Errorf("%q, want %q", got, home)
	}
	for name, text := range map[string]string{
		"another user":  "me:x:%d9:1::/home/me:/bin/sh\n",
		"no home":       "me:x:%d:1::/:/bin/sh\n",
		"none existent": "me:x:%d:1::/nonexistent:/bin/sh\n",
		"relative":      "me:x:%d:1::home:/bin/sh\n",
		"short":         "me:x:%d\n",
	} {
		if err := os.WriteFile(passwd, fmt.Appendf(nil, text, os.Getuid()), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := System(); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	passwd = filepath.Join(home, "none")
	if got := System(); got != "" {
		t.Errorf("without the file: %q", got)
	}
}

func TestDir(t *testing.T) {
	own := system(t)
	for home, want := range map[string]string{"/home/me": "/home/me", "": own, "rel": own} {
		if got := Dir(getenv(map[string]string{"HOME": home})); got != want {
			t.Errorf("HOME=%q: %q, want %q", home, got, want)
		}
	}
}

// Without a usable HOME, all that reads it, also in children, finds the folder of the password file.
func TestEnsure(t *testing.T) {
	own := system(t)
	for home, want := range map[string]string{"/home/me": "/home/me", "": own, "rel": own} {
		t.Setenv("HOME", home)
		if Ensure(); os.Getenv("HOME") != want {
			t.Errorf("HOME=%q: %q, want %q", home, os.Getenv("HOME"), want)
		}
	}
}

// The adversary is a project that sets the environment of an agent's hooks.
func TestSettle(t *testing.T) {
	for _, tt := range []struct {
		name     string
		env      map[string]string // ~ is the home
		believed bool
	}{
		{"as it is", map[string]string{"HOME": "~"}, true},
		{"another spelling", map[string]string{"HOME": "~/"}, true},
		{"a link to it", map[string]string{"HOME": "~/../link"}, true},
		{"the defaults, spelled out", map[string]string{"HOME": "~", "XDG_CONFIG_HOME": "~/.config", "XDG_STATE_HOME": "~/.local/state/", "XDG_CACHE_HOME": "~/.cache"}, true},
		{"a relative folder", map[string]string{"HOME": "~", "XDG_CONFIG_HOME": "x"}, true},
		{"another home", map[string]string{"HOME": "/tmp/x"}, false},
		{"no home", map[string]string{}, false},
		{"another policy", map[string]string{"HOME": "~", "XDG_CONFIG_HOME": "~/other"}, false},
		{"another record", map[string]string{"HOME": "~", "XDG_STATE_HOME": "~/other"}, false},
		{"another cache", map[string]string{"HOME": "~", "XDG_CACHE_HOME": "~/other"}, false},
	} {
		home := system(t)
		if err := os.Symlink(home, filepath.Join(home, "..", "link")); err != nil {
			t.Fatal(err)
		}
		env := map[string]string{}
		for k, v := range tt.env {
			if v[0] == '~' {
				v = home + v[1:]
			}
			env[k] = v
		}
		CheckEnvironment(getenv(env))
		if Own() != "" {
			t.Errorf("%s: umpire was never set up there, and %q counts", tt.name, Own())
		}
		if err := os.MkdirAll(filepath.Join(home, Config), 0o700); err != nil {
			t.Fatal(err)
		}
		if CheckEnvironment(getenv(env)); Own() != "" {
			t.Errorf("%s: an empty folder, and %q counts", tt.name, Own())
		}
		if err := os.WriteFile(filepath.Join(home, Config, "policy.yaml"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		want := home
		if tt.believed {
			want = ""
		}
		if CheckEnvironment(getenv(env)); Own() != want {
			t.Errorf("%s: %q, want %q", tt.name, Own(), want)
		}
	}
}

func TestVouch(t *testing.T) {
	home := system(t)
	dir := t.TempDir()
	env := getenv(map[string]string{"HOME": dir, "XDG_STATE_HOME": filepath.Join(dir, "a", "b")})
	believed := func() bool { CheckEnvironment(env); return Own() == "" }

	if _, err := TrustDir(dir, time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(home, trustedDirs)); err == nil {
		t.Error("a trial left something in a home that is not umpire's")
	}
	if err := os.MkdirAll(filepath.Join(home, Config, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if believed() {
		t.Error("believed before anybody vouched for it")
	}
	undo, err := TrustDir(dir, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if !believed() {
		t.Error("what a trial vouched for is not believed")
	}
	undo()
	if believed() {
		t.Error("believed after it was undone")
	}
	if _, err := TrustDir(dir, time.Nanosecond); err != nil {
		t.Fatal(err)
	}
	if believed() {
		t.Error("believed for longer than that")
	}
	if _, err := os.Lstat(trustFile(home, dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the voucher that ended: got %v, want that it is gone: it would hold again if the clock were set back", err)
	}
	if _, err := TrustDir(dir, 0); err != nil {
		t.Fatal(err)
	}
	if believed() {
		t.Error("who vouches for a folder for good does not for all below it")
	}
	if _, err := TrustDir(filepath.Join(dir, "a", "b"), 0); err != nil {
		t.Fatal(err)
	}
	if !believed() {
		t.Error("both were vouched for")
	}
	// A voucher that was moved to another name is for no other folder.
	forged := filepath.Join(dir, "forged")
	if err := os.Rename(trustFile(home, dir), trustFile(home, forged)); err != nil {
		t.Fatal(err)
	}
	if trustsDir(home, forged) || trustsDir(home, dir) {
		t.Error("a voucher counts for another folder")
	}
}
