// Package agent is the loop of a coding agent: it asks a model, runs the tool calls that
// the model wants, and gives it what they led to.
//
// Run is the loop, and Caller the one path by which a tool runs. It checks every call, of
// every mode and every sub-agent, against its schema. The policy decides on the call, a person
// answers where it asks, and the guard checks the output. Models, tools and people come in as
// values of the types declared here; the packages below implement them.
package agent
