package snapshot

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // git names objects by it
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/wire"
)

// Limits of requests to a hosting service.
const (
	maxPages  = 30 // of 100 files each, the service's maximum
	maxAnswer = 64 << 20
	pullTime  = 10 * time.Minute
)

var (
	shortPull = lazy.Regexp(`^([A-Za-z0-9][A-Za-z0-9-]*)/([A-Za-z0-9._-]+)#([0-9]{1,9})$`)
	longPull  = lazy.Regexp(`^https://([^/@?#]+)/([A-Za-z0-9][A-Za-z0-9-]*)/([A-Za-z0-9._-]+)/pull/([0-9]{1,9})(?:[/?#].*)?$`)
)

// FromPull freezes a pull request, named by owner/repo#12 or its URL: the files of its head,
// its title, body and messages. api is the URL of the service's API, "" for GitHub. The token
// needs only read access; public repositories need none.
func FromPull(ctx context.Context, parent, target, api, token string) (*Snapshot, error) {
	name, err := ParsePull(target, api)
	if err != nil {
		return nil, err
	}
	p := pull{api: name.API, owner: name.Owner, repo: name.Repo, number: name.Number, client: &wire.Client{Buffer: true, Life: pullTime}}
	if token != "" {
		p.client.Key = wire.Plain(token)
	}
	ctx, cancel := context.WithTimeout(ctx, pullTime)
	defer cancel()
	return p.freeze(ctx, parent, target)
}

// PullName identifies a pull request and its service.
type PullName struct {
	API                 string // URL of the service's API, without a trailing slash
	Owner, Repo, Number string
}

// ParsePull parses owner/repo#12 or the URL of a pull request. api is the URL of the service's API,
// "" for GitHub's. It must be https, or on this machine.
func ParsePull(target, api string) (PullName, error) {
	var p PullName
	if m := shortPull().FindStringSubmatch(target); m != nil {
		p.Owner, p.Repo, p.Number = m[1], m[2], m[3]
	} else if m := longPull().FindStringSubmatch(target); m != nil {
		p.Owner, p.Repo, p.Number = m[2], m[3], m[4]
		if api == "" && m[1] != "github.com" {
			api = "https://" + m[1] + "/api/v3"
		}
	} else {
		return p, fmt.Errorf("%s is not a pull request: use owner/repo#12 or its address", visible.Clip(target, 200))
	}
	api = cmp.Or(api, "https://api.github.com")
	u, err := url.Parse(api)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && (u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost" || u.Hostname() == "::1")) {
		return p, errors.New("the address of the API must be https")
	}
	p.API = strings.TrimSuffix(api, "/")
	return p, nil
}

type pull struct {
	client              *wire.Client
	api                 string
	owner, repo, number string
	modes               map[string]string // modes of the head's files
}

// pullRetry controls retries. Tests change its clock.
var pullRetry = wire.Retry{Tries: 6, After: 2 * time.Minute}

// get requests a path of the API and returns at most max bytes.
func (p *pull) get(ctx context.Context, path, accept string, max int64) (answer []byte, err error) {
	c := *p.client
	c.Most = max
	err = pullRetry.Do(ctx, func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.api+"/repos/"+p.owner+"/"+p.repo+path, http.NoBody)
		if err != nil {
			return err
		}
		req.Header.Set("Accept", accept)
		req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
		req.Header.Set("User-Agent", "umpire-review")
		res, err := c.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = res.Body.Close() }()
		answer, err = io.ReadAll(res.Body)
		return err
	})
	var f *wire.Fault
	if errors.As(err, &f) {
		return nil, &serviceError{f}
	}
	return answer, err
}

// serviceError is a failure of the hosting service, with the next step.
type serviceError struct{ f *wire.Fault }

func (e *serviceError) Unwrap() error { return e.f }

func (e *serviceError) Error() string {
	s := "the hosting service " + strings.TrimPrefix(e.f.Error(), "the provider ")
	switch e.f.Kind {
	case wire.NotFound:
		return fmt.Sprintf("the hosting service answers %d: the repository is private or there is no such pull request", e.f.Status)
	case wire.KeyRefused, wire.RateLimited:
		return s + ": pass a read-only token with --token-env"
	case wire.TooLarge:
		return "the hosting service's answer is too large"
	case wire.Unreachable, wire.Untrusted, wire.Reset, wire.Silent:
		return s + ": check the network, and GITHUB_API_URL if you set it; then review again"
	}
	return s
}

func (p *pull) json(ctx context.Context, path string, v any) error {
	b, err := p.get(ctx, path, "application/vnd.github+json", maxAnswer)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return errors.New("cannot read the hosting service's answer")
	}
	return nil
}

type pullInfo struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	User  struct {
		Login string `json:"login"`
	} `json:"user"`
	Head struct {
		Ref string `json:"ref"`
		SHA string `json:"sha"`
	} `json:"head"`
	Base struct {
		Ref string `json:"ref"`
		SHA string `json:"sha"`
	} `json:"base"`
	ChangedFiles int `json:"changed_files"`
}

type pullFile struct {
	Name     string `json:"filename"`
	Previous string `json:"previous_filename"`
	Status   string `json:"status"`
	SHA      string `json:"sha"`
	Patch    string `json:"patch"`
	Changes  int    `json:"changes"`
}

