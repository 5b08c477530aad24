package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/umpire-dev/umpire/internal/quarantine/modeltest"
	"github.com/umpire-dev/umpire/internal/review/comment"
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
		t.Errorf("git push: got error %v, want the finding and a stopped push:\n%s", err, out)
	}
	must(dir, "push", "-q", "--no-verify", "origin", "main")

	// the first commit of a repository, to a remote without branches
	first, empty := t.TempDir(), t.TempDir()
	dir = first
	must(empty, "init", "-q", "--bare", "-b", "main")
	must(first, "init", "-q", "-b", "main")
	must(first, "remote", "add", "origin", empty)
	commit(clearFile + highFile)
	if err := os.WriteFile(filepath.Join(first, ".git", "hooks", "pre-push"), hook, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := git(first, "push", "-q", "origin", "main"); err == nil || !strings.Contains(out, "umpire/injection/to-reviewer") {
		t.Errorf("git push of a first commit: got error %v, want the finding and a stopped push:\n%s", err, out)
	}
}

// pre-commit names no commits for the first push of a repository and for --all-files, and an empty
// commit has no changes.
func TestReviewPreCommit(t *testing.T) {
	b, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Entry string }
	if err := yaml.Unmarshal(b, &hooks); err != nil || len(hooks) == 0 || hooks[0].ID != "umpire-review" {
		t.Fatalf("%v: %+v", err, hooks)
	}
	above := t.TempDir()
	if err := os.WriteFile(filepath.Join(above, "above.py"), []byte(highFile), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(above, "repo")
	env := append(os.Environ(), "HOME="+above, "GIT_CONFIG_NOSYSTEM=1")
	sh := func(script string, vars ...string) (string, error) {
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir, cmd.Env = dir, append(env, vars...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	setup := "git init -q && echo 'x = 1' >a.py && git add . && git -c user.name=a -c user.email=a@h.example commit -qm a && git -c user.name=a -c user.email=a@h.example commit -qm b --allow-empty"
	if out, err := sh(setup); err != nil {
		t.Fatal(out)
	}
	if out, err := sh(hooks[0].Entry); err != nil || !strings.Contains(out, "1 file of the range") {
		t.Errorf("all files: %v\n%s", err, out)
	}
	if out, err := sh(hooks[0].Entry, "PRE_COMMIT_FROM_REF=HEAD^", "PRE_COMMIT_TO_REF=HEAD"); err != nil {
		t.Errorf("an empty commit: %v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte(highFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := sh("git -c user.name=a -c user.email=a@h.example commit -qam c; " + hooks[0].Entry); err == nil || !strings.Contains(out, "umpire/injection/to-reviewer") {
		t.Errorf("a finding: %v\n%s", err, out)
	}
}

// action is what the tests know of the composite action.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []struct {
			ID, If, Uses, Run string
			Env, With         map[string]string
		}
	}
}

