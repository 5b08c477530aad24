package version

import (
	"strings"
	"testing"
)

func TestReleaseVersion(t *testing.T) {
	defer func(v, c, d string) { releaseVersion, releaseCommit, releaseDate = v, c, d }(releaseVersion, releaseCommit, releaseDate)
	releaseVersion, releaseCommit, releaseDate = "v1.2.3", "0123456789abcdef0123456789abcdef01234567", "2026-01-02T03:04:05Z"
	if text := Read().Text(); !strings.HasPrefix(text, "umpire version v1.2.3\ncommit 0123456789abcdef0123456789abcdef01234567\ndate 2026-01-02T03:04:05Z\ngo") {
		t.Errorf("printed %q", text)
	}
	if String() != "v1.2.3 0123456789ab" {
		t.Errorf("records carry %q", String())
	}
}
