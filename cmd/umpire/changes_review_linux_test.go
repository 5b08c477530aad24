package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// ranIn puts a run that has ended into umpire's state, with these files in its overlay.
func ranIn(t *testing.T, dir string, low, up map[string]string) {
	t.Helper()
	state, err := audit.DefaultDir()
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(state, "runs", "a-run")
	write := func(root string, files map[string]string) {
		for name, text := range files {
			to := filepath.Join(root, name)
			err := os.MkdirAll(filepath.Dir(to), 0o700)
			switch {
			case err != nil:
			case text == "whiteout":
				err = unix.Mknod(to, unix.S_IFCHR, 0)
			default:
				err = os.WriteFile(to, []byte(text), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	write(dir, low)
	body, err := json.Marshal(box.Run{ID: "a-run", Started: time.Now().Add(time.Second), Command: "agent", Config: sandbox.Config{Dir: dir}})
	if err != nil {
		t.Fatal(err)
	}
	write(at, map[string]string{"run.json": string(body)})
	write(filepath.Join(at, "upper"), up)
}

// twoPlaces is a text before and after a change in two places.
func twoPlaces() (old, now string) {
	for i := range 40 {
		old += fmt.Sprintln("line", i)
		if i == 5 || i == 30 {
			now += fmt.Sprintln("new before", i)
		}
		now += fmt.Sprintln("line", i)
	}
	return old, now
}

func TestChangesByHunk(t *testing.T) {
	if !free(t) {
		return
	}
	bin := program(t)
	dir := newProject(t)
	old, now := twoPlaces()
	ranIn(t, dir, map[string]string{"a": old, "moved": "a text to move\n"}, map[string]string{"a": now, "b": "new\n", "moved": "whiteout", "sub/moved": "a text to move\n"})
	run := changesIn(t, bin, dir)
	if out := run(0); out != "M  a\nA  b\nA  sub/\nR  moved -> sub/moved\n" {
		t.Errorf("list: %s", out)
	}
	var doc struct {
		Changes []struct{ Path, Change, From string }
	}
	if err := json.Unmarshal([]byte(run(0, "list", "--json")), &doc); err != nil || len(doc.Changes) != 4 || doc.Changes[3].From != "moved" || doc.Changes[3].Change != "renamed" {
		t.Errorf("list --json: got %+v (%v), want 4 changes, the last renamed from \"moved\"", doc, err)
	}
	if out := run(1, "apply", "a", "--hunk", "1"); !strings.Contains(out, "hunks were not shown yet") {
		t.Errorf("hunks by numbers that nobody saw: %s", out)
	}
	if out := run(0, "show", "a"); !strings.Contains(out, " hunk 1\n") || !strings.Contains(out, " hunk 2\n") || !strings.Contains(out, "+new before 5\n") {
		t.Errorf("show: %s", out)
	}
	if out := run(0, "show", "a", "--hunk", "2"); strings.Contains(out, "new before 5") || !strings.Contains(out, "+new before 30\n") {
		t.Errorf("show --hunk: %s", out)
	}
	if out := run(0, "show", "a", "--json"); strings.Count(out, `@@ -`) < 2 || !strings.Contains(out, `"hunks":[`) {
		t.Errorf("show --json: %s", out)
	}
	run(64, "apply", "a", "--hunk", "3")
	run(64, "apply", "--hunk", "1")
	run(64, "apply", "--overwrite")
	if out := run(0, "apply", "a", "--hunk", "2"); out != "1 change applied\n" {
		t.Errorf("apply --hunk: %s", out)
	}
	has := func(name string) string {
		data, _ := os.ReadFile(filepath.Join(dir, name))
		return string(data)
	}
	if a := has("a"); strings.Contains(a, "new before 5") || !strings.Contains(a, "new before 30\n") {
		t.Errorf("a: got %q, want the block before line 30 only", a)
	}
	run(1, "apply", "a", "--hunk", "1") // it is another file since
	run(0, "show", "a")
	if out := run(0, "discard", "a", "--hunk", "1"); out != "discarded 1 hunk\n" {
		t.Errorf("discard --hunk: %s", out)
	}
	if out := run(0, "discard", "b"); out != "discarded 1 change\n" {
		t.Errorf("discard: %s", out)
	}
	if out := run(0, "apply", "moved"); out != "1 change applied\n" || has("sub/moved") != "a text to move\n" || has("moved") != "" {
		t.Errorf("rename: %s", out)
	}
	if out := run(0); out != "nothing changed\n" || has("b") != "" {
		t.Errorf("left: %s", out)
	}
}

// A conflict can be overwritten once the current version of the project's file was shown.
func TestChangesOverwriteConflict(t *testing.T) {
	if !free(t) {
		return
	}
	bin := program(t)
	dir := newProject(t)
	ranIn(t, dir, map[string]string{"a": "one\n"}, map[string]string{"a": "one\ntwo\n"})
	run := changesIn(t, bin, dir)
	edit := func(text string) {
		t.Helper()
		at, later := filepath.Join(dir, "a"), time.Now().Add(time.Minute)
		if err := errors.Join(os.WriteFile(at, []byte(text), 0o600), os.Chtimes(at, later, later)); err != nil {
			t.Fatal(err)
		}
	}
	run(0, "show", "a")
	edit("mine\n")
	if out := run(1, "apply", "a", "--overwrite"); !strings.Contains(out, "it changed after it was shown") {
		t.Errorf("a version of the project that no one saw: %s", out)
	}
	if out := run(0, "show", "a"); !strings.Contains(out, "conflict: a: ") {
		t.Errorf("show: %s", out)
	}
	if out := run(1, "apply", "a"); !strings.Contains(out, "it also changed in the project") {
		t.Errorf("a conflict without --overwrite: %s", out)
	}
	edit("mine again\n")
	if out := run(1, "apply", "a", "--overwrite"); !strings.Contains(out, "it changed after it was shown") {
		t.Errorf("another version than the conflict that was shown: %s", out)
	}
	run(0, "show", "a")
	if out := run(0, "apply", "a", "--overwrite"); out != "1 change applied\n" {
		t.Errorf("apply --overwrite: %s", out)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "a")); string(data) != "one\ntwo\n" {
		t.Errorf("a: got %q", data)
	}
}

// All of a change can be seen, and what is cut says so.
func TestChangesShowFull(t *testing.T) {
	if !free(t) {
		return
	}
	bin := program(t)
	dir := newProject(t)
	var b strings.Builder
	for i := range 120_000 {
		fmt.Fprintf(&b, "line %d of it\n", i)
	}
	lines := b.String()
	ranIn(t, dir, map[string]string{"large": "one\n" + lines}, map[string]string{"new": lines + "the last\n", "large": lines + "the last\n"})
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), bin, append([]string{"changes", "show"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%.300s", args, err, out)
		}
		return string(out)
	}
	if out := run("new"); len(out) > 70_000 || strings.Contains(out, "the last") || !strings.HasSuffix(out, "are not shown: to see all of it, run `umpire changes show --full`]\n") {
		t.Errorf("%d bytes: %s", len(out), out[max(0, len(out)-300):])
	}
	if out := run("new", "--full"); strings.Count(out, " of it\n") != 120_000 || !strings.HasSuffix(out, "+the last\n") {
		t.Errorf("--full: %s", out[max(0, len(out)-300):])
	}
	var doc struct{ Changes []struct{ Diff string } }
	if err := json.Unmarshal([]byte(run("new", "--json")), &doc); err != nil || len(doc.Changes) != 1 || strings.Count(doc.Changes[0].Diff, " of it\n") != 120_000 {
		t.Errorf("--json: %v", err)
	}
	if out := run("large"); !strings.Contains(out, "-one\n") || !strings.Contains(out, "+the last\n") {
		t.Errorf("large: %s", out)
	}
	if out := run("--stat"); !strings.Contains(out, "120001 +      0 -  new\n") {
		t.Errorf("--stat: %s", out)
	}
}

// A person goes through the changes at a terminal; agents cannot.
func TestChangesReview(t *testing.T) {
	if !free(t) {
		return
	}
	bin := program(t)
	dir := newProject(t)
	old, now := twoPlaces()
	near := strings.Replace(strings.Replace(old, "line 3\n", "three\n", 1), "line 7\n", "seven\n", 1)
	ranIn(t, dir, map[string]string{"a": old, "c": old, "d/x": "1", "d/y": "2", "g": old}, map[string]string{"a": now, "b\u202e": "new\n", "c": near, "d": "whiteout", "e": "no\n", "f": strings.Repeat("a line of it\n", 6_000) + "the last\n", "g": now})
	cmd := exec.Command(bin, "changes", "review")
	cmd.Dir = dir
	out := openConsole(t, cmd)
	for _, step := range []struct{ before, prompt, answer string }{
		{"+new before 5", "(1/2) Apply this hunk?", "n"},
		{"+new before 30", "(2/2) Apply this hunk?", "y"},
		{`b\u202e`, "Apply this?", "x"}, // what would turn the line around is spelled out
		{"+seven", "(1/1) Apply this hunk?", "what"},
		{"split the hunk", "(1/1) Apply this hunk?", "s"},
		{"+three", "(1/2) Apply this hunk?", "y"},
		{"+seven", "(2/2) Apply this hunk?", "d"},
		{"write e", "Apply this?", "n"},
		{"are not shown: press v to see all of it", "Apply this? [y,n,v,q,x,?]", "v"},
		{"+the last", "Apply this?", "n"},
		{"+new before 5", "(1/2) Apply this hunk?", "a"}, // the second hunk, too
		{"delete d/y", "Apply this?", "y"},
	} {
		if said := out.expect(step.prompt); !strings.Contains(said, step.before) {
			t.Errorf("no %q before %q: %s", step.before, step.prompt, said)
		}
		out.typed(step.answer + "\n")
	}
	out.expect("6 changes applied")
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	has := func(name string) string {
		data, _ := os.ReadFile(filepath.Join(dir, name))
		return string(data)
	}
	if has("a") != strings.Replace(old, "line 30\n", "new before 30\nline 30\n", 1) || has("c") != strings.Replace(old, "line 3\n", "three\n", 1) || has("e") != "" || has("g") != now {
		t.Errorf("a %s\nc %s\ne %s\ng %s, want the accepted hunks of each", has("a"), has("c"), has("e"), has("g"))
	}
	if _, err := os.Stat(filepath.Join(dir, "d")); err == nil {
		t.Error("d is still there")
	}
	plain := exec.Command(bin, "changes", "review") // no terminal
	plain.Dir = dir
	if out, err := plain.CombinedOutput(); err == nil {
		t.Errorf("without a terminal: %s", out)
	}
}
