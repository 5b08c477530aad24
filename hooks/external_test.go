package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/hooks"
)

// The test binary is its own external hook: HOOK_TEST says what it does.
func TestMain(m *testing.M) {
	switch do := os.Getenv("HOOK_TEST"); {
	case do == "":
		os.Exit(m.Run())
	case do == "sleep":
		time.Sleep(time.Hour) // a hook that does not end: its deadline kills it
	case do == "flood":
		for {
			fmt.Print(strings.Repeat("x", 1<<16))
			if os.Getppid() == 1 {
				os.Exit(0)
			}
		}
	case do == "large":
		fmt.Print(`{"result":"continue"}` + strings.Repeat(" ", 1<<20))
	case do == "silent":
		os.Exit(2)
	case strings.HasPrefix(do, "save "):
		b, _ := io.ReadAll(os.Stdin)
		_ = os.WriteFile(do[5:], b, 0o600)
	case strings.HasPrefix(do, "exit "):
		fmt.Fprintln(os.Stderr, "not on a Friday")
		os.Exit(int(do[5] - '0'))
	default:
		fmt.Print(do)
	}
	os.Exit(0)
}

func TestExternal(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, do string
		status   int // of the service
		secrets  bool
		want     string // part of the error, or the parameters
		fails    bool   // a failure, and no answer
	}{
		{"silence", "", 204, false, "", false},
		{"continue", `{"result":"continue"}`, 200, false, "", false},
		{"reject", `{"result":"reject","reason":"no"}`, 200, false, "no (hook x)", false},
		{"pending", `{"result":"pending","id":"1","message":"sure?"}`, 200, false, "pending approval: sure?", false},
		{"modify", `{"result":"modify","params":{"a":2}}`, 200, true, "map[a:2]", false},
		{"modify what is masked", `{"result":"modify","params":{"a":2}}`, 200, false, "masked", true},
		{"misspelled", `{"result":"contine"}`, 200, false, "unknown result", true},
		{"unknown key", `{"result":"continue","reazon":"x"}`, 200, false, "not the expected JSON", true},
		{"garbage", `continue`, 200, false, "not the expected JSON", true},
		{"two documents", `{"result":"continue"}{"result":"reject"}`, 200, false, "more than one", true},
		{"huge", `{"result":"` + strings.Repeat("x", 1<<20) + `"}`, 200, false, "larger than", true},
		{"an error", `{"result":"continue"}`, 500, false, "500", true},
		{"a redirect", "", 302, false, "302", true},
	} {
		for _, how := range []string{"program", "service"} {
			t.Run(tt.name+", "+how, func(t *testing.T) {
				x := hooks.External{Name: "x", Event: "beforeToolCall", FailOnError: true, Secrets: tt.secrets, Timeout: hooks.Duration(time.Minute)}
				if how == "program" {
					if tt.status != 200 && tt.status != 204 || len(tt.do) > 1<<17 {
						return // a program has no status, and its environment has a limit
					}
					t.Setenv("HOOK_TEST", tt.do)
					x.Command = []string{self}
					if tt.do == "" {
						t.Setenv("HOOK_TEST", "save "+filepath.Join(t.TempDir(), "x"))
					}
				} else {
					srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
						w.Header().Set("Location", "/elsewhere")
						w.WriteHeader(tt.status)
						_, _ = io.WriteString(w, tt.do)
					}))
					defer srv.Close()
					x.URL = srv.URL
				}
				e := quiet()
				if err := e.Add(x); err != nil {
					t.Fatal(err)
				}
				got, err := e.Call(t.Context(), hooks.NewRun("u", "").Call("T", map[string]any{"a": 1}))
				var r *hooks.Rejected
				switch {
				case tt.want == "":
					if err != nil {
						t.Error(err)
					}
				case strings.HasPrefix(tt.want, "map"):
					if fmt.Sprint(got) != tt.want {
						t.Errorf("result %v, error %v; want %s", got, err, tt.want)
					}
				case !errors.As(err, &r) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hook execution failed") != tt.fails:
					t.Errorf("error %v, want a rejection with %q, a failed hook: %t", err, tt.want, tt.fails)
				}
			})
		}
	}
}

