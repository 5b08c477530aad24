//go:build amd64 || arm64

package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// initBox is process 1 of a sandbox. It returns the exit status of the program.
func initBox() int {
	say := json.NewEncoder(os.NewFile(fdReport, "report"))
	t := newTally(func(e Event) { _ = say.Encode(message{Event: &e}) }) // if it fails, umpire is gone, and the sandbox with it
	c, w := new(Config), new(ways)
	pid, err := func() (pid int, err error) {
		// The program must not inherit a folder or socket of the host that umpire's parent left
		// open.
		if err := step("close what was left open", unix.CloseRange(fdConfig, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)); err != nil {
			return 0, err
		}
		if c, err = readConfig(); err != nil {
			return 0, err
		}
		if err := build(c, t); err != nil {
			return 0, err
		}
		if err := openGates(c.Gates); err != nil {
			return 0, err
		}
		if w, err = openWays(c, t); err != nil {
			return 0, err
		}
		return startProgram(c, w, t)
	}()
	if err != nil {
		failed := message{Failed: err.Error()}
		var not *NotRunError
		if errors.As(err, &not) {
			failed = message{Failed: not.Program}
			errors.As(not.Err, &failed.NotRun)
		}
		_ = say.Encode(failed) // likewise
		return 1
	}
	t.hold(func() { _ = say.Encode(message{Started: true}) })
	go c.watchUse(t)
	status := reap(pid)
	w.reportUnanswered()
	t.close()
	return status
}

// readConfig reads a Config from a pipe. It is never an argument: everyone on the machine can read
// those, and it contains tokens.
func readConfig() (*Config, error) {
	in := os.NewFile(fdConfig, "config")
	data, err := io.ReadAll(io.LimitReader(in, maxConfig))
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, err
	}
	var c Config
	return &c, json.Unmarshal(data, &c)
}

