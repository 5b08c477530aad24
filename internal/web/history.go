package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/store"
)

const (
	historyPage  = 50
	maxLooked    = 20_000 // limit of requests that one search reads
	historyHours = 48
)

type historyData struct {
	Filter     filter
	List       []row
	Ran        map[string]*gateway.Outcome // by request ID
	Next       string
	Categories []approval.Category
	States     []approval.State
	Partly     bool // the search stopped at maxLooked
	Plot       plot
}

// filter selects the requests of a history page. Each field is a parameter of the address.
type filter struct {
	Q, Category, Status, Agent, Session, By, Rule, Since, Until string

	Names map[string]string // names of agents, by ID
}

func filterOf(q url.Values) filter {
	return filter{Q: q.Get("q"), Category: q.Get("category"), Status: q.Get("status"), Agent: q.Get("agent"), Session: q.Get("session"),
		By: q.Get("by"), Rule: q.Get("rule"), Since: q.Get("since"), Until: q.Get("until")}
}

// fields returns the names and values in the order of the pages.
func (f *filter) fields() [][2]string {
	return [][2]string{{"q", f.Q}, {"category", f.Category}, {"status", f.Status}, {"agent", f.Agent}, {"session", f.Session}, {"by", f.By}, {"rule", f.Rule}, {"since", f.Since}, {"until", f.Until}}
}

// Link returns the address with one field changed.
func (f filter) Link(name, value string) string {
	q := url.Values{}
	for _, kv := range f.fields() {
		if kv[1] != "" && kv[0] != name {
			q.Set(kv[0], kv[1])
		}
	}
	if value != "" {
		q.Set(name, value)
	}
	if len(q) == 0 {
		return "/history"
	}
	return "/history?" + q.Encode()
}

type chip struct{ Name, Value, Without string }

// Chips returns the fields that are set, each with the address of the page without it.
func (f filter) Chips() (out []chip) {
	for _, kv := range f.fields() {
		if kv[1] == "" {
			continue
		}
		c := chip{Name: kv[0], Value: kv[1], Without: f.Link(kv[0], "")}
		switch {
		case kv[0] == "q":
			c.Name = "text"
		case kv[0] == "agent" && f.Names[kv[1]] != "":
			c.Value = f.Names[kv[1]]
		}
		out = append(out, c)
	}
	return out
}

// Hidden returns the fields that the search form passes on unchanged.
func (f filter) Hidden() (out []chip) {
	for _, kv := range f.fields()[3:] {
		if kv[1] != "" {
			out = append(out, chip{Name: kv[0], Value: kv[1]})
		}
	}
	return out
}

// bounds returns the ID prefixes at which the requests of Since and of Until begin, or "".
func (f *filter) bounds() (from, to string, err error) {
	for _, b := range []struct {
		text string
		to   *string
	}{{f.Since, &from}, {f.Until, &to}} {
		if b.text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, b.text)
		if err != nil || at.Year() < 1970 || at.Year() > 9999 {
			return "", "", problem{http.StatusBadRequest, "since and until must be times such as 2026-01-02T15:04:05Z"}
		}
		*b.to = approval.NewID(at)[:10] // IDs begin with the time
	}
	return from, to, nil
}

// matches reports whether a request fits the fields that the database does not search.
func (f *filter) matches(r *approval.Request, agent string) bool {
	if f.By != "" && f.By != r.Operator && (f.By != "rules" || !r.ByRules()) || f.Rule != "" && f.Rule != r.Rule {
		return false
	}
	q := strings.ToLower(f.Q)
	for _, s := range []string{r.Action, r.Description, r.Reason, r.Note, r.Operator, r.Rule, agent} {
		if strings.Contains(strings.ToLower(s), q) {
			return true
		}
	}
	return strings.EqualFold(r.ID, q) // only the complete ID matches
}

