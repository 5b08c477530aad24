package box

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a run left that was killed is removed by the next one, and nothing else.
func TestNewSockets(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, tt := range []struct {
		name  string
		old   bool
		ports []string
		alive bool
		file  string
		stays bool
	}{
		{"killed", true, []string{"3700", "3701"}, false, "", false},
		{"killed at once", true, nil, false, "", false},
		{"running", true, []string{"3700", "3701"}, true, "", true},
		{"just made", false, []string{"3700"}, false, "", true},
		{"something else", true, nil, false, "notes", true},
		{"a file in a socket's place", true, nil, false, "3700", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, err := newSockets()
			if err != nil {
				t.Fatal(err)
			}
			for _, port := range tt.ports {
				l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, port)})
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
				if !tt.alive {
					l.SetUnlinkOnClose(false)
					l.Close()
				}
			}
			if tt.file != "" {
				if err := os.WriteFile(filepath.Join(dir, tt.file), []byte("mine"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if tt.old {
				at := time.Now().Add(-time.Hour)
				if err := os.Chtimes(dir, at, at); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := newSockets(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(dir); (err == nil) != tt.stays {
				t.Errorf("it stays: %v", err == nil)
			}
			for _, port := range tt.ports {
				if _, err := os.Lstat(filepath.Join(dir, port)); (err == nil) != tt.stays {
					t.Errorf("%s stays: %v", port, err == nil)
				}
			}
			if tt.file != "" {
				if b, _ := os.ReadFile(filepath.Join(dir, tt.file)); string(b) != "mine" {
					t.Error("a file that is not umpire's is gone")
				}
			}
		})
	}
}
