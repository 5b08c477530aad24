package gateway

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits of the review of a push.
const (
	reviewTime  = time.Minute
	reviewShown = 20 // findings on a card
)

// reviewPush runs the checks of a review that need no model on the changes of a push, and returns
// their text for people. A grave finding becomes a doubt, so that a person looks.
func (g *Gateway) reviewPush(ctx context.Context, u *host.Update) (string, error) {
	if u.New == "" {
		return "", nil
	}
	limited, cancel := context.WithTimeout(ctx, reviewTime)
	defer cancel()
	text, grave, err := reviewOf(limited, g.staging, u)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		g.log.Warn("could not review a push", "ref", u.Ref, "error", err)
		u.Doubts = append(u.Doubts, "umpire could not review its changes")
		return "review: failed\n", nil
	case grave != "":
		u.Doubts = append(u.Doubts, grave)
	}
	return text, nil
}

func reviewOf(ctx context.Context, staging *host.Staging, u *host.Update) (text, grave string, err error) {
	objects, base, head := staging.Objects(ctx, u)
	s, err := snapshot.FromObjects(ctx, "", u.Name(), objects, base, head)
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	r, _, err := review.Run(ctx, s, nil, review.Options{MaxFindings: reviewShown})
	if err != nil {
		return "", "", err
	}
	var b strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "review: %s: %s: %s (%s)\n", f.Severity, visible.Clip(f.Place(), 300), visible.Line(f.Title), visible.Line(f.Rule))
	}
	if r.Omitted > 0 {
		fmt.Fprintf(&b, "review: milder findings left out: %d\n", r.Omitted)
	}
	for _, why := range r.IncompleteReasons {
		fmt.Fprintf(&b, "review: incomplete: %s\n", visible.Clip(why, 300))
	}
	if r.Fails(finding.High) || !r.Complete {
		grave = "the review checks found a severe problem, or could not read all of it"
	}
	return b.String(), grave, nil
}