func (p *Pages) history(w http.ResponseWriter, r *http.Request, v *visit) error {
	d := historyData{Filter: filterOf(r.URL.Query()), Categories: approval.Categories(), States: settled}
	names, err := p.g.AgentNames(r.Context())
	if err != nil {
		return err
	}
	d.Filter.Names = names
	if err := p.search(r, &d, r.URL.Query().Get("before")); err != nil {
		return err
	}
	now := p.now()
	counts, err := p.s.CountBy(r.Context(), now.Add(-historyHours*time.Hour), time.Hour)
	if err != nil {
		return err
	}
	d.Plot = histogram{"Requests per hour, by outcome", time.Hour, historyHours, stateClasses, stateClass}.plot(counts, now, d.Filter.between)
	d.Ran = map[string]*gateway.Outcome{}
	for i := range d.List {
		if one := &d.List[i]; one.State == approval.Approved {
			if d.Ran[one.ID], err = p.g.Outcome(r.Context(), &one.Request); err != nil {
				return err
			}
		}
	}
	return p.page(w, r, v, "history.html", "History", d)
}

// search fills one page of the history with requests before the ID before.
func (p *Pages) search(r *http.Request, d *historyData, before string) error {
	from, to, err := d.Filter.bounds()
	if err != nil {
		return err
	}
	if before == "" || to != "" && before > to {
		before = to
	}
	f := approval.Filter{Before: before, After: from, Agent: d.Filter.Agent, Session: d.Filter.Session, States: settled, Limit: historyPage}
	f.Category = approval.Category(d.Filter.Category)
	if d.Filter.Status != "" {
		f.States = []approval.State{approval.State(d.Filter.Status)}
	}
	if d.Filter.Q != "" || d.Filter.By != "" || d.Filter.Rule != "" {
		f.Limit = 500
	}
	var found []approval.Request
	for looked := 0; len(found) < historyPage; {
		list, err := p.s.List(r.Context(), f)
		if err != nil {
			return err
		}
		for i := range list {
			looked++
			f.Before = list[i].ID
			if d.Filter.matches(&list[i], d.Filter.Names[list[i].Agent]) {
				found = append(found, list[i])
			}
			if len(found) == historyPage {
				break
			}
		}
		if len(list) < f.Limit && len(found) < historyPage {
			break
		}
		if d.Partly = looked >= maxLooked; d.Partly || len(found) == historyPage {
			d.Next = d.Filter.Link("before", f.Before)
			break
		}
	}
	d.List, err = makeRows(found, d.Filter.Names)
	return err
}

// between returns the link to the requests of a period.
func (f filter) between(from, to time.Time) string {
	f.Until = to.Format(time.RFC3339)
	return f.Link("since", from.Format(time.RFC3339))
}

var stateClasses = []string{"approved", "denied", "expired", "ended", "pending"}

func stateClass(c store.Count) string {
	switch c.State {
	case approval.Approved, approval.Denied, approval.Expired, approval.Pending:
		return string(c.State)
	}
	return "ended" // superseded, cancelled, conflict
}

// step is an event in the life of a request.
type step struct {
	At        time.Time
	What, Who string
	Text      string
}

// steps returns the events of a request, in order.
func steps(r *approval.Request, ran *gateway.Outcome) []step {
	out := []step{{At: r.Created, What: "asked"}}
	for _, v := range r.Votes {
		out = append(out, step{At: v.At, What: "approved by one of several", Who: v.Operator})
	}
	if r.State.Final() {
		s := step{At: r.Resolved, What: string(r.State), Who: r.Operator, Text: r.Note}
		if s.Who == "" {
			s.Who = map[bool]string{true: "rules", false: "the gateway"}[r.ByRules()]
		}
		if s.At.IsZero() {
			s.At = r.Created // a rule answered at once
		}
		out = append(out, s)
	}
	if ran == nil {
		return out
	}
	out = append(out, step{At: ran.Began, What: "started"})
	if ran.Completed {
		out = append(out, step{At: ran.Ended, What: ran.Status, Who: ran.Stopped})
	}
	return out
}

// request shows a settled request with its history. For a pending one it redirects to the queue.
func (p *Pages) request(w http.ResponseWriter, r *http.Request, v *visit) error {
	req, err := p.s.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if !req.State.Final() {
		http.Redirect(w, r, "/?id="+req.ID, http.StatusSeeOther)
		return nil
	}
	c, err := p.makeCard(r.Context(), v, req)
	if err != nil {
		return err
	}
	v.Path = "/history"
	return p.page(w, r, v, "request.html", "Request", c)
}
