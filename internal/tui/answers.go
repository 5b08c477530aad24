package tui

import (
	"fmt"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/agent"
)

// choice is an available answer.
type choice struct {
	key, word string
	answer    agent.Choice
}

func answers(q *question) []choice {
	if q.confirm {
		return []choice{{"y", "yes", agent.Once}, {"n", "no", agent.No}}
	}
	list := []choice{{"y", "once", agent.Once}}
	if q.q.Session != "" {
		list = append(list, choice{"s", "this session", agent.Session})
	}
	if q.q.Always != "" {
		list = append(list, choice{"a", "always", agent.Always})
	}
	if n := len(q.q.Wider); n > 0 && q.q.Session != "" {
		word := "wider rule"
		if q.wide == n {
			word = "narrow rule"
		}
		list = append(list, choice{widerKey, fmt.Sprintf("%s (%d of %d)", word, q.wide+1, n+1), agent.No})
	}
	return append(list, choice{"n", "no", agent.No}, choice{"e", "no, because …", agent.No}, choice{"esc", "stop", agent.Stop})
}

// questionFacts returns further facts about the call in question. They are clean.
func questionFacts(q agent.Question) (list []string) {
	if q.Dir != "" {
		list = append(list, "in "+exactLine(q.Dir))
	}
	for _, f := range q.Preview.Outside {
		list = append(list, "OUTSIDE the workspace: "+exactLine(f))
	}
	if q.Preview.Err != "" {
		list = append(list, "it cannot work here: "+exactLine(q.Preview.Err))
	}
	if q.ID != "" || q.Dir != "" { // not one of umpire's questions
		if q.Sandbox == "" {
			list = append(list, "sandbox: none")
		} else {
			list = append(list, "sandbox: "+exactLine(q.Sandbox))
		}
	}
	return append(list, reasons(q)...)
}

// reasons returns the reasons for the question, each with its rule.
func reasons(q agent.Question) (list []string) {
	for l := range strings.Lines(q.Reason) {
		if l = strings.TrimRight(l, " \n"); l != "" {
			list = append(list, "why: "+exactLine(l))
		}
	}
	for _, r := range q.Decision.Reasons {
		if r.Rule == "" || r.Effect == umpire.Allow || strings.Contains(q.Reason, r.Rule) {
			continue
		}
		list = append(list, "rule "+exactLine(r.Rule)+": "+exactLine(r.Text))
	}
	return list
}

// widerKey cycles through the rules that the longer-lasting answers can add.
const widerKey = "w"

// widen selects the next wider rule for the longer-lasting answers, and after the widest the
// narrowest.
func (q *question) widen() { q.wide = (q.wide + 1) % (len(q.q.Wider) + 1) }

// rules returns the rules that the longer-lasting answers would add.
func (q *question) rules() (session, always string) {
	session, always = q.q.Session, q.q.Always
	if q.wide > 0 {
		if session = q.q.Wider[q.wide-1]; always != "" {
			always = session
		}
	}
	return session, always
}

// scopes describes the rules that the wider answers would add, or the reason why there are none.
func scopes(q *question) (list []string) {
	add := func(head, rules string) {
		for l := range strings.Lines(rules) {
			if l = strings.TrimRight(l, "\n"); l != "" {
				list = append(list, head+exactLine(l))
			}
		}
	}
	session, always := q.rules()
	if session == always {
		add("s, a allow: ", session)
	} else {
		add("s allows: ", session)
		add("a allows: ", always)
	}
	switch {
	case session == "" && q.q.NoSession != "":
		add("once only: ", q.q.NoSession)
	case session != "" && always == "" && q.q.NoAlways != "":
		add("not for always: ", q.q.NoAlways)
	}
	return list
}
