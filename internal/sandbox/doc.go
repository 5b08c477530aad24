// Package sandbox runs a program in separate namespaces, with a read-only system, an empty
// home, the project as an overlay, and no network but the sockets that lead to umpire.
//
// The program inside is the adversary. Umpire starts itself again as process 1 of the sandbox,
// which mounts the file systems. A thread of it drops all privileges, applies seccomp and
// Landlock, and starts the program. If a part cannot be set up, Run fails: a program never
// starts in half a sandbox.
//
// Run takes a Config: Mounts, Limits and the sockets that the program may reach. A Profile lists the
// folders that a known agent needs. Events report what the sandbox refused, and Layers which parts
// this machine supports.
package sandbox
