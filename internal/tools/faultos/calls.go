//go:build linux && amd64

package faultos

import "golang.org/x/sys/unix"

// systemCall describes a system call: which of its arguments name the file, and what it needs.
type systemCall struct {
	name   string
	folder int // the argument with the descriptor of the folder, or of the file; -1: none
	path   int // the argument with the path; -1: none
	second int // the argument with the path that is made or replaced, and its folder before it; 0: none
	reads  bool
	space  bool // needs space on the disk
	count  int  // the argument with the number of bytes to write; 0: none
}

var files = map[uint64]systemCall{
	unix.SYS_OPEN:      {name: "open", folder: -1, path: 0, space: true},
	unix.SYS_OPENAT:    {name: "open", folder: 0, path: 1, space: true},
	unix.SYS_OPENAT2:   {name: "open", folder: 0, path: 1, space: true},
	unix.SYS_MKDIRAT:   {name: "mkdir", folder: 0, path: 1, space: true},
	unix.SYS_MKDIR:     {name: "mkdir", folder: -1, path: 0, space: true},
	unix.SYS_WRITE:     {name: "write", folder: 0, path: -1, space: true, count: 2},
	unix.SYS_PWRITE64:  {name: "write", folder: 0, path: -1, space: true, count: 2},
	unix.SYS_WRITEV:    {name: "write", folder: 0, path: -1, space: true},
	unix.SYS_FTRUNCATE: {name: "truncate", folder: 0, path: -1},
	unix.SYS_FALLOCATE: {name: "allocate", folder: 0, path: -1, space: true},
	unix.SYS_FSYNC:     {name: "sync", folder: 0, path: -1},
	unix.SYS_FDATASYNC: {name: "sync", folder: 0, path: -1},
	unix.SYS_RENAME:    {name: "rename", folder: -1, path: 0, second: 1},
	unix.SYS_RENAMEAT:  {name: "rename", folder: 0, path: 1, second: 3},
	unix.SYS_RENAMEAT2: {name: "rename", folder: 0, path: 1, second: 3},
	unix.SYS_LINKAT:    {name: "link", folder: 0, path: 1, second: 3, space: true},
	unix.SYS_SYMLINKAT: {name: "symlink", folder: 1, path: 2, space: true},
	unix.SYS_UNLINKAT:  {name: "remove", folder: 0, path: 1},
	unix.SYS_UNLINK:    {name: "remove", folder: -1, path: 0},
	unix.SYS_RMDIR:     {name: "remove", folder: -1, path: 0},
	unix.SYS_FCHMOD:    {name: "chmod", folder: 0, path: -1},
	unix.SYS_FCHMODAT:  {name: "chmod", folder: 0, path: 1},
	unix.SYS_FCHOWN:    {name: "chown", folder: 0, path: -1},
	unix.SYS_FCHOWNAT:  {name: "chown", folder: 0, path: 1},
	unix.SYS_FLOCK:     {name: "lock", folder: 0, path: -1},

	unix.SYS_READ:       {name: "read", folder: 0, path: -1, reads: true},
	unix.SYS_PREAD64:    {name: "read", folder: 0, path: -1, reads: true},
	unix.SYS_GETDENTS64: {name: "list", folder: 0, path: -1, reads: true},
	unix.SYS_NEWFSTATAT: {name: "stat", folder: 0, path: 1, reads: true},
	unix.SYS_FSTAT:      {name: "stat", folder: 0, path: -1, reads: true},
	unix.SYS_STATX:      {name: "stat", folder: 0, path: 1, reads: true},
	unix.SYS_READLINKAT: {name: "readlink", folder: 0, path: 1, reads: true},
	unix.SYS_FACCESSAT:  {name: "access", folder: 0, path: 1, reads: true},
	unix.SYS_FACCESSAT2: {name: "access", folder: 0, path: 1, reads: true},
}

