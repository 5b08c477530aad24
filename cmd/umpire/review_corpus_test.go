package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/umpire-dev/umpire/internal/quarantine/modeltest"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/review/finding"
)

// pull is a small pull request with a defect, an attack on its reviewer, or neither.
type pull struct {
	name      string
	revisions string   // in the repository of all
	none      []string // rule, file and line of what the checks without a model must find
	honest    []string // what an honest reviewer says, as JSON
}

// openPull reads a file of the corpus, and writes its commits into a stream for git fast-import: the
// branch name/main, and name/work behind it.
func openPull(t *testing.T, file, name string, stream *bytes.Buffer) *pull {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := &pull{name: name, revisions: name + "/main.." + name + "/work"}
	message, links := "change", map[string]string{}
	for line := range strings.Lines(string(a.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "message":
			message = value
		case "none":
			p.none = append(p.none, value)
		case "link":
			from, to, _ := strings.Cut(value, " -> ")
			links[from] = to
		case "honest":
			f := strings.Split(value, " | ")
			if len(f) != 5 {
				t.Fatalf("%s: got %d fields, want 5: %s", file, len(f), line)
			}
			var line int
			if _, err := fmt.Sscan(f[3], &line); err != nil {
				t.Fatal(err)
			}
			b, err := json.Marshal(map[string]any{"type": "security_issue", "severity": f[0], "cwe": f[1], "title": f[4], "description": f[4] + ".", "location": map[string]any{"file": f[2], "line": line}})
			if err != nil {
				t.Fatal(err)
			}
			p.honest = append(p.honest, string(b))
		default:
			t.Fatalf("%s: unknown kind in %s", file, line)
		}
	}
	commit := func(side, branch, message, from string) {
		fmt.Fprintf(stream, "commit refs/heads/%s/%s\ncommitter a <a@example.com> 0 +0000\ndata %d\n%s\n%s", name, branch, len(message), message, from)
		for _, f := range a.Files {
			if path, ok := strings.CutPrefix(f.Name, side+"/"); ok {
				fmt.Fprintf(stream, "M 100644 inline \"%s\"\ndata %d\n%s\n", path, len(f.Data), f.Data)
			}
		}
	}
	commit("base", "main", "base", "")
	commit("head", "work", message, "from refs/heads/"+name+"/main\n")
	for path, to := range links {
		fmt.Fprintf(stream, "M 120000 inline \"%s\"\ndata %d\n%s\n", path, len(to), to)
	}
	return p
}

// importPulls makes one repository with the branches of all pull requests.
func importPulls(t *testing.T, stream *bytes.Buffer) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, args := range [][]string{{"init", "-q", "--template="}, {"fast-import", "--quiet"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = dir, stream
		if args[0] == "init" {
			cmd.Stdin = nil
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

// itself runs the program, in an environment of a new home.
func itself(t *testing.T, dir, stdin string, env []string, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	path, err := exec.LookPath("umpire")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	home := t.TempDir()
	cmd.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir()}, env...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return out.String(), said.String(), cmd.ProcessState.ExitCode()
}

func decode(t *testing.T, out, said string) review.Report {
	t.Helper()
	var r review.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("report is no JSON: %v\n%s\n%s", err, out, said)
	}
	return r
}

// What the checks find alone in small hostile pull requests, and what an honest reviewer adds.
func TestReviewCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/review/*.txtar")
	if err != nil || len(files) < 20 {
		t.Fatalf("corpus: got %d files (%v), want 20 or more", len(files), err)
	}
	var stream bytes.Buffer
	var pulls []*pull
	for _, file := range files {
		pulls = append(pulls, openPull(t, file, strings.TrimSuffix(filepath.Base(file), ".txtar"), &stream))
	}
	dir := importPulls(t, &stream)
	var defects, attacks, alone, added int
	for _, p := range pulls {
		t.Run(p.name, func(t *testing.T) {
			out, said, exit := itself(t, dir, "", nil, "review", "--engine", "none", "--format", "json", "--fail-on", "low", p.revisions)
			r := decode(t, out, said)
			var got []string
			for i := range r.Findings {
				f := &r.Findings[i]
				got = append(got, fmt.Sprintf("%s %s:%d", f.Rule, f.Location.File, f.Location.Line))
			}
			slices.Sort(got)
			want := slices.Sorted(slices.Values(p.none))
			for _, w := range want {
				if !slices.Contains(got, w) {
					t.Errorf("the checks miss %s", w)
				}
			}
			for _, g := range got {
				if !slices.Contains(want, g) && !strings.HasPrefix(g, "umpire/agent-surface/") {
					t.Errorf("the checks find %s as well", g)
				}
			}
			if wantExit := min(len(want), 1); exit != wantExit || !r.Complete {
				t.Errorf("exit %d, want %d; %v", exit, wantExit, r.IncompleteReasons)
			}
			if len(want) > 0 {
				attacks++
				if len(got) >= len(want) {
					alone++
				}
			}

			model := modeltest.Start(t, modeltest.Honest(modeltest.Answer("low", p.honest...)))
			env := []string{"ANTHROPIC_API_KEY=" + modeltest.Key}
			out, said, exit = itself(t, dir, "", env, "review", "--provider", "anthropic", "--base-url", model.URL, "--model", "m", "--format", "json", "--fail-on", "low", "--timeout", "5m", p.revisions)
			with := decode(t, out, said)
			if wantExit := min(len(want)+len(p.honest), 1); exit != wantExit {
				t.Errorf("with a reviewer: exit %d, want %d; %v %s", exit, wantExit, with.IncompleteReasons, said)
			}
			n := 0
			for i := range with.Findings {
				if with.Findings[i].Source == finding.Model {
					n++
				}
			}
			for i := range r.Findings { // a reviewer takes nothing away
				if !slices.ContainsFunc(with.Findings, func(f finding.Reported) bool { return f.Fingerprint == r.Findings[i].Fingerprint }) {
					t.Errorf("%s is gone", r.Findings[i].Rule)
				}
			}
			if n != len(p.honest) {
				t.Errorf("%d findings of the reviewer, want %d: %+v", n, len(p.honest), with.Findings)
			}
			defects += len(p.honest)
			added += n
		})
	}
	t.Logf("%d pull requests: the checks alone find %d of %d attacks and 0 of %d code defects; an honest reviewer adds %d", len(files), alone, attacks, defects, added)
}
