//go:build amd64 || arm64

package sandbox

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/coder/websocket"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/umpire-dev/umpire/internal/seccomp"
)

// patience is how long what comes at once is waited for: on a busy machine it takes longer.
const patience = time.Minute

// attempt tries something that a box should not let happen. 0 is that it worked.
func attempt(args []string) int {
	err := func() error {
		switch args[0] {
		case "say":
			c, err := net.DialTimeout("tcp", args[1], patience)
			if err != nil {
				return err
			}
			_, _ = io.WriteString(c, "hello")
			_ = c.(*net.TCPConn).CloseWrite()
			_, err = io.Copy(os.Stdout, c)
			return err
		case "dial":
			c, err := net.DialTimeout(args[1], args[2], patience)
			if err != nil || args[1] == "unix" {
				return err
			}
			// Connected is not reached: something has to answer, and not to refuse.
			_ = c.SetDeadline(time.Now().Add(patience))
			if _, err := io.WriteString(c, "GET / HTTP/1.0\r\nHost: "+args[2]+"\r\n\r\n"); err != nil {
				return err
			}
			b := make([]byte, 4096)
			n, err := c.Read(b)
			if strings.Contains(string(b[:n]), "X-Umpire: refused") {
				return fmt.Errorf("refused: %s", b[:n])
			}
			return err
		case "ask": // for a name's TXT records, at a server
			r := net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, args[1])
			}}
			_, err := r.LookupTXT(context.Background(), "secret.tunnel.example")
			return err
		case "udp": // without connecting first
			c, err := net.ListenPacket("udp4", "0.0.0.0:0")
			if err != nil {
				return err
			}
			to, err := net.ResolveUDPAddr("udp4", args[1])
			if err != nil {
				return err
			}
			if _, err := c.WriteTo([]byte("x"), to); err != nil {
				return err
			}
			_ = c.SetDeadline(time.Now().Add(time.Second))
			_, _, err = c.ReadFrom(make([]byte, 10))
			return err
		case "bind": // to a port that umpire has
			c, err := net.ListenPacket("udp4", args[1])
			if err == nil {
				c.Close()
			}
			return err
		case "many": // names, more than there are addresses
			r := net.Resolver{PreferGo: true}
			n, _ := strconv.Atoi(args[1])
			first := map[string]string{}
			for i := range n {
				a, err := r.LookupNetIP(context.Background(), "ip4", fmt.Sprintf("n%d.tunnel.example", i))
				if err != nil {
					return err
				}
				if old := first[a[0].String()]; old != "" {
					return nil // it stands for two
				}
				first[a[0].String()] = fmt.Sprint(i)
			}
			return fmt.Errorf("%d names, each with its own address", len(first))
		case "door": // the port that connections are led to, found by trying
			ports := listening()
			answers := make(chan bool, len(ports))
			for _, port := range ports {
				go func() {
					c, err := net.DialTimeout("tcp4", fmt.Sprintf("127.0.0.1:%d", port), patience)
					if err != nil {
						answers <- false
						return
					}
					_ = c.SetDeadline(time.Now().Add(patience))
					_, _ = io.WriteString(c, "GET / HTTP/1.0\r\n\r\n")
					n, _ := c.Read(make([]byte, 100))
					c.Close()
					answers <- port != 3701 && n > 0
				}()
			}
			for range ports {
				if <-answers {
					return nil
				}
			}
			if len(ports) < 2 {
				return nil // the table did not show umpire's own ports, so that nothing was tried
			}
			return errors.New("nothing answers")
		case "fill": // memory, in MiB, and stay
			n, _ := strconv.Atoi(args[1])
			b := make([]byte, n<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			time.Sleep(time.Minute) // a process that holds memory until it is killed
			runtime.KeepAlive(b)
			return nil
		case "hold": // memory in a way of which no process shows it
			n, _ := strconv.Atoi(args[2])
			if err := holdMemory(args[1], n<<20); err != nil {
				return err
			}
			fmt.Println("held")
			time.Sleep(time.Minute) // until it is killed
			return nil
		case "lease": // on a file: who opens it waits
			f, err := os.Open(args[1])
			if err != nil {
				return err
			}
			_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_WRLCK)
			return err
		case "watchers": // of files, more than half of those that the user may have
			b, err := os.ReadFile("/proc/sys/fs/inotify/max_user_instances")
			if err != nil {
				return err
			}
			most, _ := strconv.Atoi(strings.TrimSpace(string(b)))
			for range most/2 + 1 {
				if _, err := unix.InotifyInit1(0); err != nil {
					return err
				}
			}
			return nil
		case "shared": // what the user has of timers and queues, more than half of it
			for i, resource := range counted {
				var is unix.Rlimit
				if err := unix.Getrlimit(resource, &is); err != nil {
					return err
				}
				if outside, _ := strconv.ParseUint(args[i+1], 10, 64); outside != unix.RLIM_INFINITY && is.Max > outside/2 {
					return nil
				}
			}
			return errors.New("half of it, at most")
		case "dumps": // of memory, which the kernel gives to the host's program unless the limit is 1
			_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
			var is unix.Rlimit
			if err := unix.Prlimit(0, unix.RLIMIT_CORE, nil, &is); err != nil {
				return err
			}
			if is.Cur == 1 && is.Max == 1 {
				return errors.New("the limit is 1")
			}
			return nil
		case "without": // a call of the kernel's, run a program
			n, _ := strconv.Atoi(args[1])
			runtime.LockOSThread()
			f := seccomp.New()
			f.Calls(seccomp.Fail(unix.ENOSYS), uint32(n))
			f.Return(seccomp.Allow)
			if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
				return err
			}
			if _, err := f.Install(0); err != nil {
				return err
			}
			return unix.Exec(args[2], args[2:], os.Environ())
		case "run": // a box
			body, err := os.ReadFile(args[1])
			if err != nil {
				return err
			}
			var c Config
			if err := json.Unmarshal(body, &c); err != nil {
				return err
			}
			c.Tell = func(e Event) { fmt.Println("told", e) }
			_, err = Run(context.Background(), c)
			return err
		case "storm": // connections to both, at the same time
			var all sync.WaitGroup
			var good, bad atomic.Int64
			for i := range 200 {
				all.Go(func() {
					// One connection for each: Go tries a name's other address as well if the first
					// takes long, and the proxy has only so many places.
					one := net.Dialer{FallbackDelay: -1}
					client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: one.DialContext}, Timeout: patience}
					res, err := client.Get(args[1+i%2])
					if err != nil {
						return
					}
					res.Body.Close()
					if i%2 == 0 && res.StatusCode == http.StatusOK {
						good.Add(1)
					}
					if i%2 == 1 && res.Header.Get("X-Umpire") == "refused" {
						bad.Add(1)
					}
				})
			}
			all.Wait()
			fmt.Printf("%d answered, %d refused", good.Load(), bad.Load())
			return nil
		case "ws":
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			ws, _, err := websocket.Dial(ctx, args[1], nil) //nolint:bodyclose // the library does
			if err != nil {
				return err
			}
			if err := ws.Write(ctx, websocket.MessageText, []byte("hello")); err != nil {
				return err
			}
			_, b, err := ws.Read(ctx)
			fmt.Printf("%s", b)
			return err
		case "grpc": // ask a server for its health
			conn, err := grpc.NewClient("passthrough:///"+args[1], grpc.WithTransportCredentials(credentials.NewTLS(&tls.Config{MinVersion: tls.VersionTLS12})))
			if err != nil {
				return err
			}
			defer conn.Close()
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			c := grpc_health_v1.NewHealthClient(conn)
			if _, err := c.Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: "none"}); status.Code(err) != codes.NotFound {
				return fmt.Errorf("the status comes in a trailer: %w", err)
			}
			stream, err := c.Watch(ctx, &grpc_health_v1.HealthCheckRequest{})
			if err != nil {
				return err
			}
			r, err := stream.Recv()
			fmt.Print(r.GetStatus())
			return err
		case "resolve":
			ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
			defer cancel()
			list, err := net.DefaultResolver.LookupNetIP(ctx, "ip", args[1])
			for _, a := range list {
				if a = a.Unmap(); !names4.Contains(a) && !names6.Contains(a) {
					return nil
				}
			}
			return errors.Join(err, fmt.Errorf("addresses of the box's own: %v", list))
		case "clone":
			cmd := exec.Command("/bin/true")
			cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNET}
			return cmd.Run()
		case "ptrace":
			cmd := exec.Command("/bin/true")
			cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
			err := cmd.Start()
			if err == nil {
				_ = cmd.Process.Kill()
			}
			return err
		case "socket":
			n := make([]int, 3)
			for i := range n {
				n[i], _ = strconv.Atoi(args[i+1])
			}
			_, err := unix.Socket(n[0], n[1], n[2])
			return err
		case "pair":
			n, _ := strconv.Atoi(args[1])
			_, err := unix.Socketpair(n, unix.SOCK_STREAM, 0)
			return err
		case "lines": // of a terminal read otherwise
			if _, _, errno := unix.Syscall(unix.SYS_IOCTL, os.Stdin.Fd(), unix.TIOCSETD, 0); errno != 0 {
				return errno
			}
			return nil
		case "uring":
			var params [120]byte
			if _, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)), 0); errno != 0 {
				return errno
			}
			return nil
		case "type":
			b := byte('x')
			tty, err := os.Open("/dev/tty")
			if err != nil {
				tty = os.Stdin
			}
			if _, _, errno := unix.Syscall(unix.SYS_IOCTL, tty.Fd(), unix.TIOCSTI, uintptr(unsafe.Pointer(&b))); errno != 0 {
				return errno
			}
			return nil
		case "key":
			_, err := unix.AddKey("user", "x", []byte("y"), unix.KEY_SPEC_SESSION_KEYRING)
			return err
		}
		return fmt.Errorf("unknown attempt %q", args[0])
	}()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// listening returns the ports on which something listens in this network namespace, as the kernel
