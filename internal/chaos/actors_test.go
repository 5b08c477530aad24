//go:build unix

package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/umpire-dev/umpire/client"
)

// actors are the ways to ask, by their names. Each asks once and returns when it has heard
// what became of that, or ctx ends.
func (w *world) actors() map[string]func(ctx context.Context, name string) {
	return map[string]func(context.Context, string){"sdk": w.bySDK, "run": w.bySDKRun, "rest": w.byREST, "rest-run": w.byRESTRun, "fickle": w.fickle, "mcp": w.byMCP, "mcp-run": w.byMCPRun, "hook": w.byHook}
}

func (w *world) sdk() *client.Client {
	urls := w.urls()
	rand.Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
	return &client.Client{URL: strings.Join(urls, ","), Token: w.agent, Session: "chaos"}
}

func (w *world) acknowledged(id string, q asked) *asked {
	w.mu.Lock()
	defer w.mu.Unlock()
	if old := w.asked[id]; old != nil {
		return old
	}
	w.asked[id] = &q
	return &q
}

// heard notes the answer. Of an error that is none, nothing is noted: the request has to end
// all the same.
func (w *world) heard(q *asked, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var no *client.Denied
	switch {
	case err == nil:
		q.status = "approved"
	case errors.As(err, &no):
		q.status = string(no.Status)
	}
}

// bySDK asks for a write, which newer ones for the same file supersede, or for the network,
// where rules answer some.
func (w *world) bySDK(ctx context.Context, name string) {
	c := w.sdk()
	r := client.Request{Category: "network", Action: "CONNECT " + name + ".example:443"}
	switch rand.IntN(4) {
	case 0:
		r.Action = "CONNECT free.example:443"
	case 1:
		r = client.Request{Category: "filesystem", Action: "Write shared.txt", Metadata: map[string]any{"toolName": "Write", "targetFile": "shared.txt", "writeContent": name}}
	}
	r.Lease = 60_000
	a, err := c.Submit(ctx, r)
	if err != nil {
		w.t.Errorf("%s: %v", name, err)
		return
	}
	q := w.acknowledged(a.ID, asked{by: name})
	_, err = c.Wait(ctx, a.ID)
	w.heard(q, err)
}

// bySDKRun has a command run.
func (w *world) bySDKRun(ctx context.Context, name string) {
	res, err := w.sdk().RequestExec(ctx, "echo "+name+" >> effects", "", "")
	var no *client.Denied
	if err != nil && !errors.As(err, &no) && !errors.Is(err, client.ErrUnknown) && ctx.Err() == nil {
		w.t.Errorf("%s: %v", name, err)
	}
	if err == nil && res.ExitCode != 0 {
		w.t.Errorf("%s: %+v", name, res)
	}
	w.mu.Lock()
	w.commands[name] = err
	w.mu.Unlock()
}

type answer struct {
	ID, Status string
}

// byREST asks as a script does: with a key of its own, again until somebody hears it.
func (w *world) byREST(ctx context.Context, name string) {
	w.rest(ctx, name, "/api/queue", map[string]any{"category": "git", "action": "push " + name, "key": name, "lease": 60_000}, asked{by: name})
}

func (w *world) rest(ctx context.Context, name, path string, in map[string]any, about asked) (id string) {
	a := newAPI(w.urls(), w.agent)
	defer a.http.CloseIdleConnections()
	var got answer
	status, err := a.until(ctx, rand.IntN(10), http.MethodPost, path, in, &got)
	if err != nil || status != http.StatusCreated {
		w.t.Errorf("%s: %d %v", name, status, err)
		return ""
	}
	q := w.acknowledged(got.ID, about)
	for got.Status == "pending" {
		if _, err := a.until(ctx, rand.IntN(10), http.MethodGet, "/api/queue/"+got.ID+"?wait=5s", nil, &got); err != nil {
			if ctx.Err() == nil {
				w.t.Errorf("%s: %v", name, err)
			}
			return ""
		}
	}
	w.mu.Lock()
	q.status = got.Status
	w.mu.Unlock()
	return got.ID
}

// byRESTRun has a command run, and looks until its end is known.
func (w *world) byRESTRun(ctx context.Context, name string) {
	id := w.rest(ctx, name, "/api/exec", map[string]any{"command": "echo " + name + " >> effects", "key": name}, asked{by: name, line: name})
	if id == "" {
		return
	}
	a := newAPI(w.urls(), w.agent)
	defer a.http.CloseIdleConnections()
	for {
		var x answer
		if _, err := a.until(ctx, rand.IntN(10), http.MethodGet, "/api/exec/"+id+"?wait=5s", nil, &x); err != nil {
			if ctx.Err() == nil {
				w.t.Errorf("%s: %v", name, err)
			}
			return
		}
		switch x.Status {
		case "completed", "failed", "unknown", "conflict", "denied", "expired", "superseded", "cancelled":
			w.mu.Lock()
			w.asked[id].ran = x.Status
			w.mu.Unlock()
			return
		}
	}
}

