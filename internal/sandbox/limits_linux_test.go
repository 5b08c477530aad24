//go:build amd64 || arm64

package sandbox

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A box ends at each of its limits, and says at which.
func TestLimits(t *testing.T) {
	var shown Config
	me := self(t, &shown)
	for _, tt := range []struct {
		name, command string
		limits        Limits
		status        int
		told          string
	}{
		{"memory of one process", `"$ME" attempt fill 1000`, Limits{Memory: 300 << 20}, 2, "memory: a program that asks for more than 300M gets an error; the status is 2"}, // Go's word for it, as the kernel gives it none
		{"memory of many", `for i in 1 2 3 4; do "$ME" attempt fill 100 & done; wait`, Limits{Memory: 300 << 20}, 137, "memory: it used"},
		{"memory of folders", `head -c 200M /dev/zero > /tmp/x`, Limits{Memory: 128 << 20}, 1, "memory: a program that asks for more than 128M"},
		{"memory of a file that is nowhere mapped", `"$ME" attempt hold file 256`, Limits{Memory: 128 << 20}, 137, "memory: it used"},
		{"memory that nobody is attached to", `"$ME" attempt hold segment 256`, Limits{Memory: 128 << 20}, 137, "memory: it used"},
		{"memory of the kernel's tables", `"$ME" attempt hold tables 256`, Limits{Memory: 128 << 20}, 137, "memory: it used"},
		{"disk by one file", `head -c 20M /dev/zero > x; test $(stat -c %s x) -le 4194304`, Limits{Disk: 4 << 20}, 0, "disk x: a file may have 4M"},
		{"a smaller file", `head -c 3M /dev/zero > x`, Limits{Disk: 4 << 20}, 0, ""},
		{"disk by many files", `for i in 1 2 3 4 5 6 7 8; do head -c 1M /dev/zero > $i; done; sleep 60`, Limits{Disk: 4 << 20}, 137, "disk: it changed"},
		{"processor time", `while :; do :; done & while :; do :; done`, Limits{CPU: time.Second}, 137, "processor time: it used"},
		{"processor time of children", `while :; do /bin/true; done`, Limits{CPU: time.Second}, 137, "processor time: it used"},
		{"time", `sleep 60`, Limits{Wall: time.Second}, 137, "time: it ran for 1 s"},
		{"none", `head -c 5M /dev/zero > x`, Limits{Memory: 1 << 30, Disk: 1 << 30, CPU: time.Hour, Wall: time.Hour}, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := box(t, tt.command)
			c.Env, c.ReadOnly = append(c.Env, "ME="+me), shown.ReadOnly
			c.Limits = tt.limits
			var told strings.Builder
			c.Tell = func(e Event) { fmt.Fprintln(&told, e) }
			status, out := in(t, c)
			if status != tt.status {
				t.Errorf("%d %s", status, out)
			}
			if got := told.String(); !strings.HasPrefix(got, tt.told) || (tt.told == "") != (got == "") {
				t.Errorf("told %q", got)
			}
		})
	}
	for _, l := range []Limits{{Memory: 1}, {Disk: 1}, {CPU: 1}, {CPU: -1}, {Wall: -1}} {
		c := box(t, "true")
		c.Limits = l
		if err := c.Check(); err == nil {
			t.Errorf("%+v is taken", l)
		}
	}
	for n, taken := range map[uint64]bool{0: true, 1: false, minTasks - 1: false, minTasks: true} {
		c := box(t, "true")
		c.Tasks = n
		if err := c.Check(); (err == nil) != taken || err != nil && !strings.Contains(err.Error(), "too small: use 32 or more") {
			t.Errorf("%d processes: %v", n, err)
		}
	}
	c := box(t, "true")
	c.Tasks = minTasks
	if status, out := in(t, c); status != 0 {
		t.Errorf("the smallest limit of processes: %d %s", status, out)
	}
}

// The limit of processes holds for every user, and process 1 survives a program that uses it up.
func TestLimitOfProcesses(t *testing.T) {
	for tasks, starts := range map[uint64]bool{minTasks: false, 60: false, 120: true} {
		c := box(t, `for i in $(seq 1 80); do sleep 1 & done; wait; echo all`)
		c.Tasks = tasks
		if status, out := in(t, c); strings.Contains(out, "all") != starts || (status == 0) != starts || strings.Contains(out, "runtime:") {
			t.Errorf("80 processes with a limit of %d: status %d, want them started: %v; %s", tasks, status, starts, out)
		}
	}
}

