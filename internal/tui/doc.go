// Package tui shows a session of the terminal agent, and takes messages, commands and answers.
//
// UI.Run shows a Session, which package conversation implements; UI.Ask shows a question about a call. The
// package knows nothing of models, tools or files. The model and its tools may be adversaries: tui
// escapes their text before it draws it, and takes no key as an answer that was typed before the
// question appeared. There are two interfaces: the screen (model.go, turn.go, code.go) redraws itself and needs a
// terminal, and the lines (lines.go) are printed one after the other and need none.
package tui
