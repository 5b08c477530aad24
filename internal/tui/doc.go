// Package tui shows a coding agent's work in a terminal, and takes what its user types:
// messages, commands, answers to questions.
//
// Run shows a Session, which does the work; package talk implements it. The package knows nothing
// of models, tools or files. The output of a Session comes from models and tools and is foreign:
// tui makes it visible before it draws it, so that no piece of it can control the terminal or
// leave its place.
//
// There are two interfaces. The screen (model.go, turn.go, code.go) redraws itself and needs a
// terminal. The lines (lines.go) are printed one after the other and need none.
package tui
