package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/visible"
)

// eventView is an event in the form of the pages, which show all of it as text.
type eventView struct {
	Seq     int64  `json:"seq"`
	Kind    string `json:"kind"`
	Request string `json:"request,omitempty"`
	State   string `json:"state,omitempty"`
	Text    string `json:"text"`
	At      string `json:"at"`
}

// IsRequest reports whether the event is about a request, not about a rule or a token.
func (t eventView) IsRequest() bool {
	return anyof.Equal(t.Kind, "request", "vote", "resolve", "execute", "result", "stop")
}

// maxBehind is how many events a page may miss before it must reload.
const maxBehind = 1000

// events streams all changes by any gateway to a page, until its session ends.
func (p *Pages) events(w http.ResponseWriter, r *http.Request, v *visit) error {
	var after int64
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	if _, err := fmt.Sscan(text, &after); err != nil || after < 0 {
		return problem{http.StatusBadRequest, "after must be the place of an event"}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(w)
	send := func(format string, args ...any) bool {
		_ = out.SetWriteDeadline(time.Now().Add(10 * time.Second)) // give up a client that does not read
		_, err := fmt.Fprintf(w, format, args...)
		return err == nil && out.Flush() == nil
	}
	head, err := p.s.Head(r.Context())
	if err != nil {
		return err
	}
	if after > head || head-after > maxBehind { // another database, or the page was away too long
		send("event: stale\ndata: {}\n\n")
		return nil
	}
	ping := time.NewTicker(15 * time.Second)
	defer ping.Stop()
	for first := true; ; first = false {
		changed, stop := p.s.Changed("")
		events, err := p.s.Events(r.Context(), after, maxBehind)
		if err != nil {
			stop()
			return nil //nolint:nilerr // the stream has begun: its end says it
		}
		if len(events) > 0 {
			if _, err := p.g.Session(r.Context(), v.secret); err != nil { // another gateway may have ended it
				stop()
				return nil //nolint:nilerr // as above
			}
		}
		for _, e := range events {
			after = e.Seq
			data, err := json.Marshal(newEventView(e))
			if err != nil || !send("id: %d\nevent: change\ndata: %s\n\n", e.Seq, data) {
				stop()
				return nil //nolint:nilerr // as above
			}
		}
		if first || len(events) > 0 {
			counts, err := p.s.CountPending(r.Context())
			n := 0
			for _, c := range counts {
				n += c
			}
			if err != nil || !send("event: count\ndata: %d\n\n", n) {
				stop()
				return nil //nolint:nilerr // as above
			}
			if len(events) > 0 {
				stop()
				continue
			}
		}
		select {
		case <-changed:
		case <-ping.C:
			stop()
			if _, err := p.g.Session(r.Context(), v.secret); err != nil || !send(": still here\n\n") {
				return nil //nolint:nilerr // as above
			}
		case <-p.g.Done():
			stop()
			return nil
		case <-r.Context().Done():
			stop()
			return nil
		}
		stop()
	}
}

// newEventView returns an event in words.
func newEventView(e approval.ChainEvent) eventView {
	var s struct {
		Category, Action, Status, ResolvedBy, Operator, Rule, Note string
	}
	_ = json.Unmarshal(e.Data, &s) // events of other kinds have other fields
	t := eventView{Seq: e.Seq, Kind: e.Kind, Request: e.Request, State: s.Status, At: e.At.Format(time.DateTime)}
	text, by := fields(e.Data), e.Who
	if s.Category != "" {
		text, by = s.Status+" "+s.Category+": "+s.Action, s.Operator
	}
	if by != "" {
		text += " (by " + by + ")"
	}
	t.Text = visible.Clip(redact.Command(strings.TrimSpace(text)), 300) // earlier versions did not mask events
	return t
}

// fields returns the fields of an event as names with values: "made session, role admin".
func fields(data json.RawMessage) string {
	var all map[string]any
	if json.Unmarshal(data, &all) != nil {
		return string(data)
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, fmt.Sprint(name, " ", all[name]))
	}
	return strings.Join(out, ", ")
}
