package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReleaseVersion(t *testing.T) {
	defer func(v, c, d string) { releaseVersion, releaseCommit, releaseDate = v, c, d }(releaseVersion, releaseCommit, releaseDate)
	releaseVersion, releaseCommit, releaseDate = "v1.2.3", "0123456789abcdef0123456789abcdef01234567", "2026-01-02T03:04:05Z"
	out, exit := run(t, t.TempDir(), "", "version")
	if exit != 0 || !strings.HasPrefix(out, "umpire version v1.2.3\ncommit 0123456789abcdef0123456789abcdef01234567\ndate 2026-01-02T03:04:05Z\ngo") {
		t.Errorf("exit %d: %s", exit, out)
	}
	if version() != "v1.2.3 0123456789ab" {
		t.Errorf("records carry %q", version())
	}
	out, exit = run(t, t.TempDir(), "", "version", "--json")
	var b buildState
	if err := json.Unmarshal([]byte(out), &b); err != nil || exit != 0 || b != builtFrom() || b.Platform == "" {
		t.Errorf("exit %d, %v: %s", exit, err, out)
	}
}
