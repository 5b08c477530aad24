package replay

import (
	"testing"
	"time"
)

func TestParseAge(t *testing.T) {
	for s, want := range map[string]time.Duration{"30d": 720 * time.Hour, "12h": 12 * time.Hour, "": 0, "-1d": -1, "0d": -1, "x": -1, "99999999d": -1} {
		if got, err := ParseAge(s); (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q: %v %v", s, got, err)
		}
	}
}
