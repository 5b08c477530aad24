// Package agent runs the loop of the terminal agent. It asks a model, runs the tool calls that
// the model wants, and returns their output to it.
//
// Run is the loop, and Caller is the only path by which a tool runs. In every mode and for
// every sub-agent, Caller checks the input against the tool's schema, applies the policy, asks
// a person if needed, and guards the output. The model, the tools and their output are the
// adversary. Models, tools and people are values of the types declared here; the packages
// below implement them.
package agent
