// Package audit keeps the record of every decision.
//
// There is one Event schema for all enforcement points. Events are lines of JSON
// in audit.jsonl, bounded in size and masked by package redact. Each line holds the
// hash of the line before it and ends with its own hash. So an edit, an insertion, a
// deletion or a new order breaks the chain, and Verify reports the place.
//
// The file audit.head holds the number, hash and end of the last line. It reveals a
// truncated log, and an append need not read the log. It is written under the same
// lock, after the line.
//
// # Crashes and contention
//
// An append is one write. A process killed inside it leaves a torn line; the next
// append ends that line and records an event of kind Torn with its size and hash.
// A caller that cannot get the lock in time writes its event to the folder
// audit.spill, and the next append moves it into the log exactly once.
//
// # Limits of the chain
//
// The hashes have no key. An attacker who may write both files can forge a whole new
// history, or remove it. Verify therefore takes Anchors: heads that were stored where the
// agent cannot write. On a
// developer's machine umpire's rules keep agents from the folder; a gateway
// runs under another user.
package audit
