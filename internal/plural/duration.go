package plural

import (
	"strconv"
	"time"
)

// day is what people mean by one.
const day = 24 * time.Hour

// Duration returns a duration as people write it, in its two largest units: "120 ms",
// "1.2 s", "3 min 5 s", "2 h 30 min", "90 days".
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "-" + Duration(-d)
	case d == 0:
		return "0 s"
	case d < time.Millisecond:
		return strconv.FormatFloat(float64(d.Round(100)/100)/10, 'f', -1, 64) + " µs"
	case d < time.Second-time.Millisecond/2:
		return rounded(d, time.Millisecond, " ms")
	case d < 10*time.Second-50*time.Millisecond:
		return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
	}
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return rounded(d, time.Second, " s")
	case d < time.Hour:
		return two(d, time.Minute, " min", time.Second, " s")
	case d < day:
		return two(d, time.Hour, " h", time.Minute, " min")
	}
	return Count(int(d/day), "day") + rest(d%day, time.Hour, " h")
}

// Rough returns a duration in its largest unit, as people tell an age: "5 s", "90 min",
// "36 h", "2 days".
func Rough(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(max(0, int(d.Seconds()))) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 2*day:
		return strconv.Itoa(int(d.Hours())) + " h"
	}
	return Count(int(d/day), "day")
}

func rounded(d, unit time.Duration, name string) string {
	return strconv.FormatInt(int64(d.Round(unit)/unit), 10) + name
}

func two(d, unit time.Duration, name string, small time.Duration, smallName string) string {
	return strconv.FormatInt(int64(d/unit), 10) + name + rest(d%unit, small, smallName)
}

// rest returns the second unit, or nothing if it is zero.
func rest(d, unit time.Duration, name string) string {
	if d < unit {
		return ""
	}
	return " " + strconv.FormatInt(int64(d/unit), 10) + name
}