func readAction(t *testing.T) (a action) {
	t.Helper()
	b, err := os.ReadFile("../../deploy/review/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(b, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// runner plays a runner of the hosting service: it runs the steps of the action that have a
// script, with the environment that a runner gives them.
type runner struct {
	dir    string            // the workspace
	inputs map[string]string // that the workflow sets
	env    []string
	pull   string // the number of the event's pull request
}

// run returns what the steps print, their outputs, the summary, and the exit status of the last one.
func (r *runner) run(t *testing.T) (out string, outputs map[string]string, summary string, exit int) {
	t.Helper()
	a := readAction(t)
	path, err := filepath.Abs("../../deploy/review")
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	outputs = map[string]string{}
	value := func(s string) string { // of the expressions that action.yml has
		expr, ok := strings.CutPrefix(s, "${{ ")
		if !ok {
			return s
		}
		expr = strings.TrimSuffix(expr, " }}")
		name, input := strings.CutPrefix(expr, "inputs.")
		switch {
		case input:
			if _, ok := a.Inputs[name]; !ok {
				t.Errorf("there is no input %s", name)
			}
			if v, ok := r.inputs[name]; ok {
				return v
			}
			return a.Inputs[name].Default
		case expr == "github.event.pull_request.number":
			return r.pull
		case expr == "github.token":
			return "job-token"
		case expr == "steps.install.outputs.program":
			return outputs["install.program"]
		}
		t.Errorf("unknown expression %s", s)
		return ""
	}
	event := filepath.Join(temp, "event.json")
	if err := os.WriteFile(event, []byte(`{"pull_request":{"number":12}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range a.Runs.Steps {
		if step.Run == "" || exit != 0 {
			continue
		}
		file := filepath.Join(temp, step.ID)
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		cmd.Dir = r.dir
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "CI=true", "GITHUB_ACTIONS=true", "GITHUB_REPOSITORY=o/r", "GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH=" + event,
			"GITHUB_ACTION_PATH=" + path, "RUNNER_TEMP=" + temp, "GITHUB_OUTPUT=" + file, "GITHUB_STEP_SUMMARY=" + file + ".md"}, r.env...)
		for k, v := range step.Env {
			cmd.Env = append(cmd.Env, k+"="+value(v))
		}
		b, err := cmd.CombinedOutput()
		var status *exec.ExitError
		if err != nil && !errors.As(err, &status) {
			t.Fatal(err)
		}
		out, exit = out+string(b), cmd.ProcessState.ExitCode()
		if b, err := os.ReadFile(file); err == nil {
			for l := range strings.Lines(string(b)) {
				k, v, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "=")
				outputs[step.ID+"."+k] = v
			}
		}
		if b, err := os.ReadFile(file + ".md"); err == nil {
			summary += string(b)
		}
	}
	return out, outputs, summary, exit
}

func TestReviewAction(t *testing.T) {
	pinned := regexp.MustCompile(`^[a-z-]+/[a-z/-]+@[0-9a-f]{40}$`)
	for _, s := range readAction(t).Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("a value becomes a part of a script: %s", s.Run)
		}
		if s.Uses != "" && !pinned.MatchString(s.Uses) {
			t.Errorf("%s is not pinned", s.Uses)
		}
	}
	program, err := exec.LookPath("umpire")
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(b))
	dir := hostileTree(t, map[string]string{"src/a.py": highFile, "clear/a.py": clearFile})

	r := runner{dir: dir, inputs: map[string]string{"umpire": program, "umpire-sha256": sum, "target": "src", "sarif": "r.sarif"}}
	out, outputs, summary, exit := r.run(t)
	if exit != 1 || !strings.Contains(out, "::error file=a.py,line=1") || outputs["review.status"] != "1" || outputs["review.sarif"] != "r.sarif" || !strings.Contains(summary, "umpire/injection/to-reviewer") {
		t.Errorf("exit %d %v\n%s\n%s", exit, outputs, out, summary)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "r.sarif")); err != nil || !strings.Contains(string(b), "umpire/injection/to-reviewer") {
		t.Errorf("SARIF file: want the finding: %v %s", err, b)
	}

	r.inputs["target"] = "clear"
	if out, outputs, _, exit := r.run(t); exit != 0 || outputs["review.status"] != "0" {
		t.Errorf("exit %d\n%s", exit, out)
	}
	r.inputs["target"] = "src"
	r.inputs["fail-on"] = "never"
	if out, _, _, exit := r.run(t); exit != 0 {
		t.Errorf("exit %d\n%s", exit, out)
	}
	r.inputs["target"] = ""
	if out, outputs, _, exit := r.run(t); exit != 2 || !strings.Contains(out, "the event has no pull request") || outputs["review.sarif"] != "" {
		t.Errorf("exit %d\n%s", exit, out)
	}
	r.inputs["umpire-sha256"] = strings.Repeat("0", 64)
	if out, outputs, _, exit := r.run(t); exit != 2 || !strings.Contains(out, "has the SHA-256") || outputs["install.program"] != "" {
		t.Errorf("exit %d\n%s", exit, out)
	}
	r.inputs["umpire"], r.inputs["umpire-sha256"] = "no-such-program", ""
	if out, _, _, exit := r.run(t); exit != 2 || !strings.Contains(out, "there is no program") {
		t.Errorf("exit %d\n%s", exit, out)
	}
}

// With no program given the action builds its own source.
func TestReviewActionBuilds(t *testing.T) {
	bin := t.TempDir() // a go that notes how it was called, for building takes a minute
	script := "#!/bin/sh\necho \"$PWD $CGO_ENABLED $GOFLAGS $*\" > " + filepath.Join(bin, "called") + "\nmkdir -p \"$(dirname \"$3\")\" && ln -s \"$(command -v umpire)\" \"$3\"\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	r := runner{dir: hostileTree(t, map[string]string{"src/a.py": highFile}), inputs: map[string]string{"target": "src"}, env: []string{"PATH=" + bin + ":" + os.Getenv("PATH")}}
	out, outputs, _, exit := r.run(t)
	called, err := os.ReadFile(filepath.Join(bin, "called"))
	if err != nil || exit != 1 || outputs["review.status"] != "1" {
		t.Fatalf("%v, exit %d\n%s", err, exit, out)
	}
	if got := string(called); !strings.HasPrefix(got, root+" 0 -mod=readonly ") || !strings.HasSuffix(got, " ./cmd/umpire\n") {
		t.Errorf("the action called %q, want the build of ./cmd/umpire in %s without cgo", got, root)
	}
}

// The action keeps one comment, and gives the provider's key to the reviewer alone.
func TestReviewActionComments(t *testing.T) {
	var mu sync.Mutex
	var bodies, methods []string
	refuse := false
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Header.Get("Authorization") != "Bearer job-token" {
			t.Errorf("%s %s with %q", r.Method, r.URL, r.Header.Get("Authorization"))
		}
		var in struct{ Body string }
		switch {
		case r.URL.Path == "/user" || refuse && r.Method != http.MethodGet:
			w.WriteHeader(http.StatusForbidden)
			return
		case r.Method == http.MethodGet:
			list := []any{}
			if len(bodies) > 0 {
				list = append(list, map[string]any{"id": 7, "body": bodies[len(bodies)-1], "user": map[string]string{"login": "github-actions[bot]"}})
			}
			_ = json.NewEncoder(w).Encode(list)
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		bodies, methods = append(bodies, in.Body), append(methods, r.Method+" "+r.URL.Path)
	}))
	defer api.Close()
	model := modeltest.Start(t, modeltest.Honest(modeltest.Answer("low")))
	program, err := exec.LookPath("umpire")
	if err != nil {
		t.Fatal(err)
	}
	r := runner{dir: hostileTree(t, map[string]string{"src/a.py": highFile}), pull: "12", env: []string{"GITHUB_API_URL=" + api.URL}, inputs: map[string]string{
		"umpire": program, "target": "src", "comment": "true", "engine": "builtin", "provider": "anthropic", "model": "m", "base-url": model.URL, "api-key": modeltest.Key}}
	for range 2 {
		if out, _, _, exit := r.run(t); exit != 1 || strings.Contains(out, modeltest.Key) {
			t.Fatalf("exit %d\n%s", exit, out)
		}
	}
	if want := []string{"POST /repos/o/r/issues/12/comments", "PATCH /repos/o/r/issues/comments/7"}; !slices.Equal(methods, want) {
		t.Errorf("requests: got %q, want %q", methods, want)
	}
	if b := strings.Join(bodies, ""); !strings.HasPrefix(b, comment.Marker+"\n") || !strings.Contains(b, "umpire/injection/to-reviewer") || strings.Contains(b, modeltest.Key) || !strings.Contains(b, "1 reviewer read it") {
		t.Errorf("comment: want the marker, the finding and one reviewer, and no key:\n%s", b)
	}
	refuse = true
	if out, _, _, exit := r.run(t); exit != 3 || !strings.Contains(out, "pull-requests: write") {
		t.Errorf("exit %d\n%s", exit, out)
	}
}
