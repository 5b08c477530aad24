//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "attempt" {
		os.Exit(attempt(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// box is a Config for a shell command, with folders of the test's own.
func box(t *testing.T, command string) Config {
	t.Helper()
	dir := t.TempDir()
	c := Config{Dir: filepath.Join(dir, "home", "proj"), State: filepath.Join(dir, "state"), Home: filepath.Join(dir, "home"), Args: []string{"/bin/sh", "-c", command}, Env: Environment(os.Environ(), nil, "HOME="+filepath.Join(dir, "home"))}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return c
}

// in runs a box in a process of its own, since it takes standard output.
func in(t *testing.T, c Config) (status int, out string) {
	t.Helper()
	old, oldErr, oldIn := os.Stdout, os.Stderr, os.Stdin
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	done := make(chan string)
	go func() {
		b, _ := io.ReadAll(r)
		done <- string(b)
	}()
	os.Stdout, os.Stderr, os.Stdin = w, w, null
	ctx, cancel := context.WithTimeout(t.Context(), 5*patience) // some try thousands of names, or ports
	defer cancel()
	status, err = Run(ctx, c)
	os.Stdout, os.Stderr, os.Stdin = old, oldErr, oldIn
	w.Close()
	out = <-done
	if err != nil {
		t.Fatalf("%v; printed %s", err, out)
	}
	return status, out
}

func TestRun(t *testing.T) {
	c := box(t, `echo "$HOME $PWD $(id -u) $(hostname)"; ls -A "$HOME"; exit 7`)
	status, out := in(t, c)
	if want := fmt.Sprintf("%s %s %d umpire\nproj\n", c.Home, c.Dir, os.Getuid()); status != 7 || out != want {
		t.Errorf("%d %q, want %q", status, out, want)
	}
	if status, _ := in(t, box(t, `kill -9 $$`)); status != 137 {
		t.Errorf("killed: %d", status)
	}
	if _, err := Run(t.Context(), Config{}); err == nil {
		t.Error("no program")
	}
	bad := box(t, "")
	bad.Args = []string{"/bin/there-is-no-such"}
	if _, err := Run(t.Context(), bad); err == nil || !strings.Contains(err.Error(), "there-is-no-such") {
		t.Errorf("%v", err)
	}
}

// What the program changes in the project stays in the overlay.
func TestOverlay(t *testing.T) {
	c := box(t, `echo new > made; echo more >> kept; rm gone; mv moved elsewhere; cat made kept`)
	for _, name := range []string{"kept", "gone", "moved"} {
		if err := os.WriteFile(filepath.Join(c.Dir, name), []byte(name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if status, out := in(t, c); status != 0 || out != "new\nkept\nmore\n" {
		t.Errorf("%d %s", status, out)
	}
	for _, name := range []string{"kept", "gone", "moved"} {
		if b, err := os.ReadFile(filepath.Join(c.Dir, name)); err != nil || string(b) != name+"\n" {
			t.Errorf("%s of the host: %q, %v", name, b, err)
		}
	}
	if b, err := os.ReadFile(filepath.Join(c.Upper(), "made")); err != nil || string(b) != "new\n" {
		t.Errorf("what was made: %q, %v", b, err)
	}
	// An attribute that would be the overlay's own does not become it: the project would be hidden.
	mark := c
	mark.Args = []string{"/usr/bin/python3", "-c", `import os
try: os.setxattr(".", "user.overlay.opaque", b"y")
except OSError: pass`}
	if status, out := in(t, mark); status != 0 {
		t.Errorf("%d %s", status, out)
	}
	if n, err := unix.Getxattr(c.Upper(), "user.overlay.opaque", make([]byte, 8)); err == nil {
		t.Errorf("the overlay has a mark of %d bytes that the program made", n)
	}
	if again := c; true {
		again.Args = []string{"/bin/sh", "-c", "cat kept; ls"}
		if _, out := in(t, again); out != "kept\nmore\nelsewhere\nkept\nmade\n" {
			t.Errorf("in the next run: %s", out)
		}
	}
}

// The only way out is by the gates.
func TestGate(t *testing.T) {
	c := box(t, `exec "$0" attempt say 127.0.0.1:3701`)
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			b, _ := io.ReadAll(conn)
			fmt.Fprintf(conn, "heard %s", b)
			conn.Close()
		}
	}()
	c.Gates = map[string]string{"127.0.0.1:3701": socket}
	c.Args = append(c.Args, self(t, &c))
	if status, out := in(t, c); status != 0 || out != "heard hello" {
		t.Errorf("%d %s", status, out)
	}
}

// self makes this test's program be found in the box.
func self(t *testing.T, c *Config) string {
	t.Helper()
	prog, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(prog)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, "attempt")
	if err := os.WriteFile(at, b, 0o755); err != nil {
		t.Fatal(err)
	}
	c.ReadOnly = append(c.ReadOnly, dir)
	return at
}

// What a program sends when it ends is told, too: it waits for no answer.
func TestLeftPackets(t *testing.T) {
	c := box(t, `python3 -c '
import os, socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(100): s.sendto(b"x", ("192.0.2.54", 4321))
question = b"\0\1\1\0\0\1\0\0\0\0\0\0\6secret\6tunnel\7example\0\0\20\0\1"
for i in range(100): s.sendto(question, ("192.0.2.53", 53))
os._exit(0)'`)
	throughProxy(t, &c)
	var told strings.Builder
	c.Tell = func(e Event) { fmt.Fprintln(&told, e) }
	if status, out := in(t, c); status != 0 {
		t.Fatal(out)
	}
	for _, want := range []string{"udp 192.0.2.54:4321 (100 times)", "a question for TXT of a name secret.tunnel.example. (100 times)"} {
		if !strings.Contains(told.String(), want) {
			t.Errorf("%q is not in %s", want, told.String())
		}
	}
}

// Each escape that is tried from inside fails, and says so.
func TestEscapes(t *testing.T) {
	outside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	reached := make(chan bool, 100)
	go func() {
		for {
			c, err := outside.Accept()
			if err != nil {
				return
			}
			reached <- true
			c.Close()
		}
	}()
	c := box(t, "")
	attempts := self(t, &c)
	secretDir := t.TempDir()
	secret := filepath.Join(secretDir, "secret")
	inHome := filepath.Join(c.Home, "id_rsa")
	for _, p := range []string{secret, inHome} {
		if err := os.WriteFile(p, []byte("the host's secret"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shown := t.TempDir()
	if err := os.MkdirAll(filepath.Join(shown, "own", "token"), 0o755); err != nil {
		t.Fatal(err)
	}
	c.ReadOnly, c.Own = append(c.ReadOnly, shown), []string{filepath.Join(shown, "own")}
	if err := os.WriteFile(filepath.Join(shown, "hook"), []byte("a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	inShown, err := net.Listen("unix", filepath.Join(shown, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer inShown.Close()
	unixSocket := filepath.Join(secretDir, "sock")
	l, err := net.Listen("unix", unixSocket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	abstract, err := net.Listen("unix", fmt.Sprintf("@umpire-test-%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	gate := throughProxy(t, &c)
	for _, tt := range []struct {
		name, command string
		told          string // in what the box tells; nothing where nobody can see it
	}{
		{"read a file of the host", "cat " + secret, ""},
		{"read a file of the home", "cat " + inHome, ""},
		{"read shadow", "test -s /etc/shadow && cat /etc/shadow", ""},
		{"read umpire's state", "ls " + c.State, ""},
		{"read the root of process 1", "cat /proc/1/root" + secret, ""},
		{"read the host through /proc/1/cwd", "ls /proc/1/cwd" + secretDir, ""},
		{"read the environment of process 1", "test -s /proc/1/environ", ""},
		{"see processes of the host", "test $(ls -d /proc/[0-9]* | wc -l) -gt 20", ""},
		{"write to /usr", "touch /usr/bin/umpire-was-here", ""},
		{"write to /etc", "echo x > /etc/umpire-was-here", ""},
		{"write to the root", "mkdir /umpire-was-here", ""},
		{"write a setting of the kernel", "echo 1 > /proc/sys/kernel/core_pattern", ""},
		{"write sysrq", "echo b > /proc/sysrq-trigger", ""},
		// Without O_TRUNC, which Landlock stops by itself.
		{"set what the kernel runs when a program dies", ": 1<>/proc/sys/kernel/core_pattern", ""},
		{"set how many processes there are", ": 1<>/proc/sys/kernel/pid_max", ""},
		{"set where interrupts go", ": 1<>/proc/irq/default_smp_affinity", ""},
		{"let namespaces be made again", ": 1<>/proc/sys/user/max_user_namespaces", ""},
		{"write anything of the kernel's", "find /proc -maxdepth 3 -path '/proc/[0-9s]*' -prune -o -type f -writable -exec test -f {} ';' -print | grep .", ""},
		{"read what only root may of the kernel's", "find /proc -maxdepth 1 -type f ! -perm -o=r | grep .", ""},
		{"read the names of the user's keys", "cat /proc/keys /proc/key-users | grep .", ""},
		{"be spared when memory is short", "(: 1<>/proc/self/oom_score_adj) || test $(cat /proc/self/oom_score_adj) != 1000", ""},
		{"spare process 1", ": 1<>/proc/1/oom_score_adj", ""},
		{"read what not everybody may read of /etc", "find /etc /usr/local/etc -type f ! -perm -o=r -size +0 | grep .", ""},
		{"see umpire's own folder in one that is shown", "ls -A " + shown + "/own | grep .", ""},
		{"fill memory by several folders", "test $(stat -c %d /tmp /var/tmp /dev/shm /run \"$HOME\" | sort -u | wc -l) != 1", ""},
		{"mount", "mount -t tmpfs none /tmp", "mount (by mount"},
		{"unmount", "umount /tmp", "umount (by umount"},
		{"make the system writable", "mount -o remount,rw /usr", "mount (by mount"},
		{"a namespace inside", "unshare -Ur true", "unshare (by unshare"},
		{"a namespace by clone", attempts + " attempt clone", "a new namespace (by attempt"},
		{"become another user", "test -u /usr/bin/su && su -c true nobody </dev/null", ""},
		{"set a user ID bit and gain by it", "cp /bin/sh /tmp/s && chmod 4755 /tmp/s && /tmp/s -p -c 'test $(id -u) = 0 -a " + fmt.Sprint(os.Getuid()) + " != 0'", ""},
		{"have a capability", "grep -q 'Cap\\(Eff\\|Prm\\|Bnd\\|Amb\\).*[1-9a-f]' /proc/self/status", ""},
		{"have no seccomp", "grep -q 'Seccomp:.*0$' /proc/self/status", ""},
		{"trace another process", attempts + " attempt ptrace", "ptrace (by attempt"},
		{"read another process's memory", "head -c 1 /proc/1/mem", ""},
		{"kill process 1", "kill -9 1; kill -TERM 1; sleep 0.2; test ! -e /proc/1", ""},
		{"reach the host's loopback", attempts + " attempt dial tcp " + outside.Addr().String(), ""},
		{"reach a cloud's metadata", attempts + " attempt dial tcp 169.254.169.254:80", "tcp 169.254.169.254:80"},
		{"reach an address of the internet", attempts + " attempt dial tcp 192.0.2.1:80", "tcp 192.0.2.1:80"},
		{"ask a name server", attempts + " attempt ask 192.0.2.53:53", "a question for TXT of a name secret.tunnel.example"},
		{"send by UDP", attempts + " attempt dial udp 192.0.2.53:443", "udp 192.0.2.53:443"},
		{"send by UDP without connecting", attempts + " attempt udp 192.0.2.54:1234", "udp 192.0.2.54:1234"},
		{"send by UDP and IPv6", attempts + " attempt dial udp [2001:db8::1]:443", "udp [2001:db8::1]:443"},
		{"reach an IPv6 address", attempts + " attempt dial tcp [2001:db8::1]:80", "tcp [2001:db8::1]:80"},
		{"reach an address as an IPv6 one", attempts + " attempt dial tcp [::ffff:169.254.169.254]:80", "tcp 169.254.169.254:80"},
		{"reach a name that nobody asked for", attempts + " attempt dial tcp 198.18.200.1:80", "no name resolved to this address"},
		{"reach a host that is denied", attempts + " attempt dial tcp bad.example:80", "tcp bad.example:80: umpire denies bad.example"},
		{"take umpire's port for names", attempts + " attempt bind 127.0.0.1:53 || " + attempts + " attempt bind 0.0.0.0:53", ""},
		{"have an address stand for two names", attempts + " attempt many 10000", ""},
		{"find a port that leads out", attempts + " attempt door", ""},
		{"resolve a name", attempts + " attempt resolve secret.example.com", ""},
		{"a raw socket", attempts + " attempt socket 2 3 1", "socket of family 2, type 3"},
		{"a packet socket", attempts + " attempt socket 17 3 768", "socket of family 17"},
		{"a socket of a virtual machine's", attempts + " attempt socket 40 1 0", "socket of family 40"},
		{"a netlink socket of the firewall", attempts + " attempt socket 16 3 12", "socket of family 16"},
		{"a pair of sockets of another family", attempts + " attempt pair 40", "pair of sockets of family 40"},
		{"have who opens a file of the host's wait", attempts + " attempt lease " + shown + "/hook", ""},
		{"take more than half of what watches files", attempts + " attempt watchers", ""},
		{"take more than half of the user's timers and queues", attempts + " attempt shared " + outsideLimits(t), ""},
		{"have the host's program get dumps of memory", attempts + " attempt dumps", ""},
		{"read a terminal's lines otherwise", attempts + " attempt lines", "changing how the terminal's lines are read"},
		{"a Unix socket in a folder that is shown", attempts + " attempt dial unix " + shown + "/sock", ""},
		{"io_uring", attempts + " attempt uring", ""},
		{"a Unix socket of the host", attempts + " attempt dial unix " + unixSocket, ""},
		{"an abstract socket of the host", attempts + " attempt dial unix @" + strings.TrimPrefix(abstract.Addr().String(), "@"), ""},
		{"type into the terminal", attempts + " attempt type", "typing into the terminal"},
		{"a key of the kernel's", attempts + " attempt key", "add_key"},
		{"make a device", "mknod /tmp/sda b 8 0 && head -c 1 /tmp/sda", ""},
		{"make a device in the project", "mknod sda b 8 0 || mknod mem c 1 1", ""},
		{"make the overlay's own mark", "mknod gone c 0 0", ""},
		{"reach an address without connecting", `python3 -c 'import socket; socket.socket().sendto(b"x", socket.MSG_FASTOPEN, ("192.0.2.1", 80))'`, "sending without connecting"},
		{"and by a message", `python3 -c 'import socket; socket.socket().sendmsg([b"x"], [], socket.MSG_FASTOPEN, ("192.0.2.1", 80))'`, "sending without connecting"},
		{"reach the host's loopback without connecting", `python3 -c 'import socket; socket.socket().sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", ` + strconv.Itoa(outside.Addr().(*net.TCPAddr).Port) + `))'`, "sending without connecting"},
		{"reach no address at all", `python3 -c 'import socket; socket.create_connection(("0.0.0.0", ` + strconv.Itoa(outside.Addr().(*net.TCPAddr).Port) + `))'`, ""},
		{"a second connection on one socket", `python3 -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("127.0.0.1", 53))
s.connect(("192.0.2.54", 4321))
s.send(b"x")
s.recv(1)'`, "udp 192.0.2.54:4321"},
		{"give the box another route", "PATH=$PATH:/usr/sbin:/sbin; ip route add 192.0.2.0/24 dev lo || ip link set lo down", ""},
		{"change the name of the machine", "hostname evil", "sethostname"},
		{"many processes", "ulimit -u unlimited", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := c
			var told strings.Builder
			c.Tell = func(e Event) { fmt.Fprintln(&told, e) }
			c.Args = []string{"/bin/sh", "-c", tt.command}
			if status, out := in(t, c); status == 0 {
				t.Errorf("it worked: %s", out)
			}
			if !strings.Contains(told.String(), tt.told) {
				t.Errorf("the box tells %q", told.String())
			}
		})
	}
	if n := gate.saw("secret.tunnel.example:53") + gate.saw("192.0.2.53:53"); n > 0 {
		t.Error("a question left the box")
	}
	select {
	case <-reached:
		t.Error("the host's loopback was reached")
	default:
	}
	for _, p := range []string{"/usr/bin/umpire-was-here", "/etc/umpire-was-here", "/umpire-was-here"} {
		if _, err := os.Lstat(p); err == nil {
			t.Errorf("%s was made", p)
		}
	}
}

// outsideLimits are those of the limits that are shared.
func outsideLimits(t *testing.T) string {
	t.Helper()
	var all []string
	for _, resource := range counted {
		var is unix.Rlimit
		if err := unix.Getrlimit(resource, &is); err != nil {
			t.Fatal(err)
		}
		all = append(all, strconv.FormatUint(is.Max, 10))
	}
	return strings.Join(all, " ")
}

// What whoever started umpire left open does not get into the box.
func TestInheritsNothing(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("the host's secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{secret, filepath.Dir(secret)} {
		fd, err := unix.Open(name, unix.O_RDONLY, 0) // stays open in children
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fd)
	}
	c := box(t, "ls -l /proc/self/fd")
	if _, out := in(t, c); strings.Contains(out, filepath.Dir(secret)) {
		t.Errorf("open in the box: %s", out)
	}
}

// No program in a box comes before all others, whatever the user may outside.
func TestNoPriority(t *testing.T) {
	limits := processLimits(&Config{})
	for _, resource := range []int{unix.RLIMIT_RTPRIO, unix.RLIMIT_NICE} {
		if most, ok := limits[resource]; !ok || most != 0 {
			t.Errorf("%d: %d, %v", resource, most, ok)
		}
	}
}

// What goes into a box is no argument, which all users of the machine could read.
func TestLargeEnvironment(t *testing.T) {
	c := box(t, `echo ${#A} ${#B} ${#C}`)
	for _, name := range []string{"A", "B", "C"} {
		c.Env = append(c.Env, name+"="+strings.Repeat("x", 100_000))
	}
	if status, out := in(t, c); status != 0 || out != "100000 100000 100000\n" {
		t.Errorf("%d %.200s", status, out)
	}
}

// The program can be interrupted and stopped from the terminal, as outside.
func TestIgnoresNoSignals(t *testing.T) {
	var ignored, want uint64
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTSTP} {
		if signal.Ignored(s) { // as in the background of a script
			want |= 1 << (s - 1)
		}
	}
	_, out := in(t, box(t, "sed -n 's/^SigIgn:\\s*/0x/p' /proc/self/status"))
	if _, err := fmt.Sscanf(out, "0x%x", &ignored); err != nil || ignored&(1<<1|1<<2|1<<19) != want {
		t.Errorf("ignored: %#x, want %#x; printed %s, %v", ignored, want, out, err)
	}
}

// Standard output can be opened by its name where it is a file of the host's.
func TestOpensOutput(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	old := os.Stdout
	os.Stdout = f
	status, err := Run(t.Context(), box(t, "echo said > /dev/stdout"))
	os.Stdout = old
	if b, e := os.ReadFile(f.Name()); e != nil || err != nil || string(b) != "said\n" {
		t.Errorf("%d, %q, %v, %v", status, b, err, e)
	}
}

// A program that begins ever more processes comes to an end, also if it is root's.
func TestTasks(t *testing.T) {
	c := box(t, `i=0; while [ $i -lt 600 ]; do sleep 60 & i=$((i+1)); done 2>/dev/null; ls -d /proc/[0-9]* | wc -l`)
	c.Tasks = 100
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		t.Fatal(err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &major, &minor); err != nil {
		t.Fatal(err)
	}
	most := 401
	if os.Getuid() == 0 && (major < 6 || major == 6 && minor < 14) {
		most = 700 // an older kernel holds no root
	}
	status, out := in(t, c)
	var n int
	if _, err := fmt.Sscan(out, &n); err == nil && n > most {
		t.Errorf("%d %s", status, out)
	}
}

// What the checks of escapes rest on: the same attempts work outside, where they can.
func TestAttemptsWorkOutside(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		if c, err := l.Accept(); err == nil {
			fmt.Fprint(c, "hello")
			c.Close()
		}
	}()
	for _, args := range [][]string{{"dial", "tcp", l.Addr().String()}, {"ptrace"}, {"socket", "2", "1", "0"}} {
		cmd := exec.Command("/proc/self/exe", append([]string{"attempt"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v %s", args, err, out)
		}
	}
}

// The box ends with who started it.
func TestEndsWithParent(t *testing.T) {
	c := box(t, "echo started; sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = w
	done := make(chan error, 1)
	go func() {
		_, err := Run(ctx, c)
		w.Close()
		done <- err
	}()
	b := make([]byte, 8)
	if _, err := io.ReadFull(r, b); err != nil || !bytes.Equal(b, []byte("started\n")) {
		t.Errorf("%q, %v", b, err)
	}
	os.Stdout = old
	cancel()
	select {
	case err := <-done:
		if err == nil {
			t.Error("it ended by itself")
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
	if _, err := io.ReadAll(r); err != nil { // the pipe ends when the last process of the box is gone
		t.Error(err)
	}
}

// A program that lies among other things brings nothing but itself.
func TestNeeded(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"tool", "app/bin/tool", "n/lib/node_modules/x/tool"} {
		at := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	outside, err := os.CreateTemp("/tmp", "umpire-test-*")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(outside.Name())
	if err := errors.Join(outside.Chmod(0o755), outside.Close()); err != nil {
		t.Fatal(err)
	}
	for prog, want := range map[string]string{
		filepath.Join(home, "tool"):                      filepath.Join(home, "tool"),
		filepath.Join(home, "app/bin/tool"):              filepath.Join(home, "app/bin"),
		filepath.Join(home, "n/lib/node_modules/x/tool"): filepath.Join(home, "n"),
		outside.Name(): outside.Name(),
	} {
		if _, got, err := Needed(prog, home); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, %v", prog, got, err)
		}
	}
}

func TestCheck(t *testing.T) {
	ok := Config{Dir: "/home/dev/proj", State: "/home/dev/.local/state/umpire/runs/1", Home: "/home/dev", Args: []string{"sh"}}
	for _, tt := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"fine", func(*Config) {}, ""},
		{"no program", func(c *Config) { c.Args = nil }, "no program"},
		{"the home as the project", func(c *Config) { c.Dir = "/home/dev" }, "home folder"},
		{"all as the project", func(c *Config) { c.Dir = "/" }, "home folder"},
		{"state in the project", func(c *Config) { c.State = "/home/dev/proj/.umpire" }, "is in the project"},
		{"a project that is not UTF-8", func(c *Config) { c.Dir = "/home/dev/caf\xe9" }, `"/home/dev/caf\xe9" is not UTF-8`},
		{"an argument that is not UTF-8", func(c *Config) { c.Args = []string{"rm", "caf\xe9.txt"} }, `"caf\xe9.txt" is not UTF-8`},
		{"a relative path", func(c *Config) { c.ReadOnly = []string{"x"} }, "absolute"},
		{"a path that climbs", func(c *Config) { c.Writable = []string{"/home/dev/../x"} }, "clean"},
		{"umpire's own folder, to be written", func(c *Config) {
			c.Writable, c.Own = []string{"/home/dev/.config"}, []string{"/home/dev/.config/umpire"}
		}, "umpire's"},
		{"a part of umpire's own folder", func(c *Config) {
			c.Writable, c.Own = []string{"/home/dev/.config/umpire/x"}, []string{"/home/dev/.config/umpire"}
		}, "umpire's"},
		{"umpire's own folder in the project", func(c *Config) { c.Own = []string{"/home/dev/proj/own"} }, "umpire's"},
		{"the project in umpire's own folder", func(c *Config) { c.Own = []string{"/home/dev"} }, "umpire's"},
		{"the project itself", func(c *Config) { c.Writable = []string{"/home"} }, "overlaps"},
		{"a part of the project", func(c *Config) { c.Writable = []string{"/home/dev/proj/x"} }, "overlaps"},
		{"what holds the state", func(c *Config) { c.Writable = []string{"/home/dev/.local"} }, "overlaps"},
		{"a folder beside the project", func(c *Config) { c.Writable = []string{"/home/dev/proj2"} }, ""},
		{"held", func(c *Config) { c.Held = []string{"/home/dev/proj/.git"} }, ""},
		{"held, and a link could lead there", func(c *Config) { c.Held = []string{"/home/dev/proj/a/../.git"} }, "cannot be protected"},
		{"held, beside the project", func(c *Config) { c.Held = []string{"/home/dev/proj2/.git"} }, "cannot be protected"},
		{"held, the project", func(c *Config) { c.Held = []string{"/home/dev/proj"} }, "cannot be protected"},
		{"through a gate", func(c *Config) {
			c.Gates, c.Through = map[string]string{"127.0.0.1:1": "/s"}, &Through{Gate: "127.0.0.1:1"}
		}, ""},
		{"through another gate", func(c *Config) {
			c.Gates, c.Through = map[string]string{"127.0.0.1:1": "/s"}, &Through{Gate: "127.0.0.1:2"}
		}, "is not the address of the gateway"},
	} {
		c := ok
		tt.change(&c)
		if err := c.Check(); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	for field, set := range map[string]func(c *Config, path string){
		"Dir": func(c *Config, p string) { c.Dir = p }, "State": func(c *Config, p string) { c.State = p }, "Home": func(c *Config, p string) { c.Home = p },
		"ReadOnly": func(c *Config, p string) { c.ReadOnly = []string{"/opt/x", p} }, "Writable": func(c *Config, p string) { c.Writable = []string{"/opt/x", p} }, "Own": func(c *Config, p string) { c.Own = []string{"/opt/x", p} },
		"Shown.From": func(c *Config, p string) { c.Shown = []Mount{{From: p, To: "/home/dev/x"}} }, "Shown.To": func(c *Config, p string) { c.Shown = []Mount{{From: "/x", To: p}} },
		"Copied.From": func(c *Config, p string) { c.Copied = []Mount{{From: p, To: "/home/dev/x"}} }, "Copied.To": func(c *Config, p string) { c.Copied = []Mount{{From: "/x", To: p}} },
	} {
		for _, path := range []string{"", "x", "./x", "/opt/../etc", "/opt/", "//opt"} {
			c := ok
			if set(&c, path); c.Check() == nil {
				t.Errorf("%s %q: got no error, want one about a clean, absolute path", field, path)
			}
		}
	}
}
