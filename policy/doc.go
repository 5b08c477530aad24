// Package policy compiles rules into one immutable string and decides by it.
//
// A Rule names Operations by patterns, kind(pattern), and asks for an Effect.
// Compile turns any number of them into a Policy: a single string with an index, in
// which Decide touches only the records that could speak about an Action. Ten
// thousand rules therefore cost a decision about what a hundred do, and Open costs
// the same for both.
//
// # Patterns
//
//	delete(~/notes/**)            paths: read, write, delete, filesystem (write or delete)
//	write(@startup)               a place, see umpire.Place; @a+b is both, @a+!b the first only
//	network(*.example.com:443)    host, host:port, 10.0.0.0/8, METHOD host/path
//	exec(git push --force *)      words: exec, git, packages, database, infra, system
//	tool(mcp__github__delete_*)   the tool's name
//	sandbox(*)                    umpire's own configuration
//	text(/(?i)drop table/)        RE2 over the strings in the Action's input
//	trait(remote-code)            what the reading inferred; trait(a+!b) as for places
//
// In paths, * stays within a segment and ** crosses segments; a relative pattern is
// below the workspace; dir/** is dir, too. Everywhere {a,b} is either, ? one
// character, [a-z] one of a class, and a backslash takes the meaning off the next
// character.
//
// # Order
//
// Managed denies come first, then allowed endpoints, then deny, ask, allow, the mode
// of the operation's kind and at last the default. Deny beats ask beats allow, with
// one exception: what a user or administrator allowed is not asked again by a rule
// built into umpire, unless that rule is locked.
//
// # Doubt
//
// A pattern matches for sure, may match, or does not match. It may match when part of
// the resource is an umpire.Hole. A rule that may match asks, even if it would deny;
// a Certain rule then keeps silent; a rule that allows needs to be sure.
package policy
