// Package operation reads an Action into Operations: what a tool call would do, to which
// resources.
//
// Tools are told apart by what their input holds rather than by a list of names alone:
// every coding agent calls its shell something else, and a tool server may offer one
// under any name at all. Shell commands go to package shell, which interprets them;
// sql, code, powershell and patch read the other languages that calls carry.
package operation
