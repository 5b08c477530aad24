package queue

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/gateway"
)

// A name of several credentials, and one that is another's ID, revoke nothing by accident.
func TestTokenID(t *testing.T) {
	tokens := []gateway.Token{{ID: "a1", Name: "builder"}, {ID: "b2", Name: "twice"}, {ID: "c3", Name: "twice"}, {ID: "d4", Name: "a1"}}
	for arg, want := range map[string]string{"builder": "a1", "c3": "c3", "a1": "a1", "twice": "b2 c3", "nobody": "token list", "": "token list"} {
		id, err := tokenID(tokens, arg)
		if err != nil && !strings.Contains(err.Error(), want) || err == nil && id != want {
			t.Errorf("%q: %q, %v; want %q", arg, id, err, want)
		}
	}
}

// The list has the deny rules first and those of sessions last, and says when a rule ends.
func TestRulesAreListed(t *testing.T) {
	var l storedRules
	if err := json.Unmarshal([]byte(`{"stored":[{"id":"r1","type":"deny","rule":"exec(a)\nexec(b)","session":"s1","agent":"a1"},
		{"id":"r2","type":"allow","rule":"exec(c)","expiresAt":"2030-01-02T03:04:05Z"},{"id":"r3","type":"deny","rule":"exec(d)"}]}`), &l); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	l.print(&b)
	end := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC).Local().Format(time.DateTime)
	if got := b.String(); got != "deny   exec(d)\nallow  exec(c)\n       until "+end+"\ndeny   exec(a)\n  and  exec(b)\n       only for session s1 of agent a1; rule ID r1\n" {
		t.Errorf("rules as printed:\n%s", got)
	}
}

// A rule that matched nothing may lack a part of the requests.
func TestRuleMatchedNothing(t *testing.T) {
	var b strings.Builder
	(&ruleTested{Of: 3}).print(&b)
	if got := b.String(); got != "This rule would have matched 0 of the last 3 requests\nAn allow rule must cover all that a request would do.\n" {
		t.Errorf("%q", got)
	}
}

// The columns of a test of a rule are those of other lists.
func TestRuleTestColumns(t *testing.T) {
	var tested ruleTested
	if err := json.Unmarshal([]byte(`{"of":2,"matched":2,"examples":[{"seq":7,"status":"superseded","category":"exec","action":"a"},{"seq":13,"status":"denied","category":"exec","action":"b"}]}`), &tested); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	tested.print(&b)
	lines := strings.Split(b.String(), "\n")
	for _, column := range []string{"superseded", "denied"} {
		at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, column) })
		if at < 0 || strings.Index(lines[at], column) != 13 || strings.Index(lines[at], "exec:") != 24 {
			t.Errorf("%s is not in its column:\n%s", column, b.String())
		}
	}
}

// The history names everyone who approved, and how the approved work ended.
func TestSettledRequestAsPrinted(t *testing.T) {
	asked := time.UnixMilli(0).Local().Format(time.DateTime) + " by an agent\n"
	for _, c := range []struct{ name, raw, want string }{
		{"a rule", `{"resolvedBy":"auto"`, "approved by auto, asked " + asked},
		{"two people", `{"operator":"bob","votes":[{"operator":"ada"},{"operator":"bob"}]`, "approved by ada, bob, asked " + asked},
		{"a failure", `{"operator":"bob","execution":{"status":"failed","exitCode":137,"stoppedBy":"eve\u001b"}`, "approved by bob, asked " + asked + `          failed, exit code 137, stopped by eve\x1b` + "\n"},
		{"no command", `{"operator":"bob","execution":{"status":"unknown"}`, "approved by bob, asked " + asked + "          unknown\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var q Request
			if err := json.Unmarshal([]byte(c.raw+`,"seq":1,"category":"exec","action":"make","status":"approved"}`), &q); err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			q.print(&b)
			if want := "req-1     exec       make\n          " + c.want; b.String() != want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), want)
			}
		})
	}
}

// The status of a command has a line of its own.
func TestStatusAfterOutput(t *testing.T) {
	for _, text := range []string{`a\n`, "a"} {
		var said strings.Builder
		cmd := &cobra.Command{}
		cmd.SetErr(&said)
		in := `{"stream":"stderr","text":"` + text + `"}{"stream":"stderr"}{"status":"completed","exitCode":0}`
		if err := printOutput(cmd, strings.NewReader(in), false); err != nil || said.String() != "a\ncompleted, exit code 0\n" {
			t.Errorf("printOutput: got %q, %v, want the output and its exit code", said.String(), err)
		}
	}
}
