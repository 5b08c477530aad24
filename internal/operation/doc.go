// Package operation reads an Action into Operations: what a tool call would do, to which
// resources.
//
// The package tells tools apart by their input, and not by a list of names alone. Every coding
// agent calls its shell something else, and a tool server may offer one under any name.
// Shell commands go to package shell, which interprets them;
// sql, code, powershell and patch read the other languages that calls carry.
package operation
