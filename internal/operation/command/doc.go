// Package command describes programs: which options they take, and what their
// operands are read, written, deleted, contacted or run for.
//
// A description is a Model, data where data suffices: an option grammar, the roles of
// the operands, sub-commands. Where it does not, Do says in Go what a parsed Call does.
// The package knows nothing of shells: what a Call does it tells a Host, which in
// practice is the interpreter of package shell.
package command

//go:generate go run -tags bootstrap ./generate
