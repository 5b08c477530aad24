package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

// perPage is how many cards a page begins with.
const perPage = 100

// maxShown bounds a text on a card, in bytes.
const maxShown = 20_000

// card is a request as a page shows it.
type card struct {
	approval.Request
	Who    string // the agent's name
	Past   []approval.Request
	Kept   kept
	Rules  gateway.Choices // that an answer can store
	*visit                 // who looks
}

// kept is what the gateway keeps with a request, of checked fields, and the words of the
// agent's.
type kept struct {
	Effective  gateway.Effective `json:"effective"`
	Operations []struct {
		Kind     string `json:"kind"`
		Resource string `json:"resource"`
		Traits   string `json:"traits"`
	} `json:"operations"`
	Reasons []struct {
		Rule, Effect, Text string
	} `json:"reasons"`
	Words string `json:"description"`
	Diff  string `json:"diff"`
}

// Voted reports whether who looks is one of several who must approve, and has.
func (c *card) Voted() bool {
	return slices.ContainsFunc(c.Votes, func(v approval.Vote) bool { return v.Operator == c.visit.Name })
}

// grave are traits of operations that cannot be taken back, or reach beyond the project.
var grave = []string{"irreversible", "remote-code", "unseen-code", "decoded-code", "exfiltration", "privilege", "obfuscated", "self-tamper", "audit-tamper", "remote-shell",
	"persistence", "production", "destroy", "hidden-text", "bypass-flags", "carries-secret", "public-access", "payment"}

// Risk is a word for what the operations are, "" if nothing about them stands out.
func (c *card) Risk() string {
	for _, op := range c.Kept.Operations {
		for _, t := range strings.FieldsFunc(op.Traits, func(r rune) bool { return r == ',' || r == ' ' || r == '|' }) {
			if slices.Contains(grave, t) {
				return "high risk"
			}
		}
	}
	return ""
}

// Cut reports whether a text is longer than what is shown of it.
func (c *card) Cut(s string) bool { return len(s) > maxShown }

// Text is what is shown of a long text.
func (c *card) Text(s string) string {
	if c.Cut(s) {
		return strings.ToValidUTF8(s[:maxShown], "")
	}
	return s
}

func (p *Pages) names(ctx context.Context) (map[string]string, error) {
	tokens, err := p.g.Tokens(ctx)
	names := map[string]string{}
	for _, t := range tokens {
		names[t.ID] = t.Name
	}
	return names, err
}

