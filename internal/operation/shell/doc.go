// Package shell reads shell commands into operations. It walks the syntax tree with an abstract
// interpreter that runs nothing.
//
// Read takes the text of one command; a Reader keeps the state of a shell between commands. The
// interpreter knows the values of variables, the working folder, functions, aliases, pipes, and
// the files that the command itself has written. For each program it asks package command for a
// description, package projectfile for the files that the program loads, and package classify for what
// it may claim. For each script in another language it asks package code, sql or powershell.
//
// A value that only the real shell can know stays a hole (umpire.Hole). Where a value has several
// known possibilities, the command is read once for each. A script or a Makefile on the disk adds
// operations, and never removes one.
//
// The text comes from an attacker. Steps, depth and bytes of the interpreter are bounded
// (state.go), and everything beyond a bound counts as unknown, not as harmless. Text that does not
// parse is repaired as a shell would run it (repair.go), or is unknown.
//
// state.go has the interpreter, stmt.go statements, call.go programs, expand.go and param.go words,
// redirect.go redirections, and host.go the interface to package command.
package shell
