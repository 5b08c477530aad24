// Package store stores the data that gateways share, in SQLite or PostgreSQL: requests, and an
// event for every change, chained by hashes.
//
// One goroutine writes, and commits all changes since the last commit together. Each process
// appends to a separate chain. Gateways on one PostgreSQL wait for each other only if they change
// the same rows. Signed checkpoints give the events of all chains their places in one record, so
// that an adversary who edits the database leaves a trace.
//
// Open returns a Store. Submit adds a request, Answer settles it once, whatever other gateways do,
// and Changed tells waiters. Records hold everything else, such as rules and tokens; Transact changes
// several of them, or none. Verify recomputes all chains, and Prove makes a proof of one event. A
// method that returns nil has made its change durable.
package store