// step names the step that failed.
func step(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// build creates the sandbox's file system and enters it.
func build(c *Config, t *tally) error {
	root := filepath.Join(c.State, "root")
	if err := step("make mounts private", unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")); err != nil {
		return err
	}
	if err := step("mount a root", unix.Mount("root", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=16m")); err != nil {
		return err
	}
	if err := base(c, root); err != nil {
		return err
	}
	if err := arrange(c, root); err != nil {
		return err
	}
	// Mount the project last: nothing else may cover it.
	if err := project(c, root); err != nil {
		return err
	}
	if err := gates(c, filepath.Join(root, "run/umpire")); err != nil {
		return err
	}
	if err := resolver(root); err != nil {
		return err
	}
	if err := enter(root); err != nil {
		return err
	}
	return confine(c, t)
}

// base mounts the system's folders, and creates devices, empty folders and /proc.
func base(c *Config, root string) error {
	for _, dir := range system {
		if err := show(root, dir, true); err != nil {
			return err
		}
	}
	if err := devices(root); err != nil {
		return err
	}
	if err := mountScratch(root, c.Limits.Memory, "/tmp", "/var/tmp", "/dev/shm", "/run", c.Home); err != nil {
		return err
	}
	proc := filepath.Join(root, "proc")
	if err := os.MkdirAll(proc, 0o755); err != nil {
		return err
	}
	return step("mount /proc", unix.Mount("proc", proc, "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""))
}

// arrange shows, copies and hides the paths in the Config. Hiding takes precedence.
func arrange(c *Config, root string) error {
	in := func(p string) string { return filepath.Join(root, p) }
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
	for _, p := range c.Own {
		if err := hide(in(p)); err != nil {
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
	for _, p := range slices.Concat(secrets, c.Hidden, c.Private) {
		if err := hide(in(p)); err != nil {
			return err
		}
	}
	return nil
}

// confine sets the limits of the sandbox that process 1 has entered.
func confine(c *Config, t *tally) error {
	// A nested namespace would give its creator privileges that were dropped here.
	if err := step("close the user namespace", os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0)); err != nil {
		return err
	}
	if err := boundWatches(); err != nil {
		return err
	}
	keepThreads()
	if err := c.need(t, "processes", boundTasks(c)); err != nil {
		return err
	}
	// If the machine runs out of memory, the kernel should kill the sandbox first.
	if err := step("stand first in line when memory is short", os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)); err != nil {
		return err
	}
	if err := holdProc(); err != nil {
		return err
	}
	if err := step("name the box", unix.Sethostname([]byte(boxName))); err != nil {
		return err
	}
	return loopback()
}

// project mounts the project: the host's folder, or an overlay of it.
func project(c *Config, root string) error {
	at := filepath.Join(root, c.Dir)
	if c.Direct {
		if err := bind(c.Dir, at, false); err != nil {
			return err
		}
		for _, p := range c.Held {
			// Do not follow a link: its target is not in the sandbox, or already read-only.
			if fi, err := os.Lstat(p); err != nil || fi.Mode()&os.ModeSymlink != 0 {
				continue
			}
			if err := bind(p, filepath.Join(root, p), true); err != nil {
				return err
			}
		}
		return nil
	}
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	opts := "lowerdir=" + escape(c.Dir) + ",upperdir=" + escape(c.Upper()) + ",workdir=" + escape(filepath.Join(c.State, "work")) + ",userxattr"
	return step("mount the project as an overlay", unix.Mount("overlay", at, "overlay", unix.MS_NOSUID|unix.MS_NODEV, opts))
}

// escape escapes a path for a mount option.
func escape(p string) string {
	return strings.NewReplacer(`\`, `\\`, `,`, `\,`, `:`, `\:`).Replace(p)
}

// show makes a host path visible in the sandbox. It recreates links, and skips missing paths.
func show(root, p string, readOnly bool) error {
	fi, err := os.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // missing on this machine
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
			return nil // visible with its parent folder
		}
		return os.Symlink(to, at)
	}
	return bind(p, at, readOnly)
}

// bind mounts a file or folder at a path.
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

// maxCopy limits the size of a file that is copied into a sandbox.
const maxCopy = 16 << 20

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

// hide mounts an empty file or folder over a path.
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

func tmpfs(at, options string) error {
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	return step("mount "+at, unix.Mount("tmpfs", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options))
}

// mountScratch creates empty, writable folders. They share one memory file system, so that its limit
// applies to all of them: the kernel does not count it as the program's memory.
func mountScratch(root string, most uint64, folders ...string) error {
	at := filepath.Join(root, "room")
	size := "40%"
	var machine unix.Sysinfo_t
	if most /= 2; unix.Sysinfo(&machine) == nil && most > 0 && most < machine.Totalram*uint64(machine.Unit)/5*2 {
		size = fmt.Sprint(most)
	}
	if err := tmpfs(at, "mode=0755,size="+size); err != nil {
		return err
	}
	for i, dir := range folders {
		from, to := filepath.Join(at, strconv.Itoa(i)), filepath.Join(root, dir)
		mode := fs.FileMode(0o755)
		if strings.HasSuffix(dir, "tmp") || dir == "/dev/shm" {
			mode = 0o777 | fs.ModeSticky
		}
		if err := errors.Join(os.Mkdir(from, mode), os.Chmod(from, mode), os.MkdirAll(to, 0o755)); err != nil {
			return err
		}
		if err := step("mount "+dir, unix.Mount(from, to, "", unix.MS_BIND, "")); err != nil {
			return err
		}
	}
	if err := step("close the room", unix.Unmount(at, unix.MNT_DETACH)); err != nil {
		return err
	}
	return os.Remove(at)
}

// boundWatches leaves half of the user's file watches to programs outside, because they share a
// limit.
func boundWatches() error {
	for _, name := range []string{"instances", "watches"} {
		b, err := os.ReadFile("/proc/sys/fs/inotify/max_user_" + name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the kernel lacks it
		}
		if err != nil {
			return step("bound watches", err)
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(b)))
		if err == nil {
			err = os.WriteFile("/proc/sys/user/max_inotify_"+name, fmt.Append(nil, n/2), 0)
		}
		if err != nil {
			return step("bound watches", err)
		}
	}
	return nil
}

// boundTasks limits the processes of this namespace if the kernel can (Linux 6.14): other limits do
// not bind root. An older kernel would apply it to the machine.
func boundTasks(c *Config) error {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return err
	}
	var major, minor int
	if _, err := fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &major, &minor); err != nil {
		return step("read the kernel's version", err)
	}
	if major < 6 || major == 6 && minor < 14 {
		return nil
	}
	const reserved = 300 // numbers that the kernel gives once and never again
	err := os.WriteFile("/proc/sys/kernel/pid_max", fmt.Append(nil, c.Most()+reserved), 0)
	if err == nil { // skip these numbers: with them, 300 more processes could run
		if err = os.WriteFile("/proc/sys/kernel/ns_last_pid", fmt.Append(nil, reserved), 0); errors.Is(err, fs.ErrNotExist) {
			return nil // a kernel without checkpoints cannot skip them
		}
	}
	if os.Getuid() != 0 && errors.Is(err, fs.ErrPermission) {
		return nil // the other limit applies
	}
	return step("bound the processes", err)
}

// keepThreads makes the runtime keep idle threads for the work of process 1. It would crash, and
// the sandbox with it, if it needed one when the program has used up the limit of processes.
func keepThreads() {
	const enough = 16
	var started, done sync.WaitGroup
	started.Add(enough)
	for range enough {
		done.Go(func() {
			runtime.LockOSThread() // one thread each, until all have one
			defer runtime.UnlockOSThread()
			started.Done()
			started.Wait()
		})
	}
	done.Wait()
}

// revealing lists world-readable files in /proc that reveal keys of the user.
var revealing = []string{"keys", "key-users"}

// holdProc makes all of /proc except processes read-only: if root runs umpire, a program could
// otherwise configure the machine, without any capability. Files that only root may read are empty.
func holdProc() error {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return err
	}
	for _, e := range entries {
		at := filepath.Join("/proc", e.Name())
		if strings.Trim(e.Name(), "0123456789") == "" || e.Type()&fs.ModeSymlink != 0 {
			continue
		}
		fi, err := e.Info()
		if err != nil {
			continue // it disappeared
		}
		if !e.IsDir() && (fi.Mode().Perm()&0o004 == 0 || slices.Contains(revealing, e.Name())) {
			if err := hide(at); err != nil {
				return err
			}
			continue
		}
		if !e.IsDir() && fi.Mode().Perm()&0o222 == 0 {
			continue // not writable anyway
		}
		if err := step("hold "+at, unix.Mount(at, at, "", unix.MS_BIND|unix.MS_REC, "")); err != nil {
			return err
		}
		attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV | unix.MOUNT_ATTR_NOEXEC}
		if err := step("hold "+at, unix.MountSetattr(unix.AT_FDCWD, at, unix.AT_RECURSIVE, &attr)); err != nil {
			return err
		}
	}
	return nil
}

// devices creates a /dev with the devices that programs need.
func devices(root string) error {
	dev := filepath.Join(root, "dev")
	if err := tmpfs(dev, "mode=0755,size=1m"); err != nil {
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

// resolver makes names resolve through process 1, whatever the host's configuration. It follows a
// link into /run, where some systems keep the file.
func resolver(root string) error {
	const name = "/etc/resolv.conf"
	const text = "# umpire answers; nothing leaves the box\nnameserver 127.0.0.1\n"
	from := filepath.Join(root, "run", "resolv.conf")
	if err := os.WriteFile(from, []byte(text), 0o644); err != nil {
		return err
	}
	at := filepath.Join(root, name)
	fi, err := os.Lstat(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the C library then uses 127.0.0.1
	}
	if err != nil {
		return err
	}
	if fi.Mode()&fs.ModeSymlink == 0 {
		return step("show "+name, unix.Mount(from, at, "", unix.MS_BIND, ""))
	}
	to, err := os.Readlink(at)
	if err != nil {
		return err
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(name), to)
	}
	if to = filepath.Clean(to); !within(to, "/run") || to == "/run/resolv.conf" {
		return nil
	}
	to = filepath.Join(root, to)
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, []byte(text), 0o644))
}

// enter makes root the root, and detaches the host's.
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

// loopback enables the only network interface.
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

// socketOf returns the path of a gate's socket in the sandbox.
func socketOf(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return "/run/umpire/" + port + ".sock"
}

// gates mounts the sockets that lead out.
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

// openGates listens on the addresses at which programs expect umpire, and forwards connections.
func openGates(list map[string]string) error {
	for addr := range list {
		l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", addr)
		if err != nil {
			return err
		}
		go PassOn(context.Background(), l, "unix", socketOf(addr))
	}
	return nil
}
