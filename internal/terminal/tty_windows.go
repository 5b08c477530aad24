package terminal

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// open opens the console, if standard input is one.
func open() (*Terminal, error) {
	var mode uint32
	if windows.GetConsoleMode(windows.Handle(os.Stdin.Fd()), &mode) != nil {
		return nil, errors.New("standard input is not the console")
	}
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return &Terminal{in: in, out: out}, nil
}

// Attached reports false: the console ends its programs by itself when it closes.
func Attached() bool { return false }

// flush discards typed input that was not read yet.
func flush(f *os.File) { _ = windows.FlushConsoleInputBuffer(windows.Handle(f.Fd())) }

// holder is unknown: the system holds the console's other end.
func holder(*os.File) *AgentError { return nil }

// findProcess returns a process's parent and program. Windows does not show the rest to others.
func findProcess(pid int) (process, bool) {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return process{}, false
	}
	defer func() { _ = windows.CloseHandle(snap) }()
	var e windows.ProcessEntry32
	e.Size = uint32(unsafe.Sizeof(e))
	for err = windows.Process32First(snap, &e); err == nil; err = windows.Process32Next(snap, &e) {
		if int(e.ProcessID) == pid {
			return process{parent: int(e.ParentProcessID), args: []string{windows.UTF16ToString(e.ExeFile[:])}}, true
		}
	}
	return process{}, false
}
