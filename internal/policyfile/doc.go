// Package policyfile reads policy files strictly and merges their layers.
//
// An unknown key or value is an error with its place, and all errors of a file come at once:
// half a policy would decide more mildly than its author meant. The Go types in schema.go are
// the grammar; decoding, the check for unknown keys and the JSON Schema come from them. A
// project's file is untrusted and can only tighten. The hook never links this package; it
// reads the snapshot.
//
// Parse reads one File, Load and Join merge Files and Packs by layer, and Compile makes the
// policy.Policy. Add, Revoke, ObserveRule and PlanJudge edit a user's file and keep its comments.
// Trust and Trusted bind a user's trust to the exact content of a project's file, because the agent
// can write it.
package policyfile
