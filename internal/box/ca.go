package box

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/authority"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// TrustCA makes programs in a sandbox trust the CA of the proxy, if there is one. It keeps
// variables that the user set for the run.
func TrustCA(r *Run) error {
	dir, err := CADir()
	if err != nil {
		return err
	}
	ca, err := authority.Load(dir)
	if errors.Is(err, authority.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	bundle, err := ca.Bundle()
	if err != nil {
		return err
	}
	if bundle, err = filepath.EvalSymlinks(bundle); err != nil {
		return err
	}
	c := &r.Config
	inside := filepath.Join(c.Home, ".umpire-ca.pem")
	c.Shown = append(c.Shown, sandbox.Mount{From: bundle, To: inside})
	for _, name := range authority.Variables() {
		if !slices.ContainsFunc(c.Env, func(e string) bool { return strings.HasPrefix(e, name+"=") }) {
			c.Env = append(c.Env, name+"="+inside)
		}
	}
	return nil
}
