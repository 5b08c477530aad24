package snapshot_test

import (
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/snapshot"
)

func TestDefaultLayers(t *testing.T) {
	env := map[string]string{"XDG_CONFIG_HOME": "/conf"}
	p := snapshot.DefaultLayers("/home/dev", "/work", func(k string) string { return env[k] })
	if p.User != filepath.FromSlash("/conf/umpire/policy.yaml") || p.Project != filepath.FromSlash("/work/.umpire.yaml") {
		t.Errorf("got %+v", p)
	}
	env["XDG_CONFIG_HOME"] = "relative"
	if p := snapshot.DefaultLayers("/home/dev", "/work", func(k string) string { return env[k] }); p.User != filepath.FromSlash("/home/dev/.config/umpire/policy.yaml") {
		t.Errorf("got %+v", p)
	}
}

// The adversary is a project that sets XDG_CONFIG_HOME by its agent's settings and
// brings a policy of its own along as the user's.
func TestUserFileIsNotInTheProject(t *testing.T) {
	for _, tt := range []struct{ home, workspace, config, want string }{
		{"/home/dev", "/home/dev/proj", "/home/dev/proj/x", "/home/dev/.config/umpire/policy.yaml"},
		{"/home/dev", "/home/dev/proj", "/home/dev/proj", "/home/dev/.config/umpire/policy.yaml"},
		{"/home/dev", "/home/dev/proj", "/home/dev/cfg", "/home/dev/cfg/umpire/policy.yaml"},
		{"/home/dev", "/home/dev/proj", "/home/dev/proj2", "/home/dev/proj2/umpire/policy.yaml"},
		{"/root", "/", "/cfg", "/cfg/umpire/policy.yaml"},
	} {
		l := snapshot.DefaultLayers(tt.home, tt.workspace, func(k string) string {
			if k == "XDG_CONFIG_HOME" {
				return tt.config
			}
			return ""
		})
		if filepath.ToSlash(l.User) != tt.want {
			t.Errorf("%+v: %s", tt, l.User)
		}
		// And a compiled one in the place of the cache.
		cache := snapshot.CacheDir(tt.home, tt.workspace, func(k string) string {
			if k == "XDG_CACHE_HOME" {
				return tt.config
			}
			return ""
		})
		want := strings.Replace(strings.TrimSuffix(tt.want, "/policy.yaml"), "/.config/", "/.cache/", 1)
		if filepath.ToSlash(cache) != want {
			t.Errorf("%+v: the cache is %s", tt, cache)
		}
	}
}

// The adversary is a project that sets XDG_CONFIG_HOME to a folder of temporary files,
// into which its agent then writes a policy.
func TestUserFileIsNotTemporary(t *testing.T) {
	for _, dir := range []string{"/tmp/x", "/tmp", "/var/tmp/x", "/dev/shm/x"} {
		env := func(string) string { return dir }
		if l := snapshot.DefaultLayers("/home/u", "/home/u/w", env); l.User != "/home/u/.config/umpire/policy.yaml" || l.Trust != "/home/u/.config/umpire/trust" {
			t.Errorf("%s: %s, %s", dir, l.User, l.Trust)
		}
		if l := snapshot.DefaultLayers(dir+"/home", dir+"/w", env); l.User != dir+"/umpire/policy.yaml" {
			t.Errorf("%s: a home there has its file in %s", dir, l.User)
		}
	}
}

// The adversary is a project that sets HOME by its agent's settings, and brings a home
// along with a policy in it.
func TestHomeInTheProject(t *testing.T) {
	u, err := user.Current()
	if err != nil || u.HomeDir == "" || u.HomeDir == "/" {
		return // there is no home to fall back on
	}
	none := func(string) string { return "" }
	for _, home := range []string{"/work/proj", "/work/proj/.home"} {
		if l := snapshot.DefaultLayers(home, "/work/proj", none); l.User != filepath.Join(u.HomeDir, ".config", "umpire", "policy.yaml") {
			t.Errorf("HOME=%s: %s", home, l.User)
		}
		if c := snapshot.CacheDir(home, "/work/proj", none); c != filepath.Join(u.HomeDir, ".cache", "umpire") {
			t.Errorf("HOME=%s: %s", home, c)
		}
	}
	// Who works in the home folder itself keeps it.
	if l := snapshot.DefaultLayers(u.HomeDir, u.HomeDir, none); l.User != filepath.Join(u.HomeDir, ".config", "umpire", "policy.yaml") {
		t.Errorf("in the home folder: %s", l.User)
	}
}
