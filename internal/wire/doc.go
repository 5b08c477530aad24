// Package wire is the one way to the API of a model's provider.
//
// It knows the providers and their addresses, finds the key, sends a request and bounds the
// response. It says in umpire's words why a request failed, tries again where that may help,
// and prices the usage. Its callers write the request and read the answer: the judge, the
// agent and the broker of a review.
//
// Text of a server stands in Fault.Said alone. A server is not trusted: it may put the key,
// an order to a model or a terminal's escapes there.
package wire
