// Package modelproxy is a proxy between clients and the API of a model, which guards the texts
// that pass.
//
// It reads the protocols of OpenAI (Chat Completions, Completions, Responses) and Anthropic
// (Messages). It judges users' texts, sanitizes tool results, and judges the model's answer,
// also while it streams. Everything else passes byte for byte. In these requests, text that it
// cannot read or judge does not pass: the client, its user and the pages that it read may all be
// adversaries. A replacement always has the same bytes, so that prompt caches keep working.
//
// New makes a Proxy, an http.Handler, from Options: the upstreams, and the guard as an Input, an
// Output and a function that sanitizes.
//
// Documents and search results among a user's words, and results of the provider's own tools,
// are sanitized like the results of tools, without marks around them.
//
// It does not judge system prompts, the reminders that Claude Code adds to the user's words,
// images, files and sound. It does not judge definitions of tools either: they are orders to the
// model by design, so that no check can tell those of an attacker. Batches and file uploads pass,
// because no answer belongs to them.
//
// The model's thinking, its tool calls and the bodies of errors are judged, but not changed.
package modelproxy
