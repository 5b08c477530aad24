// Package snapshot keeps a compiled policy as one file that opens in microseconds.
//
// The file also has the build of umpire that wrote it, and what the policy files looked
// like then. Open compares both with what is there now: who wants the policy of a snapshot
// that is older than its sources must say so, by calling Last.
package snapshot
