package queue

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Each key of umpire queue watch sends the answer that its help names, about the requests on display
// only, and everything else sends nothing.
func TestWatchAnswers(t *testing.T) {
	t.Setenv("UMPIRE_TOKEN", "token")
	var sent []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // the narrowest rule for a request
			_, _ = io.WriteString(w, `{"rule":"network(h)"}`)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		var in struct {
			Status, Category, Digest, Scope, Rule string
			Seen                                  []struct{ ID, Digest string }
		}
		if err := json.Unmarshal(body, &in); err != nil {
			t.Error(err)
		}
		said := []string{r.Method, r.URL.Path, in.Status, in.Category, in.Digest, in.Scope, in.Rule}
		for _, q := range in.Seen {
			said = append(said, q.ID+"="+q.Digest)
		}
		sent = append(sent, strings.Join(strings.Fields(strings.Join(said, " ")), " "))
		_, _ = io.WriteString(w, "{}")
	}))
	defer srv.Close()
	for _, tt := range []struct{ words, want string }{
		{"a r1", "POST /api/queue/r1/approve d1 once"},
		{"approve r1", "POST /api/queue/r1/approve d1 once"},
		{"aa r2", "POST /api/queue/r2/approve d2 always network(h)"},
		{"d r1", "POST /api/queue/r1/deny d1 once"},
		{"deny r1", "POST /api/queue/r1/deny d1 once"},
		{"A git", "POST /api/queue/bulk approved git r1=d1 r3=d3"},
		{"D git", "POST /api/queue/bulk denied git r1=d1 r3=d3"},
		{"D network", "POST /api/queue/bulk denied network r2=d2"},
		{"a r9", ""}, {"a", ""}, {"x r1", ""}, {"a r1 r2", ""}, {"l", ""},
	} {
		sent = nil
		var out strings.Builder
		w := &requestList{f: &gatewayFlags{server: srv.URL}, out: &out, open: []Request{{ID: "r1", Digest: "d1", Category: "git"}, {ID: "r2", Digest: "d2", Category: "network"}, {ID: "r3", Digest: "d3", Category: "git"}}}
		err := w.runCommand(t.Context(), strings.Fields(tt.words))
		if got := strings.Join(sent, "; "); got != tt.want || (err == nil) != (tt.want != "" || tt.words == "l") {
			t.Errorf("%s sends %q, %v, want %q", tt.words, got, err, tt.want)
		}
		if tt.words == "l" && strings.Count(out.String(), "git") < 2 {
			t.Errorf("l lists %q, want all requests on display", out.String())
		}
	}
}

// A list without a request says so, and one that is not whole says how much is left out.
func TestQueueSaysWhatIsMissing(t *testing.T) {
	t.Setenv("UMPIRE_TOKEN", "token")
	for _, tt := range []struct{ answer, want string }{
		{`{"pending":[]}`, "no pending requests\n"},
		{`{"pending":[{"id":"r1","category":"git","action":"push"}],"waiting":{"a":3,"b":2}}`, "and 4 more, from 2 agents in total"},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, tt.answer) }))
		c := New(nil)
		var out strings.Builder
		c.SetOut(&out)
		c.SetArgs([]string{"--server", srv.URL})
		if err := c.Execute(); err != nil || !strings.Contains(out.String(), tt.want) {
			t.Errorf("%s: %v, prints %q, want %q", tt.answer, err, out.String(), tt.want)
		}
		srv.Close()
	}
}

// With the token of an agent, each command names the token, and sends nothing.
func TestAgentsToken(t *testing.T) {
	t.Setenv("UMPIRE_TOKEN", "umpa_x")
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("sent %s %s", r.Method, r.URL) }))
	defer srv.Close()
	for _, args := range [][]string{{}, {"watch"}, {"output", "req-1"}, {"show", "--full", "req-1"}, {"stop", "req-1"}} {
		c := New(nil)
		c.SetOut(io.Discard)
		c.SetErr(io.Discard)
		c.SetArgs(append(args, "--server", srv.URL))
		if err := c.Execute(); err == nil || !strings.Contains(err.Error(), "this is the token of an agent") {
			t.Errorf("umpire queue %s: got %v, want an error about the token", strings.Join(args, " "), err)
		}
	}
}
