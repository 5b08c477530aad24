package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
)

// maxDays limits how long ago a time may be: years before year 1 cannot be written.
const maxDays = 36500

// Moments describes the accepted values of Moment, for the help of a flag.
const Moments = "2h, 7d, 2026-01-31 or RFC 3339"

// Moment parses the value of a flag: a point in time, or a duration before now. "" is the zero
// time.
func Moment(flag, s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n <= maxDays {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, Usagef("--%s is %q: must be a time: %s", flag, s, Moments)
}

// Operations lists the operations of an event in one line.
func Operations(r audit.Record) string {
	var b strings.Builder
	for i, op := range r.Ops {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(op.String())
	}
	return b.String()
}

// Effect parses an effect in the audit log. Any other text counts as the strictest effect.
func Effect(s string) umpire.Effect {
	var e umpire.Effect
	if e.UnmarshalText([]byte(s)) != nil {
		return umpire.Deny
	}
	return e
}
