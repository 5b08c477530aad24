//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDirect(t *testing.T) {
	c := box(t, `cat; echo out; echo err >&2; echo new >made; echo x >held/file; mv held aside; echo x >../beside; (: >/dev/tty) && echo terminal; echo env-$SECRET`)
	c.Direct, c.Held = true, []string{filepath.Join(c.Dir, "held"), filepath.Join(c.Dir, "not there")}
	if err := os.Mkdir(c.Held[0], 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SECRET", "hunter2")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := Run(ctx, c); err != nil {
		t.Fatal(err)
	}
	if out.String() != "out\nenv-\n" || !strings.HasPrefix(errs.String(), "err\n") {
		t.Errorf("stdout %q, stderr %q", out.String(), errs.String())
	}
	if data, err := os.ReadFile(filepath.Join(c.Dir, "made")); err != nil || string(data) != "new\n" {
		t.Errorf("the project has %q, %v", data, err)
	}
	for _, p := range []string{"held/file", "aside", "../beside"} {
		if _, err := os.Lstat(filepath.Join(c.Dir, p)); err == nil {
			t.Errorf("%s was written", p)
		}
	}
}

// What a program leaves behind in a session of its own ends with it.
func TestCapturedEndsWithContext(t *testing.T) {
	c := box(t, `setsid sh -c 'echo ready; sleep 600; :' & wait`)
	c.Direct = true
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c.Stdout = writer(func([]byte) { cancel() })
	if _, err := Run(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}

type writer func([]byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}
