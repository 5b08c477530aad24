package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

// Limits of the list of pending requests.
const (
	perPage  = 60 // rows
	perAgent = 8  // rows of each agent, if several agents wait
)

type queueData struct {
	Groups []group
	Bulk   []bulkData
	Agent  string // agent whose requests are listed; all agents if empty
	Name   string // of that agent
	More   string // link to the next page
	Card   *card  // the request shown beside the list; nil if none is pending
	Picked bool   // a link named the request
	Gone   bool   // a link named a request that no longer exists
}

// group is an agent with its pending requests.
type group struct {
	Agent, Name string
	Waiting     int
	Rows        []row
	Picked      string // ID of the request shown beside the list
}

// More returns the number of the agent's requests that the list leaves out.
func (g group) More() int { return max(0, g.Waiting-len(g.Rows)) }

// bulkData is what one button answers: the listed requests of one category.
type bulkData struct {
	Category  approval.Category
	Seen      string // ID:digest, separated by spaces, of those that may be approved from the list
	All       string // the same for all of them
	N, NPlain int
}

func (p *Pages) queue(w http.ResponseWriter, r *http.Request, v *visit) (err error) {
	// Read the position in the events first: then the page gets an event that arrives now twice
	// instead of never.
	if v.Seq, err = p.s.Head(r.Context()); err != nil {
		return err
	}
	d, err := p.list(r, v)
	if err != nil {
		return err
	}
	id := r.URL.Query().Get("id")
	if id == "" && len(d.Groups) > 0 {
		id = d.Groups[0].Rows[0].ID
	} else if id != "" {
		d.Picked = true
	}
	if id != "" {
		req, err := p.s.Get(r.Context(), id)
		switch {
		case errors.Is(err, approval.ErrNone):
			d.Gone = true
		case err != nil:
			return err
		default:
			if d.Card, err = p.makeCard(r.Context(), v, req); err != nil {
				return err
			}
		}
	}
	for i := range d.Groups {
		d.Groups[i].Picked = id
	}
	return p.page(w, r, v, "queue.html", "Queue", d)
}

// list returns the pending requests of one agent, or of all agents in turn, so that one agent's
// many requests do not hide another's few.
func (p *Pages) list(r *http.Request, v *visit) (d queueData, err error) {
	q := r.URL.Query()
	skip, _ := strconv.Atoi(q.Get("after")) // an invalid number means the beginning
	skip = max(skip, 0)
	waiting, err := p.s.CountWaiting(r.Context())
	if err != nil {
		return d, err
	}
	v.Count, v.counted = 0, true
	for _, n := range waiting {
		v.Count += n
	}
	names, err := p.g.AgentNames(r.Context())
	if err != nil {
		return d, err
	}
	f := approval.Filter{States: []approval.State{approval.Pending}, Fair: true, Limit: perPage, Skip: skip}
	if d.Agent = q.Get("agent"); d.Agent != "" {
		f.Agent, d.Name = d.Agent, names[d.Agent]
	} else if len(waiting) > 1 {
		f.Turns = perAgent
	}
	list, err := p.s.List(r.Context(), f)
	if err != nil {
		return d, err
	}
	if len(list) == perPage {
		d.More = p.listLink(d.Agent, skip+perPage)
	}
	rows, err := makeRows(list, names)
	if err != nil {
		return d, err
	}
	for _, one := range rows {
		i := slices.IndexFunc(d.Groups, func(g group) bool { return g.Agent == one.Agent })
		if i < 0 {
			i = len(d.Groups)
			d.Groups = append(d.Groups, group{Agent: one.Agent, Name: one.Who, Waiting: waiting[one.Agent], Picked: q.Get("id")})
		}
		d.Groups[i].Rows = append(d.Groups[i].Rows, one)
	}
	for i := range d.Groups {
		slices.SortFunc(d.Groups[i].Rows, func(a, b row) int { return cmp.Compare(a.Request.Seq, b.Request.Seq) })
	}
	d.Bulk = bulkOf(rows)
	return d, nil
}

func (p *Pages) listLink(agent string, after int) string {
	q := url.Values{"after": {strconv.Itoa(after)}}
	if agent != "" {
		q.Set("agent", agent)
	}
	return "/?" + q.Encode()
}

func bulkOf(rows []row) (out []bulkData) {
	for _, c := range approval.Categories() {
		b := bulkData{Category: c}
		for i := range rows {
			if rows[i].Category != c {
				continue
			}
			seen := rows[i].ID + ":" + rows[i].Digest + " "
			b.All += seen
			b.N++
			if rows[i].Plain() {
				b.Seen += seen
				b.NPlain++
			}
		}
		if c.Bulk() && b.N > 1 {
			out = append(out, b)
		}
	}
	return out
}

// sendList sends only the list, for an open page.
func (p *Pages) sendList(w http.ResponseWriter, r *http.Request, v *visit) error {
	d, err := p.list(r, v)
	if err != nil {
		return err
	}
	v.Data = d
	p.show(w, r, http.StatusOK, "list", v)
	return nil
}

// sendCard sends one request, for an open page.
func (p *Pages) sendCard(w http.ResponseWriter, r *http.Request, v *visit) error {
	req, err := p.s.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	c, err := p.makeCard(r.Context(), v, req)
	if err != nil {
		return err
	}
	p.show(w, r, http.StatusOK, "card", c)
	return nil
}

func (p *Pages) answer(w http.ResponseWriter, r *http.Request, v *visit) error {
	f := r.PostForm
	verb, scope, _ := strings.Cut(f.Get("do"), "-")
	if verb != "approve" && verb != "deny" || f.Get("digest") == "" {
		return problem{http.StatusBadRequest, "the form lacks an action or a request"}
	}
	in := gateway.Reply{Digest: f.Get("digest"), Scope: approval.Scope(scope), Note: f.Get("note")}
	if in.Scope == approval.Always || in.Scope == approval.Session {
		// The person must have chosen a shown rule or typed one: an empty field must not store a
		// default.
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
		return problem{http.StatusConflict, "it was already settled"}
	}
	said := map[string]string{"approve": "approved", "deny": "denied"}[verb]
	req, err := p.s.Get(r.Context(), f.Get("id"))
	if err != nil { // "approved" may be untrue: another approval may be needed
		return err
	}
	if req.State == approval.Pending {
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
	c := approval.Category(f.Get("category"))
	do := f.Get("do")
	if do != "approve" && do != "deny" {
		return problem{http.StatusBadRequest, "the form lacks an action"}
	}
	n, err := p.g.Bulk(r.Context(), v.Principal, c, do == "approve", approval.ByWeb, seen)
	if err != nil {
		return err
	}
	done(w, r, fmt.Sprintf("settled %d", n), "/")
	return nil
}
