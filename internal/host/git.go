package host

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/procgroup"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Remote is the destination of approved pushes.
type Remote struct {
	URL         string // https, ssh, or a folder of this machine
	Credentials string // file in git's credential store format; optional
}

// Staging is umpire's bare repository between agents and a remote. Agents fetch the remote's
// branches from it and push commits to it. Approved commits go to the remote, with credentials
// that agents never have. Git never runs an agent's push or reads it as configuration.
type Staging struct {
	dir    string
	remote Remote
	scheme string

	turn    chan struct{} // one slot per push under inspection
	mu      sync.Mutex    // serializes fetches; guards the fields below
	fetched time.Time
	headAt  time.Time
}

// Limits on git's work for agents.
const (
	maxPack     = 256 << 20 // bytes that one push may send
	maxObject   = 50 << 20  // bytes of one file in it
	maxObjects  = 200_000   // objects of one push
	maxMemory   = 4 << 30   // bytes of address space of a git process that sends or receives packs
	maxLooking  = 3 << 29   // likewise of one that inspects a push: a few hundred bytes may expand to many files
	maxLookers  = 2         // pushes to inspect at a time
	localTime   = 2 * time.Minute
	networkTime = 10 * time.Minute
)

// Where refs are stored. Agents see only the refs below the first prefix, and can name neither
// prefix.
const (
	remoteSpace = "remote"
	remoteRefs  = "refs/namespaces/" + remoteSpace + "/"
	pushedRefs  = "refs/pushed/"
)

// OpenStaging opens or creates the repository in dir. It does not contact the remote.
func OpenStaging(ctx context.Context, dir string, r Remote) (*Staging, error) {
	s := &Staging{dir: dir, remote: r, turn: make(chan struct{}, maxLookers)}
	var err error
	if s.scheme, err = schemeOf(r.URL); err != nil {
		return nil, err
	}
	if s.scheme == "file" && !repository(r.URL) { // otherwise the first approved push would fail, after the person's work
		return nil, fmt.Errorf("the remote %s is not a git repository", r.URL)
	}
	if r.Credentials != "" {
		if s.remote.Credentials, err = filepath.Abs(r.Credentials); err != nil {
			return nil, err
		}
		if _, err := os.Stat(s.remote.Credentials); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		if _, err := s.git(ctx, gitCommand{args: []string{"init", "--quiet", "--bare", "--template=", "--object-format=sha1", "--", dir}}); err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	// Remove packs of pushes that were refused or sent long ago.
	_, err = s.git(ctx, gitCommand{args: []string{"gc", "--quiet", "--prune=2.days.ago"}, within: networkTime})
	return s, err
}

// repository reports whether a folder is a git repository, bare or with a working tree.
func repository(dir string) bool {
	_, bare := os.Stat(filepath.Join(dir, "HEAD"))
	_, tree := os.Stat(filepath.Join(dir, ".git"))
	return bare == nil || tree == nil
}

// URL returns the URL of the remote for approved pushes.
func (s *Staging) URL() string { return s.remote.URL }

// schemeOf returns git's protocol for a remote. Git may use only that protocol.
func schemeOf(remote string) (string, error) {
	if filepath.IsAbs(remote) {
		return "file", nil
	}
	if u, err := url.Parse(remote); err == nil && u.Host != "" && !strings.HasPrefix(u.Host, "-") {
		if anyof.Equal(u.Scheme, "https", "http", "ssh") {
			_, has := u.User.Password()
			if has || redact.String(remote) != remote { // the user name may be a token
				return "", errors.New("the remote's URL has a password or token in it, which agents could see: put it into a file of credentials")
			}
			return u.Scheme, nil
		}
	} else if host, rest, ok := strings.Cut(remote, ":"); ok && rest != "" && !strings.ContainsAny(host, "/ ") && host != "" && !strings.HasPrefix(host, "-") && !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "//") {
		return "ssh", nil // user@host:path
	}
	return "", fmt.Errorf("%q is not a remote: use https, ssh, or the absolute path of a repository", visible.Clip(redact.String(remote), 200))
}

// gitCommand is one invocation of git.
type gitCommand struct {
	args    []string
	env     []string
	in      io.Reader
	out     io.Writer     // gets the output instead of the result
	most    int           // bytes of output to keep; 1 MiB if 0
	cut     bool          // truncate a longer output instead of failing
	network bool          // the call connects to the remote
	within  time.Duration // 2 minutes if 0
}

