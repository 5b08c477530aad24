// Package file opens the files of a workspace by handles, so that the checked file is the one
// that is read or written.
//
// The adversary is a program that swaps a file for a link between the check and the use. A
// path is resolved once, with its links; a link that appears later is an error. Writes replace
// a file in one step, and only if it still has the content that was read.
package file
