package host

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func git(t *testing.T, dir string, in string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// newStaging makes a remote with one commit, its staging repository, and a work tree.
func newStaging(t *testing.T) (s *Staging, remote, work string) {
	t.Helper()
	base := t.TempDir()
	remote, work = filepath.Join(base, "remote.git"), filepath.Join(base, "work")
	git(t, base, "", "init", "-q", "--bare", "-b", "main", remote)
	git(t, base, "", "init", "-q", "-b", "main", work)
	git(t, work, "", "commit", "-q", "--allow-empty", "-m", "first")
	git(t, work, "", "push", "-q", remote, "main")
	s, err := OpenStaging(t.Context(), filepath.Join(base, "staging.git"), Remote{URL: remote})
	if err == nil {
		err = s.Fetch(t.Context(), 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, remote, work
}

// send has the staging repository receive a commit of the work tree's.
func send(t *testing.T, s *Staging, work, id, commit string) error {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "pack-objects", "--revs", "--stdout", "-q")
	cmd.Dir, cmd.Stdin = work, strings.NewReader(commit+"\n")
	pack, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return s.Receive(t.Context(), id, []string{commit}, bytes.NewReader(pack))
}

// A push that was done is done: whoever repeats it after a crash changes nothing, and who
// comes too late is told.
func TestPushTwice(t *testing.T) {
	s, remote, work := newStaging(t)
	old := git(t, work, "", "rev-parse", "HEAD")
	git(t, work, "", "commit", "-q", "--allow-empty", "-m", "second")
	c := git(t, work, "", "rev-parse", "HEAD")
	if err := send(t, s, work, "1", c); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{strings.Repeat("1", 40): false, c: true, "HEAD": false} {
		if has, err := s.Has(t.Context(), name); has != want || err != nil {
			t.Errorf("it has %s: %v, %v", name, has, err)
		}
	}
	u := Update{Ref: "refs/heads/main", Old: old, New: c}
	for range 2 {
		if err := s.Push(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	if got := git(t, remote, "", "rev-parse", "main"); got != c {
		t.Errorf("the remote is at %s", got)
	}
	for _, u := range []Update{{Ref: "refs/heads/main", Old: old}, {Ref: "refs/heads/main", New: old}, {Ref: "refs/heads/gone", Old: old}} {
		if err := s.Push(t.Context(), u); !errors.Is(err, ErrConflict) {
			t.Errorf("Push(%+v): got %v, want %v", u, err, ErrConflict)
		}
	}
	if err := s.Push(t.Context(), Update{Ref: "refs/heads/main", Old: c, New: old, Force: true}); err != nil {
		t.Error(err)
	}
	if err := s.Push(t.Context(), Update{Ref: "refs/heads/main", Old: old}); err == nil {
		t.Error("the remote keeps its default branch, and that is told")
	}
	if err := s.Forget(t.Context(), "1"); err != nil {
		t.Error(err)
	}
	if refs := git(t, s.dir, "", "for-each-ref", pushedRefs); refs != "" {
		t.Errorf("after Forget there are %s, want no pushed references", refs)
	}
}

// held is an input whose later part comes when its receiver has returned, or after a second.
type held struct {
	first           io.Reader
	returned, ended chan struct{}
}

func (r *held) Read(b []byte) (int, error) {
	if n, err := r.first.Read(b); err == nil {
		return n, nil
	}
	defer close(r.ended)
	select {
	case <-r.returned:
	case <-time.After(time.Second): // git has given up by then
	}
	return 0, io.EOF
}

// The caller may read on where git gave up, so Receive returns only when nothing else reads.
func TestReceiveGivenUp(t *testing.T) {
	s, _, work := newStaging(t)
	in := &held{strings.NewReader("PACK" + strings.Repeat("x", 1000)), make(chan struct{}), make(chan struct{})}
	defer close(in.returned)
	if err := s.Receive(t.Context(), "1", []string{git(t, work, "", "rev-parse", "HEAD")}, in); err == nil {
		t.Error("Receive accepts noise as a pack, want an error")
	}
	select {
	case <-in.ended:
	default:
		t.Error("Receive returned while its input was read, want the end of the read first")
	}
}

// What unfolds into much more than it looks is refused before anything reads it.
func TestPushTooLarge(t *testing.T) {
	s, _, work := newStaging(t)
	if err := os.WriteFile(filepath.Join(work, "zeros"), make([]byte, maxObject+1), 0o600); err != nil {
		t.Fatal(err)
	}
	git(t, work, "", "add", "zeros")
	git(t, work, "", "commit", "-q", "-m", "large")
	if err := send(t, s, work, "1", git(t, work, "", "rev-parse", "HEAD")); err == nil || !strings.Contains(err.Error(), "a file of 52428801 bytes") {
		t.Errorf("a large file: got %v, want an error with its size", err)
	}
	over := &limited{most: 10, cancel: func() {}}
	fmt.Fprint(over, "0123456789")
	if fmt.Fprint(over, "x"); !over.over || over.b.String() != "0123456789" {
		t.Errorf("got %+v, want the first 10 bytes, and that there was more", over)
	}
}

// A few trees that unfold into more files than there is room for are refused, and however
// many come at a time, few are looked at.
func TestPushUnfolds(t *testing.T) {
	s, _, work := newStaging(t)
	entry := "100644 blob " + git(t, work, "x", "hash-object", "-w", "--stdin") + "\tf%d\n"
	tree := ""
	for range 9 {
		var b strings.Builder
		for i := range 10 {
			fmt.Fprintf(&b, entry, i)
		}
		tree = git(t, work, b.String(), "mktree")
		entry = "040000 tree " + tree + "\td%d\n"
	}
	c := git(t, work, "", "commit-tree", "-m", "x", "-p", "HEAD", tree)
	if err := send(t, s, work, "1", c); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Look(t.Context(), &Update{Ref: "refs/heads/b", New: c}, "look there"); err == nil {
		t.Error("a thousand million files were looked through")
	}
	for range maxLookers {
		s.turn <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Look(ctx, &Update{Ref: "refs/heads/b", New: git(t, work, "", "rev-parse", "HEAD")}, "look there"); !errors.Is(err, context.Canceled) {
		t.Errorf("Look after the end: got %v, want %v", err, context.Canceled)
	}
}

func TestLookFailsWithoutCommit(t *testing.T) {
	s, _, work := newStaging(t)
	tree := git(t, work, "", "rev-parse", "HEAD^{tree}")
	for _, c := range []string{tree, strings.Repeat("1", 40), "HEAD"} {
		if _, err := s.Look(t.Context(), &Update{Ref: "refs/heads/a", New: c}, "look there"); err == nil {
			t.Errorf("%s is no commit that was pushed", c)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Fetch(ctx, 0); err == nil {
		t.Error("it goes on when nobody waits")
	}
}

func TestRemotes(t *testing.T) {
	for remote, want := range map[string]string{"https://h.example/x.git": "https", "ssh://git@h.example/x": "ssh", "git@h.example:x/y.git": "ssh", "/srv/x.git": "file",
		"ext::sh -c 'touch x'": "", "-u/x": "", "file:///x": "", "https://u:secret@h.example/x": "", "https://ghp_a8Fk29dLq0ZxP3vB7nRt5YwE1cGh6Jsecret@h.example/x": "", "https://h.example/x?private_token=a8Fk29dLq0ZxP3vB7nsecret": "", "ftp://u:secret@h.example/x": "", "https://me@h.example/x": "https", "ssh://-oProxyCommand=x/y": "", "-oProxyCommand=x:y": "", "x::y": "", "": "", "relative/x": ""} {
		if got, err := schemeOf(remote); got != want || (err != nil) != (want == "") || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("schemeOf(%q) = %q, %v, want %q and no secret in the error", remote, got, err, want)
		}
	}
}

// A remote that is no repository is an error at the start, and not at the first approved push.
func TestRemoteIsNoRepository(t *testing.T) {
	if _, err := OpenStaging(t.Context(), filepath.Join(t.TempDir(), "s.git"), Remote{URL: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "is not a git repository") {
		t.Errorf("got %v, want that it is not a repository", err)
	}
}

func TestGoodRef(t *testing.T) {
	for _, ref := range []string{"refs/heads/main", "refs/heads/feature/a-b_c.1", "refs/tags/v1.0+x", "refs/heads/\u00e9t\u00e9", "refs/heads/a@b#1"} {
		if err := GoodRef(ref); err != nil {
			t.Errorf("GoodRef(%q): %v, want no error", ref, err)
		}
	}
	for _, ref := range []string{"", "main", "HEAD", "refs/heads/", "refs/heads/HEAD", "refs/heads/-x", "refs/heads/a/-x", "refs/heads/a b", "refs/heads/a..b", "refs/heads/.a", "refs/heads/a.lock", "refs/heads/a/", "refs/heads/a//b", "refs/heads/a~1", "refs/heads/a\x00",
		"refs/heads/a\n", "refs/heads/a\u200b", "refs/heads/a\u202e", "refs/heads/\xff", "refs/notes/a", "refs/pushed/x", "refs/heads/@", "refs/heads/a@{0}", "refs/heads/" + strings.Repeat("a", 300), "refs/heads/$x", "refs/heads/a;b", "refs/heads/refs/heads/main", "refs/heads/refs/tags/v1", "refs/tags/refs/heads/x", "refs/heads/+main", "refs/heads/" + strings.Repeat("ab", 20)} {
		if GoodRef(ref) == nil {
			t.Errorf("GoodRef(%q): no error, want one", ref)
		}
	}
}

// A secret is found wherever a push would publish it.
func TestSecretsOfAPush(t *testing.T) {
	s, _, work := newStaging(t)
	key := "ghp_" + "a8Fk29dLq0ZxP3vB7nRt5YwE1cGh6JmU4sKo"
	first := git(t, work, "", "rev-parse", "HEAD")
	empty := git(t, work, "", "rev-parse", "HEAD^{tree}")
	who := "a <a@example.org> 1700000000 +0000\n"
	object := func(kind, text string) string {
		return git(t, work, text, "hash-object", "-t", kind, "-w", "--stdin")
	}
	commit := func(tree, rest string) string {
		return object("commit", "tree "+tree+"\nparent "+first+"\nauthor "+who+rest)
	}
	file := func(name, text string) string {
		blob := object("blob", text)
		return commit(git(t, work, "100644 blob "+blob+"\t"+name+"\n", "mktree"), "committer "+who+"\nx\n")
	}
	wide := func(text string) string {
		return "\xff\xfe" + strings.Join(strings.Split(text, ""), "\x00") + "\x00"
	}
	chain := func(older, newer string) string {
		c := commit(empty, "committer "+who+"\n"+older)
		return object("commit", "tree "+empty+"\nparent "+c+"\nauthor "+who+"committer "+who+"\n"+newer)
	}
	links := func() (entries string) {
		blob := object("blob", "x")
		for i := range 30 {
			entries += fmt.Sprintf("120000 blob %s\tl%02d\n", blob, i)
		}
		return entries + "100644 blob " + object("blob", key) + "\tz\n"
	}
	for i, tt := range []struct{ name, ref, commit string }{
		{"a file", "", file("f", "x\n"+key+"\n")},
		{"of two bytes a character", "", file("f", wide("token = "+key+"\n"))},
		{"in base64", "", file("f", "data:\n  key: "+base64.StdEncoding.EncodeToString([]byte("token="+key))+"\n")},
		{"among other bytes", "", file("f", "\x00\x01\x02\n"+key+"\x00")},
		{"a file's name", "", file(key+".txt", "x")},
		{"an empty file's name", "", file(key, "")},
		{"a link's target", "", commit(git(t, work, "120000 blob "+object("blob", key)+"\tl\n", "mktree"), "committer "+who+"\nx\n")},
		{"the message", "", commit(empty, "committer "+who+"\n"+key+"\n")},
		{"the message of one behind a long one", "", chain(key+"\n", strings.Repeat("words and words\n", 100_000))},
		{"who committed", "", commit(empty, "committer "+key+" <a@example.org> 1700000000 +0000\n\nx\n")},
		{"a header of its own", "", commit(empty, "committer "+who+"x-data "+key+"\n\nx\n")},
		{"a signature", "", commit(empty, "committer "+who+"gpgsig -----BEGIN PGP SIGNATURE-----\n "+key+"\n -----END PGP SIGNATURE-----\n\nx\n")},
		{"a tag's message", "refs/tags/v1", object("tag", "object "+first+"\ntype commit\ntag v1\ntagger "+who+"\n"+key+"\n")},
		{"a tag of a tag's message", "refs/tags/v1", object("tag", "object "+object("tag", "object "+first+"\ntype commit\ntag v0\ntagger "+who+"\n"+key+"\n")+"\ntype tag\ntag v1\ntagger "+who+"\nx\n")},
		{"the branch's name", "refs/heads/" + key, commit(empty, "committer "+who+"\nx\n")},
		{"behind many other doubts", "", commit(git(t, work, links(), "mktree"), "committer "+who+"\nx\n")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.ref == "" {
				tt.ref = "refs/heads/b"
			}
			if err := send(t, s, work, strconv.Itoa(i), tt.commit); err != nil {
				t.Fatal(err)
			}
			u := Update{Ref: tt.ref, New: tt.commit}
			shown, err := s.Look(t.Context(), &u, "look there")
			if err != nil || !slices.ContainsFunc(u.Doubts, func(d string) bool { return strings.Contains(d, "a possible secret") }) {
				t.Errorf("got %v, the doubts %q, want a possible secret among them", err, u.Doubts)
			}
			if strings.Contains(shown+strings.Join(u.Doubts, " "), key) && !strings.Contains(tt.ref, key) { // people have to know where it goes
				t.Errorf("it is shown: %s", shown)
			}
		})
	}
	// Files that other programs or agents obey.
	for name, want := range map[string]string{".claude/settings.json": "settings of a coding agent", ".mcp.json": "settings of a coding agent", ".github/CODEOWNERS": "run by the forge", ".circleci/config.yml": "run by the forge",
		".gitlab-ci-x.yml": "run by the forge", "sub/Jenkinsfile": "run by the forge", ".gitmodules": "configuration of git", "sub/.GitAttributes": "configuration of git", ".husky/pre-push": "configuration of git", "a/.umpire.yaml": "umpire's policy", ".umpire/x": "umpire's policy"} {
		tree := object("blob", "x")
		for part, kind := name, "100644 blob"; part != "."; part, kind = path.Dir(part), "040000 tree" {
			tree = git(t, work, kind+" "+tree+"\t"+path.Base(part)+"\n", "mktree")
		}
		u := Update{Ref: "refs/heads/b", New: commit(tree, "committer "+who+"\nx\n")}
		if err := send(t, s, work, strings.NewReplacer("/", "-", ".", "-").Replace(name), u.New); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Look(t.Context(), &u, "look there"); err != nil || !slices.Contains(u.Doubts, want+": "+name) {
			t.Errorf("%s: %v, the doubts %q", name, err, u.Doubts)
		}
	}
	u := Update{Ref: "refs/heads/b", New: file("f", "x = 1\n"+strings.Repeat("0123456789abcdef", 20)+"\n"+base64.StdEncoding.EncodeToString([]byte(strings.Repeat("just some words, ", 9))))}
	if err := send(t, s, work, "last", u.New); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Look(t.Context(), &u, "look there"); err != nil || len(u.Doubts) > 0 {
		t.Errorf("a harmless push: %v, %q", err, u.Doubts)
	}
}

// A line of a file that looks like a header is a line.
func TestScan(t *testing.T) {
	key := "AKIA" + "IOSFODNN7EXAMPLQ"
	patch := "commit c1\n\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +10,3 @@ func\n-old\n-+++ b/x\n+++ b/evil\n+commit c9\n+k = " + key + "\n\\ No newline at end of file\n@@ -0,0 +50 @@\n+fine\ncommit c2\n\n--- /dev/null\n+++ b/g\n@@ -0,0 +1,3 @@\n+-----BEGIN RSA PRIVATE" + " KEY-----\n+" + strings.Repeat("Ab1+", 16) + "\n+-----END RSA PRIVATE" + " KEY-----\n"
	var got []string
	scan(patch, func(commit, file string, line int) { got = append(got, fmt.Sprint(commit, file, line)) })
	if !slices.Equal(got, []string{"c1f12", "c2g1"}) {
		t.Errorf("the findings are %v, want one in c1 and one in c2", got)
	}
	masked := maskPatch(patch)
	if strings.Contains(masked, key) || strings.Contains(masked, "Ab1+Ab1+") || !strings.Contains(masked, "+fine\n") || !strings.Contains(masked, "+k = [masked:") {
		t.Errorf("masked: %s, want the other lines and no secret", masked)
	}
}

func FuzzScan(f *testing.F) {
	f.Add("commit a\n+++ b/f\n@@ -1,2 +3,4 @@\n-a\n+b\n")
	f.Add("@@ -99999999999999999999 +1,-1 @@\n+")
	f.Fuzz(func(t *testing.T, p string) {
		n := 0
		scan(p, func(string, string, int) { n++ })
		if n > strings.Count(p, "\n")+1 {
			t.Errorf("%d findings, want one for each line at most", n)
		}
		_ = maskPatch(p)
	})
}

func FuzzPktReader(f *testing.F) {
	f.Add([]byte("0006a\n0000"))
	f.Add([]byte("fff0"))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := NewPktReader(bufio.NewReader(bytes.NewReader(in)))
		for read := 0; ; {
			line, err := r.Next()
			if err != nil {
				return
			}
			if read += len(line) + 4; read > len(in) {
				t.Fatal("more than there is")
			}
		}
	})
}
