package main

import (
	"time"

	"github.com/umpire-dev/umpire/internal/audit"
)

// record appends the decision to the audit log.
func (h *hook) record() error {
	dir, err := audit.DefaultDir()
	if err != nil {
		return err
	}
	e := audit.Decided(&h.event.Action, h.ops, h.decision)
	e.Point = audit.Hook
	e.Principal.Platform = h.client
	if h.policy != nil {
		e.Policy = h.policy.Hash()
	}
	e.Failure = h.failure
	e.Micros = time.Since(h.start).Microseconds()
	return audit.Append(dir, &e)
}
