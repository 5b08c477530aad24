package secret

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pages returns zeroed memory for n bytes, rounded up to whole pages.
func pages(n int) ([]byte, error) {
	size := os.Getpagesize()
	size = (n + size - 1) / size * size
	at, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_COMMIT|windows.MEM_RESERVE, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	if err := windows.VirtualLock(at, uintptr(size)); err != nil {
		_ = windows.VirtualFree(at, 0, windows.MEM_RELEASE)
		return nil, err
	}
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size), nil // memory that Go did not allocate
}

func release(b []byte) {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	_ = windows.VirtualUnlock(at, uintptr(len(b)))
	_ = windows.VirtualFree(at, 0, windows.MEM_RELEASE)
}
