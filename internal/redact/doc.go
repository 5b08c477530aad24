// Package redact masks secrets in text before it is kept or shown.
//
// It is the one masker of the product: audit lines, approval prompts, logs and
// answers all go through it. It knows the shapes of the usual credentials, the
// names people give to secrets, and the places where commands and URLs carry
// them. A masked secret leaves its type behind, [masked:github-token], and
// nothing of its text.
//
// The package sits on the hook's hot path: it is one pass over the bytes, has no
// regular expressions, and allocates nothing when there is nothing to mask. Every
// function is linear in the length of its input.
//
// It cannot see secrets that are encoded (base64, hex, split over several
// variables), and secrets without a known shape that no name announces. A bare
// run of random characters stays, since commit hashes and digests look the same.
package redact
