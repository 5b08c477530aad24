package run

import (
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// A policy makes each limit of the command line stricter and never milder, and sets one that is not
// there.
func TestTighten(t *testing.T) {
	for _, tt := range []struct{ flag, most, want int }{{0, 0, 0}, {0, 5, 5}, {3, 0, 3}, {3, 5, 3}, {7, 5, 5}, {3, -1, 3}} {
		c := sandbox.Config{Tasks: uint64(tt.flag)}
		c.Limits.Memory, c.Limits.Disk = uint64(tt.flag)<<20, uint64(tt.flag)<<20
		c.Limits.CPU, c.Limits.Wall = time.Duration(tt.flag)*time.Second, time.Duration(tt.flag)*time.Second
		most := time.Duration(tt.most) * time.Second
		tighten(&c, &policyfile.Box{Memory: tt.most, Disk: tt.most, Processes: tt.most, CPUTime: most, WallTime: most})
		for limit, got := range map[string]int{
			"processes": int(c.Tasks), "memory": int(c.Limits.Memory >> 20), "disk": int(c.Limits.Disk >> 20),
			"processor time": int(c.Limits.CPU / time.Second), "time": int(c.Limits.Wall / time.Second),
		} {
			if got != tt.want {
				t.Errorf("%s: %d from the flag and %d from the policy are %d, want %d", limit, tt.flag, tt.most, got, tt.want)
			}
		}
	}
}