// errGit returns git's error message in printable form.
type errGit struct {
	verb string
	said string
	err  error
}

func (e *errGit) Error() string {
	return "git " + e.verb + ": " + visible.Clip(redact.String(strings.Join(strings.Fields(e.said), " ")), 500) + " (" + e.err.Error() + ")"
}

func (e *errGit) Unwrap() error { return e.err }

// Told returns the error for the sender of a push: what a remote says, but not what git says about
// this machine, such as its folders.
func (e *errGit) Told() string {
	if anyof.Equal(e.verb, "push", "fetch", "ls-remote") {
		return e.Error()
	}
	return "git " + e.verb + " failed at the gateway: see its log"
}

// environment of git: no external configuration, prompts or programs.
func (s *Staging) environment(network bool) []string {
	env := []string{"HOME=" + s.dir, "XDG_CONFIG_HOME=" + s.dir, "LC_ALL=C", "TZ=UTC", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_NO_REPLACE_OBJECTS=1", "GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat", "GIT_EDITOR=false", "GIT_PROTOCOL_FROM_USER=0"}
	names := []string{"PATH", "TMPDIR", "SystemRoot"}
	if !network {
		env = append(env, "GIT_ALLOW_PROTOCOL=")
	} else {
		env = append(env, "GIT_ALLOW_PROTOCOL="+s.scheme)
		names = append(names, "https_proxy", "HTTPS_PROXY", "http_proxy", "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO")
		if s.scheme == "ssh" {
			names = append(names, "SSH_AUTH_SOCK")
			env = append(env, "GIT_SSH_COMMAND=ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ClearAllForwardings=yes")
		}
	}
	for _, n := range names {
		if v, ok := os.LookupEnv(n); ok {
			env = append(env, n+"="+v)
		}
	}
	return env
}

// settings override the repository's configuration.
var settings = []string{
	"core.hooksPath=" + os.DevNull, "core.fsmonitor=false", "core.attributesFile=" + os.DevNull, "core.bigFileThreshold=8m", "core.commitGraph=false", "core.alternateRefsCommand=", "core.packedGitLimit=512m", "core.packedGitWindowSize=32m",
	"core.deltaBaseCacheLimit=64m", "core.pager=cat", "diff.external=", "gc.auto=0", "maintenance.auto=false", "receive.autogc=false", "transfer.fsckObjects=false", "receive.fsckObjects=true", "receive.unpackLimit=1", "transfer.unpackLimit=1",
	"pack.threads=2", "submodule.recurse=false", "push.recurseSubmodules=no", "fetch.recurseSubmodules=no", "push.followTags=false", "http.followRedirects=false", "credential.helper=", "protocol.allow=never", "log.showSignature=false", "user.useConfigOnly=true",
	fmt.Sprintf("receive.maxInputSize=%d", maxPack),
}

func (s *Staging) git(ctx context.Context, c gitCommand) (string, error) {
	if c.within == 0 {
		if c.within = localTime; c.network {
			c.within = networkTime
		}
	}
	c.most = cmp.Or(c.most, 1<<20)
	ctx, cancel := context.WithTimeout(ctx, c.within)
	defer cancel()
	args := []string{"--git-dir=" + s.dir, "--no-pager", "--literal-pathspecs"}
	for _, v := range settings {
		args = append(args, "-c", v)
	}
	if c.network && s.remote.Credentials != "" {
		args = append(args, "-c", "credential.helper=store --file='"+strings.ReplaceAll(s.remote.Credentials, "'", `'\''`)+"'")
	}
	cmd := exec.CommandContext(ctx, "git", append(args, c.args...)...)
	cmd.Dir, cmd.Env = s.dir, append(s.environment(c.network), c.env...)
	said := &capture{}
	kept := &limited{most: c.most, cancel: cancel}
	cmd.Stderr, cmd.Stdout = said, kept
	if c.out != nil {
		cmd.Stdout = c.out
	}
	cmd.WaitDelay = 2 * time.Second
	procgroup.Lead(cmd)
	// Send the agent's bytes to git only after its limits are set.
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return "", fmt.Errorf("cannot start git: %w", err)
	}
	if !c.network { // the remote's history may be of any size
		room := uint64(maxLooking)
		if anyof.Equal(c.args[0], "receive-pack", "upload-pack", "gc") {
			room = maxMemory
		}
		limit(cmd.Process.Pid, room)
	}
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		if c.in != nil {
			_, _ = io.Copy(in, c.in) // on a fault, git stops reading and reports it
		}
		_ = in.Close()
	}()
	err = cmd.Wait()
	<-fed // the caller may read on where git stopped, so the copy must have ended
	switch {
	case kept.over && c.cut:
		return kept.b.String(), nil
	case kept.over:
		return "", &errGit{c.args[0], "the answer is too large", errors.New("it was ended")}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", &errGit{c.args[0], said.text(), fmt.Errorf("it was stopped after %s", plural.Duration(c.within))}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return kept.b.String(), &errGit{c.args[0], said.text(), err}
	}
	return kept.b.String(), nil
}