func TestExternalStatus(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for do, want := range map[string]string{"exit 2": "not on a Friday", "exit 1": "hook execution failed", "sleep": "hook execution failed", "flood": "hook execution failed",
		"large": "its answer is larger than", "silent": "rejected by " + self} {
		t.Setenv("HOOK_TEST", do)
		e := quiet()
		timeout := time.Minute
		if do == "sleep" || do == "flood" {
			timeout = 100 * time.Millisecond
		}
		if err := e.Add(hooks.External{Name: "x", Event: "beforeAgentStart", Command: []string{self}, FailOnError: true, Timeout: hooks.Duration(timeout)}); err != nil {
			t.Fatal(err)
		}
		if err := e.Start(t.Context(), hooks.NewRun("u", "")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", do, err, want)
		}
	}
}

// What a hook is told has what it needs, and no secret that was not asked for.
func TestExternalMessage(t *testing.T) {
	var got []map[string]any
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m map[string]any
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil || r.Header.Get("X-Key") != "k" {
			t.Error(err, r.Header)
		}
		got = append(got, m)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer srv.Close()
	e := quiet()
	for _, event := range []string{"beforeAgentStart", "beforeToolCall", "afterToolCall", "afterAgentComplete"} {
		if err := e.Add(hooks.External{Name: event, Event: event, URL: srv.URL, Headers: map[string]string{"X-Key": "k"}, FailOnError: true, Timeout: hooks.Duration(time.Minute)}); err != nil {
			t.Fatal(err)
		}
	}
	r := hooks.NewRun("ada", "go")
	r.Set("tenant", "north")
	r.Set("session", map[string]any{"api_key": "hunter2", "n": 1})
	r.Set("authToken", "hunter2")
	r.Set("done", make(chan int))
	r.Set("ratio", math.NaN())
	c := r.Call("T", map[string]any{"path": "p", "password": "hunter2"})
	if err := e.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Call(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	out := hooks.ToolResult{Output: "o", Err: errors.New("bad"), Took: time.Second}
	if err := e.Called(t.Context(), c, &out); err != nil {
		t.Fatal(err)
	}
	if err := e.Complete(t.Context(), r, hooks.Outcome{Response: "done", Err: context.Canceled}); err != nil {
		t.Fatal(err)
	}
	if len(got) != 4 {
		t.Fatalf("%d messages, want 4: %v", len(got), got)
	}
	for i, want := range []string{"beforeAgentStart", "beforeToolCall", "afterToolCall", "afterAgentComplete"} {
		run, _ := got[i]["run"].(map[string]any)
		if got[i]["event"] != want || run["id"] != r.ID || run["user"] != "ada" {
			t.Errorf("message %d is %v, want the event %s of run %s and ada", i, got[i], want, r.ID)
		}
		if meta := map[string]any{"tenant": "north", "session": map[string]any{"api_key": "***", "n": 1.0}, "authToken": "***", "done": "***", "ratio": "***"}; !reflect.DeepEqual(run["metadata"], meta) {
			t.Errorf("message %d: metadata %v", i, run["metadata"])
		}
	}
	call, _ := got[1]["call"].(map[string]any)
	if !reflect.DeepEqual(call["params"], map[string]any{"path": "p", "password": "***"}) {
		t.Errorf("the call is %v, want its parameters with the password masked", call)
	}
	if res, _ := got[2]["result"].(map[string]any); res["output"] != "o" || res["error"] != "bad" || res["durationMs"] != 1000.0 {
		t.Errorf("the result is %v, want the output o, the error bad and 1000 ms", got[2])
	}
	if out := got[3]["outcome"]; !reflect.DeepEqual(out, map[string]any{"response": "done", "error": "context canceled", "canceled": true}) {
		t.Errorf("the outcome is %v", out)
	}
}

// A service that cannot be reached, or whose answer breaks off, has not let anything pass.
func TestExternalConnectionFaults(t *testing.T) {
	for name, do := range map[string]http.HandlerFunc{
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"result":"continue"}`)
		},
		"closed": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"gone":   nil,
	} {
		srv := httptest.NewServer(do)
		defer srv.Close()
		if do == nil {
			srv.Close()
		}
		for _, closed := range []bool{false, true} {
			e := quiet()
			if err := e.Add(hooks.External{Name: "x", Event: "beforeToolCall", URL: srv.URL, FailOnError: closed}); err != nil {
				t.Fatal(err)
			}
			var r *hooks.Rejected
			if _, err := e.Call(t.Context(), hooks.NewRun("u", "").Call("T", nil)); errors.As(err, &r) != closed || closed && !strings.Contains(r.Reason, "hook execution failed") {
				t.Errorf("%s, failing closed: %v: got %v", name, closed, err)
			}
		}
	}
}

// A hook that is trusted with secrets gets the metadata as it is stored.
func TestExternalMetadataUnmasked(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "message")
	t.Setenv("HOOK_TEST", "save "+file)
	e := quiet()
	if err := e.Add(hooks.External{Name: "x", Event: "beforeAgentStart", Command: []string{self}, FailOnError: true, Secrets: true, Timeout: hooks.Duration(time.Minute)}); err != nil {
		t.Fatal(err)
	}
	r := hooks.NewRun("ada", "go")
	r.Set("authToken", "hunter2")
	r.Set("done", make(chan int))
	if err := e.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Run struct{ Metadata map[string]any }
	}
	if b, err := os.ReadFile(file); err != nil || json.Unmarshal(b, &got) != nil || !reflect.DeepEqual(got.Run.Metadata, map[string]any{"authToken": "hunter2", "done": "***"}) {
		t.Errorf("error %v, message %s; want the metadata authToken: hunter2 and done: ***", err, b)
	}
}

func TestExternalFaults(t *testing.T) {
	for name, x := range map[string]hooks.External{
		"event":     {Name: "x", Event: "before", Command: []string{"true"}},
		"no name":   {Event: "beforeToolCall", Command: []string{"true"}},
		"neither":   {Name: "x", Event: "beforeToolCall"},
		"both":      {Name: "x", Event: "beforeToolCall", Command: []string{"true"}, URL: "http://x"},
		"empty":     {Name: "x", Event: "beforeToolCall", Command: []string{""}},
		"file":      {Name: "x", Event: "beforeToolCall", URL: "file:///etc/passwd"},
		"no host":   {Name: "x", Event: "beforeToolCall", URL: "http://"},
		"not a URL": {Name: "x", Event: "beforeToolCall", URL: "http://[x"},
	} {
		if err := quiet().Add(x); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(`{"result":"modify","params":{"a":[1,{"b":null}]}}`)
	f.Add(`{"result":"reject"}`)
	f.Fuzz(func(t *testing.T, body string) {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
		defer srv.Close()
		e := quiet()
		if err := e.Add(hooks.External{Name: "x", Event: "beforeToolCall", URL: srv.URL, FailOnError: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Call(t.Context(), hooks.NewRun("u", "").Call("T", nil)); err == nil && !strings.Contains(body, "continue") && !strings.Contains(body, `\u`) {
			t.Errorf("%q lets the call pass", body)
		}
	})
}

// In configuration a time is a text or a number of seconds, and nothing else.
func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{`"5s"`: 5 * time.Second, `"1m30s"`: 90 * time.Second, `5`: 5 * time.Second, `0.5`: 500 * time.Millisecond, `0`: 0,
		`"5"`: -1, `"soon"`: -1, `-1`: -1, `"-1s"`: -1, `true`: -1, `null`: -1, `{}`: -1, `1e300`: -1} {
		var x hooks.External
		err := json.Unmarshal([]byte(`{"timeout":`+text+`}`), &x)
		if (err != nil) != (want < 0) || err == nil && time.Duration(x.Timeout) != want {
			t.Errorf("%s: read %v, error %v; want %v (negative: an error)", text, time.Duration(x.Timeout), err, want)
		}
	}
	var back hooks.External
	b, err := json.Marshal(hooks.External{Timeout: hooks.Duration(90 * time.Second)})
	if err == nil {
		err = json.Unmarshal(b, &back)
	}
	if err != nil || time.Duration(back.Timeout) != 90*time.Second || !strings.Contains(string(b), `"1m30s"`) {
		t.Errorf("%s was read back as %v, error %v; want 1m30s", b, time.Duration(back.Timeout), err)
	}
}
