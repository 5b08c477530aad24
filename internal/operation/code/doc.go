// Package code reads programs in scripting languages: what a python -c, a node -e or a
// here-document fed to perl would delete, write, read, contact, start or evaluate.
//
// It is no interpreter of those languages. It scans tokens, folds what is literal
// (strings in every quoting, joined, reversed, decoded, looked up in the environment) and
// follows assignments, aliases and small functions in the order of the text, which is
// how far an agent's one-liner goes, and how far an adversary goes to hide one. What it
// cannot fold is a Hole, and where code is made of such, the effect says so. Strings and
// comments that nothing executes are data.
package code
