// Package sandbox runs a program in a box made by the kernel. The box has separate namespaces,
// a read-only system, an empty home, the project as an overlay, and no network but the sockets
// that lead to umpire.
//
// The box is built in two steps by this program itself, started anew. The first, which is
// process 1 inside, mounts; the second gives up all rights, is held by seccomp and
// Landlock, and becomes the program. A part that cannot be set up is an error: a program
// never starts in half a box.
package sandbox
