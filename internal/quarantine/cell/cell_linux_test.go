//go:build amd64 || arm64

package cell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// inside is the program in the cell: it tries what it is told.
var pack *os.File

func TestMain(m *testing.M) {
	Main(Program{
		Open: func(dir string) (err error) { pack, err = os.Open(filepath.Join(dir, "pack")); return err },
		Run: func(job json.RawMessage, c *Conn) error {
			for {
				f, err := c.Receive()
				if err != nil {
					return err
				}
				var args []string
				if err := json.Unmarshal(f.Body, &args); err != nil {
					return err
				}
				out, err := attempt(string(job), args)
				if err != nil {
					out = "error: " + err.Error()
				}
				if err := c.Send("try", out); err != nil {
					return err
				}
			}
		},
	})
	os.Exit(m.Run())
}

func call(n uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, errno := unix.Syscall6(n, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

func attempt(job string, args []string) (string, error) {
	num := func(i int) int { n, _ := strconv.Atoi(args[i]); return n }
	switch args[0] {
	case "job":
		return job, nil
	case "pack":
		b, err := io.ReadAll(io.NewSectionReader(pack, 0, 100))
		return string(b), err
	case "env":
		return strings.Join(os.Environ(), " "), nil
	case "read":
		b, err := os.ReadFile(args[1])
		return string(b), err
	case "list":
		entries, err := os.ReadDir(args[1])
		return fmt.Sprint(entries), err
	case "write":
		return "written", os.WriteFile(args[1], []byte("x"), 0o600)
	case "fd":
		b := make([]byte, 100)
		n, err := unix.Read(num(1), b)
		return string(b[:max(n, 0)]), err
	case "dial":
		c, err := net.DialTimeout(args[1], args[2], time.Minute)
		if err == nil {
			err = c.Close()
		}
		return "connected", err
	case "socket":
		_, err := unix.Socket(num(1), num(2), 0)
		return "a socket", err
	case "run":
		out, err := exec.CommandContext(context.Background(), args[1]).CombinedOutput()
		return "ran " + string(out), err
	case "fork":
		pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		if errno != 0 {
			return "", errno
		}
		if pid == 0 {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		return "forked", nil
	case "ptrace":
		return "attached", unix.PtraceAttach(num(1))
	case "seize":
		return "seized", unix.PtraceSeize(num(1))
	case "vm":
		b := make([]byte, 8)
		at, _ := strconv.ParseUint(args[2], 10, 64)
		n, err := unix.ProcessVMReadv(num(1), []unix.Iovec{{Base: &b[0], Len: 8}}, []unix.RemoteIovec{{Base: uintptr(at), Len: 8}}, 0)
		return fmt.Sprint(n), err
	case "pidfd":
		_, err := unix.PidfdOpen(num(1), 0)
		return "opened", err
	case "kill":
		return "killed", unix.Kill(num(1), 0)
	case "code":
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
		return "mapped", err
	case "mount":
		return "mounted", unix.Mount("none", "/", "tmpfs", 0, "")
	case "unshare":
		return "unshared", unix.Unshare(unix.CLONE_NEWUSER)
	case "keyctl":
		_, err := unix.AddKey("user", "x", []byte("y"), unix.KEY_SPEC_SESSION_KEYRING)
		return "a key", err
	case "uring":
		var p [120]byte
		return "a ring", call(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&p)))
	case "bpf":
		return "a program", call(unix.SYS_BPF, 0, 0, 0)
	case "dumpable":
		return "dumpable", unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0)
	case "memory":
		return "much", func() error {
			_, err := unix.Mmap(-1, 0, 2<<30, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
			return err
		}()
	case "hang":
		select {}
	}
	return "", errors.New("unknown attempt")
}

// program returns a test program whose threads are all Go's: one with C in it cannot be
// confined, and says so.
var program = sync.OnceValues(func() (string, error) {
	if _, _, errno := syscall.AllThreadsSyscall(unix.SYS_GETPID, 0, 0, 0); errno != syscall.ENOTSUP {
		return "", nil
	}
	dir, err := os.MkdirTemp("", "cell-test-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "cell.test")
	cmd := exec.CommandContext(context.Background(), "go", "test", "-c", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// start starts a cell that sees a snapshot, beside which there is a secret.
func start(t *testing.T, o Options) (c *Cell, secret string) {
	t.Helper()
	top := t.TempDir()
	secret = filepath.Join(top, "secret")
	o.Dir = filepath.Join(top, "snapshot")
	if err := errors.Join(os.WriteFile(secret, []byte("the secret"), 0o600), os.Mkdir(o.Dir, 0o700),
		os.WriteFile(filepath.Join(o.Dir, "pack"), []byte("material"), 0o400), os.Symlink("../secret", filepath.Join(o.Dir, "link")), os.Chmod(o.Dir, 0o500)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(o.Dir, 0o700) })
	var err error
	if o.program, err = program(); err != nil {
		t.Fatal(err)
	}
	if c, err = Start(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c, secret
}

func try(t *testing.T, c *Cell, args ...string) string {
	t.Helper()
	var out string
	if err := c.Ask("try", args, &out); err != nil {
		_ = c.Close()
		t.Fatalf("%s: %v, the process: %v", args, err, c.err)
	}
	return out
}

func TestNothingCanBeDoneInside(t *testing.T) {
	t.Setenv("SECRET_OF_THE_PARENT", "the secret")
	// What somebody left open when umpire was started.
	file, err := os.Open("/etc/hostname")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	left, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD, 25) // far from those that the cell opens itself
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(left)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	c, secret := start(t, Options{Isolation: Require, Job: "work"})
	for _, l := range c.Layers {
		if !l.OK {
			t.Errorf("layer %+v, want it in force", l)
		}
	}
	key := []byte("a key in the parent's memory")
	me := strconv.Itoa(os.Getpid())
	for _, tt := range []struct{ want, what string }{
		{`"work"`, "job"},
		{"material", "pack"}, // what it may
		{"", "env"},
		{"error", "read " + secret},
		{"error", "read ../secret"},
		{"error", "read /link"},
		{"error", "read /etc/passwd"},
		{"error", "read /proc/self/mem"},
		{"error", "read /proc/self/environ"},
		{"error", "read /proc/" + me + "/mem"},
		{"error", "read /proc/" + me + "/environ"},
		{"error", "read /proc/1/mem"},
		{"error", "read /dev/mem"},
		{"error", "list /"},
		{"error", "list .."},
		{"error", "write /new"},
		{"error", "write /pack"},
		{"error", "write /tmp/new"},
		{"error", "fd " + strconv.Itoa(left)},
		{"error", "dial tcp " + listener.Addr().String()},
		{"error", "dial tcp 1.1.1.1:443"},
		{"error", "dial udp 1.1.1.1:53"},
		{"error", "socket 2 1"},
		{"error", "socket 1 1"},
		{"error", "socket 16 3"},
		{"error", "socket 17 3"},
		{"error", "run /bin/true"},
		{"error", "run /proc/self/exe"},
		{"error", "fork"},
		{"error", "ptrace " + me},
		{"error", "ptrace 1"},
		{"error", "seize " + me},
		{"error", "vm " + me + " " + fmt.Sprint(uintptr(unsafe.Pointer(&key[0])))},
		{"error", "pidfd " + me},
		{"error", "kill " + me},
		{"error", "kill 1"},
		{"error", "kill -1"},
		{"error", "code"},
		{"error", "mount"},
		{"error", "unshare"},
		{"error", "keyctl"},
		{"error", "uring"},
		{"error", "bpf"},
		{"error", "dumpable"},
		{"error", "memory"},
		{"material", "pack"}, // and it still works
	} {
		if got := try(t, c, strings.Fields(tt.what)...); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.want)
		}
	}
}

// The kernel's own words about the process.
func TestProcessSeenFromOutside(t *testing.T) {
	c, _ := start(t, Options{Isolation: Require})
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"NoNewPrivs:\t1", "Seccomp:\t2", "CapEff:\t0000000000000000", "CapPrm:\t0000000000000000", "CapBnd:\t0000000000000000", "CapAmb:\t0000000000000000"} {
		if !strings.Contains(string(status), want) {
			t.Errorf("%s is not in:\n%s", want, status)
		}
	}
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", c.pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks { // rights are a thread's
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/status", c.pid, task.Name()))
		if err != nil || !strings.Contains(string(b), "Seccomp:\t2") || !strings.Contains(string(b), "NoNewPrivs:\t1") || !strings.Contains(string(b), "CapPrm:\t0000000000000000") {
			t.Errorf("thread %s: error %v, want seccomp, no new privileges and no capabilities:\n%s", task.Name(), err, b)
		}
	}
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", c.pid))
	if err != nil || !strings.Contains(string(limits), "Max core file size        0                    0") {
		t.Errorf("error %v, want no core files:\n%s", err, limits)
	}
}

