// Package wire is the only way to the API of a model's provider.
//
// It knows the providers and their addresses, finds the key, sends a request and bounds the
// response. It explains failures in umpire's words, retries where that may help, and prices
// the usage. Callers write the request and read the answer. A server is not trusted: its text
// is only in Fault.Said, because it may contain the key, an instruction to a model or terminal
// escapes.
package wire
