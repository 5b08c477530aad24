package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// A flag with a duration reads days, and shows its default in the form that it reads.
func TestDurationVar(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"90d": 90 * 24 * time.Hour, "1d12h": 36 * time.Hour, "4h": 4 * time.Hour, "2h30m": 150 * time.Minute, "0": 0, "1.5s": 1500 * time.Millisecond,
	} {
		var d time.Duration
		fl := pflag.NewFlagSet("t", pflag.ContinueOnError)
		DurationVar(fl, &d, "keep", time.Hour, "how long")
		if err := fl.Parse([]string{"--keep=" + s}); err != nil || d != want {
			t.Errorf("--keep=%s: got %v, %v, want %v", s, d, err, want)
		}
		written := fl.Lookup("keep").Value.String()
		if err := fl.Set("keep", written); err != nil || d != want {
			t.Errorf("%s is written %q, which reads %v, %v", s, written, d, err)
		}
	}
	for _, s := range []string{"", "d", "5", "-1s", "-1h", "-1d", "1d-1h", "99999999d", "1d2", "a day", "1d1d"} {
		var d time.Duration
		fl := pflag.NewFlagSet("t", pflag.ContinueOnError)
		DurationVar(fl, &d, "keep", 0, "how long")
		if err := FlagFault(nil, fl.Parse([]string{"--keep=" + s})); err == nil || !strings.Contains(err.Error(), "must be a duration such as") || d != 0 {
			t.Errorf("--keep=%q: got %v, %v, want 0 and an error with an example", s, d, err)
		}
	}
	var d time.Duration
	fl := pflag.NewFlagSet("t", pflag.ContinueOnError)
	DurationVar(fl, &d, "keep", 90*24*time.Hour, "how long")
	if got := fl.FlagUsages(); !strings.Contains(got, "--keep duration") || !strings.Contains(got, "(default 90d)") {
		t.Errorf("usage: want the type and the default 90d:\n%s", got)
	}
}
