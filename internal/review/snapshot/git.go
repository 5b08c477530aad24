package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/visible"
)

// IsRange reports whether a target names a range of commits.
func IsRange(target string) bool {
	base, head, ok := cutRange(target)
	return ok && base != "" && head != ""
}

func cutRange(target string) (base, head string, ok bool) {
	if base, head, ok = strings.Cut(target, "..."); !ok {
		base, head, ok = strings.Cut(target, "..")
	}
	return base, head, ok && goodRevision(base) && goodRevision(head)
}

// goodRevision keeps options and paths out of git's arguments.
func goodRevision(s string) bool {
	if s == "" || len(s) > 250 || anyof.HasPrefix(s, "-", ".", "/") || strings.Contains(s, "..") || strings.Contains(s, "//") {
		return false
	}
	return strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789/_-.@{}^~") == ""
}

// FromRange freezes the changes of BASE..HEAD since HEAD left BASE: the files in HEAD's
// version, and the commit messages. repo is a folder in the repository. If BASE is git's empty tree,
// everything in HEAD is new.
//
// Git reads the repository's objects through an empty repository, so that hooks, filters,
// attributes, helpers and settings of the repository have no effect.
func FromRange(ctx context.Context, parent, repo, target string) (*Snapshot, error) {
	base, head, ok := cutRange(target)
	if !ok {
		return nil, fmt.Errorf("%s is not a range of commits: use BASE..HEAD", visible.Clip(target, 100))
	}
	g, err := openGit(ctx, repo)
	if err != nil {
		return nil, err
	}
	defer g.close()
	if none, err := g.emptyTree(ctx); err != nil {
		return nil, err
	} else if base == none {
		base = ""
	} else if base, err = g.resolve(ctx, base); err != nil {
		return nil, err
	}
	if head, err = g.resolve(ctx, head); err != nil {
		return nil, err
	}
	return g.freeze(ctx, parent, target, base, head)
}

// FromObjects is like FromRange for two commits in an object folder, such as that of a bare
// repository. An empty base is an empty tree.
func FromObjects(ctx context.Context, parent, name, objects, base, head string) (*Snapshot, error) {
	g := &gitReader{objects: objects, format: "sha1"}
	if err := g.open(ctx); err != nil {
		return nil, err
	}
	defer g.close()
	return g.freeze(ctx, parent, name, base, head)
}

// gitReader reads objects of a repository that is not trusted.
type gitReader struct {
	repo    string // resolves names of commits
	dir     string // the empty repository
	objects string
	format  string
}

func openGit(ctx context.Context, repo string) (*gitReader, error) {
	g := &gitReader{repo: repo}
	out, err := g.run(ctx, true, "rev-parse", "--path-format=absolute", "--git-path", "objects", "--show-object-format")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if len(lines) != 2 || lines[1] != "sha1" && lines[1] != "sha256" {
		return nil, errors.New("cannot find the repository's objects")
	}
	g.objects, g.format = lines[0], lines[1]
	return g, g.open(ctx)
}

func (g *gitReader) open(ctx context.Context) (err error) {
	if g.dir, err = os.MkdirTemp("", "umpire-git-"); err != nil {
		return err
	}
	if _, err = g.run(ctx, true, "init", "--quiet", "--bare", "--template=", "--object-format="+g.format, "--", g.dir); err != nil {
		g.close()
	}
	return err
}

func (g *gitReader) close() {
	if g.dir != "" {
		_ = os.RemoveAll(g.dir) // an empty repository in the folder of temporary files
	}
}

// gitSettings override any configuration.
var gitSettings = []string{
	"core.hooksPath=" + os.DevNull, "core.fsmonitor=false", "core.untrackedCache=false", "core.attributesFile=" + os.DevNull, "core.pager=cat", "core.commitGraph=false", "core.alternateRefsCommand=",
	"diff.external=", "diff.submodule=short", "submodule.recurse=false", "protocol.allow=never", "log.showSignature=false", "credential.helper=", "gc.auto=0", "maintenance.auto=false", "core.packedGitLimit=256m", "core.bigFileThreshold=16m",
}

