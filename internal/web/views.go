package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/visible"
)

// tell says an event in words.
func tell(e approval.Event) told {
	var s struct {
		Category, Action, Status, ResolvedBy, Operator, Rule, Note string
	}
	_ = json.Unmarshal(e.Data, &s) // events of other kinds have other fields
	t := told{Kind: e.Kind, Request: e.Request, State: s.Status, At: e.At.Format(time.DateTime)}
	text := string(e.Data)
	if s.Category != "" {
		text = s.Status + " " + s.Category + ": " + s.Action
		if by := s.Operator; by != "" {
			text += " (by " + by + ")"
		}
	}
	t.Text = visible.Clip(text, 300)
	return t
}

func (p *Pages) logPage(w http.ResponseWriter, r *http.Request, v *visit) (err error) {
	if v.Seq, err = p.s.Head(r.Context()); err != nil {
		return err
	}
	events, err := p.s.Events(r.Context(), max(0, v.Seq-200), 200)
	if err != nil {
		return err
	}
	var list []told
	for i := len(events) - 1; i >= 0; i-- {
		list = append(list, tell(events[i]))
	}
	return p.page(w, r, v, "log.html", list)
}

type rulesData struct {
	Rules      []gateway.Rule
	Categories []approval.Category
	Try        string
	TryIn      approval.Category
	Effect     string
	Title      string
	Reasons    []string
	Problem    string
}

func (p *Pages) rules(w http.ResponseWriter, r *http.Request, v *visit) (err error) {
	d := rulesData{Categories: approval.Categories(), Try: r.URL.Query().Get("try")}
	if d.Rules, err = p.g.Rules(r.Context()); err != nil {
		return err
	}
	if d.TryIn, _ = known(r.URL.Query().Get("category")); d.Try != "" {
		s := submission(d.TryIn, d.Try)
		dec, title, err := p.g.Check(v.Principal, s)
		if err != nil {
			_, d.Problem = gateway.Status(err)
		} else {
			d.Effect, d.Title = dec.Effect.String(), title
			for _, reason := range dec.Reasons {
				d.Reasons = append(d.Reasons, reason.Rule+": "+reason.Text)
			}
		}
	}
	return p.page(w, r, v, "rules.html", d)
}

// submission is what an agent would ask for, from one line of a person's.
func submission(c approval.Category, text string) gateway.Submission {
	s := gateway.Submission{Category: c, Action: text}
	var meta map[string]any
	switch c {
	case approval.Network:
		if !strings.Contains(text, " ") { // a host or an address
			if s.Action = "GET " + text; !strings.Contains(text, "://") {
				s.Action = "CONNECT " + text
				if !strings.Contains(text, ":") {
					s.Action += ":443"
				}
			}
		}
	case approval.Filesystem:
		meta = map[string]any{"toolName": "Write", "targetFile": text, "writeContent": ""}
	case approval.Git:
		if !strings.HasPrefix(text, "push ") {
			s.Action = "push " + text
		}
	case approval.Packages:
		if words := strings.Fields(text); len(words) > 2 {
			meta = map[string]any{"manager": words[0], "action": words[1], "packages": words[2:]}
		}
	}
	if meta != nil {
		s.Metadata, _ = json.Marshal(meta) // texts always marshal
	}
	return s
}

func (p *Pages) addRule(w http.ResponseWriter, r *http.Request, v *visit) error {
	if _, err := p.g.AddRule(r.Context(), gateway.Rule{Effect: r.PostForm.Get("type"), Text: strings.TrimSpace(r.PostForm.Get("rule")), By: v.Name}); err != nil {
		return err
	}
	done(w, r, "added", "/rules")
	return nil
}

func (p *Pages) removeRule(w http.ResponseWriter, r *http.Request, v *visit) error {
	if _, err := p.g.RemoveRule(r.Context(), r.PostForm.Get("type"), r.PostForm.Get("rule"), v.Name); err != nil {
		return err
	}
	done(w, r, "removed", "/rules")
	return nil
}

func (p *Pages) config(w http.ResponseWriter, r *http.Request, v *visit) error {
	c, err := p.g.Config(r.Context())
	if err != nil {
		return err
	}
	return p.page(w, r, v, "config.html", c)
}

func (p *Pages) resetSetting(w http.ResponseWriter, r *http.Request, v *visit) error {
	if _, err := p.g.ResetSetting(r.Context(), r.PostForm.Get("path"), v.Name); err != nil {
		return err
	}
	done(w, r, "undone", "/config")
	return nil
}

type historyData struct {
	Ran        map[string]*gateway.Outcome // by request
	List       []approval.Request
	Names      map[string]string
	Next       string
	Q          string
	Category   approval.Category
	State      approval.State
	Agent      string
	Categories []approval.Category
	States     []approval.State
	Partly     bool // the search gave up before the end
	Chart      chart
}

// maxSearch is how many requests one search looks at.
const maxSearch = 20_000