// While it starts the program, process 1 has memory enough for itself.
func TestLimitsLeaveRoom(t *testing.T) {
	c := Config{Limits: Limits{Memory: minMemory}}
	err := c.limited(func() (int, error) {
		b, err := unix.Mmap(-1, 0, 2*minMemory, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err == nil {
			err = unix.Munmap(b)
		}
		return 0, err
	})
	if err != nil {
		t.Error(err)
	}
}

// A kernel that lacks a wall has no box, but for who says that it is enough: then it is said.
func TestBestEffort(t *testing.T) {
	for _, tt := range []struct {
		name string
		call uintptr
		told string
	}{
		{"landlock", unix.SYS_LANDLOCK_CREATE_RULESET, "landlock: hold by Landlock"},
		{"seccomp", unix.SYS_SECCOMP, "seccomp: hold by seccomp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := func(bestEffort bool) string {
				c := box(t, "echo the program ran")
				throughProxy(t, &c)
				c.BestEffort = bestEffort
				body, err := json.Marshal(c)
				if err != nil {
					t.Fatal(err)
				}
				at := filepath.Join(t.TempDir(), "config")
				if err := os.WriteFile(at, body, 0o600); err != nil {
					t.Fatal(err)
				}
				out, _ := exec.Command("/proc/self/exe", "attempt", "without", fmt.Sprint(tt.call), "/proc/self/exe", "attempt", "run", at).CombinedOutput()
				return string(out)
			}
			if out := run(false); strings.Contains(out, "the program ran") || !strings.Contains(out, "hold by") {
				t.Errorf("without a word: %s", out)
			}
			if out := run(true); !strings.Contains(out, "the program ran") || !strings.Contains(out, "told "+tt.told) {
				t.Errorf("with --best-effort: %s", out)
			}
		})
	}
}

// Who has no rights outside has the same box.
func TestUnprivileged(t *testing.T) {
	c := box(t, `getent hosts a.example; "$ME" attempt dial tcp bad.example:80; "$ME" attempt ptrace; id -u; grep CapEff /proc/self/status; echo x > made; stat -c 'memory of %u' /proc/1/auxv`)
	dir, err := os.MkdirTemp("/tmp", "umpire-test-") // others may go into it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	me := self(t, &c)
	gate := throughProxy(t, &c)
	b, err := os.ReadFile(me)
	if err != nil {
		t.Fatal(err)
	}
	prog, socket := filepath.Join(dir, "prog", "attempt"), filepath.Join(dir, "s")
	c.Dir, c.Home, c.State = filepath.Join(dir, "home", "proj"), filepath.Join(dir, "home"), filepath.Join(dir, "state")
	c.ReadOnly = []string{filepath.Dir(prog)}
	c.Env = append(c.Env, "ME="+prog)
	relay, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer relay.Close()
	go PassOn(t.Context(), relay, "unix", c.Gates[c.Through.Gate])
	c.Gates[c.Through.Gate] = socket
	body, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "config")
	for _, step := range []error{
		os.MkdirAll(c.Dir, 0o755), os.MkdirAll(c.State, 0o755), os.MkdirAll(filepath.Dir(prog), 0o755), os.WriteFile(prog, b, 0o755), os.WriteFile(config, body, 0o644),
		os.Chmod(dir, 0o755), os.Chmod(socket, 0o777),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}
	cmd := exec.Command(prog, "attempt", "run", config)
	uid := os.Getuid()
	if uid == 0 { // else the other tests are without rights, too
		uid = 1234
		if out, err := exec.Command("chown", "-R", "1234:1234", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 1234, Gid: 1234}}
	}
	out, err := cmd.CombinedOutput()
	for _, want := range []string{"a.example", "X-Umpire: refused", "told ptrace (by attempt)", "told tcp bad.example:80", fmt.Sprintf("\n%d\n", uid), "CapEff:\t0000000000000000", "memory of 65534\n"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in %s, %v", want, out, err)
		}
	}
	if gate.saw("bad.example:80") == 0 { // twice, where the first address takes a while
		t.Error("the proxy was not asked")
	}
	if _, err := os.Stat(filepath.Join(c.Upper(), "made")); err != nil {
		t.Error(err)
	}
}

// Who kills umpire ends the box with it.
func TestEndsWhenKilled(t *testing.T) {
	c := box(t, "echo started; sleep 600")
	body, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(config, body, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "attempt", "run", config)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	b := make([]byte, 8)
	if _, err := io.ReadFull(r, b); err != nil || string(b) != "started\n" {
		t.Errorf("%q, %v", b, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := r.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); err != nil { // the pipe ends when the last process of the box is gone
		t.Error(err)
	}
}
