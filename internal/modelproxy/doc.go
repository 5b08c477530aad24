// Package modelproxy stands between a model's clients and its API, and has what passes
// guarded.
//
// It speaks the wire formats of OpenAI (Chat Completions, Completions, Responses) and of
// Anthropic (Messages). On the way in, the users' texts are judged and what tools gave
// back is sanitized; on the way out, what the model wrote is judged, while it streams too.
// Nothing else is touched: what is not replaced reaches the other side byte for byte, and
// paths that are none of these pass as they are.
//
// Documents and search results among a user's words, and what tools of the upstream's gave back,
// are sanitized like the results of tools, without marks around them.
//
// Text that cannot be read or judged does not pass. A replacement has the same bytes each
// time, so that prompt caches keep working.
//
// The proxy does not judge system prompts, which are the operator's, nor the reminders with the
// project's instructions that Claude Code puts among the user's words. It does not judge the
// model's thinking and the inputs of its tool calls, nor images, files and sound. Batches and
// file uploads pass, since they are not conversations.
package modelproxy
