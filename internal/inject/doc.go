// Package inject judges how much a text tries to steer the model that reads it.
//
// The package combines three methods. A single pass finds words and phrases by what they do in
// an attack (to override, to reveal, to forge a role). Rules on which of them stand together
// are the cues. A linear model over hashed words, letters and pairs of cues weighs the rest.
// Decoded parts of the text are judged like it.
package inject
