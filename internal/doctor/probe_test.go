package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/live/livetest"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/platform/clients"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/tools/programs"
)

func TestMain(m *testing.M) {
	livetest.Play()
	os.Exit(programs.Run(m))
}

// A hook trusts nothing of an environment that names another home. A probe names the home that counts, so
// that its folder for records is the one that the hook uses.
func TestProbeEnvironment(t *testing.T) {
	environ := []string{"PATH=/bin", "HOME=/other", "XDG_CONFIG_HOME=/other/c", "XDG_STATE_HOME=/other/s"}
	for own, want := range map[string]string{
		"":         "PATH=/bin HOME=/other XDG_CONFIG_HOME=/other/c XDG_STATE_HOME=/aside AGENT_TOOL_NAME=Bash",
		"/home/me": "PATH=/bin HOME=/home/me XDG_STATE_HOME=/aside AGENT_TOOL_NAME=Bash",
	} {
		if got := strings.Join(probeEnv(environ, own, "/aside"), " "); got != want {
			t.Errorf("own home %q: got %s, want %s", own, got, want)
		}
	}
}

// Every client's probe is a call to the program that it asks, and every client's no is
// understood as one.
func TestProbeOfEveryClient(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		t.Setenv(k, "")
	}
	t.Setenv("AGENT_TOOL_NAME", "Bash")
	d := &Doctor{Home: home, Getenv: os.Getenv}
	var err error
	if d.policy, err = packs.Default(); err != nil {
		t.Fatal(err)
	}
	for _, c := range clients.All() {
		if c.Name == "generic" {
			continue // it has no settings to be found
		}
		t.Run(c.Name, func(t *testing.T) {
			dir := t.TempDir()
			for command, want := range map[string]umpire.Effect{harmless: umpire.Allow, destructive: umpire.Deny} {
				data := payload(c.Name, command, dir)
				if got, known, err := d.expect(c.Name, data); err != nil || !known || got != want {
					t.Errorf("%s is expected to be %v, %v", command, got, err)
				}
				s := d.ask(t.Context(), filepath.Join(programs.Dir(t), "umpire-hook")+" "+c.Name, data, dir, filepath.Join(home, "aside"))
				if got, why := understood(c.Name, s); got != want || why != "" {
					t.Errorf("%s is %v, %q: %+v", command, got, why, s)
				}
			}
		})
	}
	if entries, _ := os.ReadDir(filepath.Join(home, ".local", "state")); len(entries) > 0 {
		t.Error("a probe is in the user's record")
	}
}

func TestModels(t *testing.T) {
	for _, tt := range []struct {
		name string
		list []model.Status
		err  error
		want Status
		says string
	}{
		{"no judge", nil, nil, OK, "the policy has no judge"},
		{"the second is there", []model.Status{{Name: "anthropic", Why: "no key"}, {Name: "ollama", Model: "m", Available: true}}, nil, OK, "ollama comes first"},
		{"nobody is there", []model.Status{{Name: "anthropic", Why: "no key"}}, nil, Warn, "anthropic: no key"},
		{"a fault", nil, errors.New("oops"), Fail, "oops"},
	} {
		var got Finding
		p, err := packs.Default()
		if err != nil {
			t.Fatal(err)
		}
		d := &Doctor{policy: p, Found: func(f Finding) { got = f }, Models: func(context.Context) ([]model.Status, error) { return tt.list, tt.err }}
		d.models(t.Context())
		if got.Check != "judge" || got.Status != tt.want || !strings.Contains(got.Text, tt.says) {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

func TestGateway(t *testing.T) {
	for _, tt := range []struct {
		fault error
		want  Status
		says  string
	}{
		{nil, OK, "questions also go to the people at https://gateway.example.com"},
		{errors.New("oops"), Warn, "no one at https://gateway.example.com can be asked: oops"},
	} {
		var got Finding
		d := &Doctor{people: &policyfile.Gateway{URL: "https://gateway.example.com"}, Found: func(f Finding) { got = f },
			Gateway: func(context.Context, *policyfile.Gateway) error { return tt.fault }}
		d.gateway(t.Context())
		if got.Check != "gateway" || got.Status != tt.want || got.Text != tt.says || (got.Next != "") != (tt.fault != nil) {
			t.Errorf("with the fault %v: %+v, want %s: %s", tt.fault, got, tt.want, tt.says)
		}
	}
}

func TestUnderstood(t *testing.T) {
	const deny = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`
	for _, tt := range []struct {
		name, client string
		said         probeAnswer
		want         umpire.Effect
		why          string
	}{
		{"nothing", "claude", probeAnswer{}, umpire.Allow, ""},
		{"the document alone", "claude", probeAnswer{out: deny}, umpire.Deny, ""},
		{"the status and a text", "claude", probeAnswer{err: "no", exit: 2}, umpire.Deny, ""},
		{"the status alone", "codex", probeAnswer{exit: 2}, umpire.Allow, "status 2"},
		{"a line before the document", "claude", probeAnswer{out: "debug\n" + deny}, umpire.Allow, "not the one JSON document"},
		{"two documents", "claude", probeAnswer{out: deny + deny}, umpire.Allow, "not the one JSON document"},
		{"no event's name", "claude", probeAnswer{out: `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`}, umpire.Allow, ""},
		{"no reason", "codex", probeAnswer{out: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`}, umpire.Allow, "without a reason"},
		{"a question", "claude", probeAnswer{out: strings.Replace(deny, `"deny"`, `"ask"`, 1)}, umpire.Ask, ""},
		{"another client's words", "gemini", probeAnswer{out: deny}, umpire.Allow, ""},
		{"a crash", "claude", probeAnswer{err: "panic", exit: 1}, umpire.Allow, "status 1"},
		{"no program", "codex", probeAnswer{err: "not found", exit: 127}, umpire.Allow, "127"},
		{"cline does not look at the status", "cline", probeAnswer{err: "no", exit: 2}, umpire.Allow, ""},
		{"cline's cancel", "cline", probeAnswer{out: `{"cancel":true,"errorMessage":"no"}`, exit: 2}, umpire.Deny, ""},
		{"a cancel that is a text", "cline", probeAnswer{out: `{"cancel":"true"}`}, umpire.Allow, "not the one JSON document"},
		{"cursor reads the document only", "cursor", probeAnswer{err: "no", exit: 2}, umpire.Allow, ""},
		{"a plugin takes any status", "opencode", probeAnswer{err: "no", exit: 1}, umpire.Deny, ""},
		{"no answer", "claude", probeAnswer{fault: errors.New("too late")}, umpire.Allow, "too late"},
	} {
		if got, why := understood(tt.client, tt.said); got != tt.want || !strings.Contains(why, tt.why) || tt.why == "" && why != "" {
			t.Errorf("%s: %v, %q", tt.name, got, why)
		}
	}
}
