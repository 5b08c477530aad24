package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/store"
)

type agentsData struct {
	Agents   []agentData
	Made     string          // the secret of a new token
	Others   []string        // IDs of the other valid tokens of its name
	Tokens   []gateway.Token // tokens of people
	Browsers []gateway.Browser
	This     string // the browser that shows this page
	Tunnels  []gateway.Tunnel
}

// agentData is an agent's token with its activity.
type agentData struct {
	gateway.Token
	agentRow
	Open []sessionData
}

// sessionData is a session of an agent, with what people allowed in it.
type sessionData struct {
	store.Asker
	Rules []gateway.Rule
}

func (p *Pages) agents(w http.ResponseWriter, r *http.Request, v *visit) error {
	return p.showAgents(w, r, v, "")
}

// maxSessions is the limit of sessions that the page lists for one agent.
const maxSessions = 20

func (p *Pages) showAgents(w http.ResponseWriter, r *http.Request, v *visit, secret string, others ...string) error {
	ctx := r.Context()
	d := agentsData{Made: secret, Others: others, This: gateway.BrowserID(v.secret), Tunnels: p.g.Tunnels()}
	tokens, err := p.g.Tokens(ctx)
	if err != nil {
		return err
	}
	rules, err := p.g.Rules(ctx)
	if err != nil {
		return err
	}
	sessions, err := p.s.Askers(ctx, p.now().Add(-24*time.Hour))
	if err != nil {
		return err
	}
	rows, err := p.askers(r, map[string]string{})
	if err != nil {
		return err
	}
	for _, t := range tokens {
		if t.Kind != gateway.Agent {
			if v.May("admin") {
				d.Tokens = append(d.Tokens, t)
			}
			continue
		}
		one := agentData{Token: t}
		if i := slices.IndexFunc(rows, func(a agentRow) bool { return a.ID == t.ID }); i >= 0 {
			one.agentRow = rows[i]
		}
		one.Open = sessionsOf(t.ID, sessions, rules)
		d.Agents = append(d.Agents, one)
	}
	slices.SortStableFunc(d.Agents, func(a, b agentData) int { return b.Last.Compare(a.Last) })
	if d.Browsers, err = p.g.Browsers(ctx, v.Principal); err != nil {
		return err
	}
	return p.page(w, r, v, "agents.html", "Agents", d)
}

// sessionsOf lists the sessions of an agent with recent requests or with rules.
func sessionsOf(agent string, askers []store.Asker, rules []gateway.Rule) (out []sessionData) {
	for _, a := range askers {
		if a.Agent == agent && a.Session != "" && len(out) < maxSessions {
			out = append(out, sessionData{Asker: a})
		}
	}
	for _, rule := range rules {
		if rule.Agent != agent || rule.Session == "" {
			continue
		}
		i := slices.IndexFunc(out, func(s sessionData) bool { return s.Session == rule.Session })
		if i < 0 {
			i = len(out)
			out = append(out, sessionData{Asker: store.Asker{Agent: agent, Session: rule.Session}})
		}
		out[i].Rules = append(out[i].Rules, rule)
	}
	return out
}

func (p *Pages) endBrowser(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := p.g.EndBrowser(r.Context(), v.Principal, r.PostForm.Get("id")); err != nil {
		return err
	}
	done(w, r, "logged out", "/agents")
	return nil
}

// endSession removes the rules of a session, and denies its pending requests.
func (p *Pages) endSession(w http.ResponseWriter, r *http.Request, v *visit) error {
	// The form has the name escaped: an agent chose it, and it may contain invisible characters.
	agent := r.PostForm.Get("agent")
	session, err := url.QueryUnescape(r.PostForm.Get("session"))
	if err != nil || agent == "" || session == "" {
		return problem{http.StatusBadRequest, "the form names no session"}
	}
	rules, err := p.g.Rules(r.Context())
	if err != nil {
		return err
	}
	for _, rule := range rules {
		if rule.Agent == agent && rule.Session == session {
			if _, err := p.g.RemoveRule(r.Context(), rule.Effect, rule.ID, v.Name); err != nil {
				return err
			}
		}
	}
	// One round: the agent may keep asking.
	waiting, err := p.s.List(r.Context(), approval.Filter{States: []approval.State{approval.Pending}, Agent: agent, Session: session, Limit: 10_000})
	if err != nil {
		return err
	}
	_, err = approval.Together(waiting, func(req approval.Request) (bool, error) { // someone else may settle it first
		return p.g.Answer(r.Context(), v.Principal, req.ID, false, gateway.Reply{Digest: req.Digest, Note: "a person ended this session"})
	})
	if err != nil {
		return err
	}
	done(w, r, "ended", "/agents")
	return nil
}

func (p *Pages) endTunnel(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := p.g.EndTunnel(r.PostForm.Get("id"), v.Principal); err != nil {
		return err
	}
	done(w, r, "closed", "/agents")
	return nil
}

// addToken answers with the page itself, so that the secret is shown once and is in no address.
func (p *Pages) addToken(w http.ResponseWriter, r *http.Request, v *visit) error {
	t := gateway.Token{Kind: gateway.Agent, Name: strings.TrimSpace(r.PostForm.Get("name")), By: v.Name}
	if role := r.PostForm.Get("role"); role != "" {
		t.Kind, t.Role = gateway.Operator, gateway.Role(role)
	}
	others, err := p.g.Namesakes(r.Context(), t)
	if err != nil {
		return err
	}
	secret, _, err := p.g.NewToken(r.Context(), t)
	if err != nil {
		return err
	}
	v.Path = "/agents"
	return p.showAgents(w, r, v, secret, others...)
}

func (p *Pages) revokeToken(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := p.g.Revoke(r.Context(), r.PostForm.Get("id"), v.Name); err != nil {
		return err
	}
	done(w, r, "revoked", "/agents")
	return nil
}

func (p *Pages) stop(w http.ResponseWriter, r *http.Request, v *visit) error {
	id := r.PostForm.Get("id")
	if err := p.g.StopRequest(r.Context(), id, v.Principal); err != nil {
		return err
	}
	done(w, r, "stopped", "/request/"+id)
	return nil
}
