package modelproxy_test

import (
	"strings"
	"testing"
)

// The system prompt gets its clause in place, the same at each turn; what the operator says
// later, and a request without a prompt, stay as they are.
func TestPrompt(t *testing.T) {
	u := newUpstream(t, says(`{}`))
	o := options()
	o.Prompt = func(system string) string { return system + "\nMARK" }
	at := serve(t, o, u)
	for name, tt := range map[string]struct{ path, body, was, is string }{
		"messages":           {"/v1/messages", `{ "system":"Cook <b>.","messages":[{"role":"user","content":"hi"}]}`, `"Cook <b>."`, `"Cook <b>.\nMARK"`},
		"messages, in parts": {"/v1/messages", `{"system":[{"type":"text","text":"I am a client."},{"type":"text","text":"Cook.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"hi"},{"role":"system","content":"Later."}]}`, `"Cook."`, `"Cook.\nMARK"`},
		"messages, counted":  {"/v1/messages/count_tokens", `{"system":"Cook.","messages":[]}`, `"Cook."`, `"Cook.\nMARK"`},
		"chat":               {"/v1/chat/completions", `{"messages":[{"role":"developer","content":"Cook."},{"role":"user","content":"Cook."},{"role":"system","content":"Later."}]}`, `"content":"Cook."}`, `"content":"Cook.\nMARK"}`},
		"responses":          {"/v1/responses", `{"instructions":"Cook.","input":"hi"}`, `"Cook."`, `"Cook.\nMARK"`},
		"responses, items":   {"/v1/responses", `{"input":[{"role":"system","content":[{"type":"input_text","text":"Cook."}]},{"role":"user","content":"hi"}]}`, `"Cook."`, `"Cook.\nMARK"`},
		"none":               {"/v1/messages", `{"messages":[{"role":"user","content":"hi"}]}`, "", ""},
		"an empty one":       {"/v1/messages", `{"system":"","messages":[{"role":"user","content":"hi"}]}`, "", ""},
	} {
		for range 2 {
			if res, answer := post(t, at+tt.path, tt.body); res.StatusCode != 200 {
				t.Fatalf("%s: %s %s", name, res.Status, answer)
			}
			if got, want := u.last(t).body, strings.Replace(tt.body, tt.was, tt.is, 1); got != want {
				t.Errorf("%s: sent %s, want %s", name, got, want)
			}
		}
	}
}
