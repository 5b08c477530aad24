package taint

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
)

func TestTaint(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "taint"))
	who := umpire.Principal{Platform: "claude", Session: "s1"}
	if s.Has(who) {
		t.Error("tainted before anything happened")
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if err := s.Set(Mark{Platform: "claude", Session: "s1", Tool: "WebFetch", Why: strings.Repeat("x", 5000)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, tt := range []struct {
		name string
		who  umpire.Principal
		want bool
	}{
		{"itself", who, true},
		{"its sub-agent", umpire.Principal{Platform: "claude", Agent: "a", Session: "s2", Parent: "s1"}, true},
		{"another session", umpire.Principal{Platform: "claude", Session: "s2"}, false},
		{"the same session at another door", umpire.Principal{Platform: "gateway", Session: "s1"}, true},
		{"no session", umpire.Principal{Platform: "claude"}, false},
	} {
		if got := s.Has(tt.who); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	marks, err := s.List()
	if err != nil || len(marks) != 1 || marks[0].Tool != "WebFetch" || len(marks[0].Why) != 1000 {
		t.Errorf("%+v, %v", marks, err)
	}
	left, err := filepath.Glob(filepath.Join(s.dir, ".new-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if s.Set(Mark{Platform: "claude"}) == nil {
		t.Error("a session without a name is tainted")
	}
}

// A mark that cannot be read taints: garbage must not wash a session clean.
func TestGarbage(t *testing.T) {
	s := Open(t.TempDir())
	if err := os.WriteFile(s.path("s1"), []byte("\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !s.Has(umpire.Principal{Platform: "claude", Session: "s1"}) {
		t.Error("clean")
	}
	if marks, err := s.List(); err != nil || len(marks) != 0 {
		t.Errorf("%v %v", marks, err)
	}
}

func TestTidy(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Now()
	for i := range maxSessions {
		name := strconv.Itoa(i)
		if err := os.WriteFile(s.path(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := now.Add(time.Duration(i-maxSessions) * 24 * time.Hour)
		if err := os.Chtimes(s.path(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Set(Mark{Session: "new"}); err != nil {
		t.Fatal(err)
	}
	for session, want := range map[string]bool{"0": false, "1": true, "new": true} { // one makes room
		if got := s.Has(umpire.Principal{Session: session}); got != want {
			t.Errorf("session %s of %d: tainted %v, want %v", session, maxSessions, got, want)
		}
	}
}
