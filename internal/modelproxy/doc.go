// Package modelproxy stands between a model's clients and its API, and has what passes
// guarded.
//
// It speaks the wire formats of OpenAI (Chat Completions, Completions, Responses) and of
// Anthropic (Messages). On the way in, the users' texts are judged and what tools gave
// back is sanitized; on the way out, what the model wrote is judged, while it streams too.
// Nothing else is touched: what is not replaced reaches the other side byte for byte, and
// paths that are none of these pass as they are.
//
// What could not be read or judged does not pass. What is replaced is replaced by the same
// bytes each time, so that prompt caches keep working.
//
// Not judged: system prompts, which are the operator's, and the reminders of its own that
// Claude Code puts among the user's words, with the project's instructions; what the model
// thinks and what it calls tools with; images, files and sound; batches, files and the like, which are not
// conversations.
package modelproxy
