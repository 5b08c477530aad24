package modelproxy_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/guard"
)

// What each kind of event becomes, where text is held back, said again, replaced or dropped. The
// file holds events ("< " from the model, "> " to the client), so each added, changed and missing
// event counts. UPDATE=1 writes them anew; review each line that changes.
func TestEvents(t *testing.T) {
	const name = "testdata/events.txt"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for c := range strings.SplitSeq(strings.TrimPrefix(string(data), "=== "), "\n=== ") {
		head, lines, _ := strings.Cut(strings.TrimSuffix(c, "\n"), "\n")
		_, path, _ := strings.Cut(head, ": ")
		var sent, want []string
		for l := range strings.SplitSeq(lines, "\n") {
			if e, ok := strings.CutPrefix(l, "< "); ok {
				sent = append(sent, e)
			} else {
				want = append(want, l)
			}
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, serve(t, options(), newUpstream(t, streams(sse(sent), 1<<20)))+path, strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil {
			body = append(body, "(cut)"...)
		}
		_ = res.Body.Close()
		var got []string
		for l := range strings.SplitSeq(string(body), "\n") {
			if l != "" {
				got = append(got, "> "+l)
			}
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w && os.Getenv("UPDATE") == "" {
			t.Errorf("%s: got\n%s\nwant\n%s", head, g, w)
		}
		out.WriteString("=== " + head + "\n")
		for _, e := range sent {
			out.WriteString("< " + e + "\n")
		}
		for _, l := range got {
			out.WriteString(l + "\n")
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// verdict is a guard with one result.
type verdict guard.Result

func (v verdict) Check(context.Context, guard.Request) guard.Result { return guard.Result(v) }

// A refusal has the status, the kind and the code that the APIs define for its reason, and the
// operator's text instead of the reason.
func TestKindsOfRefusals(t *testing.T) {
	for _, tt := range []struct {
		result            guard.Result
		status            int
		openAI, anthropic string
	}{
		{guard.Reject(guard.Blocked, "why"), 400, `"message":"umpire stopped the prompt (BLOCKED): why","type":"invalid_request_error","param":null,"code":"blocked"`, "invalid_request_error"},
		{guard.Reject(guard.Blocked, ""), 400, `it is not allowed`, "it is not allowed"},
		{guard.Result{Verdict: guard.Rejected, Category: guard.Blocked, Reason: "why", Message: "ask the desk"}, 400, `"message":"ask the desk"`, "ask the desk"},
		{guard.Result{Verdict: guard.Rejected, Category: guard.RateLimited, RetryAfter: 7}, 429, `"type":"rate_limit_error"`, "rate_limit_error"},
		{guard.Reject(guard.Unauthorized, "why"), 403, `"type":"permission_error"`, "permission_error"},
		{guard.Reject(guard.SystemError, "why"), 500, `"type":"server_error"`, "api_error"},
	} {
		o := options()
		o.Input = verdict(tt.result)
		at := serve(t, o, newUpstream(t, says(`{}`)))
		for path, want := range map[string]string{"/v1/chat/completions": tt.openAI, "/v1/messages": tt.anthropic} {
			res, body := post(t, at+path, `{"messages":[{"role":"user","content":"x"}]}`)
			if res.StatusCode != tt.status || !strings.Contains(body, want) {
				t.Errorf("%s, %s: got %s and %s, want %d and %s", path, tt.result.Category, res.Status, body, tt.status, want)
			}
			if after := res.Header.Get("Retry-After"); (tt.status == http.StatusTooManyRequests) != (after == "7") {
				t.Errorf("%s, %s: Retry-After is %q", path, tt.result.Category, after)
			}
		}
	}
}
