// Package normal undoes disguises of text.
//
// Text returns one canonical form, for judging. It removes invisible characters and keeps them
// as evidence: the text that they spell becomes a View, which is judged separately. It is a
// pure function, linear in the length of the text, whose author is the adversary.
package normal
