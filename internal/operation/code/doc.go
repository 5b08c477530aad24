// Package code reads programs in scripting languages: what a python -c, a node -e or a
// here-document fed to perl would delete, write, read, contact, start or evaluate.
//
// It does not interpret those languages. It scans tokens and folds literals: strings in every
// quoting, joined, reversed, decoded, looked up in the environment. It follows assignments, aliases
// and small functions in the order of the text. The one-liners of agents, and of adversaries who
// hide something, rarely need more. A value that it cannot fold is a Hole, and an effect that
// depends on one has the trait Unknown. Strings and comments that nothing executes are data.
//
// Read is the way in: it returns the Effects of a text, in order, and asks an Env for variables,
// standard input and the results of effects. Package shell makes operations of the Effects.
package code
