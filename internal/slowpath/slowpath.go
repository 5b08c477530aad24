// Package slowpath does the work of a hook that rules alone cannot do: it asks the judge and
// people, and checks tool output and prompts. If it fails, the decision of the rules stands.
package slowpath

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/hook"
	"github.com/umpire-dev/umpire/internal/install"
	"github.com/umpire-dev/umpire/internal/platform"
)

// New returns a hook for a client with the slow path.
func New(client string) *hook.Hook { return Complete(hook.New(client)) }

// Complete adds the slow path to a hook.
func Complete(h *hook.Hook) *hook.Hook {
	h.Look = lookAtSession
	h.Judge = judgeCall
	h.Wait = answer.Wait
	h.Scan = scanText
	return h
}

var errElsewhere = errors.New("the folder of this session is not on this machine")

// lookAtSession reports to a new session which settings changed since umpire's installation, which
// hooks the project adds, and that umpire runs on another machine than the agent: a container, WSL.
// It does not quote the folder: a model reads this.
func lookAtSession(_ context.Context, c *hook.Call) (string, error) {
	a := &c.Event.Action
	own := home.Dir(os.Getenv)
	if own == "" {
		return "", errors.New("umpire cannot find your home folder: set HOME")
	}
	if a.Dir != "" {
		if _, err := os.Stat(a.Dir); errors.Is(err, fs.ErrNotExist) {
			return "umpire: " + errElsewhere.Error() + ". The agent and umpire see different file systems (a container, WSL, a remote machine), so umpire cannot look at the files that calls use: install umpire where the agent runs.", errElsewhere
		}
	}
	dir := platform.Workspace(a.Dir, a.Workspace, own)
	return install.SessionReport(install.Env{Home: own, Dir: dir, Getenv: os.Getenv}, a.Principal.Platform), nil
}
