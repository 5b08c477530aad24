package gateway

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
)

// supersede ends the agent's older questions about the same files, so that people answer only the
// newest. It does not end questions of other agents.
func (g *Gateway) supersede(ctx context.Context, r *approval.Request, plan Plan) error {
	files, ok := plan.(*FilePlan)
	if !ok || len(files.Changes) == 0 {
		return nil
	}
	paths := files.paths()
	waiting, err := g.store.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Category: approval.Filesystem, Agent: r.Agent, Limit: 1000})
	if err != nil {
		return err
	}
	for i := range waiting {
		// Compare sequence numbers: IDs of one millisecond have no order, and clocks of gateways
		// differ.
		if waiting[i].Seq >= r.Seq || !slices.ContainsFunc(strings.Split(waiting[i].Target, "\n"), func(p string) bool { return slices.Contains(paths, p) }) {
			continue
		}
		_, err := g.store.End(ctx, waiting[i].ID, approval.Superseded, "a newer request for one of its files replaced it")
		if err != nil && !errors.Is(err, approval.ErrSettled) {
			return err
		}
	}
	return nil
}

// fits returns an error if an approval could not be carried out now, and then ends the request.
func (g *Gateway) fits(ctx context.Context, r *approval.Request) error {
	plan, err := StoredPlan(r)
	if err == nil {
		err = g.permitted(ctx, r, plan)
	}
	b, ok := plan.(bound)
	if err != nil || !ok {
		return err
	}
	err = b.checkUnchanged(ctx, g)
	var changed changedError
	var refused badInput // the machine's policy now sets the same setting
	if !errors.Is(err, host.ErrConflict) && !errors.Is(err, errStale) && !errors.As(err, &refused) && !errors.As(err, &changed) {
		return err
	}
	if _, ended := g.store.End(ctx, r.ID, approval.Conflict, err.Error()); ended != nil && !errors.Is(ended, approval.ErrSettled) {
		return ended
	}
	if changed.path != "" {
		return fault{http.StatusConflict, err.Error()}
	}
	return fault{http.StatusConflict, strings.TrimSuffix(err.Error(), ": nothing is applied") + ": nothing is written"}
}

type filesIn struct {
	Changes []changeIn `json:"changes"`
	askedIn
}

func (g *Gateway) postFiles(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in filesIn
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	if in.Changes == nil {
		return 0, nil, bad("there are no changes")
	}
	meta := encode(map[string]any{"changes": in.Changes})
	return g.submitted(r.Context(), p, Submission{Category: approval.Filesystem, Reason: in.Reason, Metadata: meta, Session: in.Session, Key: in.Key, Lease: in.Lease})
}