func gitEnvironment(home string) []string {
	env := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "LC_ALL=C", "TZ=UTC", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat", "GIT_EDITOR=false", "GIT_PROTOCOL_FROM_USER=0", "GIT_ALLOW_PROTOCOL=", "GIT_EXTERNAL_DIFF="}
	for _, n := range []string{"PATH", "TMPDIR", "SystemRoot"} {
		if v, ok := os.LookupEnv(n); ok {
			env = append(env, n+"="+v)
		}
	}
	return env
}

func (g *gitReader) command(ctx context.Context, there bool, args ...string) *exec.Cmd {
	full := []string{"--no-pager", "--literal-pathspecs"}
	for _, s := range gitSettings {
		full = append(full, "-c", s)
	}
	cmd := exec.CommandContext(ctx, "git", append(full, args...)...)
	cmd.Env = gitEnvironment(os.TempDir())
	cmd.WaitDelay = 2 * time.Second
	if there {
		cmd.Dir = g.repo
	} else {
		cmd.Dir = g.dir
		cmd.Env = append(cmd.Env, "GIT_DIR="+g.dir, "GIT_OBJECT_DIRECTORY="+g.objects)
	}
	return cmd
}

const maxGitOutput = 64 << 20

// run runs git: with the repository's refs if there is set, otherwise only with its objects.
func (g *gitReader) run(ctx context.Context, there bool, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	cmd := g.command(ctx, there, args...)
	said := bounded.Buffer{Most: 4 << 10}
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start git: %w", err)
	}
	b, err := io.ReadAll(io.LimitReader(out, maxGitOutput+1))
	if len(b) > maxGitOutput {
		cancel()
		err = fmt.Errorf("git %s: the output is larger than %d MiB: review a smaller range", args[0], maxGitOutput>>20)
	}
	if done := cmd.Wait(); err == nil && done != nil {
		text := strings.TrimSpace(said.String())
		if strings.HasPrefix(text, "fatal: not a git repository (or any of the parent") { // git prints it in English, by LC_ALL
			return b, errors.New("this folder is not in a git repository: change to the one that has the commits")
		}
		err = fmt.Errorf("git %s: %s (%w)", args[0], visible.Clip(text, 300), done)
	}
	return b, err
}

