// Package store keeps what gateways share in SQLite or PostgreSQL: requests, and an
// event for every change, chained by hashes.
//
// All writing goes through one goroutine, which commits what came in meanwhile together:
// a commit waits for the disk, and so fifty cost about what one does. A writer holds
// the lock on the chain's head, so that several gateways on one database take turns, and
// none of them decides on what another is changing.
package store
