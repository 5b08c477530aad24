//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestChanges(t *testing.T) {
	c := box(t, `echo new > made; echo more >> kept; rm gone; rm -r dir; mkdir dir; echo x > dir/other; mkdir -p new/deep; ln -s kept link; chmod 700 tool; rm -r whole; touch tmp; rm tmp; mv a/b c`)
	for _, name := range []string{"kept", "gone", "dir/one", "dir/two/three", "tool", "untouched/file", "whole/file", "a/b"} {
		at := filepath.Join(c.Dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if none, err := Changes(&c); err != nil || len(none) != 0 {
		t.Errorf("before: %v, %v", none, err)
	}
	if status, out := in(t, c); status != 0 {
		t.Fatalf("%d %s", status, out)
	}
	list, err := Changes(&c)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range list {
		line := x.Path
		switch {
		case x.Deleted:
			line = "-" + line
		case x.Target != "":
			line += " -> " + x.Target
		default:
			line += fmt.Sprintf(" %v", x.Mode)
		}
		got = append(got, line)
	}
	want := "-a/b; c -rw-r--r--; -dir/one; dir/other -rw-r--r--; -dir/two; -gone; kept -rw-r--r--; link -> kept; made -rw-r--r--; new drwxr-xr-x; new/deep drwxr-xr-x; tool -rwx------; -whole"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}
