// Package operation reads an Action into Operations: what a tool call would do, to which
// resources.
//
// The package tells tools apart by their input, and not only by a list of names. Every coding agent
// has its own name for a shell, and a tool server may offer one under any name. Package shell
// interprets shell commands; packages sql, code, powershell and patch read the other languages in
// calls.
package operation
