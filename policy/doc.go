// Package policy compiles rules and decides on Operations.
//
// A Rule names Operations by patterns, kind(pattern), and has an Effect. Compile turns rules
// into a Policy, one immutable string with an index. Decide reads only the rules that could
// match, so ten thousand rules cost about as much as a hundred.
//
//	p, err := policy.Compile(policy.Source{Default: umpire.Ask, Rules: []policy.Rule{{
//		ID: "notes", Layer: policy.User, Effect: umpire.Deny,
//		Match:  []policy.Pattern{policy.MustParse("delete(~/notes/**)")},
//		Reason: "the notes are private",
//	}}})
//	...
//	d := p.Decide(action, operations) // package reader returns the operations
//
// To decide by policy files, use package decision instead. A nil, zero or damaged Policy denies.
//
// # Patterns
//
//	delete(~/notes/**)            paths: read, write, delete, filesystem (write or delete)
//	write(@startup)               a place, see umpire.Place; @a+b is both, @a+!b is a without b
//	network(*.example.com:443)    host, host:port, 10.0.0.0/8, METHOD host/path
//	exec(git push --force *)      words: exec, git, packages, database, infra, system
//	tool(mcp__github__delete_*)   name of the tool
//	sandbox(*)                    umpire's configuration
//	text(/(?i)drop table/)        RE2 over the strings in the Action's input
//	trait(remote-code)            inferred traits; trait(a+!b) as for places
//
// In paths, * matches within a segment and ** across segments. A relative pattern is below the
// workspace, and dir/** includes dir. In all patterns, {a,b} matches either, ? matches one
// character, [a-z] matches one of a class, and a backslash quotes the next character.
//
// # Order
//
// Decide applies, in this order: managed denies, allowed endpoints, deny rules, ask rules,
// allow rules, the mode of the kind, the default. The first that settles an operation wins.
// One exception: if a user or administrator allowed an operation, built-in ask rules do not
// apply, unless they are locked.
//
// # Doubt
//
// A pattern matches, may match, or does not match. It may match if part of the resource is an
// umpire.Hole. A rule that may match asks, even if its effect is deny. A Certain rule ignores
// such operations, and an allow rule must match for sure.
package policy
