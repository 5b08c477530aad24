// Package policyfile reads policy files strictly and adds up their layers.
//
// A key or value that umpire does not understand is an error with its place, and all errors
// of a file come at once. Half a policy would decide more mildly than its author meant. The Go types in schema.go are the grammar: decoding, the check for
// unknown keys and the JSON Schema all come from them.
//
// The hook never links this package. It reads what internal/snapshot keeps of it.
package policyfile
