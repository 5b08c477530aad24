package box

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The record of a run outlives it: it has nothing of the flags, among them the credentials' file.
func TestRunRecordsNoFlags(t *testing.T) {
	body, err := json.Marshal(Run{ID: "x", Sync: Sync{Apply: ApplyRules, Credentials: "/home/dev/secret"}})
	if err != nil || strings.Contains(string(body), "Sync") || strings.Contains(string(body), "secret") {
		t.Errorf("%v: %s", err, body)
	}
}

// A run starts a gateway at the default address only: nobody would find it at another.
func TestNoGatewayAtAnotherAddress(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	t.Setenv("UMPIRE_SERVER", gone.URL)
	if _, err := needGateway(t.Context(), io.Discard, &Run{}, ""); err == nil || !strings.Contains(err.Error(), "no gateway at "+gone.URL) {
		t.Errorf("needGateway said %v, want that there is no gateway at %s", err, gone.URL)
	}
}

// A gateway of another user answers at the default address: a run must not hang on it, nor
// tell the user to start one.
func TestGatewayOfAnother(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer other.Close()
	t.Setenv("UMPIRE_SERVER", other.URL)
	t.Setenv("UMPIRE_TOKEN", "")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	_, err := needGateway(t.Context(), io.Discard, &Run{}, "")
	if err == nil || !strings.Contains(err.Error(), "you have no token for it") {
		t.Errorf("needGateway said %v, want that there is no token for the gateway", err)
	}
	t.Setenv("UMPIRE_TOKEN", "umpo_x")
	if _, err := needGateway(t.Context(), io.Discard, &Run{}, ""); err != nil {
		t.Errorf("with a token: %v", err)
	}
}

// Timers stop while the machine sleeps, and leases do not: the first look afterwards renews.
func TestRenewalAfterSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slept, renewed atomic.Int64
		var fails atomic.Bool
		var said bytes.Buffer
		now := func() time.Time { return time.Now().Add(time.Duration(slept.Load())) }
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			renewing(ctx, &said, now, func(context.Context) error {
				if fails.Load() {
					return errors.New("no answer")
				}
				renewed.Add(1)
				return nil
			})
		}()
		after := func(d time.Duration, want int64) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if n := renewed.Load(); n != want {
				t.Errorf("renewed %d times, want %d", n, want)
			}
		}
		after(59*time.Second, 0)
		after(time.Second, 1)
		slept.Add(int64(10 * time.Minute))
		after(5*time.Second, 2)
		slept.Add(-int64(time.Hour)) // set back
		after(70*time.Second, 3)
		fails.Store(true)
		after(2*time.Minute, 3)
		fails.Store(false)
		after(5*time.Second, 4)
		stop()
		<-done
		for text, want := range map[string]int{"no answer": 1, "did not renew its token for 10 min 5 s": 1, "did not renew": 1} {
			if n := strings.Count(said.String(), text); n != want {
				t.Errorf("%q is reported %d times, want %d: %s", text, n, want, &said)
			}
		}
	})
}
