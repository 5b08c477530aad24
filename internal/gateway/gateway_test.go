package gateway

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/atomicfile"
)

// The policy file is reloaded when it changes; one with a fault changes nothing, and is
// told.
func TestReload(t *testing.T) {
	told := make(chan string, 100)
	w := newWorld(t, "", func(o *Options) { o.Log = slog.New(logTo{slog.DiscardHandler, told}) })
	for _, step := range []struct{ file, log, want string }{
		{"version: 1\nrules:\n  - deny: exec(make *)\n", "reloaded the policy", "deny"},
		{"version: 1\nrules:\n  - deny: [\n", "the policy has faults: the last good one stays in force", "deny"},
		{"version: 1\n", "reloaded the policy", "ask"},
	} {
		if err := atomicfile.Write(w.policy, []byte(step.file), 0o600); err != nil { // a file that is half written is another policy
			t.Fatal(err)
		}
		deadline := time.After(time.Minute)
		for got := ""; got != step.log; {
			select {
			case got = <-told:
			case <-deadline:
				t.Fatalf("nobody says that %s", step.log)
			}
		}
		if _, out := w.call("viewer", "POST", "/api/check", map[string]any{"category": "exec", "action": "make x"}); out["effect"] != step.want {
			t.Errorf("%q: %v", step.file, out)
		}
	}
}

// logTo sends what is logged to a channel.
type logTo struct {
	slog.Handler
	to chan<- string
}

func (logTo) Enabled(context.Context, slog.Level) bool { return true }

func (l logTo) Handle(_ context.Context, r slog.Record) error {
	l.to <- r.Message
	return nil
}

func TestUptime(t *testing.T) {
	for text, want := range map[string]int64{"4h": 14400000, "45m": 2700000, "20s": 20000, "2h5m": 7500000, "3h20m10s": 12010000, "250ms": 250, "7000": 7000, "1d": 86400000, " 4h ": 14400000,
		"": 0, "soon": 0, "h4": 0, "1.5h": 0, "4h x": 0, "-4h": 0, "0": 0, "0s": 0, "99999999999999999999h": 0, "999999999999d": 0} {
		d, err := ParseUptime(text)
		if (err != nil) != (want == 0) || err == nil && d.Milliseconds() != want {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
	for d, want := range map[time.Duration]string{time.Hour + 2*time.Minute + 3*time.Second: "1h 2m 3s", 7 * time.Minute: "7m", 45 * time.Second: "45s", 2 * time.Hour: "2h", 0: "0s", -time.Second: "0s", 30 * time.Hour: "30h"} {
		if got := Uptime(d); got != want {
			t.Errorf("%s: %q", d, got)
		}
	}
	w := newWorld(t, "", func(o *Options) { o.MaxUptime = time.Second })
	id := w.ask("exec", "make x", nil)["id"].(string)
	if _, out := w.call("", "GET", "/api/status", nil); out["maxUptime"] != "1s" || out["maxUptimeMs"] != 1000.0 {
		t.Errorf("%v", out)
	}
	select {
	case <-w.g.Done():
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
	if err := w.g.Close(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if r, err := w.s.Get(t.Context(), id); err != nil || r.State != approval.Denied || r.ResolvedBy != approval.ByAuto {
		t.Errorf("%+v %v", r, err)
	}
}
