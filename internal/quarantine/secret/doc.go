// Package secret keeps keys outside the memory that the garbage collector moves and copies.
//
// A key is in a separate page that is never swapped out, dumped or inherited by children.
// If the kernel supports it, the page is mapped for this process alone, so that neither a debugger
// nor /proc can read it. Root can still replace the kernel or this program.
package secret
