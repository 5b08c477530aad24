package tui

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/agent"
)

// choice is an answer that is on offer.
type choice struct {
	key, word string
	verdict   agent.Verdict
}

// answers are those that a question offers.
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
	return append(list, choice{"n", "no", agent.No}, choice{"e", "no, because …", agent.No}, choice{"esc", "stop", agent.Stop})
}

// particulars are what else there is to know of a question's call. They are clean.
func particulars(q agent.Question) (list []string) {
	if q.Dir != "" {
		list = append(list, "in "+exactLine(q.Dir))
	}
	for _, f := range q.Preview.Outside {
		list = append(list, "OUTSIDE the workspace: "+exactLine(f))
	}
	if q.Preview.Err != "" {
		list = append(list, "it cannot work as things are: "+exactLine(q.Preview.Err))
	}
	if q.ID != "" || q.Dir != "" { // no question of umpire's own
		if q.Sandbox == "" {
			list = append(list, "sandbox: none")
		} else {
			list = append(list, "sandbox: "+exactLine(q.Sandbox))
		}
	}
	return append(list, reasons(q)...)
}

// reasons are why it is asked, each with its rule.
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

// scopes are the rules that the answers for more than once would add.
func scopes(q agent.Question) (list []string) {
	add := func(head, rules string) {
		for l := range strings.Lines(rules) {
			if l = strings.TrimRight(l, "\n"); l != "" {
				list = append(list, head+exactLine(l))
			}
		}
	}
	if q.Session == q.Always {
		add("s, a allow: ", q.Session)
		return list
	}
	add("s allows: ", q.Session)
	add("a allows: ", q.Always)
	return list
}
