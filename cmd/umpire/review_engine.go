package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/review"
)

func (f *reviewFlags) engineFlags(c *cobra.Command) {
	o := c.Flags()
	o.StringVar(&f.engine, "engine", "builtin", "who reads: builtin, claude, codex, opencode, or none (the checks without a model only)")
	o.StringVar(&f.provider, "provider", "", "the model's provider, for the builtin engine")
	o.StringVar(&f.baseURL, "base-url", "", "the address of its API")
	o.StringVar(&f.model, "model", "", "the model")
	o.StringVar(&f.keyEnv, "api-key-env", "", "the variable with its key")
	o.DurationVar(&f.timeout, "timeout", 5*time.Minute, "how long one reviewer may take")
	o.DurationVar(&f.refTTL, "ref-ttl", time.Hour, "how long a reference to a file is good for")
	o.IntVar(&f.rate, "rate", 100, "calls of a reviewer in a minute")
	o.IntVar(&f.agents, "max-agents", 5, "reviewers at the same time")
	o.IntVar(&f.turns, "max-turns", 50, "turns of a reviewer")
	o.StringVar(&f.audit, "audit", "", "the file for security events")
	o.StringVar(&f.instructions, "instructions", "", "a file with wishes of your own for the reviewer")
	o.StringVar(&f.isolate, "isolate", "auto", "auto, require or off")
	o.BoolVar(&f.once, "one-time-refs", false, "each reference and range works one time")
	o.BoolVar(&f.confirm, "confirm", false, "ask a second reviewer about what is grave")
}

// newEngine returns who reads, nil for nobody.
func (f *reviewFlags) newEngine(_ io.Writer, _ func(string)) (review.Engine, error) {
	if !slices.Contains([]string{"auto", "require", "off"}, f.isolate) {
		return nil, fmt.Errorf("--isolate: %q; use auto, require or off", f.isolate)
	}
	switch f.engine {
	case "none":
		return nil, nil //nolint:nilnil // nobody reads
	case "builtin", "claude", "codex", "opencode":
		return nil, fmt.Errorf("--engine %s is not there in this build: use --engine none", f.engine)
	}
	return nil, fmt.Errorf("--engine: %q; use builtin, claude, codex, opencode or none", f.engine)
}

// isolationMissing reports whether a review was refused for want of isolation.
func isolationMissing(error) bool { return false }
