//go:build !windows

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts run umpire as people do, over settings as people have them. umpire-hook is
// a stand-in: it is never called.
func TestInit(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/init",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			bin := filepath.Join(home, ".local", "bin")
			for _, dir := range []string{bin, filepath.Join(home, "project", ".git")} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return err
				}
			}
			e.Cd = filepath.Join(home, "project")
			e.Setenv("HOME", home)
			e.Setenv("HOOK", filepath.Join(bin, "umpire-hook"))
			// Nothing of the machine's own is found, neither agents nor their settings.
			e.Setenv("PATH", strings.Split(e.Getenv("PATH"), string(os.PathListSeparator))[0]+string(os.PathListSeparator)+bin)
			for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
				e.Setenv(name, "")
			}
			return os.WriteFile(filepath.Join(bin, "umpire-hook"), []byte("#!/bin/sh\n"), 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			// links PATH TARGET
			"links": func(ts *testscript.TestScript, _ bool, args []string) {
				if to, err := os.Readlink(ts.MkAbs(args[0])); err != nil || to != args[1] {
					ts.Fatalf("%s goes to %q: %v", args[0], to, err)
				}
			},
			// settle FILE fills in $HOOK and $HOME.
			"settle": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(os.Expand(ts.ReadFile(args[0]), ts.Getenv)), 0o644))
			},
		},
	})
}
