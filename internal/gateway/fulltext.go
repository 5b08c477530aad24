package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/visible"
)

// fullTextHint tells people how to see all of a text that is cut.
const fullTextHint = "`umpire queue show --full` and the link on the page show all of it"

// getFullText sends the complete text of a request.
func (g *Gateway) getFullText(w http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
	return 0, nil, g.SendFullText(w, r, r.PathValue("id"))
}

// SendFullText sends everything that an answer to a request is bound to, as plain text for people,
// with secrets masked. Cards and lists show only a part of a long request. The last line says
// whether the text is complete. After an error, nothing has been sent yet.
func (g *Gateway) SendFullText(w http.ResponseWriter, r *http.Request, id string) error {
	req, err := g.store.Get(r.Context(), id)
	if err != nil {
		return err
	}
	plan, err := StoredPlan(&req)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	put := func(text string) error {
		_, err := io.WriteString(w, visible.Block(text)) // an agent wrote it
		return err
	}
	end := "this is all of it"
	if err := g.writeFullText(r.Context(), put, &req, plan); err != nil {
		end = "this is NOT all of it: " + agentError(err)
	}
	_ = put("\numpire: " + end + "\n") // the client may have gone
	return nil
}

// writeFullText passes the text to put, in complete lines.
func (g *Gateway) writeFullText(ctx context.Context, put func(string) error, req *approval.Request, plan Plan) error {
	if err := put(fmt.Sprintf("request %s: %s\n%s, digest %s\n\n", req.ID, redact.ReadableCommand(req.Action), req.State, req.Digest)); err != nil {
		return err
	}
	if l, ok := plan.(lengthy); ok {
		return l.writeFullText(ctx, g, put)
	}
	return putPlan(plan, put)
}

// putPlan passes the fields of a plan to put, with secrets masked.
func putPlan(plan Plan, put func(string) error) error {
	var text bytes.Buffer
	if err := json.Indent(&text, redact.ReadableJSON(encodePlan(plan)), "", "  "); err != nil {
		return err
	}
	return put(text.String() + "\n")
}

// putProgram passes the fields of a plan and the files that its program runs to put.
func (g *Gateway) putProgram(p program, put func(string) error) error {
	files := p.proc().Files
	if err := putPlan(p, put); err != nil || len(files) == 0 {
		return err
	}
	return put("\n" + g.showScripts(files, maxFullScripts, maxFullScripts))
}
