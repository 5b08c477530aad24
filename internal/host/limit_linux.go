package host

import "golang.org/x/sys/unix"

// limit bounds the memory and the files of a process that reads what an agent made: a
// small pack may unfold into much. Where that is not allowed, its deadline is left.
func limit(pid int, room uint64) {
	_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: room, Max: room}, nil)
	_ = unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4 * maxPack, Max: 4 * maxPack}, nil)
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
}
