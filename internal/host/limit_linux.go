package host

import "golang.org/x/sys/unix"

// limit bounds the memory and file sizes of a process that reads an agent's data: a small pack may
// expand enormously. If the kernel does not permit it, only the deadline remains.
func limit(pid int, room uint64) {
	_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: room, Max: room}, nil)
	_ = unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4 * maxPack, Max: 4 * maxPack}, nil)
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
}
