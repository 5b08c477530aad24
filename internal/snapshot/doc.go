// Package snapshot stores a compiled policy as one file that opens in microseconds.
//
// The file also names the build of umpire that wrote it, and the state of the policy files.
// Open compares both with the present. To use a snapshot that is older than its sources, a
// caller must say so with Last.
package snapshot
