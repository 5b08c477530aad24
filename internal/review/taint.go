package review

import (
	"context"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/review/finding"
)

// TaintChecker reports whether the text of a finding manipulates its reader. If it cannot decide,
// it returns true.
type TaintChecker interface {
	Steers(ctx context.Context, f *finding.Finding) bool
}

// Limits of a taint check over a report.
const (
	taintAtOnce = 4
	taintTime   = 3 * time.Minute
)

// checkTaint checks every finding with text from others. The check returns no text.
func (r *Report) checkTaint(ctx context.Context, c TaintChecker) {
	ctx, cancel := context.WithTimeout(ctx, taintTime)
	defer cancel()
	places := make(chan struct{}, taintAtOnce)
	var wg sync.WaitGroup
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Source == finding.Static {
			continue
		}
		steers := true
		f.Steers = &steers
		if f.Has(finding.InjectedInstructions) {
			continue // already known, and the text is withheld
		}
		wg.Go(func() {
			select {
			case places <- struct{}{}:
				defer func() { <-places }()
				steers = ctx.Err() != nil || c.Steers(ctx, &f.Finding)
			case <-ctx.Done():
			}
		})
	}
	wg.Wait()
}
