package cli

import (
	"testing"
	"time"
)

func TestMoment(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for s, want := range map[string]time.Time{
		"":                     {},
		"90m":                  now.Add(-90 * time.Minute),
		"30d":                  now.AddDate(0, 0, -30),
		"2026-01-31":           time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
		"2026-01-31T10:00":     time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC),
		"2026-01-31T10:00:00Z": time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC),
	} {
		if got, err := Moment("since", s, now); err != nil || !got.Equal(want) {
			t.Errorf("Moment(%q): got %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"x", "30x", "-1h", "-1d", "99999999d", "yesterday"} {
		if got, err := Moment("since", s, now); err == nil {
			t.Errorf("Moment(%q): got %v, want an error", s, got)
		}
	}
}
