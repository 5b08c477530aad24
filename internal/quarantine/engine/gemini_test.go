//go:build unix

package engine

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/quarantine/modeltest"
)

func TestGeminiOutlet(t *testing.T) {
	d, a, _ := sitting(t, map[string]string{"a": "x\n"})
	m := modeltest.Start(t, func(modeltest.Turn) modeltest.Say { return modeltest.Say{Text: "hello"} })
	c := config(t, m.URL)
	c.Model.Provider, c.KeyVar = "gemini", "OTHER_KEY"
	f, err := NewExternalAgent(c, "gemini", script(t, "gemini", "exit 0"), umpire(t))
	if err != nil {
		t.Fatal(err)
	}
	d.Config = &f.config
	o, err := openOutlet(t.Context(), f.broker, d, a)
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	const stream = "/v1beta/models/the-model:streamGenerateContent?alt=sse"
	sendAll(t, o.URL, "X-Goog-Api-Key", []sent{
		{"as it should be", stream, o.Placeholder, `{"contents":[{"role":"user","parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[{"name":"mcp_umpire_read"}]}],"generationConfig":{}}`, 200},
		{"whole", "/v1beta/models/the-model:generateContent", o.Placeholder, `{"contents":[]}`, 200},
		{"no key", stream, "", `{"contents":[]}`, 401},
		{"the real key", stream, modeltest.Key, `{"contents":[]}`, 401},
		{"another model", "/v1beta/models/another:generateContent", o.Placeholder, `{"contents":[]}`, 403},
		{"another address", "/v1beta/files", o.Placeholder, `{}`, 404},
		{"another verb", "/v1beta/models/the-model:batchGenerateContent", o.Placeholder, `{}`, 404},
		{"another protocol", "/v1/chat/completions", o.Placeholder, `{"model":"the-model"}`, 404},
		{"a shell", stream, o.Placeholder, `{"contents":[],"tools":[{"functionDeclarations":[{"name":"run_shell_command"}]}]}`, 403},
		{"a name of umpire's without its server", stream, o.Placeholder, `{"contents":[],"tools":[{"functionDeclarations":[{"name":"glob"}]}]}`, 403},
		{"a search of the provider's", stream, o.Placeholder, `{"contents":[],"tools":[{"googleSearch":{}}]}`, 403},
		{"a fetch of the provider's", stream, o.Placeholder, `{"contents":[],"tools":[{"functionDeclarations":[],"urlContext":{}}]}`, 403},
		{"code at the provider's", stream, o.Placeholder, `{"contents":[],"tools":[{"codeExecution":{}}]}`, 403},
		{"a cache", stream, o.Placeholder, `{"contents":[],"cachedContent":"x"}`, 403},
		{"a file by address", stream, o.Placeholder, `{"contents":[{"parts":[{"fileData":{"fileUri":"https://evil.example"}}]}]}`, 403},
		{"a file", stream, o.Placeholder, `{"contents":[{"parts":[{"inlineData":{"data":"x"}}]}]}`, 403},
		{"no JSON", stream, o.Placeholder, `{`, 403},
		{"a call of a tool that there is not", stream, o.Placeholder, `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"run_shell_command","args":{}}}]}]}`, 200},
	})
	if n := len(m.Turns()); n != 3 {
		t.Errorf("%d requests got through", n)
	}
	if cause(o.fault) != errRefused.Error() {
		t.Errorf("the report says %q", cause(o.fault))
	}
	if a.denied != 1 {
		t.Errorf("%d calls were denied", a.denied)
	}
	for _, turn := range m.Turns() {
		if turn.Header.Get("X-Goog-Api-Key") != modeltest.Key || turn.Header.Get("Authorization") != "" {
			t.Errorf("the key is in %v", turn.Header)
		}
	}
}

// A model's name becomes a part of an address.
func TestGeminiModelNames(t *testing.T) {
	c := config(t, "http://127.0.0.1:1")
	c.Model.Provider, c.KeyVar = "gemini", "OTHER_KEY"
	for _, name := range []string{"../files", "a/b", "x:batchGenerateContent", "x?alt=y", "x#y", "%2e%2e", ".."} {
		c.Model.Name = name
		if _, err := NewExternalAgent(c, "gemini", script(t, "gemini", "exit 0"), umpire(t)); err == nil {
			t.Errorf("%q is let through", name)
		}
	}
	c.Model.Name, c.Model.BaseURL = "", "http://elsewhere.example"
	if _, err := NewExternalAgent(c, "gemini", script(t, "gemini", "exit 0"), umpire(t)); err == nil || !strings.Contains(err.Error(), "gemini") || !strings.Contains(err.Error(), "https") {
		t.Errorf("an address that would send the key unencrypted: %v", err)
	}
}
