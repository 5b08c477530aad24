package sandbox

import (
	"fmt"
	"time"

	"github.com/umpire-dev/umpire/internal/plural"
)

// Limits bounds the resources of a sandbox. Zero means no limit.
type Limits struct {
	Memory uint64        `json:"memory,omitempty"` // bytes, of all processes and the empty folders together
	Disk   uint64        `json:"disk,omitempty"`   // bytes of changes in the project
	CPU    time.Duration `json:"cpu,omitempty"`    // of all processes together
	Wall   time.Duration `json:"wall,omitempty"`   // since the start
}

// Smaller limits prevent the start.
const (
	minMemory = 64 << 20
	minDisk   = 1 << 20
	minTasks  = 32 // threads of process 1 count too: a Go program that cannot create one crashes
)

func (l *Limits) check() error {
	switch {
	case l.Memory > 0 && l.Memory < minMemory:
		return fmt.Errorf("the memory limit %s is too small: use 64M or more", Bytes(l.Memory))
	case l.Disk > 0 && l.Disk < minDisk:
		return fmt.Errorf("the disk limit %s is too small: use 1M or more", Bytes(l.Disk))
	case l.CPU < 0 || l.CPU > 0 && l.CPU < time.Second:
		return fmt.Errorf("the CPU time limit %s is too small: use 1s or more", plural.Duration(l.CPU))
	case l.Wall < 0:
		return fmt.Errorf("the wall time limit %s must be positive", plural.Duration(l.Wall))
	}
	return nil
}

// Bytes formats a size for people and flags.
func Bytes(n uint64) string {
	for i, unit := range []string{"G", "M", "K"} {
		if size := uint64(1) << (30 - 10*i); n >= size && n%size == 0 {
			return fmt.Sprintf("%d%s", n/size, unit)
		}
	}
	return fmt.Sprint(n)
}

// ParseBytes parses a size: a number, with the suffix K, M, G or T for powers of 1024.
func ParseBytes(s string) (uint64, error) {
	var n uint64
	var unit string
	if k, err := fmt.Sscanf(s+" ", "%d%s", &n, &unit); k == 0 || err != nil && k != 1 {
		return 0, fmt.Errorf("%q must be a size such as 512M or 4G", s)
	}
	shift, ok := map[string]int{"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[unit]
	if !ok || n == 0 || fmt.Sprint(n)+unit != s || n > 1<<(62-shift) {
		return 0, fmt.Errorf("%q must be a size such as 512M or 4G", s)
	}
	return n << shift, nil
}