// Each wall holds without those that stand before it.
func TestEachLayer(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	me, address := strconv.Itoa(os.Getpid()), listener.Addr().String()
	t.Run("root", func(t *testing.T) {
		c, secret := start(t, Options{skip: []string{Limits, Privileges, Landlock, Seccomp}})
		for _, what := range []string{"read " + secret, "read /etc/passwd", "read /proc/self/environ", "read /proc/" + me + "/mem", "write /new", "dial tcp " + address, "run /bin/true", "kill " + me} {
			if got := try(t, c, strings.Fields(what)...); !strings.HasPrefix(got, "error") {
				t.Errorf("%s: %q, want an error", what, got)
			}
		}
		if got := try(t, c, "list", "/"); !strings.Contains(got, "pack") || strings.Contains(got, "etc") {
			t.Errorf("the root has %q", got)
		}
		// As the machine's root a file may be opened for writing that the mount then holds.
		if got := try(t, c, "write", "/pack"); !strings.Contains(got, "read-only") && !strings.Contains(got, "denied") {
			t.Errorf("writing /pack: %q, want that it is read-only or denied", got)
		}
	})
	t.Run("landlock", func(t *testing.T) {
		c, secret := start(t, Options{skip: []string{Namespaces, Root, Limits, Seccomp}})
		for _, what := range []string{"read " + secret, "read /etc/passwd", "read /proc/self/environ", "write " + secret, "write /tmp/umpire-new", "dial tcp " + address, "run /bin/true"} {
			if got := try(t, c, strings.Fields(what)...); !strings.HasPrefix(got, "error") {
				t.Errorf("%s: %q, want an error", what, got)
			}
		}
		if got := try(t, c, "read", filepath.Join(filepath.Dir(secret), "snapshot", "pack")); got != "material" {
			t.Errorf("the snapshot: %q", got)
		}
	})
	t.Run("seccomp", func(t *testing.T) {
		c, secret := start(t, Options{skip: []string{Namespaces, Root, Limits, Privileges, Landlock}})
		for _, what := range []string{"read " + secret, "read /etc/passwd", "write /tmp/umpire-new", "dial tcp " + address, "run /bin/true", "fork", "kill " + me, "vm " + me + " 4096", "ptrace " + me} {
			if got := try(t, c, strings.Fields(what)...); !strings.HasPrefix(got, "error") {
				t.Errorf("%s: %q, want an error", what, got)
			}
		}
		if got := try(t, c, "pack"); got != "material" {
			t.Errorf("the pack is %q, want material", got)
		}
	})
	t.Run("off", func(t *testing.T) { // or all of the above would prove nothing
		c, secret := start(t, Options{Isolation: Off})
		if got := try(t, c, "read", secret); got != "the secret" {
			t.Errorf("reading the secret: %q, want the secret", got)
		}
		if got := try(t, c, "dial", "tcp", address); got != "connected" {
			t.Errorf("dialing: %q, want connected", got)
		}
		if got := try(t, c, "run", "/bin/true"); got != "ran " {
			t.Errorf("running /bin/true: %q, want ran", got)
		}
		for _, l := range c.Layers {
			if l.OK {
				t.Errorf("layer %+v, want it missing", l)
			}
		}
	})
}

