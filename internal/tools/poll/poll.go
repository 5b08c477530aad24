// Package poll lets a test wait for a state that no event reports, such as the end of a process
// that is not its child.
package poll

import (
	"testing"
	"time"
)

// Until returns once so reports true. After a minute it fails the test with the state that so
// saw last. Call it from the goroutine of the test.
func Until(t testing.TB, so func() (ok bool, state string)) {
	t.Helper()
	deadline := time.After(time.Minute)
	for ok, state := so(); !ok; ok, state = so() {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-deadline:
			t.Fatalf("after a minute: %s", state)
		}
	}
}
