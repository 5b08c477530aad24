//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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

// What is refused is told in a box without a way out as well.
func TestTellsWithoutAProxy(t *testing.T) {
	c := box(t, `unshare -Ur true; exec 3<>/dev/tcp/192.0.2.1/80`)
	c.Args[0] = "/bin/bash"
	c.Direct, c.Stdout, c.Stderr = true, io.Discard, io.Discard
	var told strings.Builder
	c.Tell = func(e Event) { fmt.Fprintln(&told, e) }
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if status, err := Run(ctx, c); err != nil || status == 0 {
		t.Errorf("it ended with %d, %v", status, err)
	}
	if want := "unshare (by unshare)\nconnection 192.0.2.1:80 (by bash): there is no network\n"; told.String() != want {
		t.Errorf("the box tells %q", told.String())
	}
}
