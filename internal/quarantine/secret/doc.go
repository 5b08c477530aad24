// Package secret keeps keys outside the memory that the garbage collector moves and copies.
//
// A key lies in a page of its own that is never swapped out, never part of a core dump,
// and not inherited by child processes. Where the kernel can, the page is mapped for this
// process alone, so that neither a debugger nor /proc can read it. Root can still replace
// the kernel or this program: nothing here holds against the machine's owner.
package secret
