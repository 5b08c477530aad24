// Package store keeps what gateways share in SQLite or PostgreSQL: requests, and an
// event for every change, chained by hashes.
//
// All writing goes through one goroutine, which commits everything that came in since the last commit together:
// a commit waits for the disk, and so fifty cost about what one does. Each process appends to
// a chain of its own. Of several gateways on one PostgreSQL, one waits for another only where
// both change the same: a request, an agent's number of requests, or settings. Signed
// checkpoints give the events of all chains their places in one record.
package store
