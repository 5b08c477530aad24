package gateway

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/lazy"
)

var durationParts = lazy.Regexp(`^(\d+)(ms|s|m|h|d)`)

// ParseUptime parses a duration: numbers with a unit (ms, s, m, h, d), which are added up, or a
// bare number of milliseconds. It returns an error for everything else, including zero.
func ParseUptime(text string) (time.Duration, error) {
	s := strings.TrimSpace(text)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 0 && n < 1<<53 {
		return time.Duration(n) * time.Millisecond, nil
	}
	units := map[string]time.Duration{"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
	var sum time.Duration
	for rest := s; rest != "" || sum == 0; {
		m := durationParts().FindStringSubmatch(rest)
		if m == nil {
			return 0, fmt.Errorf("%q must be a duration such as 4h, 2h30m or 45m", text)
		}
		n, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil || n > int64(1<<62)/int64(units[m[2]]) || sum+time.Duration(n)*units[m[2]] < sum {
			return 0, fmt.Errorf("%q is too long", text)
		}
		sum += time.Duration(n) * units[m[2]]
		if rest = rest[len(m[0]):]; rest == "" && sum == 0 {
			return 0, fmt.Errorf("%q must be longer than zero", text)
		}
	}
	return sum, nil
}

// Uptime returns a duration as hours, minutes and seconds, without parts that are zero.
func Uptime(d time.Duration) string {
	if d < time.Second {
		return "0s"
	}
	s := int64(d / time.Second)
	var parts []string
	for _, u := range []struct {
		n    int64
		unit string
	}{{s / 3600, "h"}, {s / 60 % 60, "m"}, {s % 60, "s"}} {
		if u.n > 0 {
			parts = append(parts, strconv.FormatInt(u.n, 10)+u.unit)
		}
	}
	return strings.Join(parts, " ")
}
