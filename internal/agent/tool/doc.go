// Package tool provides the agent's tools, which read, search and change files, run commands
// and keep a to-do list.
//
// The tools do not decide whether a call may run; agent.Caller does. A tool refuses
// umpire's files, and files that changed since the model or the person saw them, even after an
// approval. Inputs come from the model, which is not trusted.
package tool
