// Package quarantine decides what a reviewer of untrusted code may do, and reads what it answers.
//
// A reviewer is an agent with a session of its own. It may call three tools that read, and
// name files only by references that the main side signed for that session. Everything
// else is refused and recorded. The package trusts no byte that comes from a reviewer.
package quarantine