func (p *Pages) history(w http.ResponseWriter, r *http.Request, v *visit) (err error) {
	q := r.URL.Query()
	d := historyData{Q: q.Get("q"), State: approval.State(q.Get("status")), Agent: q.Get("agent"), Categories: approval.Categories(), States: settled}
	d.Category, _ = known(q.Get("category"))
	if d.Names, err = p.names(r.Context()); err != nil {
		return err
	}
	f := approval.Filter{Before: q.Get("before"), Agent: d.Agent, States: settled, Category: d.Category, Limit: 50}
	if d.State != "" {
		f.States = []approval.State{d.State}
	}
	if d.Q != "" {
		f.Limit = 500
	}
	const page = 50
	for looked := 0; ; {
		list, err := p.s.List(r.Context(), f)
		if err != nil {
			return err
		}
		for _, req := range list {
			looked++
			f.Before = req.ID
			if matches(&req, d.Q, d.Names[req.Agent]) {
				d.List = append(d.List, req)
			}
			if len(d.List) == page {
				break
			}
		}
		if len(list) < f.Limit && len(d.List) < page {
			break
		}
		d.Next = f.Before
		if d.Partly = looked >= maxSearch; d.Partly || len(d.List) == page {
			break
		}
		d.Next = ""
	}
	const hours = 48
	now := p.now()
	list, err := p.s.CountBy(r.Context(), now.Add(-hours*time.Hour), time.Hour)
	if err != nil {
		return err
	}
	counts := map[time.Time]map[approval.State]int{}
	for _, c := range list {
		if counts[c.At] == nil {
			counts[c.At] = map[approval.State]int{}
		}
		counts[c.At][c.State] += c.N
	}
	d.Chart = newChart(counts, now, hours)
	d.Ran = map[string]*gateway.Outcome{}
	for i := range d.List {
		if d.List[i].State == approval.Approved {
			if d.Ran[d.List[i].ID], err = p.g.Outcome(r.Context(), &d.List[i]); err != nil {
				return err
			}
		}
	}
	return p.page(w, r, v, "history.html", d)
}

func matches(r *approval.Request, q, agent string) bool {
	q = strings.ToLower(q)
	for _, s := range []string{r.Action, r.Description, r.Reason, r.Note, r.Operator, r.Rule, agent} {
		if strings.Contains(strings.ToLower(s), q) {
			return true
		}
	}
	return strings.EqualFold(r.ID, q) // whole: a part of it means nothing
}

// chart is a bar for every hour, of what came in it by what became of it.
type chart struct {
	Bars []bar
	Most int
	Sums []sum
}

type bar struct {
	X     int
	Title string
	Parts []part
}

type part struct {
	Class     string
	Y, Height int
}

type sum struct {
	Class string
	N     int
}

const chartHeight = 100

func newChart(counts map[time.Time]map[approval.State]int, now time.Time, hours int) chart {
	states := append([]approval.State{approval.Pending}, settled...)
	var c chart
	sums := map[approval.State]int{}
	start := now.UTC().Truncate(time.Hour).Add(-time.Duration(hours-1) * time.Hour)
	for i := range hours {
		n := 0
		for s, k := range counts[start.Add(time.Duration(i)*time.Hour)] {
			n += k
			sums[s] += k
		}
		c.Most = max(c.Most, n)
	}
	for i := range hours {
		at := start.Add(time.Duration(i) * time.Hour)
		b := bar{X: i * 10, Title: at.Format("2006-01-02 15:04 MST")}
		y := chartHeight
		for _, s := range states {
			n := counts[at][s]
			if n == 0 {
				continue
			}
			h := max(1, n*chartHeight/c.Most)
			y -= h
			b.Parts = append(b.Parts, part{string(s), max(0, y), h})
		}
		c.Bars = append(c.Bars, b)
	}
	for _, s := range states {
		c.Sums = append(c.Sums, sum{string(s), sums[s]})
	}
	return c
}

type agentsData struct {
	Browsers []gateway.Browser
	This     string // the one that looks
	Tokens   []tokenData
	Made     string
}

type tokenData struct {
	gateway.Token
	Last *approval.Request
}

func (p *Pages) agents(w http.ResponseWriter, r *http.Request, v *visit) error {
	return p.showAgents(w, r, v, "")
}

func (p *Pages) showAgents(w http.ResponseWriter, r *http.Request, v *visit, secret string) error {
	d := agentsData{Made: secret}
	tokens, err := p.g.Tokens(r.Context())
	if err != nil {
		return err
	}
	for _, t := range tokens {
		row := tokenData{Token: t}
		if t.Kind == gateway.Agent {
			list, err := p.s.List(r.Context(), approval.Filter{Agent: t.ID, Limit: 1})
			if err != nil {
				return err
			}
			if len(list) > 0 {
				row.Last = &list[0]
			}
		} else if !v.May("admin") {
			continue
		}
		d.Tokens = append(d.Tokens, row)
	}
	if d.Browsers, err = p.g.Browsers(r.Context(), v.Principal); err != nil {
		return err
	}
	d.This = gateway.BrowserID(v.secret)
	return p.page(w, r, v, "agents.html", d)
}

func (p *Pages) endBrowser(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := p.g.EndBrowser(r.Context(), v.Principal, r.PostForm.Get("id")); err != nil {
		return err
	}
	done(w, r, "logged out", "/agents")
	return nil
}

// addToken answers with the page itself: the secret is shown once, and is in no address.
func (p *Pages) addToken(w http.ResponseWriter, r *http.Request, v *visit) error {
	t := gateway.Token{Kind: gateway.Agent, Name: strings.TrimSpace(r.PostForm.Get("name")), By: v.Name}
	if role := r.PostForm.Get("role"); role != "" {
		t.Kind, t.Role = gateway.Operator, gateway.Role(role)
	}
	secret, _, err := p.g.NewToken(r.Context(), t)
	if err != nil {
		return problem{http.StatusBadRequest, err.Error()}
	}
	v.Path = "/agents"
	return p.showAgents(w, r, v, secret)
}

func (p *Pages) revokeToken(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := p.g.Revoke(r.Context(), r.PostForm.Get("id"), v.Name); err != nil {
		return problem{http.StatusNotFound, "there is no such token"}
	}
	done(w, r, "revoked", "/agents")
	return nil
}
