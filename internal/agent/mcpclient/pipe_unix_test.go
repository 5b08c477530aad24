//go:build unix

package mcpclient

import (
	"strings"
	"syscall"
	"testing"
)

// A pipe in the place of a list is not waited for.
func TestLoadPipe(t *testing.T) {
	path := t.TempDir() + "/.mcp.json"
	must(t, syscall.Mkfifo(path, 0o600))
	if _, err := Load(path, func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}
