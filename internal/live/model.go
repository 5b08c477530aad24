package live

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits. Clients send all of their instructions with every request.
const (
	maxRequest = 32 << 20
	maxResult  = 4 << 10 // stored bytes of one tool's result
	maxNames   = 200     // stored names of tools
	ioTime     = time.Minute
)

// Form is one way to make a call: a tool's name and its input.
type Form struct {
	Tool  string
	Input any
	Text  string // for a tool that takes plain text (OpenAI's custom tools), instead of Input
}

// ScriptedCall is one call that the model requests. Clients rename their tools between versions: the first
// form whose tool the client offers is used.
type ScriptedCall []Form

// Model is a model with a fixed script: one call per turn, then a line of text. It speaks
// Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini's
// generateContent, streamed or whole.
//
// It has no memory of a conversation: the number of tool results in a request says which
// call is due. So titles, summaries and retries do not disturb it.
type Model struct {
	URL string // URL of the server, without a trailing slash

	script []ScriptedCall
	server *http.Server
	done   chan struct{}

	mu         sync.Mutex // guards the fields below
	transcript Transcript
}

// Transcript is the content of a client's requests to the model.
type Transcript struct {
	Requests int      // to one of the four interfaces
	Asked    int      // number of calls of the script that were requested
	Offered  []string // tools in the last request that offered any
	Results  []string // results of the calls as the client reported them, in order
}

// final is the model's answer at the end of its script.
const final = "All done."

// StartModel listens on addr, host:port, until Close.
func StartModel(addr string, script []ScriptedCall) (*Model, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, err
	}
	m := &Model{URL: "http://" + l.Addr().String(), script: script, done: make(chan struct{})}
	m.server = &http.Server{Handler: m, ReadHeaderTimeout: ioTime, ReadTimeout: ioTime, WriteTimeout: ioTime, MaxHeaderBytes: 1 << 20}
	go func() {
		defer close(m.done)
		_ = m.server.Serve(l) // returns ErrServerClosed
	}()
	return m, nil
}

// Close ends the server and all of its connections.
func (m *Model) Close() {
	_ = m.server.Close()
	<-m.done
}

// Transcript returns the content of the requests so far.
func (m *Model) Transcript() Transcript {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.transcript
	h.Offered, h.Results = slices.Clone(h.Offered), slices.Clone(h.Results)
	return h
}

// ServeHTTP implements http.Handler.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != "" { // a WebSocket: with this answer clients take plain HTTP
		w.Header().Set("Connection", "close")
		w.WriteHeader(http.StatusUpgradeRequired)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		reply(w, http.StatusRequestEntityTooLarge, object{"error": object{"message": err.Error()}})
		return
	}
	if api := route(r.Method, r.URL.Path); api != nil {
		api(m, w, r, body)
		return
	}
	// Everything else is the client's overhead: settings, telemetry, updates.
	status := http.StatusNotFound
	if (r.Method == http.MethodGet || r.Method == http.MethodHead) && !strings.HasPrefix(r.URL.Path, registry) {
		status = http.StatusOK
	}
	reply(w, status, object{})
}

// registry answers package managers: there are no packages.
const registry = "/registry/"

// route finds the handler of a path. Clients may prepend a base path.
func route(method, path string) func(*Model, http.ResponseWriter, *http.Request, []byte) {
	if method == http.MethodGet && strings.HasSuffix(path, "/models") {
		return serveModels
	}
	if method != http.MethodPost {
		return nil
	}
	for _, e := range []struct {
		suffix string
		api    func(*Model, http.ResponseWriter, *http.Request, []byte)
	}{
		{"/messages/count_tokens", serveCount},
		{"/messages", serveMessages},
		{"/responses", serveResponses},
		{"/chat/completions", serveChat},
		{":countTokens", serveCount},
		{":generateContent", serveGenerate},
		{":streamGenerateContent", serveGenerate},
	} {
		if strings.HasSuffix(path, e.suffix) {
			return e.api
		}
	}
	return nil
}

// due returns the form of the next call, if the client offers its tool.
func (m *Model) due(offered, results []string) (Form, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.transcript.Requests++
	if len(offered) > 0 {
		m.transcript.Offered = offered[:min(len(offered), maxNames)]
	}
	if len(results) > len(m.transcript.Results) && len(results) <= len(m.script) {
		for i, s := range results {
			results[i] = s[:min(len(s), maxResult)]
		}
		m.transcript.Results = results
	}
	n := len(results)
	if n >= len(m.script) {
		return Form{}, false
	}
	for _, f := range m.script[n] {
		if slices.Contains(offered, f.Tool) {
			m.transcript.Asked = max(m.transcript.Asked, n+1)
			return f, true
		}
	}
	return Form{}, false
}

// object is a JSON object that is written.
type object = map[string]any

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have left
}

// stream writes server-sent events.
type stream struct{ w http.ResponseWriter }

func openStream(w http.ResponseWriter) stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	return stream{w}
}

// send writes one event. Without a name it has data only.
func (s stream) send(name string, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		return // an invalid script: the client will report that the stream ended early
	}
	if name != "" {
		_, _ = io.WriteString(s.w, "event: "+name+"\n")
	}
	_, _ = io.WriteString(s.w, "data: "+string(b)+"\n\n")
}
