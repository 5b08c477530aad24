// Package quarantine decides what a reviewer of untrusted code may do, and reads its answer.
//
// A reviewer is an agent with its own session. It may call three tools that read, and names
// files only by references that the main process signed for that session. Everything else is
// refused and recorded. The package trusts no byte from a reviewer, which hostile code may
// control.
package quarantine
