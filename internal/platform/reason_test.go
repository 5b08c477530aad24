package platform

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

func TestReason(t *testing.T) {
	ops := []umpire.Operation{{Kind: umpire.Delete, Resource: "/home/dev\x1b[2J"}}
	got := Reason(umpire.Decision{Effect: umpire.Deny, Reasons: []umpire.Reason{
		{Rule: "delete-home", Effect: umpire.Deny, Text: "empties the home folder", Suggest: "name what is to go.", Op: 0},
		{Rule: "other", Effect: umpire.Ask, Text: "not said", Op: -1},
	}}, ops)
	want := `umpire denies this: empties the home folder (/home/dev\x1b[2J; rule delete-home). Instead: name what is to go.`
	if got != want {
		t.Errorf("Reason =\n%s\nwant\n%s", got, want)
	}
	for want, d := range map[string]umpire.Decision{
		"umpire asks about this: no rule settles it":        {Effect: umpire.Ask},
		"umpire denies this: no rule settles it":            {Effect: umpire.Deny},
		"umpire allows this: no rule settles it":            {Effect: umpire.Allow},
		"umpire asks about this: no rule settles all of it": {Effect: umpire.Ask, Reasons: []umpire.Reason{{Rule: "r", Effect: umpire.Allow, Op: -1}}},
	} {
		if got := Reason(d, nil); got != want+", and that is the policy's default." {
			t.Errorf("by default: got %q, want %q", got, want)
		}
	}
	line := []umpire.Operation{{Kind: umpire.Exec, Resource: "go test"}, {Kind: umpire.Exec, Resource: "go tool\x1b[2J cover"}, {Kind: umpire.Exec, Resource: "sort"}}
	allowed := []umpire.Reason{{Rule: "always", Effect: umpire.Allow, Text: "allowed by dev", Op: 0}}
	for want, d := range map[string]umpire.Decision{
		`go tool\x1b[2J cover and 1 more`: {Effect: umpire.Ask, Reasons: allowed, Unsettled: []int{1, 2}},
		"sort":                            {Effect: umpire.Ask, Reasons: allowed, Unsettled: []int{2}},
		"go test and 2 more":              {Effect: umpire.Ask, Unsettled: []int{0, 1, 2}},
	} {
		if got := Reason(d, line); got != "umpire asks about this: no rule settles "+want+", and that is the policy's default." {
			t.Errorf("by default: got %q, want %q in it", got, want)
		}
	}
	for want, d := range map[string]umpire.Decision{
		"umpire asks about this: sends (x; rule a).":                                      {Effect: umpire.Ask, Reasons: []umpire.Reason{{Rule: "a", Effect: umpire.Ask, Text: "sends", Op: 1}, {Rule: "b", Effect: umpire.Ask, Text: "sends", Op: -1}}},
		"umpire asks about this: sends (x; rule a); sends (rule b).":                      {Effect: umpire.Ask, Reasons: []umpire.Reason{{Rule: "a", Effect: umpire.Ask, Text: "sends", Op: 1}, {Rule: "b", Effect: umpire.Ask, Text: "sends", Op: -1, Own: true}}},
		"umpire asks about this: prints (the environment; rule a).":                       {Effect: umpire.Ask, Reasons: []umpire.Reason{{Rule: "a", Effect: umpire.Ask, Text: "prints", Op: 2}}},
		"umpire asks about this: prints (pass show k; rule a).":                           {Effect: umpire.Ask, Reasons: []umpire.Reason{{Rule: "a", Effect: umpire.Ask, Text: "prints", Op: 4}}},
		"umpire asks about this: no rule settles sort, and that is the policy's default.": {Effect: umpire.Ask, Unsettled: []int{0}},
	} {
		about := []umpire.Operation{{Kind: umpire.Exec, Resource: "sort"}, {Kind: umpire.Network, Resource: "x"}, {Kind: umpire.System, Resource: "secret read environment"}, {Kind: umpire.Exec, Resource: "pass show k"}, {Kind: umpire.System, Resource: "secret read k"}}
		if len(d.Unsettled) > 0 {
			about = about[:1]
		}
		if got := Reason(d, about); got != want {
			t.Errorf("Reason: got %q, want %q", got, want)
		}
	}
	var many umpire.Decision
	for range 50 {
		many.Reasons = append(many.Reasons, umpire.Reason{Text: strings.Repeat("x", 500), Suggest: strings.Repeat("y", 500), Op: -1})
	}
	if n := len(Reason(many, nil)); n > 2*maxReason {
		t.Errorf("%d bytes, want at most %d", n, 2*maxReason)
	}
}

