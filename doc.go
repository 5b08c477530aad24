// Package umpire defines the types that all other packages share: a tool call (Action) of an
// agent (Principal), the things it would do (Operation), and the result (Effect, Reason,
// Decision).
//
// The package does no I/O. To use it, choose a package by task:
//
//	reader     read an Action into Operations
//	policy     compile rules and decide on Operations
//	decision   do both, by the policy files on this machine
//	enforce    guard the tool calls of an agent written in Go
//	hooks      run your own code before and after tool calls
//	guard      check the input and output of a language model
//	client     ask a gateway for permission
//
// # Effects
//
// An Effect is Deny, Ask or Allow. The zero value is Deny, so a Decision that was never filled
// in denies. The smaller of two effects is the stricter one.
//
// # Holes
//
// Only a running program knows some values, such as the output of another program. A Resource
// has a Hole at that position, and its Operation has the trait Unknown. Rules then match with
// doubt; see package policy.
package umpire
