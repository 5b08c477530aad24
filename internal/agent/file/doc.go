// Package file opens the files of a workspace by handles, so that the file that was
// checked is the one that is read and written.
//
// A path is resolved once, links included, and from then on no link is followed: one that
// appears on the way is an error. Writes replace a file in one step, and only if it is
// still what was read.
package file
