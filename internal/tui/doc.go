// Package tui shows a coding agent's work in a terminal, and takes what its user types:
// messages, commands, answers to questions.
//
// A Session does the work; the package knows nothing of models, tools or files. The
// output of a Session comes from models and tools and is foreign: it is made visible before it
// is drawn, and no piece of it can steer the terminal or leave its place.
//
// There are two faces. The screen redraws itself and wants a terminal; the lines are
// printed one after the other and want none.
package tui
