package plural

import (
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                                 "0 s",
		-time.Minute:                      "-1 min",
		312 * time.Microsecond:            "312 µs",
		189_700:                           "189.7 µs",
		120*time.Millisecond + 400:        "120 ms",
		999*time.Millisecond + 900_000:    "1 s",
		1234 * time.Millisecond:           "1.2 s",
		9999 * time.Millisecond:           "10 s",
		59*time.Second + 600_000_000:      "1 min",
		3*time.Minute + 5*time.Second:     "3 min 5 s",
		time.Hour:                         "1 h",
		2*time.Hour + 30*time.Minute:      "2 h 30 min",
		24 * time.Hour:                    "1 day",
		49*time.Hour + 59*time.Minute:     "2 days 1 h",
		90 * 24 * time.Hour:               "90 days",
		23*time.Hour + 59*time.Minute + 1: "23 h 59 min",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestRough(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:      "0 s",
		59 * time.Second:  "59 s",
		119 * time.Minute: "119 min",
		47 * time.Hour:    "47 h",
		49 * time.Hour:    "2 days",
	} {
		if got := Rough(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
