package guard

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/guard"
)

func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		count, of int
		low, high float64
	}{{0, 10, 0, 0.278}, {5, 10, 0.237, 0.763}, {10, 10, 0.722, 1}, {0, 0, 0, 1}, {81, 263, 0.255, 0.366}} {
		p := proportion{Count: tt.count, Of: tt.of}
		if p.finish(); math.Abs(p.Low-tt.low) > 0.001 || math.Abs(p.High-tt.high) > 0.001 {
			t.Errorf("%d of %d: %.4f to %.4f", tt.count, tt.of, p.Low, p.High)
		}
	}
}

// Each line is answered before the next comes: it is meant for pipes.
func TestGuardScanAnswersAtOnce(t *testing.T) {
	s, err := NewScanner("")
	if err != nil {
		t.Fatal(err)
	}
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Lines(t.Context(), in, out) }()
	dec := json.NewDecoder(answers)
	for i := range 3 {
		if _, err := fmt.Fprintf(feed, `{"id":"%d","kind":"input","text":"hello"}`+"\n", i); err != nil {
			t.Fatal(err)
		}
		got := make(chan scanOut, 1)
		go func() {
			var o scanOut
			if dec.Decode(&o) == nil {
				got <- o
			}
		}()
		select {
		case o := <-got:
			if string(o.ID) != fmt.Sprintf("\"%d\"", i) || o.Verdict != guard.Allowed {
				t.Errorf("%+v", o)
			}
		case <-time.After(time.Minute):
			t.Fatal("no answer")
		}
	}
	if err := feed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