// A reason names the place in a file that has what is stopped, without what would steer
// a terminal.
func TestReasonNamesOrigin(t *testing.T) {
	d := umpire.Decision{Effect: umpire.Deny, Reasons: []umpire.Reason{{Rule: "r", Effect: umpire.Deny, Text: "deletes a home folder", Op: 0}}}
	got := Reason(d, []umpire.Operation{{Kind: umpire.Delete, Resource: "/home/dev", Origin: "`make x`, Make\x1b[2Jfile:12"}})
	if want := "(/home/dev from `make x`, Make\\x1b[2Jfile:12; rule r)"; !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
}

// A reason speaks of each rule once with all its objects, and of each object once, in the
// words of the call.
func TestReasonSaysThingsOnce(t *testing.T) {
	ops := []umpire.Operation{
		{Kind: umpire.Exec, Resource: "psql -c 'drop table users'"},
		{Kind: umpire.Database, Resource: "drop-table users"},
		{Kind: umpire.Delete, Resource: "/p/a"}, {Kind: umpire.Delete, Resource: "/p/b"}, {Kind: umpire.Delete, Resource: "/p/c"}, {Kind: umpire.Delete, Resource: "/p/d"},
		{Kind: umpire.Delete, Resource: umpire.Hole + "/x"},
		{Kind: umpire.Delete, Resource: umpire.Hole},
		{Kind: umpire.Git, Resource: "reset --hard"},
	}
	ask := func(rule, text string, op int) umpire.Reason {
		return umpire.Reason{Rule: rule, Effect: umpire.Ask, Text: text, Op: op}
	}
	for want, reasons := range map[string][]umpire.Reason{
		"drops data (psql -c 'drop table users'; rule drop).":                                                     {ask("drop", "drops data", 1), ask("milder", "changes rows", 1)},
		"deletes a folder (/p/a, /p/b, /p/c, 1 more; rule del); throws work away (git reset --hard; rule reset).": {ask("del", "deletes a folder", 2), ask("del", "deletes a folder", 3), ask("reset", "throws work away", 8), ask("del", "deletes a folder", 4), ask("del", "deletes a folder", 5)},
		"deletes something (<unknown>/x; rule u).":                                                                {ask("u", "deletes something", 6), ask("u", "deletes something", 7)},
		"deletes something (rule u).":                                                                             {ask("u", "deletes something", 7)},
	} {
		if got := Reason(umpire.Decision{Effect: umpire.Ask, Reasons: reasons}, ops); got != "umpire asks about this: "+want {
			t.Errorf("Reason =\n%s\nwant\n%s", got, want)
		}
	}
}

// The words of the user's own rule are read beside those of a built-in rule about the same
// object.
func TestReasonSaysTheUsersWords(t *testing.T) {
	ops := []umpire.Operation{{Kind: umpire.Exec, Resource: "make deploy"}}
	d := umpire.Decision{Effect: umpire.Ask, Reasons: []umpire.Reason{
		{Rule: "mine", Effect: umpire.Ask, Text: "ships to customers", Own: true},
		{Rule: "infra-change", Effect: umpire.Ask, Text: "changes a system that others use"},
		{Rule: "milder", Effect: umpire.Ask, Text: "runs a script"},
		{Rule: "mine-too", Effect: umpire.Ask, Text: "tell Ada first", Own: true},
	}}
	want := "umpire asks about this: ships to customers (make deploy; rule mine); changes a system that others use (make deploy; rule infra-change); tell Ada first (make deploy; rule mine-too)."
	if got := Reason(d, ops); got != want {
		t.Errorf("Reason =\n%s\nwant\n%s", got, want)
	}
}

// What happens fits a screen of 400 characters, whatever the number of rules.
func TestReasonFitsAScreen(t *testing.T) {
	var ops []umpire.Operation
	d := umpire.Decision{Effect: umpire.Deny}
	for i := range 30 {
		ops = append(ops, umpire.Operation{Kind: umpire.Delete, Resource: "/p/" + strings.Repeat("x", i+50)})
		d.Reasons = append(d.Reasons, umpire.Reason{Rule: "r" + strings.Repeat("r", i), Effect: umpire.Deny, Text: "deletes a part of the operating system", Op: i})
	}
	if got := Reason(d, ops); len(got) > maxReason+20 || !strings.HasSuffix(got, " more.") {
		t.Errorf("%d bytes, want %d that end in the number of others: %s", len(got), maxReason, got)
	}
}
