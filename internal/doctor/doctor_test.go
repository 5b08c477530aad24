//go:build unix

package doctor

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/programs"
)

// machine is a home with a project, and the programs to examine it with.
type machine struct {
	t             *testing.T
	home, project string
	bin           string // the folder of both programs
	env           []string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	home := t.TempDir()
	m := &machine{t: t, home: home, project: filepath.Join(home, "project"), bin: programs.Dir(t)}
	m.env = []string{"HOME=" + home, "PATH=" + tools(t)}
	m.write("project/.git/HEAD", "ref: refs/heads/main\n")
	return m
}

// tools is a folder of what commands of the tests need, and of no agent.
func tools(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"rm", "touch"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func (m *machine) write(name, text string) string {
	m.t.Helper()
	path := filepath.Join(m.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
	return path
}

// run runs umpire and says what it printed and its exit status.
func (m *machine) run(args ...string) (string, int) {
	m.t.Helper()
	cmd := exec.Command(filepath.Join(m.bin, "umpire"), args...)
	cmd.Dir, cmd.Env = m.project, m.env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// doctor returns the findings, and the exit status.
func (m *machine) doctor() ([]Finding, int) {
	m.t.Helper()
	out, exit := m.run("doctor", "--json")
	var doc struct {
		OK, Warn, Fail int
		Findings       []Finding
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
	if (exit == 1) != (doc.Fail > 0) || len(doc.Findings) != doc.OK+doc.Warn+doc.Fail {
		m.t.Errorf("exit status %d: %s", exit, out)
	}
	return doc.Findings, exit
}

// want reports the first finding of a check unless it has that status and text.
func want(t *testing.T, all []Finding, about, check string, s Status, text string) {
	t.Helper()
	for _, f := range all {
		if f.About == about && f.Check == check && f.Status == s && strings.Contains(f.Text, text) {
			if s != OK && f.Next == "" {
				t.Errorf("%+v does not say what to do", f)
			}
			return
		}
	}
	t.Errorf("there is no finding %s %s %s with %q in %+v", about, check, s, text, all)
}

func TestNothingInstalled(t *testing.T) {
	m := newMachine(t)
	all, _ := m.doctor()
	for _, check := range []string{"programs", "policy", "snapshot", "record", "questions"} {
		want(t, all, "umpire", check, OK, "")
	}
	want(t, all, "umpire", "agents", Warn, "no coding agent")
	if out, _ := m.run("doctor"); !strings.Contains(out, "ok    policy") || !strings.Contains(out, "--live") {
		t.Errorf("it prints %s", out)
	}
}

func TestPrograms(t *testing.T) {
	copyTo := func(dir string, names ...string) {
		t.Helper()
		for _, name := range names {
			b, err := os.ReadFile(filepath.Join(programs.Dir(t), name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	m := newMachine(t)
	m.bin = t.TempDir()
	copyTo(m.bin, "umpire")
	all, _ := m.doctor()
	want(t, all, "umpire", "programs", Fail, "is not in the folder")

	copyTo(m.bin, "umpire-hook")
	if err := os.Chmod(filepath.Join(m.bin, "umpire-hook"), 0o757); err != nil {
		t.Fatal(err)
	}
	all, _ = m.doctor()
	want(t, all, "umpire", "programs", Fail, "written by everyone")

	if err := os.WriteFile(filepath.Join(m.bin, "umpire-hook"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(m.bin, "umpire-hook"), 0o755); err != nil {
		t.Fatal(err)
	}
	all, _ = m.doctor()
	want(t, all, "umpire", "programs", Fail, "unknown build")
}

// A program that says it was built with cgo is told of. This one links no C, so that it is
// built where there is no C compiler.
func TestProgramsWithC(t *testing.T) {
	src := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(src, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		cgo  string
		want bool
	}{{"0", false}, {"1", true}} {
		bin := filepath.Join(t.TempDir(), "umpire")
		cmd := exec.CommandContext(t.Context(), "go", "build", "-o", bin, src)
		cmd.Env = append(os.Environ(), "CGO_ENABLED="+tt.cgo)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got := linksC(bin); got != tt.want {
			t.Errorf("CGO_ENABLED=%s: %v", tt.cgo, got)
		}
		b, err := os.ReadFile(bin)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(bin), "umpire-hook"), b, 0o755); err != nil {
			t.Fatal(err)
		}
		var found []Finding
		d := &Doctor{Exe: bin, Found: func(f Finding) { found = append(found, f) }}
		d.programs()
		if len(found) != 1 || (found[0].Status == Warn) != (tt.want && runtime.GOOS == "linux") {
			t.Errorf("CGO_ENABLED=%s: %+v", tt.cgo, found)
		}
	}
}

func TestPolicy(t *testing.T) {
	for _, tt := range []struct {
		name, policy string
		check        string
		status       Status
		says         string
	}{
		{"a good one", "version: 1\nrules:\n  - deny: delete(~/**)\n", "snapshot", OK, "fresh"},
		{"a bad one", "version: 1\nefect: deny\n", "policy", Fail, "efect"},
		{"one that observes", "version: 1\nmode: observe\n", "policy", Warn, "only observe"},
		{"a judge whom nobody can ask", "version: 1\njudge: {enabled: true, providers: [anthropic]}\n", "judge", Warn, "anthropic: "},
		{"no judge", "version: 1\n", "judge", OK, "the policy has no judge"},
		{"a default that denies", "version: 1\ndefaultAction: deny\n", "policy", OK, "is denied"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine(t)
			m.write(".config/umpire/policy.yaml", tt.policy)
			all, _ := m.doctor()
			want(t, all, "umpire", tt.check, tt.status, tt.says)
		})
	}
	t.Run("nowhere to compile it to", func(t *testing.T) {
		m := newMachine(t)
		m.write(".config/umpire/policy.yaml", "version: 1\ndefaultAction: ask\n")
		m.write(".cache", "a file")
		all, _ := m.doctor()
		want(t, all, "umpire", "snapshot", Fail, "every call waits")
	})
}

func TestRecord(t *testing.T) {
	m := newMachine(t)
	hook := func() {
		t.Helper()
		cmd := exec.Command(filepath.Join(programs.Dir(t), "umpire-hook"), "claude")
		cmd.Dir, cmd.Env = m.project, m.env
		cmd.Stdin = strings.NewReader(string(payload("claude", "ls", m.project)))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	hook()
	hook()
	all, _ := m.doctor()
	want(t, all, "umpire", "record", OK, "2 events")

	logs, err := filepath.Glob(filepath.Join(m.home, ".local/state/umpire/*.jsonl"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no log: %v", err)
	}
	b, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(logs[0], []byte(strings.Replace(string(b), `"command":"ls"`, `"command":"id"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	all, _ = m.doctor()
	want(t, all, "umpire", "record", Fail, "tampered")

	m = newMachine(t)
	m.write(".local/state/umpire/x", "")
	if err := os.Chmod(filepath.Join(m.home, ".local/state/umpire"), 0o777); err != nil {
		t.Fatal(err)
	}
	all, _ = m.doctor()
	want(t, all, "umpire", "record", Fail, "others can write")

	m = newMachine(t)
	m.write(".local/state", "a file")
	all, _ = m.doctor()
	want(t, all, "umpire", "record", Fail, "cannot be recorded")
}