// shows them to everybody.
func listening() (ports []int) {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		b, _ := os.ReadFile(table)
		for line := range strings.Lines(string(b)) {
			const listens = "0A"
			if f := strings.Fields(line); len(f) > 3 && f[3] == listens {
				port, _ := strconv.ParseInt(f[1][strings.LastIndexByte(f[1], ':')+1:], 16, 32)
				ports = append(ports, int(port))
			}
		}
	}
	return ports
}

// holdMemory takes memory.
func holdMemory(how string, size int) error {
	piece := make([]byte, 1<<20)
	for i := range piece {
		piece[i] = 1
	}
	switch how {
	case "file": // that has no name, and that nobody maps
		fd, err := unix.MemfdCreate("x", 0)
		for n := 0; err == nil && n < size; n += len(piece) {
			_, err = unix.Write(fd, piece)
		}
		return err
	case "segment": // that nobody is attached to
		id, err := unix.SysvShmGet(unix.IPC_PRIVATE, size, unix.IPC_CREAT|0o600)
		if err != nil {
			return err
		}
		b, err := unix.SysvShmAttach(id, 0, 0)
		if err != nil {
			return err
		}
		for n := 0; n < size; n += len(piece) {
			copy(b[n:], piece)
		}
		return unix.SysvShmDetach(b)
	}
	// The kernel's own, for pages that all are the one of zeros: a page for 2 MiB.
	b, err := unix.Mmap(-1, 0, size<<9, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return err
	}
	_ = unix.Madvise(b, unix.MADV_NOHUGEPAGE) // an older kernel has none
	sum := byte(0)
	for i := 0; i < len(b); i += 2 << 20 {
		sum += b[i]
	}
	if sum != 0 {
		return errors.New("no zeros")
	}
	return nil
}
