// Package snapshot keeps a compiled policy as one file that opens in microseconds.
//
// The file also has the build of umpire that wrote it, and what the policy files looked
// like then. Open compares both with what is there now, so there is no way to get at
// the policy of a snapshot that is older than its sources.
package snapshot
