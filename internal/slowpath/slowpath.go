// Package slowpath does the work of a hook that rules alone cannot do: it asks the judge and
// people, and checks tool output and prompts. If it fails, the decision of the rules stands.
package slowpath

import (
	"context"
	"errors"
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
	h.Look = lookAtSettings
	h.Judge = judgeCall
	h.Wait = answer.Wait
	h.Scan = scanText
	return h
}

// lookAtSettings reports to a new session which settings changed since umpire's installation, and
// which hooks the project adds.
func lookAtSettings(_ context.Context, c *hook.Call) (string, error) {
	a := &c.Event.Action
	own := home.Dir(os.Getenv)
	if own == "" {
		return "", errors.New("umpire cannot find your home folder: set HOME")
	}
	dir := platform.Workspace(a.Dir, a.Workspace, own)
	return install.SessionReport(install.Env{Home: own, Dir: dir, Getenv: os.Getenv}, a.Principal.Platform), nil
}
