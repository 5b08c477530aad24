package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// gitPath is the gateway's repository, below its URL.
const gitPath = "/git/project.git"

var requestIn = lazy.Regexp(`umpire: request ([0-9A-HJKMNP-TV-Z]{26})`)

// RequestPush pushes a branch of the repository in dir to the gateway, and returns when the
// commit is at the project's remote. If the branch moved in the meantime, the error is a
// *Denied with StatusConflict. It requires git.
func (c *Client) RequestPush(ctx context.Context, dir, branch, reason string) (Answer, error) {
	base, token := c.where()
	args := []string{"push", "--porcelain", "--no-follow-tags"}
	for name, value := range map[string]string{"reason": reason, "session": c.Session} {
		if value != "" {
			args = append(args, "--push-option="+name+"="+strings.ReplaceAll(value, "\n", " "))
		}
	}
	cmd := exec.CommandContext(ctx, "git", append(args, "--", base+gitPath, "refs/heads/"+branch+":refs/heads/"+branch)...)
	cmd.Dir = dir
	// Use the environment: every user of the machine can read a command line.
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0=Authorization: Bearer "+token)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() != nil {
		return Answer{}, ctx.Err()
	}
	id := requestIn().FindStringSubmatch(out.String())
	switch {
	case id != nil: // git may have given up waiting, so ask for the state of the request
		a, err := c.Wait(ctx, id[1])
		if err != nil {
			return a, err
		}
		return a, c.outcome(ctx, "pushes", a.ID)
	case err == nil:
		return Answer{Status: StatusApproved}, nil // the remote already has the commit
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return Answer{}, err
	}
	return Answer{}, fmt.Errorf("git push: %s", strings.TrimSpace(out.String()))
}
