// Package normal undoes what texts do to look different from what they say.
//
// Text returns one canonical form, for judging and for forwarding. It removes characters that
// nobody sees and keeps them as evidence: the text that they spell becomes a View, which is
// judged by itself. It is a pure function, linear in the text.
package normal
