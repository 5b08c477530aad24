package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"github.com/umpire-dev/umpire/cmd/umpire/agent"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/store"
)

// agentGateway is a gateway that an agent's policy names, and whoever answers there.
type agentGateway struct {
	t    *testing.T
	g    *gateway.Gateway
	s    *store.Store
	late atomic.Int64 // how long it takes to hear that a question is taken back, in milliseconds
}

func newAgentGateway(t *testing.T, home string) *agentGateway {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := gateway.New(t.Context(), gateway.Options{Store: s, Root: t.TempDir(), Layers: policyfile.Paths{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	a := &agentGateway{t: t, g: g, s: s}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			select {
			case <-time.After(time.Duration(a.late.Load()) * time.Millisecond):
			case <-r.Context().Done(): // who said it is gone, and it was never heard
				return
			}
		}
		g.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		_ = g.Close(context.WithoutCancel(t.Context()), false)
		srv.CloseClientConnections()
		srv.Close()
		_ = s.Close()
	})
	secret, _, err := g.NewToken(t.Context(), gateway.Token{Kind: gateway.Agent, Name: "laptop"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(home, ".config", "umpire", "gateway.token"), secret+"\n")
	put(t, filepath.Join(home, ".config", "umpire", "policy.yaml"), "version: 1\napproval: {gateway: {url: '"+srv.URL+"'}}\n")
	return a
}

// in returns the first request that got into a state.
func (a *agentGateway) in(state approval.State) approval.Request {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), 2*time.Minute)
	defer cancel()
	for {
		changed, stop := a.s.Changed("")
		list, err := a.s.List(ctx, approval.Filter{States: []approval.State{state}})
		if err == nil && len(list) > 0 {
			stop()
			return list[0]
		}
		select {
		case <-changed:
		case <-ctx.Done():
			a.t.Fatalf("no request got %s", state)
		}
		stop()
	}
}

func (a *agentGateway) answer(r approval.Request, yes bool) {
	a.t.Helper()
	who := gateway.Principal{Kind: gateway.Operator, Name: "ada", Role: gateway.Approver}
	if ok, err := a.g.Answer(a.t.Context(), who, r.ID, yes, gateway.Reply{Digest: r.Digest, Note: "said at the gateway"}); err != nil || !ok {
		a.t.Errorf("Answer at the gateway: got %v, %v, want true", ok, err)
	}
}

// A question of the agent's is open in the editor and at the gateway at the same time: the
// first answer counts, and the other place learns of it.
func TestAgentIsAnsweredAtTheGateway(t *testing.T) {
	program(t)
	for _, yes := range []bool{true, false} {
		home, dir := agentHome(t, "")
		people := newAgentGateway(t, home)
		m := scriptModel(t, "openai", 0, step{calls: calls("write_file", `{"file_path":"a.txt","content":"x"}`)}, step{text: "Well."})
		over := make(chan struct{})
		e := &editor{}
		e.answer = func(acp.RequestPermissionRequest) acp.RequestPermissionOutcome {
			people.answer(people.in(approval.Pending), yes)
			<-over
			return acp.NewRequestPermissionOutcomeCancelled() // too late
		}
		c := openEditor(t, m, home, dir, e)
		s, err := c.NewSession(t.Context(), acp.NewSessionRequest{Cwd: dir, McpServers: []acp.McpServer{}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Prompt(t.Context(), prompt(s.SessionId, "go"))
		close(over)
		if err != nil || r.StopReason != acp.StopReasonEndTurn {
			t.Errorf("Prompt: got %+v, %v, want the turn to end", r, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "a.txt")); (err == nil) != yes {
			t.Errorf("answered %v, and then %v", yes, err)
		}
		if told := m.asked()[1]; !yes && !strings.Contains(told, "said at the gateway") {
			t.Errorf("the model was told %s", told)
		}
	}
}

// Where the policy names people who can be asked, an agent without a screen asks them, for as
// long as it says.
func TestAgentWithoutAScreenAsksThePeople(t *testing.T) {
	program(t)
	write := func() *agentModel {
		return scriptModel(t, "openai", 0, step{calls: calls("write_file", `{"file_path":"a.txt","content":"x"}`)}, step{text: "Well."})
	}
	for _, yes := range []bool{true, false} {
		home, dir := agentHome(t, "")
		people := newAgentGateway(t, home)
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			people.answer(people.in(approval.Pending), yes)
		}()
		want := map[bool]int{true: 0, false: agent.ExitStopped}[yes]
		out, errs, status := agentRun(t, write(), home, dir, "", "-p", "go")
		<-answered
		if _, err := os.Stat(filepath.Join(dir, "a.txt")); (err == nil) != yes || status != want {
			t.Errorf("answered %v: status %d, %v: %s%s", yes, status, err, out, errs)
		}
	}
	home, dir := agentHome(t, "approval: {cannotAsk: wait, wait: 1s}\n")
	out, errs, status := agentRun(t, write(), home, dir, "", "-p", "go", "--output", "json")
	if status != agent.ExitStopped || !strings.Contains(out, "no one answered") {
		t.Errorf("nobody answers: status %d: %s%s", status, out, errs)
	}
}

// What is answered in the editor is taken back at the gateway.
func TestAgentAnswerReachesTheGateway(t *testing.T) {
	program(t)
	home, dir := agentHome(t, "")
	people := newAgentGateway(t, home)
	m := scriptModel(t, "openai", 0, step{calls: calls("write_file", `{"file_path":"a.txt","content":"x"}`)}, step{text: "Well."})
	e := &editor{}
	e.answer = func(r acp.RequestPermissionRequest) acp.RequestPermissionOutcome {
		people.in(approval.Pending)
		return pick(acp.PermissionOptionKindAllowOnce)(r)
	}
	c := openEditor(t, m, home, dir, e)
	s, err := c.NewSession(t.Context(), acp.NewSessionRequest{Cwd: dir, McpServers: []acp.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := c.Prompt(t.Context(), prompt(s.SessionId, "go")); err != nil || r.StopReason != acp.StopReasonEndTurn {
		t.Errorf("Prompt: got %+v, %v, want the turn to end", r, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a.txt")); err != nil {
		t.Error(err)
	}
	people.in(approval.Cancelled)
}

// An agent that is at its end before the gateway heard that a question is settled waits for
// that: nobody else tells it.
func TestAgentEndsWithItsQuestions(t *testing.T) {
	program(t)
	home, dir := agentHome(t, "")
	people := newAgentGateway(t, home)
	people.late.Store(1000)
	m := scriptModel(t, "openai", 0, step{calls: calls("write_file", `{"file_path":"a.txt","content":"x"}`)}, step{text: "Well."})
	answered := make(chan error, 1)
	go func() {
		people.in(approval.Pending)
		box := question.Open(filepath.Join(home, ".local", "state", "umpire", "questions"))
		list, err := box.List(question.Pending)
		if err == nil && len(list) == 1 {
			_, err = box.Answer(list[0], question.Denied, "someone", "")
		}
		answered <- err
	}()
	_, errs, status := agentRun(t, m, home, dir, "", "-p", "go")
	if err := <-answered; err != nil || status != agent.ExitStopped {
		t.Errorf("%v, status %d: %s", err, status, errs)
	}
	people.in(approval.Cancelled)
}
