// Package tool has the tools of umpire's own agent: it reads, finds and changes files, runs
// commands, and keeps a list of what is to be done.
//
// Nothing here asks whether a call may run: an agent.Caller does. What a tool itself
// refuses, no approval allows: umpire's own files, and files that are not any more what
// the model or the person saw.
package tool
