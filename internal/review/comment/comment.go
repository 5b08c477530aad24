// Package comment keeps one comment on a pull request up to date.
package comment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

// Marker is the first line of the comment. It is not displayed.
const Marker = "<!-- umpire review -->"

const (
	maxPages  = 50 // of 100 comments
	maxAnswer = 32 << 20
	patience  = time.Minute // time limit of each request
)

// actions is the author of comments that a workflow's token writes.
const actions = "github-actions[bot]"

// Put writes body as a comment on a pull request. If this author has commented before, Put replaces
// that comment. It ignores comments of others with the same marker, because their authors could
// change the report afterwards. The body must be safe to show.
func Put(ctx context.Context, target, api, token, body string) error {
	p, err := snapshot.ParsePull(target, api)
	if err != nil {
		return err
	}
	if token == "" {
		return errors.New("a comment needs a token: set the variable that --token-env names")
	}
	c := client{base: p.API, repo: p.API + "/repos/" + p.Owner + "/" + p.Repo, token: token, http: &http.Client{
		Timeout:       patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // a redirect could leak the token
	}}
	id, err := c.find(ctx, p.Number)
	if err != nil {
		return fmt.Errorf("read the comments of %s/%s#%s: %w", p.Owner, p.Repo, p.Number, err)
	}
	method, path := http.MethodPost, "/issues/"+p.Number+"/comments"
	if id != 0 {
		method, path = http.MethodPatch, fmt.Sprintf("/issues/comments/%d", id)
	}
	text := Marker + "\n" + body
	if err := c.do(ctx, method, c.repo+path, map[string]string{"body": text}, nil); err != nil {
		return fmt.Errorf("write a comment on %s/%s#%s: %w", p.Owner, p.Repo, p.Number, err)
	}
	return nil
}

type client struct {
	base, repo, token string
	http              *http.Client
}

// find returns the ID of this author's earlier comment, or 0.
func (c *client) find(ctx context.Context, number string) (int64, error) {
	author, err := c.author(ctx)
	if err != nil {
		return 0, err
	}
	for page := 1; page <= maxPages; page++ {
		var list []struct {
			ID   int64  `json:"id"`
			Body string `json:"body"`
			User struct {
				Login string `json:"login"`
			} `json:"user"`
		}
		if err := c.do(ctx, http.MethodGet, fmt.Sprintf("%s/issues/%s/comments?per_page=100&page=%d", c.repo, number, page), nil, &list); err != nil {
			return 0, err
		}
		for i := range list {
			if list[i].ID > 0 && list[i].User.Login == author && strings.HasPrefix(list[i].Body, Marker) {
				return list[i].ID, nil
			}
		}
		if len(list) < 100 {
			return 0, nil
		}
	}
	return 0, nil
}

// author returns the owner of the token. A workflow's token cannot ask for it.
func (c *client) author(ctx context.Context) (string, error) {
	var user struct {
		Login string `json:"login"`
	}
	err := c.do(ctx, http.MethodGet, c.base+"/user", nil, &user)
	var status *statusError
	if errors.As(err, &status) && (status.code == http.StatusForbidden || status.code == http.StatusNotFound) || err == nil && user.Login == "" {
		return actions, nil
	}
	return user.Login, err
}

type statusError struct{ code int }

func (e *statusError) Error() string {
	switch e.code {
	case http.StatusUnauthorized:
		return "the service does not accept the token (401)"
	case http.StatusForbidden:
		return "the service refuses (403): give the job `permissions: {pull-requests: write}`. On the event pull_request from a fork the token can only read"
	case http.StatusNotFound:
		return "there is no such pull request, or the token may not see it (404)"
	case http.StatusUnprocessableEntity:
		return "the service does not accept the comment (422)"
	case http.StatusTooManyRequests:
		return "the service asks for fewer requests (429): try again later"
	}
	return fmt.Sprintf("the service answers %d", e.code)
}

func (c *client) do(ctx context.Context, method, address string, in, out any) error {
	var body io.Reader = http.NoBody
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	req.Header.Set("User-Agent", "umpire-review")
	req.Header.Set("Authorization", "Bearer "+c.token)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("the service does not answer: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusCreated {
		return &statusError{res.StatusCode}
	}
	if out == nil {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return err
	}
	if len(b) > maxAnswer {
		return errors.New("the service's answer is too large")
	}
	if json.Unmarshal(b, out) != nil {
		return errors.New("cannot read the service's answer")
	}
	return nil
}
