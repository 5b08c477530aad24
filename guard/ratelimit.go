package guard

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/ratelimit"
)

// Limits are the numbers of requests that a user may send. Zero means the default, 10 a minute and
// 100 an hour; a negative number means no limit.
type Limits struct {
	PerMinute int `json:"perMinute,omitempty"`
	PerHour   int `json:"perHour,omitempty"`
}

// RateLimitOptions are the options of RateLimit. The zero value selects the defaults.
type RateLimitOptions struct {
	Limits
	Tenants map[string]Limits // limits for the users of these tenants, instead of Limits
	Users   int               // number of users with separate counters; 100,000 if zero
	Now     func() time.Time  // time.Now if nil
}

// RateLimit returns the stage that limits the requests of each user of each tenant, in sliding
// windows of a minute and an hour. Rejected requests do not count. The reason names the full
// window, and Result.RetryAfter is the time to wait.
//
// Its memory is bounded: if more than Users users send requests within an hour, the newest ones
// share counters. The counters belong to the stage: build one and keep it.
func RateLimit(o RateLimitOptions) Stage {
	if o.Users <= 0 {
		o.Users = 100_000
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	limiter := ratelimit.New(o.Users, o.Now)
	usual := o.windows()
	tenants := make(map[string][]ratelimit.Window, len(o.Tenants))
	for name, l := range o.Tenants {
		tenants[name] = l.windows()
	}
	return Stage{ours: true, Name: "RateLimit", Order: OrderRateLimit, Quick: true, Check: func(_ context.Context, r *Request) (Result, error) {
		windows, ok := tenants[r.TenantID]
		if !ok {
			windows = usual
		}
		user := cmp.Or(r.UserID, "anonymous")
		no, ok := limiter.Allow(windows, r.TenantID, user)
		if ok {
			return Allow(), nil
		}
		wait := roundUp(no.Wait)
		res := Reject(RateLimited, fmt.Sprintf("more than %d requests in one %s; try again in %s", no.Window.Max, no.Window.Name, plural.Duration(wait)))
		res.RetryAfter = int(wait / time.Second)
		return res, nil
	}}
}

func (l Limits) windows() []ratelimit.Window {
	var w []ratelimit.Window
	for _, x := range []struct {
		ratelimit.Window
		fallback int
	}{
		{ratelimit.Window{Name: "minute", Length: time.Minute, Max: l.PerMinute}, 10},
		{ratelimit.Window{Name: "hour", Length: time.Hour, Max: l.PerHour}, 100},
	} {
		x.Max = cmp.Or(x.Max, x.fallback)
		if x.Max > 0 {
			w = append(w, x.Window)
		}
	}
	return w
}

// roundUp returns whole seconds, at least one: a client that retries then must pass.
func roundUp(d time.Duration) time.Duration {
	return max((d + time.Second - 1).Truncate(time.Second), time.Second)
}