// wait waits for a slot to inspect a push.
func (s *Staging) wait(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Staging) done() { <-s.turn }

// limited keeps the beginning of the data, and then fails the writer.
type limited struct {
	b      bytes.Buffer
	most   int
	over   bool
	cancel func()
}

func (l *limited) Write(p []byte) (int, error) {
	if room := l.most - l.b.Len(); len(p) > room {
		l.b.Write(p[:max(room, 0)])
		l.over = true
		l.cancel()
		return len(p), nil
	}
	return l.b.Write(p)
}

// Ref is a branch or a tag of the remote.
type Ref struct {
	Name   string // refs/heads/main
	Commit string
}

// Fetch fetches the remote's branches and tags, unless the last fetch is recent enough.
func (s *Staging) Fetch(ctx context.Context, within time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.fetched) < within {
		return nil
	}
	_, err := s.git(ctx, gitCommand{network: true, args: []string{"fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules", "--refmap=", "--", s.remote.URL,
		"+refs/heads/*:" + remoteRefs + "refs/heads/*", "+refs/tags/*:" + remoteRefs + "refs/tags/*"}})
	if err != nil {
		return err
	}
	s.fetched = time.Now()
	if time.Since(s.headAt) < 10*time.Minute {
		return nil
	}
	s.headAt = s.fetched
	out, err := s.git(ctx, gitCommand{network: true, args: []string{"ls-remote", "--symref", "--", s.remote.URL, "HEAD"}})
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		ref, ok := strings.CutPrefix(strings.TrimSuffix(line, "\tHEAD\n"), "ref: ")
		if ok && GoodRef(ref) == nil {
			_, err = s.git(ctx, gitCommand{args: []string{"symbolic-ref", "--", remoteRefs + "HEAD", remoteRefs + ref}})
		}
	}
	return err
}

// Refs lists the remote's branches and tags as of the last fetch.
func (s *Staging) Refs(ctx context.Context) ([]Ref, error) {
	out, err := s.git(ctx, gitCommand{most: 64 << 20, args: []string{"for-each-ref", "--format=%(objectname) %(refname)", remoteRefs + "refs/heads", remoteRefs + "refs/tags"}})
	var refs []Ref
	for line := range strings.Lines(out) {
		commit, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if name, good := strings.CutPrefix(name, remoteRefs); ok && good {
			refs = append(refs, Ref{name, commit})
		}
	}
	return refs, err
}

// Count returns the number of commits in an update that no branch of the remote has.
func (s *Staging) Count(ctx context.Context, u *Update) (int, error) {
	if u.New == "" {
		return 0, nil
	}
	out, err := s.git(ctx, gitCommand{most: 100, args: []string{"rev-list", "--count", u.New, "--not", "--glob=" + remoteRefs + "*"}})
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(out))
}

// UploadPack answers an agent's fetch, from the remote's content only.
func (s *Staging) UploadPack(ctx context.Context, advertise bool, in io.Reader, out io.Writer) error {
	args := []string{"upload-pack", "--stateless-rpc", "--strict", "--timeout=60"}
	if advertise {
		args = append(args, "--advertise-refs")
	}
	_, err := s.git(ctx, gitCommand{args: append(args, s.dir), env: []string{"GIT_NAMESPACE=" + remoteSpace}, in: in, out: out, within: networkTime})
	return err
}

