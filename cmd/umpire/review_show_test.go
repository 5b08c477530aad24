package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/kept"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/internal/terminal"
)

// A person looks at a finding's text, and lets one agent have it.
func TestReviewShow(t *testing.T) {
	dir := reviewed(t, map[string]string{"a.py": highFile})
	out, _ := run(t, dir, "", "review", "--engine=none", "--format=json", ".")
	r := decode(t, strings.TrimSuffix(out, "exit status 1"), "")
	id := r.Findings[0].ID
	byItself := func() (string, error) { // as an agent runs it
		var b bytes.Buffer
		c := newReviewShow(func() (person, error) { return nil, terminal.ErrNone })
		c.SetArgs([]string{id})
		c.SetOut(&b)
		c.SetErr(&b)
		err := c.Execute()
		return b.String(), err
	}
	if out, err := byItself(); !errors.Is(err, terminal.ErrNone) || strings.Contains(out, "a.py") {
		t.Errorf("an agent gets %q, %v", out, err)
	}
	state, err := audit.DefaultDir()
	if err != nil {
		t.Fatal(err)
	}
	store := kept.Open(filepath.Join(state, "reviews"))
	if _, _, err := store.Find("0123456789-1"); !errors.Is(err, kept.ErrNone) {
		t.Error(err)
	}
	for _, bad := range []string{"", "../x-1", "x", r.ID + "-99", r.ID} {
		if _, _, err := store.Find(bad); err == nil {
			t.Errorf("%q was found", bad)
		}
	}
	// What is kept is not to be read by a search through files.
	b, err := os.ReadFile(filepath.Join(state, "reviews", r.ID+".json"))
	if err != nil || strings.Contains(string(b), "reviews the code") {
		t.Errorf("%v %s", err, b)
	}
	p := &scripted{lines: []string{"y"}}
	show := newReviewShow(func() (person, error) { return p, nil })
	show.SetArgs([]string{id, "--release", "--session", "s1"})
	if err := show.Execute(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.String(), "reviews the code") {
		t.Errorf("the person saw %q", p.String())
	}
	if marks, err := taint.Open(filepath.Join(state, "taint")).List(); err != nil || len(marks) != 1 || marks[0].Session != "s1" {
		t.Errorf("%v %+v", err, marks)
	}
	if out, err := byItself(); err != nil || !strings.Contains(out, "UNTRUSTED-TOOL-OUTPUT") || !strings.Contains(out, "a.py:1") {
		t.Errorf("%v\n%s", err, out)
	}
	if f, released, err := store.Find(id); err != nil || !released || f.Source != finding.Static {
		t.Errorf("%v %v", released, err)
	}
}
