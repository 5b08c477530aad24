// Package tool has the tools of umpire's agent: it reads, finds and changes files, runs
// commands, and keeps a list of what is to be done.
//
// Nothing here asks whether a call may run: an agent.Caller does. No approval
// allows what a tool itself refuses: umpire's files, and files that changed since the model
// or the person saw them.
package tool
