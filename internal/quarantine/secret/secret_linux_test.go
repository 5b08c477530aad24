package secret

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// The kernel's own words about the page: locked (lo), not dumped (dd), not copied on fork (dc).
func TestPagesAreLocked(t *testing.T) {
	k, err := Random(32)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Wipe()
	at := fmt.Sprintf("%x-", uintptr(unsafe.Pointer(&k.page[0])))
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, seen := false, false
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), at) {
			in = true
		}
		if flags, ok := strings.CutPrefix(s.Text(), "VmFlags: "); ok && in {
			in, seen = false, true
			for _, want := range []string{"lo", "dd", "dc"} {
				if !strings.Contains(" "+flags+" ", " "+want+" ") {
					t.Errorf("flags %q lack %s", flags, want)
				}
			}
		}
	}
	if !seen {
		t.Errorf("no mapping begins at %s", at)
	}
}

// Where the kernel has memory of this kind, not even this process's own /proc reads it.
func TestOwnPagesAreUnreadable(t *testing.T) {
	b, err := ownPages(os.Getpagesize())
	if err != nil {
		t.Logf("this kernel has none: %v", err)
		return
	}
	defer release(b)
	copy(b, "a secret")
	mem, err := os.Open("/proc/self/mem")
	if err != nil {
		t.Fatal(err)
	}
	defer mem.Close()
	got := make([]byte, 8)
	if n, err := mem.ReadAt(got, int64(uintptr(unsafe.Pointer(&b[0])))); err == nil {
		t.Errorf("/proc/self/mem gave %q", got[:n])
	}
}
