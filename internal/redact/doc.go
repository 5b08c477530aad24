// Package redact masks secrets in text before umpire stores or shows it.
//
// Audit lines, approval prompts, logs and answers all use it. It knows the shapes of common
// credentials, the usual names of secrets, and where commands and URLs carry them. A mask
// shows the type, [masked:github-token], and nothing of the secret.
//
// The package is on the hook's hot path: one pass over the bytes, no regular expressions, and
// no allocation if there is nothing to mask. It cannot see secrets that are encoded or split,
// or that have neither a known shape nor a telling name. A bare run of random characters
// stays, because commit hashes look the same.
package redact
