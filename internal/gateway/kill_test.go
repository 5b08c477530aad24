package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
)

// killedGateway opens the gateway of a folder that a test has laid out.
func killedGateway(t *testing.T, dir string) (*Gateway, *store.Store) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(dir, "db"))
	if err != nil {
		t.Fatal(err)
	}
	staging, err := host.OpenStaging(t.Context(), filepath.Join(dir, "staging.git"), host.Remote{URL: filepath.Join(dir, "remote.git")})
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(t.Context(), Options{Store: s, Root: filepath.Join(dir, "proj"), Staging: staging, Layers: policyfile.Paths{User: filepath.Join(dir, "policy.yaml")}, AuditDir: filepath.Join(dir, "audit"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return g, s
}

// dies asks for a set of files and for a push, which rules allow, and ends by a kill at one
// of the steps that carry them out.
func dies(t *testing.T, dir string, at int) {
	g, s := killedGateway(t, dir)
	defer func() { _ = s.Close() }()
	steps := make(chan struct{}, 1)
	steps <- struct{}{} // both are carried out at once, and steps are counted one by one
	g.step = func(step string) {
		if step == "files read" { // nothing is asked yet
			return
		}
		<-steps
		if at--; at == 0 {
			p, _ := os.FindProcess(os.Getpid())
			_ = p.Kill()
			select {}
		}
		steps <- struct{}{}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	executed := make(chan struct{})
	go func() {
		defer close(executed)
		g.Execute(ctx)
	}()
	p := Principal{Kind: Agent, Name: "a", ID: "an-agent"}
	meta, err := json.Marshal(object{"changes": []object{{"op": "write", "path": "a", "content": "new"}, {"op": "write", "path": "n/b", "content": "new"}, {"op": "delete", "path": "c"}}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := g.Submit(ctx, p, Submission{Category: approval.Filesystem, Metadata: meta})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.waitExecution(ctx, files.ID); err != nil { // so that each step is always the same
		t.Fatal(err)
	}
	if err := g.staging.Fetch(ctx, 0); err != nil {
		t.Fatal(err)
	}
	u := host.Update{Ref: "refs/heads/agent/x", New: os.Getenv("GATEWAY_TEST_COMMIT")}
	shown, err := g.staging.Look(ctx, &u, fullTextHint)
	if err != nil {
		t.Fatal(err)
	}
	push, err := g.askPush(ctx, p, &u, nil, shown)
	if err == nil {
		_, err = g.waitExecution(ctx, push.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-executed
}

// Wherever a gateway dies while it writes files or pushes, each file and the branch is the old
// one or the new one, and the next gateway ends what was approved and says so.
func TestKilledAtEveryStep(t *testing.T) {
	if dir := os.Getenv("GATEWAY_TEST_DIE_IN"); dir != "" {
		at, err := strconv.Atoi(os.Getenv("GATEWAY_TEST_DIE_AT"))
		if err != nil {
			t.Fatal(err)
		}
		dies(t, dir, at)
		return
	}
	seed := t.TempDir()
	git(t, seed, "init", "-q", "-b", "main")
	first := commit(t, seed, "README", "hello\n")
	second := commit(t, seed, "more", "more\n")
	laid := t.TempDir() // what each gateway begins with
	for name, text := range map[string]string{"proj/a": "old", "proj/c": "old", "policy.yaml": "version: 1\nmodes: {filesystem: allow-all, git: allow-all}\n"} {
		to := filepath.Join(laid, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(t, laid, "init", "-q", "--bare", "-b", "main", "remote.git")
	git(t, seed, "push", "-q", filepath.Join(laid, "remote.git"), first+":refs/heads/main")
	_, empty := killedGateway(t, laid) // makes the staging repository
	if err := empty.Close(); err != nil {
		t.Fatal(err)
	}
	git(t, filepath.Join(laid, "staging.git"), "fetch", "-q", seed, second+":refs/pushed/test-0")
	seen := map[string]bool{} // how far the dead got
	for at := 1; ; at++ {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(laid)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledAtEveryStep$")
		cmd.Env = append(os.Environ(), "GATEWAY_TEST_DIE_IN="+dir, "GATEWAY_TEST_DIE_AT="+strconv.Itoa(at), "GATEWAY_TEST_COMMIT="+second)
		out, died := cmd.CombinedOutput()
		has := func(name string) string {
			data, err := os.ReadFile(filepath.Join(dir, "proj", name))
			if err != nil {
				return "none"
			}
			return string(data)
		}
		branch := func() string {
			out, _ := tryGit(t, filepath.Join(dir, "remote.git"), "rev-parse", "--verify", "--quiet", "refs/heads/agent/x")
			return strings.TrimSpace(out)
		}
		between := has("a") + " " + has("n/b") + " " + has("c") + " " + branch()
		if !slices.Contains([]string{"old", "new"}, has("a")) || !slices.Contains([]string{"none", "new"}, has("n/b")) || !slices.Contains([]string{"old", "none"}, has("c")) || !slices.Contains([]string{"", second}, branch()) {
			t.Errorf("step %d: between: %s", at, between)
		}
		g, s := killedGateway(t, dir)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		done := make(chan struct{})
		go func() {
			defer close(done)
			g.Execute(ctx)
		}()
		list, err := s.List(ctx, approval.Filter{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		pushed := false
		for _, r := range list {
			x, err := g.waitExecution(ctx, r.ID)
			if err != nil || x.Status != "completed" {
				t.Errorf("step %d: %s is %s %s, %v", at, r.Action, x.Status, x.Result.Stderr, err)
			}
			pushed = pushed || r.Category == approval.Git
		}
		cancel()
		<-done
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			t.Errorf("step %d: nothing was asked: %s", at, out)
		}
		if has("a")+has("n/b")+has("c") != "newnewnone" || pushed != (branch() == second) {
			t.Errorf("step %d: after: %s %s %s %s", at, has("a"), has("n/b"), has("c"), branch())
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "proj", ".umpire-*")); len(left) > 0 {
			t.Errorf("step %d: left %v", at, left)
		}
		seen[fmt.Sprint(len(list), between)] = true
		if died == nil {
			if at < 15 || len(seen) < 5 {
				t.Errorf("only %d steps, %v: %s", at, seen, out)
			}
			return
		}
	}
}
