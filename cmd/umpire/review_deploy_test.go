package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

func TestReviewPrePush(t *testing.T) {
	hook, err := os.ReadFile("../../deploy/review/pre-push")
	if err != nil {
		t.Fatal(err)
	}
	remote, dir := t.TempDir(), t.TempDir()
	home := t.TempDir()
	git := func(dir string, args ...string) (string, error) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	must := func(dir string, args ...string) {
		t.Helper()
		if out, err := git(dir, args...); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	commit := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		must(dir, "add", ".")
		must(dir, "commit", "-qm", "change")
	}
	must(remote, "init", "-q", "--bare", "-b", "main")
	must(dir, "init", "-q", "-b", "main")
	must(dir, "remote", "add", "origin", remote)
	commit(clearFile)
	if err := os.WriteFile(filepath.Join(dir, ".git", "hooks", "pre-push"), hook, 0o755); err != nil {
		t.Fatal(err)
	}
	must(dir, "push", "-q", "origin", "main")
	commit(clearFile + "y = 2\n")
	must(dir, "push", "-q", "origin", "main")
	commit(clearFile + highFile)
	if out, err := git(dir, "push", "-q", "origin", "main"); err == nil || !strings.Contains(out, "umpire/injection/to-reviewer") || !strings.Contains(out, "the push is stopped") {
		t.Errorf("%v\n%s", err, out)
	}
	must(dir, "push", "-q", "--no-verify", "origin", "main")
}

func TestReviewAction(t *testing.T) {
	b, err := os.ReadFile("../../deploy/review/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct {
			Using string
			Steps []struct {
				Env map[string]string
				Run string
			}
		}
	}
	if err := yaml.Unmarshal(b, &action); err != nil {
		t.Fatal(err)
	}
	for _, s := range action.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("a value becomes a part of a script: %s", s.Run)
		}
	}
	script, err := filepath.Abs("../../deploy/review/review.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := hostileTree(t, map[string]string{"src/a.py": highFile})
	runAction := func(env ...string) (string, int) {
		t.Helper()
		cmd := exec.Command("bash", script)
		cmd.Dir = dir
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GITHUB_OUTPUT=" + filepath.Join(dir, "outputs")}, env...)
		out, err := cmd.CombinedOutput()
		var status *exec.ExitError
		if err != nil && !errors.As(err, &status) {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	out, exit := runAction("INPUT_TARGET=src", "INPUT_SARIF=r.sarif")
	if exit != 1 || !strings.Contains(out, "::error file=a.py,line=1") {
		t.Errorf("exit %d\n%s", exit, out)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "outputs")); err != nil || string(b) != "status=1\nsarif=r.sarif\n" {
		t.Errorf("%v %q", err, b)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "r.sarif")); err != nil || !strings.Contains(string(b), "umpire/injection/to-reviewer") {
		t.Errorf("%v %s", err, b)
	}
	if out, exit := runAction(); exit != 2 || !strings.Contains(out, "no event of a pull request") {
		t.Errorf("exit %d\n%s", exit, out)
	}
}