// box are the calls that change a process's view or privileges.
var box = map[uint64]string{
	unix.SYS_MOUNT: "mount", unix.SYS_UMOUNT2: "umount", unix.SYS_PIVOT_ROOT: "pivot_root", unix.SYS_CHROOT: "chroot", unix.SYS_MOUNT_SETATTR: "mount_setattr",
	unix.SYS_OPEN_TREE: "open_tree", unix.SYS_MOVE_MOUNT: "move_mount", unix.SYS_FSOPEN: "fsopen", unix.SYS_FSMOUNT: "fsmount",
	unix.SYS_UNSHARE: "unshare", unix.SYS_SETNS: "setns", unix.SYS_CLONE: "clone", unix.SYS_CLONE3: "clone",
	unix.SYS_PRCTL: "prctl", unix.SYS_SECCOMP: "seccomp", unix.SYS_CAPSET: "capset",
	unix.SYS_LANDLOCK_CREATE_RULESET: "landlock_create_ruleset", unix.SYS_LANDLOCK_ADD_RULE: "landlock_add_rule", unix.SYS_LANDLOCK_RESTRICT_SELF: "landlock_restrict_self",
	unix.SYS_SETUID: "setuid", unix.SYS_SETGID: "setgid", unix.SYS_SETRESUID: "setresuid", unix.SYS_SETRESGID: "setresgid", unix.SYS_SETGROUPS: "setgroups",
	unix.SYS_SETHOSTNAME: "sethostname", unix.SYS_MKNODAT: "mknod", unix.SYS_PRLIMIT64: "prlimit", unix.SYS_CHDIR: "chdir", unix.SYS_FCHDIR: "fchdir",
	unix.SYS_CLOSE_RANGE: "close_range", unix.SYS_SETSID: "setsid", unix.SYS_EXECVE: "execve", unix.SYS_IOCTL: "ioctl", unix.SYS_BPF: "bpf",
}

// numbers returns the calls of which some may count.
func (c Calls) numbers() (list []uint32) {
	for nr := range box {
		if c == Box {
			list = append(list, uint32(nr)) //nolint:gosec // some hundred
		}
	}
	for nr, call := range files {
		if c == Files || c == Writes && !call.reads {
			list = append(list, uint32(nr)) //nolint:gosec // some hundred
		}
	}
	return list
}

func (p *program) counted(tid int, nr uint64, args [6]uint64) (what string, c systemCall, ok bool) {
	if p.Calls == Box {
		name, ok := box[nr]
		switch {
		case !ok:
			return "", c, false
		case nr == unix.SYS_CLONE && args[0]&namespaces == 0, nr == unix.SYS_CLONE3:
			return "", c, false // a thread, or a plain child
		case nr == unix.SYS_PRCTL && !rights[args[0]]:
			return "", c, false
		case nr == unix.SYS_PRCTL && args[0] == unix.PR_CAPBSET_DROP && args[1] > 0: // one of forty in a row is enough
			return "", c, false
		case nr == unix.SYS_PRLIMIT64 && args[2] == 0: // it only reads
			return "", c, false
		case nr == unix.SYS_IOCTL && args[1] != unix.SIOCSIFFLAGS:
			return "", c, false
		}
		return name, c, true
	}
	c, ok = files[nr]
	if !ok {
		return "", c, false
	}
	if nr == unix.SYS_OPENAT || nr == unix.SYS_OPEN {
		flags := args[c.path+1]
		c.reads = flags&(unix.O_WRONLY|unix.O_RDWR|unix.O_CREAT|unix.O_TRUNC) == 0
		c.space = flags&unix.O_CREAT != 0
	}
	if c.reads && p.Calls != Files {
		return "", c, false
	}
	rel, ok := p.file(tid, c.folder, c.path, args)
	if !ok && c.second > 0 {
		folder := c.second - 1
		if c.folder < 0 {
			folder = -1
		}
		rel, ok = p.file(tid, folder, c.second, args)
	}
	return c.name + " " + rel, c, ok
}

const namespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// rights are the operations of prctl that change a process's privileges. The others name memory and
// threads.
var rights = map[uint64]bool{
	unix.PR_SET_NO_NEW_PRIVS: true, unix.PR_SET_SECCOMP: true, unix.PR_CAPBSET_DROP: true, unix.PR_CAP_AMBIENT: true,
	unix.PR_SET_PDEATHSIG: true, unix.PR_SET_DUMPABLE: true, unix.PR_SET_SECUREBITS: true, unix.PR_SET_KEEPCAPS: true,
}