func (p *Pages) makeCards(ctx context.Context, v *visit, list []approval.Request) ([]*card, error) {
	names, err := p.names(ctx)
	if err != nil {
		return nil, err
	}
	past := map[string][]approval.Request{}
	out := make([]*card, 0, len(list))
	for _, r := range list {
		if _, ok := past[r.Agent]; !ok {
			if past[r.Agent], err = p.s.List(ctx, approval.Filter{Agent: r.Agent, Limit: 5, States: settled}); err != nil {
				return nil, err
			}
		}
		c := &card{Request: r, Who: names[r.Agent], Past: past[r.Agent], visit: v}
		if c.Who == "" {
			c.Who = "unknown " + r.Agent
		}
		if err := json.Unmarshal(r.Metadata, &c.Kept); err != nil {
			return nil, fmt.Errorf("request %s: %w", r.ID, err)
		}
		if c.Rules, err = p.g.Choices(&r); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

var settled = []approval.State{approval.Approved, approval.Denied, approval.Expired, approval.Superseded, approval.Cancelled, approval.Conflict}

type queueData struct {
	Cards []*card
	Bulk  []bulkData
	More  string // how many were shown, if there are more
}

type bulkData struct {
	Category approval.Category
	Seen     string // ID:digest, apart by spaces
	N        int
}

func (p *Pages) queue(w http.ResponseWriter, r *http.Request, v *visit) (err error) {
	// The place in the events first: what comes while the page is made is told twice, and
	// not never.
	if v.Seq, err = p.s.Head(r.Context()); err != nil {
		return err
	}
	data, err := p.queueData(r, v)
	if err != nil {
		return err
	}
	return p.page(w, r, v, "queue.html", data)
}

func (p *Pages) queueData(r *http.Request, v *visit) (queueData, error) {
	skip, _ := strconv.Atoi(r.URL.Query().Get("after")) // else from the beginning
	list, err := p.s.List(r.Context(), approval.Filter{States: []approval.State{approval.Pending}, Fair: true, Limit: perPage + 1, Skip: skip})
	if err != nil {
		return queueData{}, err
	}
	var d queueData
	if len(list) > perPage {
		list = list[:perPage]
		d.More = strconv.Itoa(max(skip, 0) + perPage)
	}
	for _, c := range approval.Categories() {
		b := bulkData{Category: c}
		for _, req := range list {
			if req.Category == c {
				b.N++
				b.Seen += req.ID + ":" + req.Digest + " "
			}
		}
		if c.Bulk() {
			d.Bulk = append(d.Bulk, b)
		}
	}
	d.Cards, err = p.makeCards(r.Context(), v, list)
	return d, err
}

// cards sends more cards: those after one, or those with some IDs.
func (p *Pages) cards(w http.ResponseWriter, r *http.Request, v *visit) error {
	var d queueData
	var err error
	if ids := r.URL.Query()["id"]; len(ids) > 0 {
		var list []approval.Request
		for _, id := range ids[:min(len(ids), perPage)] {
			req, err := p.s.Get(r.Context(), id)
			if errors.Is(err, approval.ErrNone) || err == nil && req.State.Final() {
				continue
			}
			if err != nil {
				return err
			}
			list = append(list, req)
		}
		d.Cards, err = p.makeCards(r.Context(), v, list)
	} else {
		d, err = p.queueData(r, v)
	}
	if err != nil {
		return err
	}
	p.show(w, r, http.StatusOK, "cards", d)
	return nil
}

func (p *Pages) answer(w http.ResponseWriter, r *http.Request, v *visit) error {
	f := r.PostForm
	verb, scope, _ := strings.Cut(f.Get("do"), "-")
	if verb != "approve" && verb != "deny" || f.Get("digest") == "" {
		return problem{http.StatusBadRequest, "the form lacks what to do, or to what"}
	}
	in := gateway.Reply{Digest: f.Get("digest"), Scope: approval.Scope(scope), Note: f.Get("note")}
	if in.Scope == approval.Always || in.Scope == approval.Session {
		// The person chose a rule that the page showed, or wrote one. An empty one is no wish for another.
		if in.Rule = strings.TrimSpace(f.Get("own")); in.Rule == "" {
			in.Rule = strings.TrimSpace(f.Get("rule"))
		}
		if in.Rule == "" {
			return problem{http.StatusBadRequest, "choose the rule to store"}
		}
	}
	ok, err := p.g.Answer(r.Context(), v.Principal, f.Get("id"), verb == "approve", in)
	if err != nil {
		return err
	}
	if !ok {
		return problem{http.StatusConflict, "it was settled before"}
	}
	said := map[string]string{"approve": "approved", "deny": "denied"}[verb]
	if req, err := p.s.Get(r.Context(), f.Get("id")); err == nil && req.State == approval.Pending {
		said = fmt.Sprintf("your approval counts: %d of %d", len(req.Votes), req.Needs)
	}
	done(w, r, said, "/")
	return nil
}

func (p *Pages) bulk(w http.ResponseWriter, r *http.Request, v *visit) error {
	f := r.PostForm
	var seen []gateway.Seen
	for s := range strings.FieldsSeq(f.Get("seen")) {
		if id, digest, ok := strings.Cut(s, ":"); ok {
			seen = append(seen, gateway.Seen{ID: id, Digest: digest})
		}
	}
	c, _ := known(f.Get("category"))
	do := f.Get("do")
	if do != "approve" && do != "deny" {
		return problem{http.StatusBadRequest, "the form lacks what to do"}
	}
	n, err := p.g.Bulk(r.Context(), v.Principal, c, do == "approve", approval.ByWeb, seen)
	if err != nil {
		return err
	}
	done(w, r, fmt.Sprintf("settled %d", n), "/")
	return nil
}

// told is an event as pages get it. All of it is shown as text.
type told struct {
	Kind    string `json:"kind"`
	Request string `json:"request,omitempty"`
	State   string `json:"state,omitempty"`
	Text    string `json:"text"`
	At      string `json:"at"`
}

// maxBehind is how many events a page may have missed before it has to load again.
const maxBehind = 1000

// events tells a page what changes, by whichever gateway, until its session is over.
func (p *Pages) events(w http.ResponseWriter, r *http.Request, v *visit) error {
	var after int64
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	if _, err := fmt.Sscan(text, &after); err != nil || after < 0 {
		return problem{http.StatusBadRequest, "after is the place of an event"}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(w)
	send := func(format string, args ...any) bool {
		_ = out.SetWriteDeadline(time.Now().Add(10 * time.Second)) // who does not read is given up
		_, err := fmt.Fprintf(w, format, args...)
		return err == nil && out.Flush() == nil
	}
	head, err := p.s.Head(r.Context())
	if err != nil {
		return err
	}
	if after > head || head-after > maxBehind { // another database, or too long away
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
		for _, e := range events {
			after = e.Seq
			data, err := json.Marshal(tell(e))
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
