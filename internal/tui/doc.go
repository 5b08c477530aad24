// Package tui shows a session of the terminal agent, and takes messages, commands and answers.
//
// Run shows a Session; package talk implements it. The package knows nothing of models, tools
// or files. The output of a Session is untrusted, so tui escapes it before it draws it. There
// are two interfaces: the screen (model.go, turn.go, code.go) redraws itself and needs a
// terminal, and the lines (lines.go) are printed one after the other and need none.
package tui
