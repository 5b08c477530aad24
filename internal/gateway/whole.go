package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/visible"
)

// WholeHint tells people where all of a long difference is.
const WholeHint = "`umpire queue show --full` has all of it, and so has the link on the page"

// whole sends all that a request would do.
func (g *Gateway) whole(w http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
	return 0, nil, g.SendWhole(w, r, r.PathValue("id"))
}

// SendWhole answers with all that an answer to a request is bound to, as a plain text for
// people, with secrets masked: cards and lists show a part of what is long. The last line
// says whether it is all. An error was not answered yet.
func (g *Gateway) SendWhole(w http.ResponseWriter, r *http.Request, id string) error {
	req, err := g.store.Get(r.Context(), id)
	if err != nil {
		return err
	}
	e, err := keptEffective(&req)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	put := func(text string) error {
		_, err := io.WriteString(w, visible.Block(text)) // an agent chose it
		return err
	}
	end := "this is all of it"
	if err := g.writeWhole(r.Context(), put, &req, e); err != nil {
		end = "this is NOT all of it: " + err.Error()
	}
	_ = put("\numpire: " + end + "\n") // whoever asked may have gone
	return nil
}

// writeWhole gives put whole lines.
func (g *Gateway) writeWhole(ctx context.Context, put func(string) error, req *approval.Request, e *Effective) error {
	if err := put(fmt.Sprintf("request %s: %s\n%s, digest %s\n\n", req.ID, req.Action, req.State, req.Digest)); err != nil {
		return err
	}
	switch {
	case e.Push != nil:
		if g.staging == nil {
			return errors.New("this gateway takes no pushes")
		}
		return g.staging.Whole(ctx, e.Push, put)
	case len(e.Changes) > 0:
		t, err := host.OpenTree(g.root)
		if err != nil {
			return err
		}
		defer t.Close()
		for i := range e.Changes {
			c := &e.Changes[i]
			text, err := t.Whole(c)
			if errors.Is(err, host.ErrConflict) || errors.Is(err, fs.ErrNotExist) { // it is written, or can no longer be
				text, err = fmt.Sprintf("%s %s, where the file is another by now\n", c.Op, c.Path)+host.Compare("/dev/null", nil, "b/"+c.Path, c.Content), nil
			}
			if err == nil {
				err = put(text)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	text, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	if err := put(string(text) + "\n"); err != nil || len(e.Files) == 0 {
		return err
	}
	return put("\n" + g.showScripts(e, maxWholeScripts, maxWholeScripts))
}
