//go:build !windows

package packs_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
)

var (
	tip  = strings.Repeat("a1", 20) // the commit that is checked out
	old  = strings.Repeat("b2", 20)
	tree = strings.Repeat("c3", 20)
)

// putGit writes a file of the repository.
func (m machine) putGit(t *testing.T, name string, text []byte) {
	t.Helper()
	at := filepath.Join(m.root, m.workspace, ".git", name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// commitAll makes a commit of README.md, as git add and git commit leave the index behind.
func (m machine) commitAll(t *testing.T) {
	t.Helper()
	file := filepath.Join(m.root, m.workspace, "README.md")
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(file, past, past); err != nil {
		t.Fatal(err)
	}
	entry := make([]byte, 62+len("README.md")+1)
	binary.BigEndian.PutUint32(entry[8:], uint32(past.Unix()))
	binary.BigEndian.PutUint32(entry[24:], 0o100644)
	binary.BigEndian.PutUint32(entry[36:], uint32(len("text\n")))
	copy(entry[62:], "README.md")
	index := append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), entry...)
	id, err := hex.DecodeString(tree)
	if err != nil {
		t.Fatal(err)
	}
	root := append([]byte("\x001 0\n"), id...)
	index = append(append(append(index, "TREE\x00\x00\x00"...), byte(len(root))), root...)
	m.putGit(t, "index", append(index, make([]byte, 20)...))
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err = z.Write([]byte("commit 250\x00tree " + tree + "\n" + strings.Repeat("x", 250))); err != nil {
		t.Fatal(err)
	}
	if err = z.Close(); err != nil {
		t.Fatal(err)
	}
	m.putGit(t, "objects/"+tip[:2]+"/"+tip[2:], b.Bytes())
	m.putGit(t, "HEAD", []byte("ref: refs/heads/main\n"))
	m.putGit(t, "refs/heads/main", []byte(tip+"\n"))
}

func (m machine) want(t *testing.T, cases map[string]umpire.Effect) {
	t.Helper()
	for c, want := range cases {
		if d, ops := m.decide(t, c); d.Effect != want {
			t.Errorf("%s: %v, want %v: %v", c, d.Effect, want, ops)
		}
	}
}

