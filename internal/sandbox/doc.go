// Package sandbox runs a program in separate namespaces, with a read-only system, an empty
// home, the project as an overlay, and no network but the sockets that lead to umpire.
//
// The program inside is the adversary. This program starts again as process 1 of the sandbox,
// which mounts; a thread of it gives up all rights, applies seccomp and Landlock, and becomes
// the program. If a part cannot be set up, that is an error: a program never starts in half a
// sandbox.
package sandbox
