package cli

import "github.com/umpire-dev/umpire/internal/terminal"

// AtTerminal returns the person who started this process. Tests replace it.
var AtTerminal = func() (terminal.Person, error) { return terminal.Open() }

// ByAgent returns an error if a coding agent started this process. An agent must not change
// how it is guarded. Tests replace it, since an agent may run them.
var ByAgent = terminal.Agent