func (g *gitReader) resolve(ctx context.Context, name string) (string, error) {
	out, err := g.run(ctx, true, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	id := strings.TrimSpace(string(out))
	if err != nil || !hexName(id) {
		return "", fmt.Errorf("%s is not a commit of this repository", visible.Clip(name, 100))
	}
	return id, nil
}

func hexName(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// raw is a file after a change.
type raw struct{ mode, was, id, status, path string }

// emptyTree returns the ID of the tree without files.
func (g *gitReader) emptyTree(ctx context.Context) (string, error) {
	out, err := g.run(ctx, false, "hash-object", "-t", "tree", os.DevNull)
	return strings.TrimSpace(string(out)), err
}

func (g *gitReader) freeze(ctx context.Context, parent, name, base, head string) (*Snapshot, error) {
	if base == "" {
		var err error
		if base, err = g.emptyTree(ctx); err != nil {
			return nil, err
		}
	} else if out, err := g.run(ctx, false, "merge-base", base, head); err == nil && hexName(strings.TrimSpace(string(out))) {
		base = strings.TrimSpace(string(out)) // otherwise they have no common ancestor, and everything is new
	}
	list, err := g.changed(ctx, base, head)
	if err != nil {
		return nil, err
	}
	diff, err := g.run(ctx, false, "diff-tree", "-p", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "--full-index", "--src-prefix=a/", "--dst-prefix=b/", "-r", base, head)
	if err != nil {
		return nil, err
	}
	b, err := build(parent, Target{Kind: "range", Name: name, Base: base, Head: head})
	if err != nil {
		return nil, err
	}
	if err := g.fill(ctx, b, list, string(diff), base, head); err != nil {
		return nil, b.abandon(err)
	}
	return b.finish()
}

func (g *gitReader) changed(ctx context.Context, base, head string) (list []raw, err error) {
	out, err := g.run(ctx, false, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", "--no-ext-diff", base, head)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(f) != 5 {
			return nil, errors.New("cannot read the output of git diff-tree")
		}
		if f[4] != "D" {
			list = append(list, raw{mode: f[1], was: f[2], id: f[3], status: f[4], path: fields[i+1]})
		}
	}
	return list, nil
}

// spansOf returns the touched lines of each file in a diff.
func spansOf(diff string) map[string][]Span {
	m := map[string][]Span{}
	for _, f := range parseDiff(diff).files {
		var spans []Span
		for _, h := range f.hunks {
			n := h.newStart - 1
			if h.newCount == 0 {
				n++
			}
			spans = h.touched(spans, n)
		}
		m[f.new] = spans
	}
	return m
}

func (g *gitReader) fill(ctx context.Context, b *builder, list []raw, diff, base, head string) error {
	spans := spansOf(diff)
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	cmd := g.command(ctx, false, "cat-file", "--batch", "--buffer")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot start git: %w", err)
	}
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		for _, r := range list {
			if r.mode != "160000" {
				if _, err := io.WriteString(in, r.id+"\n"); err != nil {
					break // git ended, and the reader gets the error
				}
			}
		}
		_ = in.Close()
	}()
	r := bufio.NewReaderSize(out, 64<<10)
	for i := range list {
		if err = g.take(b, &list[i], r, spans[list[i].path]); err != nil {
			break
		}
	}
	if err != nil {
		cancel()
	}
	done := cmd.Wait()
	<-fed
	if err = errors.Join(err, done); err != nil {
		return err
	}
	said, err := g.run(ctx, false, "log", "--no-color", "--no-show-signature", "--max-count=1000", "--format=%H%nAuthor: %an <%ae>%nCommitter: %cn <%ce>%n%n%B", head, "^"+base)
	if err != nil { // the base is a tree
		if said, err = g.run(ctx, false, "log", "--no-color", "--no-show-signature", "--max-count=1000", "--format=%H%nAuthor: %an <%ae>%nCommitter: %cn <%ce>%n%n%B", head); err != nil {
			return err
		}
	}
	if err := b.text(around+"/commits.txt", string(said)); err != nil {
		return err
	}
	return b.diff(diff)
}

// take copies one object from git's output.
func (g *gitReader) take(b *builder, w *raw, r *bufio.Reader, spans []Span) error {
	p, kind, detail := relativePath(w.path)
	if kind != "" {
		b.fault(kind, p, detail)
	}
	if w.mode == "160000" {
		b.fault(Submodule, p, "")
		return nil
	}
	head, err := r.ReadString('\n')
	if err != nil {
		return err
	}
	f := strings.Fields(head)
	if len(f) == 2 && f[1] == "missing" {
		b.fault(Unreadable, p, "")
		b.skip(p, "the repository does not have its content", 0)
		return nil
	}
	if len(f) != 3 {
		return errors.New("cannot read the output of git cat-file")
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil || size < 0 {
		return errors.New("cannot read the output of git cat-file")
	}
	file := File{Path: p, Kind: Regular, Size: size, Executable: w.mode == "100755", Partial: w.status != "A", Changed: spans}
	if len(spans) == 0 && w.id != w.was { // binary or too large for git: all of it counts
		file.Partial = false
	}
	if w.mode == "120000" {
		file.Kind = Symlink
		if w.status == "A" || w.status == "T" {
			b.fault(NewSymlink, p, "")
		}
	}
	body := io.LimitReader(r, size)
	if err := b.add(file, body); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, body); err != nil {
		return err
	}
	_, err = r.Discard(1)
	return err
}
