// Package inject judges how strongly a text tries to steer the model that reads it.
//
// It combines three methods: words and phrases by their role in an attack (override, reveal, forge
// a role), rules on which of them occur together, and a linear model over hashed words and letters.
// It judges decoded parts of the text in the same way. The author of the text is the adversary, so
// time and memory are linear in its length.
//
// Judge scores the text of a user, in the canonical form of package normal, and returns the Evidence.
// For tool output, Segments splits the text, and JudgeSegments scores each part with its context: a
// hidden order among honest words must not be diluted by them. JudgeOutput also looks for a part that
// reads like a request to an assistant and is unrelated to the rest. JudgeSource judges source code.
// Input, Tool and Request are the embedded Models; the Train functions make them, and package guardmodel
// writes them to files.
package inject
