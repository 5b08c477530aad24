//go:build amd64 || arm64

package sandbox

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// attempt tries something that a box should not let happen. 0 is that it worked.
func attempt(args []string) int {
	err := func() error {
		switch args[0] {
		case "say":
			c, err := net.DialTimeout("tcp", args[1], 5*time.Second)
			if err != nil {
				return err
			}
			_, _ = io.WriteString(c, "hello")
			_ = c.(*net.TCPConn).CloseWrite()
			_, err = io.Copy(os.Stdout, c)
			return err
		case "dial":
			c, err := net.DialTimeout(args[1], args[2], 2*time.Second)
			if err == nil && args[1] == "udp" {
				_, err = c.Write([]byte("x"))
			}
			return err
		case "resolve":
			ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
			defer cancel()
			_, err := net.DefaultResolver.LookupHost(ctx, args[1])
			return err
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
