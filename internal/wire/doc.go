// Package wire is the one way to the API of a model's provider.
//
// It knows the providers and their addresses, finds the key, sends a request, bounds what
// comes back, says in umpire's own words why a request failed, tries again where that may
// help, and prices what was used. What a request says and how an answer is read is its
// callers' part: the judge, the agent and the broker of a review.
//
// Text of a server stands in Fault.Said alone. A server is not trusted: it may put the key,
// an order to a model or a terminal's escapes there.
package wire