func TestRequire(t *testing.T) {
	p, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range LayerNames() {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "pack"), nil, 0o400); err != nil {
			t.Fatal(err)
		}
		if c, err := Start(t.Context(), Options{Dir: dir, Isolation: Require, skip: []string{l}, program: p}); !errors.Is(err, ErrIsolation) {
			t.Errorf("without %s: %v, %v", l, c, err)
		}
	}
}

func TestEnd(t *testing.T) {
	c, _ := start(t, Options{})
	if err := c.Send("try", []string{"hang"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := c.Receive(); err == nil {
		t.Error("it still speaks")
	}
	ctx, cancel := context.WithCancel(t.Context())
	p, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pack"), nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if c, err = Start(ctx, Options{Dir: dir, program: p}); err != nil {
		t.Fatal(err)
	}
	cancel()
	<-c.done
	_ = c.Close()
	if _, err := Start(t.Context(), Options{Dir: filepath.Join(dir, "none"), program: p}); err == nil {
		t.Error("it started without a snapshot")
	}
}

// What the walls cost: a cell that is started, asked once, and ended.
func BenchmarkCell(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pack"), []byte("material"), 0o400); err != nil {
		b.Fatal(err)
	}
	p, err := program()
	if err != nil {
		b.Fatal(err)
	}
	for _, isolation := range []Isolation{Off, Require} {
		b.Run(string(isolation), func(b *testing.B) {
			for b.Loop() {
				c, err := Start(b.Context(), Options{Dir: dir, Isolation: isolation, program: p})
				if err != nil {
					b.Fatal(err)
				}
				var out string
				if err := c.Ask("try", []string{"pack"}, &out); err != nil || out != "material" {
					b.Fatal(out, err)
				}
				_ = c.Close()
			}
		})
	}
}
