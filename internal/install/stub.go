package install

// Agent is a coding agent that umpire can be installed for.
type Agent struct {
	Name     string // as umpire-hook knows it
	Title    string
	Observed bool // what is written was tried with the real agent
}

// Agents returns all agents, those that were observed first.
func Agents() []Agent { return nil }

// Found returns the agents that are on the machine: their program is in PATH, or their
// settings folder exists.
func Found(env Env) []Agent { return nil }

// Plan tells what would be written. There is no change where all is as it should be.
func Plan(env Env, agent string, scope Scope, o Options) ([]Change, error) {
	return nil, ErrUnsupported
}

// PlanRemove tells what would be written to take umpire out again.
func PlanRemove(env Env, agent string, scope Scope) ([]Change, error) { return nil, ErrUnsupported }

// Apply makes changes: all of an agent's, or none.
func Apply(env Env, changes []Change) error { return nil }

// Inspect tells how umpire stands in an agent's settings.
func Inspect(env Env, agent string) (Status, error) { return Status{Agent: agent}, nil }

// SessionReport tells at the start of a session what is no longer as it was installed,
// and which hooks the project brings. It is "" if there is nothing to tell.
func SessionReport(env Env, agent string) string { return "" }
