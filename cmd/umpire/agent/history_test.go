package agent

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestInputHistory(t *testing.T) {
	h := inputHistory{filepath.Join(t.TempDir(), "agent", "history")}
	if len(h.read()) > 0 {
		t.Error("something was typed")
	}
	for _, s := range []string{"one", "two\nlines", "three \x1b"} {
		if err := h.add(s); err != nil {
			t.Fatal(err)
		}
	}
	put := func(s string) {
		f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.WriteString(s)
		}
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	put("damaged\n")
	if got := h.read(); len(got) != 3 || got[1] != "two\nlines" {
		t.Errorf("history: got %q, want 3 inputs, the second of two lines", got)
	}
	// It does not grow without end.
	long := strings.Repeat("x", 30_000)
	for i := range 300 {
		if err := h.add(strconv.Itoa(i) + long); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(h.path)
	if err != nil || info.Size() > maxInputs || info.Mode().Perm() != 0o600 {
		t.Errorf("history file: got %v, %v, want at most %d bytes and mode 0600", info, err, maxInputs)
	}
	if got := h.read(); !strings.HasPrefix(got[len(got)-1], "299") {
		t.Error("the last one is lost")
	}
}