// The name of a branch or tag may go if another name keeps its commit.
func TestNamesOfKeptCommits(t *testing.T) {
	m := newMachine(t, "")
	m.commitAll(t)
	m.putGit(t, "refs/tags/new", []byte(tip+"\n"))
	m.putGit(t, "refs/tags/old", []byte(old+"\n"))
	m.putGit(t, "refs/tags/fetched", []byte(tree+"\n"))
	m.putGit(t, "FETCH_HEAD", []byte(tree+"\tnot-for-merge\ttag 'fetched' of x.example:r\n"))
	m.putGit(t, "refs/heads/same", []byte(tip+"\n"))
	m.putGit(t, "refs/heads/own", []byte(old+"\n"))
	m.putGit(t, "refs/heads/feat/pushed", []byte(strings.Repeat("d4", 20)+"\n"))
	m.putGit(t, "refs/remotes/origin/feat/pushed", []byte(strings.Repeat("d4", 20)+"\n"))
	m.want(t, map[string]umpire.Effect{
		"git tag -d new": umpire.Allow, "git tag -d fetched": umpire.Allow, "git tag -d old": umpire.Ask, "git tag -d new old": umpire.Ask, "git tag -d packed": umpire.Ask, `git tag -d "$T"`: umpire.Ask,
		"git -C ../other tag -d new": umpire.Ask, "ssh web git tag -d new": umpire.Ask, "GIT_DIR=../other/.git git tag -d new": umpire.Ask,
		"git branch -D same": umpire.Allow, "git branch -D feat/pushed": umpire.Allow, "git branch -D own": umpire.Ask, "git branch -D same own": umpire.Ask, "cd src && git branch -D same": umpire.Allow,
		"git branch -M main": umpire.Allow, "git branch -M fresh": umpire.Allow, "git branch -M own": umpire.Ask, "git branch -f own": umpire.Ask, "git init && git branch -M own": umpire.Ask,
		"git checkout -b try && make && git checkout - && git branch -D try": umpire.Allow, "git checkout -b own; git branch -D own": umpire.Ask, "git checkout -B own && git branch -D own": umpire.Ask,
		"git tag -f old && git tag -d old": umpire.Ask,
	})
	// A linked working tree has a HEAD of its own.
	linked := filepath.Join(m.root, m.workspace, "linked")
	if err := os.Mkdir(linked, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(linked, ".git"), []byte("gitdir: ../.git/worktrees/linked\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.putGit(t, "worktrees/linked/commondir", []byte("../..\n"))
	m.putGit(t, "worktrees/linked/HEAD", []byte("ref: refs/heads/own\n"))
	m.want(t, map[string]umpire.Effect{"cd linked && git tag -d old": umpire.Allow, "cd linked && git tag -d new": umpire.Ask, "cd linked && git reset --hard": umpire.Ask})
}

// Files that are as in the commit that is checked out lose nothing when git puts them back. The
// adversary brings other work there first, or points git elsewhere.
func TestCleanTreeLosesNothing(t *testing.T) {
	m := newMachine(t, "")
	m.commitAll(t)
	m.putGit(t, "refs/remotes/origin/main", []byte(old+"\n"))
	m.want(t, map[string]umpire.Effect{
		"git reset --hard": umpire.Allow, "git reset --hard HEAD": umpire.Allow, "git checkout -- .": umpire.Allow, "git restore .": umpire.Allow, "git restore README.md": umpire.Allow, "git switch -f main": umpire.Allow,
		"git reset --hard origin/main": umpire.Ask, "git clean -fd": umpire.Ask, "git stash pop && git reset --hard": umpire.Ask, "cp /home/dev/notes/a/b/diary.txt README.md && git checkout .": umpire.Ask,
		"git -C ../other reset --hard": umpire.Ask, "GIT_WORK_TREE=/home/dev/other git reset --hard": umpire.Ask, "git -c core.worktree=../other reset --hard": umpire.Ask,
	})
	m.putGit(t, "refs/remotes/origin/main", []byte(tip+"\n"))
	m.want(t, map[string]umpire.Effect{"git fetch origin && git reset --hard origin/main": umpire.Allow})
	strict := denyRest(t)
	for c, want := range map[string]umpire.Effect{
		"rm README.md": umpire.Allow, "rm -f ./README.md": umpire.Allow, "rm -rf README.md": umpire.Allow, "rm new.md": umpire.Deny, "cp ~/a README.md && rm README.md": umpire.Deny,
		"ssh web rm README.md": umpire.Deny, "cd ../other && rm README.md": umpire.Ask, "rm .umpire.yaml": umpire.Deny,
	} {
		_, ops := m.decide(t, c)
		if d := strict.Decide(m.act(t, c), ops); d.Effect != want {
			t.Errorf("%s: %v, want %v: %v", c, d.Effect, want, ops)
		}
	}
	m.want(t, map[string]umpire.Effect{
		"git checkout -- gone.md": umpire.Allow, "git restore gone.md": umpire.Allow, "git checkout HEAD -- gone.md": umpire.Allow,
		"echo x > gone.md && git checkout -- gone.md": umpire.Ask, "mv src/a.md gone.md; git restore gone.md": umpire.Ask,
	})
	if err := os.WriteFile(filepath.Join(m.root, m.workspace, "README.md"), []byte("texts"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.want(t, map[string]umpire.Effect{"git checkout -f -- gone.md": umpire.Ask, "git checkout -f main": umpire.Ask, "git checkout -- gone.md README.md": umpire.Ask, "git checkout -- 'g*.md'": umpire.Ask})
	m.want(t, map[string]umpire.Effect{"git reset --hard": umpire.Ask, "git checkout -- .": umpire.Ask, "git restore README.md": umpire.Ask})
}

// git runs git in the project.
func (m machine) git(t *testing.T, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@x.example", "-c", "gc.auto=0"}, args...)...)
	c.Dir = filepath.Join(m.root, m.workspace)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR=.git")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
}

// An adversary's branch has a link where the project has build output. Loose objects and those in a
// pack say what a branch brings, and that a commit is the one in the working tree.
func TestObjectsOfCommits(t *testing.T) {
	m := newMachine(t, "")
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(m.root, m.workspace, "README.md"), past, past); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(m.root, m.workspace, "out")
	m.git(t, "init", "-q", "-b", "main")
	m.git(t, "add", "README.md")
	m.git(t, "commit", "-qm", "one")
	for branch, target := range map[string]string{"home": "/home/dev", "build": "dist"} {
		m.git(t, "checkout", "-qb", branch, "main")
		deep := filepath.Join(m.root, m.workspace, "deep")
		if err := errors.Join(os.Symlink(target, link), os.MkdirAll(deep, 0o755), os.Symlink("/home/dev", filepath.Join(deep, "dist"))); err != nil {
			t.Fatal(err)
		}
		m.git(t, "add", "out", "deep")
		m.git(t, "commit", "-qm", branch)
		m.git(t, "checkout", "-q", "main")
	}
	m.git(t, "update-ref", "refs/remotes/origin/main", "main")
	want := map[string]umpire.Effect{
		"git checkout home && rm -rf out/*": umpire.Deny, "git switch home; rm -rf out/*": umpire.Deny, "git merge home && rm -rf out/*": umpire.Deny, "git reset --hard home && rm -rf out/*": umpire.Deny,
		"git checkout build && rm -rf out/*": umpire.Allow, "git checkout -b new && rm -rf out/*": umpire.Allow,
		"git checkout home && rm -rf deep/dist/*": umpire.Deny, "git checkout -b new && rm -rf deep/dist/*": umpire.Allow, "git reset --hard HEAD": umpire.Allow, "git reset --hard origin/main": umpire.Allow,
	}
	m.want(t, want)
	m.git(t, "gc", "-q")
	if loose, err := filepath.Glob(filepath.Join(m.root, m.workspace, ".git/objects/??/*")); err != nil || len(loose) > 0 {
		t.Fatalf("git gc left %q: %v", loose, err)
	}
	m.want(t, want)
	if err := os.WriteFile(filepath.Join(m.root, m.workspace, "README.md"), []byte("texts"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.want(t, map[string]umpire.Effect{"git reset --hard": umpire.Ask})
}

// A folder that mkdir -p makes because it is not there is new.
func TestMadePathIsNew(t *testing.T) {
	m := newMachine(t, "")
	m.want(t, map[string]umpire.Effect{
		"mkdir -p scratch/x && echo hi > scratch/x/y && rm -rf scratch": umpire.Allow,
		"mkdir -p src/x && rm -rf src":                                  umpire.Ask, "mkdir -p scratch/x; rm -rf scratch ../other": umpire.Deny,
	})
}

// A pattern means what it matches on the disk, and no class of letters matches .git. The adversary
// makes or moves a repository there first.
func TestPatternsLikeGit(t *testing.T) {
	m := newMachine(t, "vendor/x/.gitignore\nvendor/y/.git/HEAD\n.env.example\n")
	m.want(t, map[string]umpire.Effect{
		"rm vendor/x/.git*": umpire.Allow, "rm -rf vendor/x/.git*": umpire.Ask, "rm -rf vendor/y/.git*": umpire.Deny, "rm -rf .git*": umpire.Deny, "git init vendor/x; rm -rf vendor/x/.git*": umpire.Deny,
		"mv vendor/y/.git vendor/x/.git && rm -rf vendor/x/.git*": umpire.Deny, "rm -rf vendor/*/.git*": umpire.Deny, "ssh web rm -rf proj/.git*": umpire.Deny,
		"find ./[a-zA-Z]* -name '*.bak' -delete": umpire.Allow, "rm -rf [--z]git": umpire.Deny, "rm -rf [.a]git": umpire.Deny, "rm -rf [!a]git": umpire.Deny, "rm -rf [a-z]git": umpire.Ask,
	})
}