// Receive stores the objects of a push under the ID of the future request. They are checked, but no
// branch refers to them yet.
func (s *Staging) Receive(ctx context.Context, id string, commits []string, pack io.Reader) error {
	var b bytes.Buffer
	for i, c := range commits {
		if !GoodCommit(c) {
			return errors.New("it is not a commit name")
		}
		line := fmt.Sprintf("%s %s %s%s-%d", zero, c, pushedRefs, id, i)
		if i == 0 {
			line += "\x00report-status object-format=sha1"
		}
		fmt.Fprintf(&b, "%04x%s", len(line)+4, line)
	}
	b.WriteString("0000")
	out, err := s.git(ctx, gitCommand{args: []string{"receive-pack", "--stateless-rpc", s.dir}, in: io.MultiReader(&b, pack), within: networkTime})
	if err != nil {
		return err
	}
	for p := (PktReader{r: strings.NewReader(out)}); ; {
		line, err := p.Next()
		if err != nil {
			return fmt.Errorf("cannot read the answer of git receive-pack: %w", err)
		}
		switch text := strings.TrimSpace(string(line)); {
		case line == nil:
			return s.sized(ctx, commits)
		case text == "unpack ok", strings.HasPrefix(text, "ok "):
		default:
			return fmt.Errorf("git refused it: %s", visible.Clip(text, 300))
		}
	}
}

// sized refuses files that are too large before anything reads them.
func (s *Staging) sized(ctx context.Context, commits []string) error {
	args := append([]string{"rev-list", "--objects", "--no-object-names"}, commits...)
	names, err := s.git(ctx, gitCommand{most: 50 * maxObjects, args: append(args, "--not", "--glob="+remoteRefs+"refs/*")})
	if err != nil {
		return err
	}
	if n := strings.Count(names, "\n"); n > maxObjects {
		return fmt.Errorf("the push has %d objects: the limit is %d", n, maxObjects)
	}
	sizes, err := s.git(ctx, gitCommand{most: 50 * maxObjects, args: []string{"cat-file", "--batch-check=%(objectsize)"}, in: strings.NewReader(names)})
	if err != nil {
		return err
	}
	for line := range strings.Lines(sizes) {
		var n int64
		if _, err := fmt.Sscan(line, &n); err != nil || n > maxObject {
			return fmt.Errorf("the push has a file of %s bytes: the limit is %d", strings.TrimSpace(line), maxObject)
		}
	}
	return nil
}

// Has reports whether a commit exists in the repository.
func (s *Staging) Has(ctx context.Context, commit string) (bool, error) {
	if !GoodCommit(commit) {
		return false, nil
	}
	_, err := s.git(ctx, gitCommand{args: []string{"cat-file", "-e", commit}})
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return false, nil
	}
	return err == nil, err
}

// Keep keeps a commit for a request until Forget.
func (s *Staging) Keep(ctx context.Context, id, commit string) error {
	_, err := s.git(ctx, gitCommand{args: []string{"update-ref", "--", pushedRefs + id + "-0", commit}})
	return err
}

// Forget drops the refs of a request's push. Its objects stay until git collects them.
func (s *Staging) Forget(ctx context.Context, id string) error {
	out, err := s.git(ctx, gitCommand{args: []string{"for-each-ref", "--format=delete %(refname)", pushedRefs + id + "-*"}})
	if err != nil || out == "" {
		return err
	}
	_, err = s.git(ctx, gitCommand{args: []string{"update-ref", "--stdin"}, in: strings.NewReader(out)})
	return err
}

// Push pushes the approved commit to the remote, unless the branch moved; the error is then
// ErrConflict. It succeeds if the remote already has the commit.
func (s *Staging) Push(ctx context.Context, u Update) error {
	if err := u.Check(); err != nil {
		return err
	}
	old := u.Old
	what := u.New + ":" + u.Ref
	if u.New == "" {
		what = ":" + u.Ref
	}
	out, err := s.git(ctx, gitCommand{network: true, args: []string{"push", "--porcelain", "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no", "--force-with-lease=" + u.Ref + ":" + old, "--", s.remote.URL, what}})
	s.mu.Lock()
	s.fetched = time.Time{}
	s.mu.Unlock()
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "!") && (strings.Contains(line, "(stale info)") || strings.Contains(line, "(fetch first)") || strings.Contains(line, "(remote ref does not exist)")) {
			return conflict(u.Ref)
		}
		if strings.HasPrefix(line, "!") {
			return fmt.Errorf("the remote refuses it: %s", visible.Clip(redact.String(line), 300))
		}
	}
	return err
}
