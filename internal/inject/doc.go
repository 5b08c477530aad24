// Package inject judges how strongly a text tries to steer the model that reads it.
//
// It combines three methods: words and phrases by their role in an attack (override, reveal, forge
// a role), rules on which of them occur together, and a linear model over hashed words and letters.
// It judges decoded parts of the text in the same way. The author of the text is the adversary, so
// time and memory are linear in its length.
package inject
