// Package quarantine decides what a reviewer of untrusted code may do, and reads its answer.
//
// A reviewer is an agent with a separate session. It may call three read-only tools, and names
// files only by references that the main process signed for that session. Everything else is
// refused and recorded. The package trusts no byte from a reviewer, which hostile code may
// control.
package quarantine
