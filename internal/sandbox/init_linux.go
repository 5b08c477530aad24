//go:build amd64 || arm64

package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

func lockThread() { runtime.LockOSThread() }

// initBox is process 1 of a box. It returns the exit status of the program.
func initBox() int {
	report := os.NewFile(fdReport, "report")
	unix.CloseOnExec(fdReport)
	status, err := func() (func() int, error) {
		var c Config
		in := os.NewFile(fdConfig, "config")
		data, err := io.ReadAll(io.LimitReader(in, 1<<20))
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, &c); err != nil {
			return nil, err
		}
		if err := build(&c); err != nil {
			return nil, err
		}
		if err := openGates(c.Gates); err != nil {
			return nil, err
		}
		return startProgram(&c)
	}()
	if err != nil {
		fmt.Fprint(report, err)
		return 1
	}
	_ = report.Close()
	return status()
}

// step names what failed.
func step(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// build makes the box's file system and goes into it.
func build(c *Config) error {
	root := filepath.Join(c.State, "root")
	in := func(p string) string { return filepath.Join(root, p) }
	if err := step("make mounts private", unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")); err != nil {
		return err
	}
	if err := step("mount a root", unix.Mount("root", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=16m")); err != nil {
		return err
	}
	for _, dir := range system {
		if err := show(root, dir, true); err != nil {
			return err
		}
	}
	for _, dir := range []string{"/tmp", "/var/tmp", "/run", "/dev/shm", c.Home} {
		if dir == "/dev/shm" {
			continue // with the devices
		}
		if err := tmpfs(in(dir), map[bool]string{true: "mode=1777", false: "mode=0755"}[strings.HasSuffix(dir, "tmp")]); err != nil {
			return err
		}
	}
	if err := devices(root); err != nil {
		return err
	}
	if err := os.MkdirAll(in("/proc"), 0o755); err != nil {
		return err
	}
	if err := step("mount /proc", unix.Mount("proc", in("/proc"), "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")); err != nil {
		return err
	}
	for _, p := range c.ReadOnly {
		if err := show(root, p, true); err != nil {
			return err
		}
	}
	for _, p := range c.Writable {
		if err := show(root, p, false); err != nil {
			return err
		}
	}
	for _, m := range c.Copied {
		if err := copyIn(m.From, in(m.To)); err != nil {
			return step("copy "+m.From, err)
		}
	}
	for _, m := range c.Shown {
		if err := bind(m.From, in(m.To), !m.Writable); err != nil {
			return err
		}
	}
	for _, p := range slices.Concat(secrets, c.Hidden) {
		if err := hide(in(p)); err != nil {
			return err
		}
	}
	// The project last: nothing else may lie over it.
	if err := os.MkdirAll(in(c.Dir), 0o755); err != nil {
		return err
	}
	opts := "lowerdir=" + escape(c.Dir) + ",upperdir=" + escape(c.Upper()) + ",workdir=" + escape(filepath.Join(c.State, "work")) + ",userxattr"
	if err := step("mount the project as an overlay", unix.Mount("overlay", in(c.Dir), "overlay", unix.MS_NOSUID|unix.MS_NODEV, opts)); err != nil {
		return err
	}
	if err := gates(c, in("/run/umpire")); err != nil {
		return err
	}
	if err := os.WriteFile(in("/run/resolv.conf"), []byte("# names are resolved by the proxy\n"), 0o644); err != nil {
		return err
	}
	if err := enter(root); err != nil {
		return err
	}
	// A namespace inside this one would give its maker rights that were given up here.
	if err := step("close the user namespace", os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0)); err != nil {
		return err
	}
	if err := step("name the box", unix.Sethostname([]byte("umpire"))); err != nil {
		return err
	}
	return loopback()
}

// escape writes a path as an option of a mount.
func escape(p string) string {
	return strings.NewReplacer(`\`, `\\`, `,`, `\,`, `:`, `\:`).Replace(p)
}

// show makes a path of the host's be seen in the box. Links are made anew, and what is not
// there is left out.
func show(root, p string, readOnly bool) error {
	fi, err := os.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // not on this machine
	}
	if err != nil {
		return err
	}
	at := filepath.Join(root, p)
	if fi.Mode()&os.ModeSymlink != 0 {
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		to, err := os.Readlink(p)
		if err != nil {
			return err
		}
		if there, err := os.Readlink(at); err == nil && there == to {
			return nil // with the folder that it is in
		}
		return os.Symlink(to, at)
	}
	return bind(p, at, readOnly)
}

// bind shows a file or folder at a path.
func bind(p, at string, readOnly bool) error {
	fi, err := os.Stat(p)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	if fi.IsDir() {
		err = os.MkdirAll(at, 0o755)
	} else if _, there := os.Lstat(at); there != nil {
		err = os.WriteFile(at, nil, 0o600)
	}
	if err != nil {
		return err
	}
	if err := step("show "+p, unix.Mount(p, at, "", unix.MS_BIND|unix.MS_REC, "")); err != nil {
		return err
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
	if readOnly {
		attr.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	return step("hold "+p, unix.MountSetattr(unix.AT_FDCWD, at, unix.AT_RECURSIVE, &attr))
}

// maxCopy bounds a file that is copied into a box.
const maxCopy = 16 << 20

// copyIn writes a copy of a file of the host's.
func copyIn(p, at string) error {
	f, err := os.Open(p)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxCopy+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if len(data) > maxCopy {
		return fmt.Errorf("it is larger than %d MiB", maxCopy>>20)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.WriteFile(at, data, 0o600)
}

// hide puts nothing over a path.
func hide(at string) error {
	fi, err := os.Lstat(at)
	if errors.Is(err, fs.ErrNotExist) || err == nil && fi.Mode()&os.ModeSymlink != 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if fi.IsDir() {
		return step("hide "+at, unix.Mount("none", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_RDONLY, "mode=0555,size=4k"))
	}
	return step("hide "+at, unix.Mount(os.DevNull, at, "", unix.MS_BIND, ""))
}

func tmpfs(at, mode string) error {
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	return step("mount "+at, unix.Mount("tmpfs", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, mode+",size=50%"))
}

// devices makes a /dev with what programs need of it.
func devices(root string) error {
	dev := filepath.Join(root, "dev")
	if err := tmpfs(dev, "mode=0755"); err != nil {
		return err
	}
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		at := filepath.Join(dev, name)
		if err := os.WriteFile(at, nil, 0o600); err != nil {
			return err
		}
		if err := step("show /dev/"+name, unix.Mount("/dev/"+name, at, "", unix.MS_BIND, "")); err != nil {
			return err
		}
	}
	for _, dir := range []string{"pts", "shm"} {
		if err := os.Mkdir(filepath.Join(dev, dir), 0o755); err != nil {
			return err
		}
	}
	if err := step("mount /dev/shm", unix.Mount("shm", filepath.Join(dev, "shm"), "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=25%")); err != nil {
		return err
	}
	if err := step("mount /dev/pts", unix.Mount("devpts", filepath.Join(dev, "pts"), "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620")); err != nil {
		return err
	}
	for name, to := range map[string]string{"ptmx": "pts/ptmx", "fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"} {
		if err := os.Symlink(to, filepath.Join(dev, name)); err != nil {
			return err
		}
	}
	return nil
}

// enter makes root the root, and takes the host's away.
func enter(root string) error {
	if err := os.Chdir(root); err != nil {
		return err
	}
	if err := step("change the root", unix.PivotRoot(".", ".")); err != nil {
		return err
	}
	if err := step("take the host's root away", unix.Unmount(".", unix.MNT_DETACH)); err != nil {
		return err
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	return step("hold the root", unix.MountSetattr(unix.AT_FDCWD, "/", 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}))
}

// loopback switches on the one interface that there is.
func loopback() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return step("switch the loopback interface on", err)
	}
	defer func() { _ = unix.Close(s) }()
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	req.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return step("switch the loopback interface on", unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, req))
}

// socketOf is where the socket of a gate lies in the box.
func socketOf(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return "/run/umpire/" + port + ".sock"
}

// gates shows the sockets that lead out.
func gates(c *Config, at string) error {
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	for addr, socket := range c.Gates {
		to := filepath.Join(at, filepath.Base(socketOf(addr)))
		if err := os.WriteFile(to, nil, 0o600); err != nil {
			return err
		}
		if err := step("show "+socket, unix.Mount(socket, to, "", unix.MS_BIND, "")); err != nil {
			return err
		}
	}
	return nil
}

// openGates listens where programs look for umpire, and passes on what comes.
func openGates(list map[string]string) error {
	for addr := range list {
		l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", addr)
		if err != nil {
			return err
		}
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				go pass(c, socketOf(addr))
			}
		}()
	}
	return nil
}

func pass(c net.Conn, socket string) {
	defer func() { _ = c.Close() }()
	out, err := new(net.Dialer).DialContext(context.Background(), "unix", socket)
	if err != nil {
		return
	}
	defer func() { _ = out.Close() }()
	var both sync.WaitGroup
	one := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		if half, ok := to.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
		}
	}
	both.Go(func() { one(out, c) })
	both.Go(func() { one(c, out) })
	both.Wait()
}

// startProgram starts the second step, and returns what waits for its end.
func startProgram(c *Config) (wait func() int, err error) {
	args, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(context.Background(), "/proc/self/exe")
	cmd.Args = append([]string{execName, string(args)}, c.Args...)
	cmd.Env = c.Env
	cmd.Dir = c.Folder
	if cmd.Dir == "" {
		cmd.Dir = c.Dir
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	failed, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{out} // as descriptor 3
	signal.Ignore(os.Interrupt, syscall.SIGQUIT, syscall.SIGTSTP)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_ = out.Close()
	said, err := io.ReadAll(io.LimitReader(failed, 4096))
	if err == nil && len(said) > 0 {
		err = errors.New(string(said))
	}
	if err != nil {
		return nil, err
	}
	return func() int { return reap(cmd.Process.Pid) }, nil
}

// reap waits for a process, and for whatever else has no parent any more.
func reap(pid int) int {
	for {
		var w syscall.WaitStatus
		got, err := syscall.Wait4(-1, &w, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return 1
		case got == pid && w.Signaled():
			return 128 + int(w.Signal())
		case got == pid && w.Exited():
			return w.ExitStatus()
		}
	}
}

// execProgram is the second step: it gives up what it may, and becomes the program.
func execProgram() int {
	report := os.NewFile(fdConfig, "report")
	unix.CloseOnExec(fdConfig)
	fail := func(err error) int {
		fmt.Fprint(report, err)
		return 1
	}
	var c Config
	if err := json.Unmarshal([]byte(os.Args[1]), &c); err != nil {
		return fail(err)
	}
	// Rights, Landlock and seccomp are a thread's: the one that becomes the program.
	runtime.LockOSThread()
	if err := restrict(&c); err != nil {
		return fail(err)
	}
	prog := c.Args[0]
	return fail(step("start "+prog, unix.Exec(prog, slices.Clone(c.Args), c.Env)))
}

// restrict gives up every right and way to get one.
func restrict(c *Config) error {
	tasks := c.Tasks
	if tasks == 0 {
		tasks = 4096
	}
	for resource, most := range map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_NPROC: tasks} {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return step("limit resources", err)
		}
	}
	if err := step("take no new privileges", unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); err != nil {
		return err
	}
	if err := landlock(c); err != nil {
		return step("hold by Landlock", err)
	}
	for i := uintptr(0); i <= unix.CAP_LAST_CAP; i++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, i, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) { // a newer kernel's
			return step("bound capabilities", err)
		}
	}
	if err := step("drop ambient capabilities", unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)); err != nil {
		return err
	}
	var none [2]unix.CapUserData
	if err := step("drop capabilities", unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0])); err != nil {
		return err
	}
	return step("hold by seccomp", seccomp())
}