func (p *pull) freeze(ctx context.Context, parent, target string) (*Snapshot, error) {
	var info pullInfo
	if err := p.json(ctx, "/pulls/"+p.number, &info); err != nil {
		return nil, err
	}
	if !hexName(info.Head.SHA) || !hexName(info.Base.SHA) {
		return nil, errors.New("the hosting service's answer names no commits")
	}
	b, err := build(parent, Target{Kind: "pull-request", Name: target, Base: info.Base.SHA, Head: info.Head.SHA})
	if err != nil {
		return nil, err
	}
	if err := p.fill(ctx, b, &info); err != nil {
		return nil, b.abandon(err)
	}
	return b.finish()
}

func (p *pull) fill(ctx context.Context, b *builder, info *pullInfo) error {
	p.readModes(ctx, b, info.Head.SHA)
	var diff strings.Builder
	count := 0
	for page := 1; page <= maxPages; page++ {
		var files []pullFile
		if err := p.json(ctx, fmt.Sprintf("/pulls/%s/files?per_page=100&page=%d", p.number, page), &files); err != nil {
			return err
		}
		for i := range files {
			count++
			if err := p.file(ctx, b, &files[i], &diff); err != nil {
				return err
			}
		}
		if len(files) < 100 {
			break
		}
	}
	if count < info.ChangedFiles {
		b.fault(OverLimit, "", "the hosting service lists only some of the files")
		b.incomplete("the hosting service lists only some of the pull request's files")
	}
	return p.texts(ctx, b, info, diff.String())
}

// readModes finds out which files are links, which the list of changes omits.
func (p *pull) readModes(ctx context.Context, b *builder, head string) {
	var tree struct {
		Tree []struct {
			Path, Mode string
		} `json:"tree"`
		Truncated bool `json:"truncated"`
	}
	err := p.json(ctx, "/git/trees/"+head+"?recursive=1", &tree)
	if err != nil || tree.Truncated {
		b.incomplete("the hosting service does not say which files are links")
	}
	p.modes = make(map[string]string, len(tree.Tree))
	for _, f := range tree.Tree {
		p.modes[f.Path] = f.Mode
	}
}

func (p *pull) file(ctx context.Context, b *builder, f *pullFile, diff *strings.Builder) error {
	old := f.Name
	if f.Previous != "" {
		old = f.Previous
	}
	if diff.Len() < maxDiffFile {
		fmt.Fprintf(diff, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n%s\n", old, f.Name, old, f.Name, f.Patch)
	}
	path, kind, detail := relativePath(f.Name)
	if kind != "" {
		b.fault(kind, path, detail)
	}
	mode := p.modes[f.Name]
	switch {
	case f.Status == "removed":
		return nil
	case mode == "160000":
		b.fault(Submodule, path, "")
		return nil
	case b.s.Target.Files >= b.limit.files:
		b.skip(path, fmt.Sprintf("a review has at most %d files", b.limit.files), 0)
		return nil
	}
	out := File{Path: path, Kind: Regular, Executable: mode == "100755", Partial: f.Status != "added" && f.Status != "renamed" && f.Status != "copied", Changed: spansOf("--- a/x\n+++ b/x\n" + f.Patch)["x"]}
	if f.Patch == "" { // binary or too large for the service: all of it counts
		out.Partial = false
	}
	if mode == "120000" {
		out.Kind = Symlink
		if f.Status == "added" {
			b.fault(NewSymlink, path, "")
		}
	}
	content, err := p.blob(ctx, f.SHA)
	var service *serviceError
	switch {
	case ctx.Err() == nil && errors.As(err, &service), errors.Is(err, ErrChanged):
		b.skip(path, "the hosting service does not return its content", 0)
		return nil
	case err != nil:
		return err
	}
	out.Size = int64(len(content))
	return b.add(out, bytes.NewReader(content))
}

// blob requests the content with a git hash, and verifies it.
func (p *pull) blob(ctx context.Context, id string) ([]byte, error) {
	if !hexName(id) {
		return nil, &serviceError{&wire.Fault{Kind: wire.NotFound, Status: http.StatusNotFound}}
	}
	var blob struct {
		Content  string `json:"content"`
		Encoding string `json:"encoding"`
	}
	if err := p.json(ctx, "/git/blobs/"+id, &blob); err != nil {
		return nil, err
	}
	b, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(blob.Content, "\n", ""))
	if err != nil || blob.Encoding != "base64" {
		return nil, ErrChanged
	}
	if len(id) == 40 {
		h := sha1.New() //nolint:gosec // git names objects by it
		fmt.Fprintf(h, "blob %d\x00", len(b))
		h.Write(b)
		if hex.EncodeToString(h.Sum(nil)) != id {
			return nil, ErrChanged
		}
	}
	return b, nil
}

// texts adds the texts around the change.
func (p *pull) texts(ctx context.Context, b *builder, info *pullInfo, diff string) error {
	about := fmt.Sprintf("%s\n\n%s\n\nauthor: %s\nbranch: %s\ninto: %s\n", info.Title, info.Body, info.User.Login, info.Head.Ref, info.Base.Ref)
	if err := b.text(around+"/pull-request.md", about); err != nil {
		return err
	}
	var commits []struct {
		SHA    string `json:"sha"`
		Commit struct {
			Message string `json:"message"`
			Author  struct{ Name, Email string }
		} `json:"commit"`
	}
	if err := p.json(ctx, "/pulls/"+p.number+"/commits?per_page=100", &commits); err != nil {
		return err
	}
	var said strings.Builder
	for _, c := range commits {
		fmt.Fprintf(&said, "%s\nAuthor: %s <%s>\n\n%s\n\n", c.SHA, c.Commit.Author.Name, c.Commit.Author.Email, c.Commit.Message)
	}
	if err := b.text(around+"/commits.txt", said.String()); err != nil {
		return err
	}
	return b.diff(diff)
}
