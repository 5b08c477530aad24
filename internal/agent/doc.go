// Package agent is the loop of a coding agent: it asks a model, runs the tool calls that
// the model wants, and gives it what they led to.
//
// Run is the loop, Caller the one path by which a tool runs: every call, of every mode
// and of every sub-agent, is checked against its schema, read and judged by the policy,
// asked about where that says so, and its output guarded. Models, tools and people come
// in as values of the types declared here; the packages below implement them.
package agent
