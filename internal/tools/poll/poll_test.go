package poll_test

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/umpire-dev/umpire/internal/tools/poll"
)

// recorder is a test that keeps its failure.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestUntil(t *testing.T) {
	for _, tt := range []struct {
		after   time.Duration // what is waited for comes then
		failure string
	}{
		{0, ""},
		{59 * time.Second, ""},
		{61 * time.Second, "after a minute: not yet"},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, begun, done := &recorder{TB: t}, time.Now(), make(chan struct{})
			go func() {
				defer close(done)
				poll.Until(r, func() (bool, string) { return time.Since(begun) >= tt.after, "not yet" })
			}()
			<-done
			if r.failure != tt.failure {
				t.Errorf("what comes after %v: failure %q, want %q", tt.after, r.failure, tt.failure)
			}
			if took := time.Since(begun); tt.failure == "" && took > tt.after+time.Second {
				t.Errorf("what comes after %v is seen after %v, want it at once", tt.after, took)
			}
		})
	}
}
