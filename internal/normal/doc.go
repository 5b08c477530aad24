// Package normal undoes what texts do to look different from what they say.
//
// Text returns one canonical form, to be judged and also forwarded, and keeps as evidence
// what it took out: characters that nobody sees are removed from the text, and what they
// spell becomes a View, to be judged by itself. It is a pure function, linear in the text.
package normal
