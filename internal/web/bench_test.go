package web

import (
	"fmt"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

// How long pages take while 10,000 requests of one agent wait beside five of another.
func BenchmarkPages(b *testing.B) {
	w := newWorld(b)
	w.many(10_000)
	other := w.as("other")
	var last approval.Request
	for i := range 5 {
		last = w.submitAs(other, gateway.Submission{Category: approval.Exec, Action: fmt.Sprint("make target", i)})
	}
	p := w.person(gateway.Admin)
	for _, path := range []string{"/", "/ui/list", "/ui/card/" + last.ID, "/overview", "/history", "/agents", "/rules", "/policy", "/record"} {
		b.Run(path[:min(len(path), 9)], func(b *testing.B) {
			for b.Loop() {
				if res, body := p.do("GET", path, nil); res.StatusCode != 200 || len(body) > 100_000 {
					b.Fatal(path, res.StatusCode, len(body))
				}
			}
		})
	}
}
