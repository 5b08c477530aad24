package snapshot_test

import (
	"path/filepath"
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
