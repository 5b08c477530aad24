package main

import (
	"encoding/json"
	"testing"

	"github.com/umpire-dev/umpire/internal/version"
)

func TestVersionCommand(t *testing.T) {
	out, exit := runUmpire(t, t.TempDir(), "", "version")
	if exit != 0 || out != version.Read().Text() {
		t.Errorf("exit %d: %s", exit, out)
	}
	out, exit = runUmpire(t, t.TempDir(), "", "version", "--json")
	var b version.Build
	if err := json.Unmarshal([]byte(out), &b); err != nil || exit != 0 || b != version.Read() || b.Platform == "" {
		t.Errorf("exit %d, %v: %s", exit, err, out)
	}
}
