// Package audit keeps the record of every decision.
//
// There is one Event schema for all enforcement points. Events are lines of JSON
// in audit.jsonl, bounded in size and masked by package redact. Each line carries
// the hash of the line before it and ends in its own, so that an edit, an
// insertion, a deletion or another order breaks the chain; Verify says where.
//
// Beside the log lies audit.head, which holds the sequence number and hash of the
// last line and where it ends. It shows lines cut off the end, and lets an append
// go on without reading the log. It is written under the same lock, after the line.
//
// # Crashes and contention
//
// An append is one write. A process killed inside it leaves a torn line; the next
// append ends that line and records an event of kind Torn with its size and hash.
// A caller that cannot get the lock in time leaves its event in the folder
// audit.spill, and the next append takes it over; it is never lost and never
// recorded twice.
//
// # Limits of the chain
//
// The hashes have no key. An attacker who may write both files can forge a whole new
// history, and one who removes all files leaves nothing to compare with. Verify takes Anchors
// for that reason: heads that were noted elsewhere, out of the agent's reach. On a
// developer's machine umpire's rules keep agents from the folder; a gateway
// runs under another user.
package audit
