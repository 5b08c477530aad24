package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitOut runs git on the host, with no settings but these.
func gitOut(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=dev", "-c", "user.email=dev@example.org", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// A program in a box pushes with plain git: to a repository of umpire's, from which what a
// person lets through goes to the remote. The remote's address and credentials are not
// in the box.
func TestRunPush(t *testing.T) {
	if !free(t) {
		return
	}
	home := t.TempDir() // of the remote; no box shows it
	remote := filepath.Join(home, "remote.git")
	gitOut(t, home, "init", "--quiet", "--bare", remote)
	w := newSyncWorld(t, "version: 1\nmodes: {git: approve-each}\nrules:\n  - allow: git(push origin agent/free)\n", map[string]string{"a": "one\n"}, "--push-to", remote)
	if err := os.RemoveAll(filepath.Join(w.dir, ".git")); err != nil {
		t.Fatal(err)
	}
	gitOut(t, w.dir, "init", "--quiet")
	gitOut(t, w.dir, "add", "a")
	gitOut(t, w.dir, "commit", "--quiet", "-m", "first")
	gitOut(t, w.dir, "remote", "add", "origin", remote)
	gitOut(t, w.dir, "push", "--quiet", "origin", "main")
	first := gitOut(t, remote, "rev-parse", "main")
	const script = `
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
ls -d REMOTE 2>/dev/null && echo the remote is seen
git fetch origin && git rev-parse origin/main
git checkout -q -b agent/free && echo two > a && git commit -qam 'a change' && git push origin agent/free 2>&1 && echo pushed freely
echo key = AKIAIOSFODNN7EXAMPLQ > key && git add key && git commit -qm 'a key' && git push origin HEAD:agent/key 2>&1 && echo pushed key
git push --force origin agent/free~2:agent/free 2>&1 || echo no force
git push 'ext::sh -c "touch /tmp/x"' HEAD:x 2>&1 || echo no ext
git push file://REMOTE HEAD:refs/heads/x 2>&1 || echo no file
git push origin HEAD:refs/pushed/x HEAD:refs/namespaces/remote/refs/heads/main HEAD:refs/heads/-x 2>&1 || echo no such refs
git push origin :main 2>&1 || echo no delete`
	w.start(strings.ReplaceAll(script, "REMOTE", remote), "--push", "origin")
	w.until("a question", func() bool { return len(w.pending()) == 1 })
	for title, id := range w.pending() {
		out := w.umpire(0, "queue", "show", id)
		if !strings.HasPrefix(title, "push agent/key at ") || !strings.Contains(out, "a possible secret in key, line 1") || strings.Contains(out, "AKIAIOS") || !strings.Contains(out, "a key") {
			t.Errorf("question %q: want the push with the place of the secret, and without the secret:\n%s", title, out)
		}
		w.umpire(0, "queue", "deny", id, "--note", "take the key out")
	}
	out := w.wait()
	for _, want := range []string{first, "umpire: request ", "pushed freely", "take the key out", "no force", "no ext", "no file", "no such refs", "no delete"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, no := range []string{"the remote is seen", "pushed key"} {
		if strings.Contains(out, no) {
			t.Errorf("there is %q", no)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
	if refs := gitOut(t, remote, "for-each-ref", "--format=%(refname)"); refs != "refs/heads/agent/free\nrefs/heads/main" {
		t.Errorf("the remote has %s", refs)
	}
	if got := gitOut(t, remote, "log", "--format=%s", "agent/free"); got != "a change\nfirst" {
		t.Errorf("pushed: %s", got)
	}
	if gitOut(t, w.dir, "rev-parse", "HEAD") != first {
		t.Error("the project's own repository was changed")
	}
	if out := w.umpire(0, "changes", "apply"); strings.Contains(out, ".git") || gitOut(t, w.dir, "rev-parse", "HEAD") != first {
		t.Errorf("git's own: %s", out)
	}
}

func TestRunPushRefused(t *testing.T) {
	if !free(t) {
		return
	}
	w := newSyncWorld(t, "version: 1\n", map[string]string{"a": "one\n"})
	for name, tt := range map[string]struct{ push, want string }{
		"another remote":            {"https://git.example.com/x.git", "pushes to"},
		"no remote of that":         {"upstream", "no remote"},
		"an option":                 {"--upload-pack=x", "no remote"},
		"a password without --push": {"", "requires --push"},
	} {
		args := []string{"run", "--proxy", w.at["proxy"]}
		if tt.push == "" {
			args = append(args, "--push-credentials", "x")
		} else {
			args = append(args, "--push="+tt.push)
		}
		cmd := exec.CommandContext(w.ctx, w.bin, append(args, "--", "true")...)
		cmd.Dir, cmd.Env = w.dir, w.env
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: got error %v, want one with %q:\n%s", name, err, tt.want, out)
		}
	}
}

// Commits in the sandbox have the person's name and address. No other setting of their git enters it:
// aliases and helpers run programs. The program can change its own settings.
func TestRunCommitsAsThePerson(t *testing.T) {
	if !free(t) {
		return
	}
	w := newSyncWorld(t, "version: 1\n", map[string]string{
		"../.gitconfig": "[user]\n\tname = \"Ada # \\\"L\\\" B\"\n\tsigningkey = k\n[alias]\n\tx = !echo alias\n[include]\n\tpath = more\n[url \"https://u:secret@h/\"]\n\tinsteadOf = h:\n",
		"../more":       "[user]\n\temail = ada@example.org\n[core]\n\tfsmonitor = false\n",
		"a":             "one\n",
	})
	if err := os.RemoveAll(filepath.Join(w.dir, ".git")); err != nil {
		t.Fatal(err)
	}
	gitOut(t, w.dir, "init", "--quiet")
	out := w.umpire(0, "run", "--proxy", w.at["proxy"], "--", "sh", "-c", `git add a && git commit -qm x && git log --format='by %an <%ae>, %cn' && git config --global --list && git config --global x.y z && git config x.y`)
	for _, want := range []string{"by Ada # \"L\" B <ada@example.org>, Ada # \"L\" B\n", "\nuser.name=Ada # \"L\" B\nuser.email=ada@example.org\nz\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("run: got %q, want %q in it", out, want)
		}
	}
	if strings.Contains(out, "secret") || strings.Contains(out, "alias") || strings.Contains(w.has("../.gitconfig"), "z") {
		t.Errorf("run: got %q, and the person's settings %q, want no other setting in the sandbox, and no change", out, w.has("../.gitconfig"))
	}
	shown := w.umpire(0, "run", "--proxy", w.at["proxy"], "--read-only", filepath.Join(w.dir, "..", ".gitconfig"), "--", "git", "x")
	if !strings.Contains(shown, "alias\n") {
		t.Errorf("with --read-only: got %q, want the person's alias", shown)
	}
}
