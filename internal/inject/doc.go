// Package inject judges how much a text tries to steer the model that reads it.
//
// Three looks are combined: a single pass finds words and phrases by what they do in an
// attack (to override, to reveal, to forge a role); rules on which of them stand together
// are the cues; and a linear model over hashed words, letters and pairs of cues weighs the
// rest. Decoded parts of the text are judged like it.
package inject