// fickle asks and soon wants nothing of it any more.
func (w *world) fickle(ctx context.Context, name string) {
	c := w.sdk()
	a, err := c.Submit(ctx, client.Request{Category: "network", Action: "CONNECT " + name + ".example:443", Lease: 10 * time.Second})
	if err != nil {
		w.t.Errorf("%s: %v", name, err)
		return
	}
	q := w.acknowledged(a.ID, asked{by: name})
	short, cancel := context.WithTimeout(ctx, rand.N(400*time.Millisecond))
	defer cancel()
	_, err = c.Wait(short, a.ID)
	w.heard(q, err)
}

// bearer sends a token along.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}

// tool calls a tool as an agent's client does, which goes to another gateway with its next
// call when this one broke. It returns nil if nothing was heard.
func (w *world) tool(ctx context.Context, name, tool string, in map[string]any) *toolAnswer {
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	c := mcp.NewClient(&mcp.Implementation{Name: name}, nil)
	urls := w.urls()
	s, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: urls[rand.IntN(len(urls))] + "/mcp", HTTPClient: &http.Client{Transport: bearer{w.agent, transport}}, MaxRetries: -1}, nil)
	if err != nil {
		lookAgain(ctx)
		return nil
	}
	defer func() { _ = s.Close() }()
	res, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: in})
	if err != nil || res.IsError {
		return nil
	}
	data, err := json.Marshal(res.StructuredContent)
	var out toolAnswer
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil || out.ID == "" {
		w.t.Errorf("%s: %s %v", name, data, err)
		return nil
	}
	return &out
}

type toolAnswer struct {
	ID, Status string
	ExitCode   *int
}

func (w *world) byMCP(ctx context.Context, name string) {
	if a := w.tool(ctx, name, "request_permission", map[string]any{"category": "git", "action": "push " + name}); a != nil {
		w.acknowledged(a.ID, asked{by: name, status: a.Status})
	}
}

func (w *world) byMCPRun(ctx context.Context, name string) {
	line := "echo " + name + " >> effects"
	a := w.tool(ctx, name, "request_exec", map[string]any{"command": line})
	w.mu.Lock()
	w.commands[name] = errors.New("nothing was heard")
	if a != nil && a.ExitCode != nil && a.Status == "completed" {
		w.commands[name] = nil
	}
	w.mu.Unlock()
	if a != nil {
		w.acknowledged(a.ID, asked{by: name, line: name})
	}
}

// byHook has a coding agent's hook ask, on a machine whose policy names one of the gateways.
func (w *world) byHook(ctx context.Context, name string) {
	home := filepath.Join(w.dir, "hook", name)
	config, project := filepath.Join(home, ".config", "umpire"), filepath.Join(home, "project")
	urls := w.urls()
	policy := "version: 1\nrules:\n  - ask: exec(make deploy*)\napproval: {cannotAsk: wait, wait: 8s, gateway: {url: '" + urls[rand.IntN(len(urls))] + "', always: true}}\n"
	err := errors.Join(os.MkdirAll(config, 0o700), os.MkdirAll(project, 0o700),
		os.WriteFile(filepath.Join(config, "gateway.token"), []byte(w.agent), 0o600), os.WriteFile(filepath.Join(config, "policy.yaml"), []byte(policy), 0o600))
	if err != nil {
		w.t.Error(err)
		return
	}
	cmd := exec.CommandContext(ctx, filepath.Join(w.bin, "umpire-hook"), "codex")
	cmd.Dir, cmd.Env = project, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	cmd.Stdin = strings.NewReader(`{"hook_event_name":"PreToolUse","session_id":"` + name + `","cwd":"` + project + `","tool_name":"Bash","tool_input":{"command":"make deploy ` + name + `"}}`)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Errorf("%s: %v", name, err)
	}
	w.mu.Lock()
	w.hooks[name] = err == nil && !strings.Contains(string(out), `"deny"`)
	w.mu.Unlock()
}

// answer is a person who looks at all that waits, now at one gateway and now at another, and
// answers what another one may be answering too.
func (w *world) answer(ctx context.Context, i int) {
	a := newAPI(w.urls(), w.people[i])
	who := "person" + string(rune('0'+i))
	for ctx.Err() == nil {
		url := a.urls[rand.IntN(len(a.urls))]
		var out struct {
			Pending []struct{ ID, Digest, Category string }
		}
		if _, err := a.once(ctx, url, http.MethodGet, "/api/queue", nil, &out); err != nil || len(out.Pending) == 0 {
			lookAgain(ctx)
			continue
		}
		for _, p := range out.Pending {
			approve := rand.IntN(3) > 0
			verb := map[bool]string{true: "approve", false: "deny"}[approve]
			var ok struct{ OK bool }
			_, err := a.once(ctx, url, http.MethodPost, "/api/queue/"+p.ID+"/"+verb, map[string]any{"digest": p.Digest}, &ok)
			w.mu.Lock()
			switch {
			case errors.Is(err, errAway): // it may count
				w.unheard[p.ID]++
			case err != nil:
				w.t.Errorf("%s answers %s: %v", who, p.ID, err)
			case ok.OK:
				w.said[p.ID] = append(w.said[p.ID], said{who, approve})
			}
			w.mu.Unlock()
			if err != nil {
				break
			}
		}
	}
}
