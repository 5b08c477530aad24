//go:build unix

package terminal

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// open opens the controlling terminal, if standard input is that terminal and this process is in
// the foreground.
func open() (*Terminal, error) {
	front, err := unix.IoctlGetInt(0, unix.TIOCGPGRP) // fails for any other terminal
	if err != nil {
		return nil, errors.New("standard input is not a terminal")
	}
	if front != unix.Getpgrp() {
		return nil, errors.New("this runs in the background")
	}
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return &Terminal{in: f, out: f}, nil
}

// Attached reports whether this process has a controlling terminal that is open.
func Attached() bool {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	return err == nil && f.Close() == nil
}
