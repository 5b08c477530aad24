// Package command describes programs: which options they take, and what they do with their
// operands.
//
// A description is a Model: an option grammar, the roles of the operands (read, write, delete,
// contact, run) and subcommands. Most models are data. They are written in programs/*.yaml, with
// examples, and compiled into programs_generated.txt. Where data does not suffice, Model.Do says
// in Go what a parsed call does: doTar, doGitPush.
//
// The shell interpreter looks a program up (Lookup), parses its arguments (NewCall) and performs
// the call (Call.Perform). A call reports what it does to a Host: operations, written files, and
// scripts that it starts. The package knows nothing of shells.
//
// A model must never hide an effect. An option that no model lists makes the operands doubtful
// (Call.Undescribed), and words that no role claims are still read (Call.Leftovers). Arguments
// are Words: a word whose value only the running shell knows has a Hole, and is never taken for
// an empty or harmless one.
//
// Helpers with hundreds of callers are marked go:noinline, here and in package code: inlined copies
// made umpire-hook 200 KB larger.
//
// Files are named after families of programs: git.go, container.go, secret.go. The parser of command
// lines is in call.go, options.go and effects.go, the descriptions are in model.go and index.go, and
// leftover.go, undescribed.go and handed.go read what no description explains. Package projectfile
// reads makefiles, build scripts and other files from which programs take commands. To describe a
// program, start with CONTRIBUTING.md.
package command

//go:generate go run -tags bootstrap ./generate
