package engine

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/quarantine"
	"github.com/umpire-dev/umpire/internal/wire"
)

const geminiProvider = "gemini"

// google has a separate protocol. Only Gemini CLI uses it, and it uses no other, so package wire
// does not list it.
var google = wire.Provider{Name: geminiProvider, KeyVar: "GEMINI_API_KEY", Base: "https://generativelanguage.googleapis.com", Small: "gemini-2.5-pro"}

var geminiClient = client{
	name: "gemini", protocols: []string{geminiProvider},
	login: "A Google login cannot pay for a review: it is for another service than the Gemini API, and the client starts without your home, which has the login. Set GEMINI_API_KEY to a key of Google AI Studio, or use another model with --engine builtin.",
	prepare: func(p place, s start) error {
		dir := filepath.Join(p.Home, ".gemini")
		names := geminiTools()
		return errors.Join(
			os.MkdirAll(filepath.Join(dir, "policies"), 0o700),
			os.WriteFile(filepath.Join(dir, "policies", "umpire.toml"), []byte("[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 100\n\n"+
				"[[rule]]\ntoolName = "+toml(names...)+"\ndecision = \"allow\"\npriority = 200\n"), 0o600),
			os.WriteFile(filepath.Join(p.Root, "system.txt"), []byte(s.system), 0o600),
			writeJSON(filepath.Join(dir, "settings.json"), obj{
				"security": obj{"auth": obj{"selectedType": "gemini-api-key"}, "folderTrust": obj{"enabled": false}, "disableYoloMode": true},
				// Built-in tools that are not listed do not exist. The policy above denies them as
				// well.
				"tools": obj{"core": names, "useRipgrep": false, "truncateToolOutputThreshold": maxOutput},
				"mcp":   obj{"allowed": []string{"umpire"}},
				// trust turns off the client's questions. umpire decides on each call.
				"mcpServers":    obj{"umpire": obj{"command": s.umpire, "args": []string{mcpName, s.socket}, "trust": true, "includeTools": []string{"read", "grep", "glob"}}},
				"general":       obj{"enableAutoUpdate": false, "enableAutoUpdateNotification": false, "sessionRetention": obj{"enabled": false}, "plan": obj{"enabled": false}, "maxAttempts": 3},
				"model":         obj{"compressionThreshold": 1},
				"context":       obj{"includeDirectoryTree": false, "discoveryMaxDirs": 1},
				"experimental":  obj{"enableAgents": false},
				"skills":        obj{"enabled": false},
				"hooksConfig":   obj{"enabled": false},
				"privacy":       obj{"usageStatisticsEnabled": false},
				"telemetry":     obj{"enabled": false},
				"useWriteTodos": false,
			}),
		)
	},
	args: func(_ place, s start) []string {
		return []string{"-m", s.model, "-o", "json", "-e", "none", "--approval-mode", "default", "--allowed-mcp-server-names", "umpire"}
	},
	env: func(p place, s start) []string {
		return []string{
			"GEMINI_API_KEY=" + s.placeholder, "GOOGLE_GEMINI_BASE_URL=" + s.url, "GEMINI_SYSTEM_MD=" + filepath.Join(p.Root, "system.txt"),
			"GEMINI_CLI_NO_RELAUNCH=true", "GEMINI_CLI_TRUST_WORKSPACE=true",
			"GEMINI_CLI_SYSTEM_SETTINGS_PATH=" + filepath.Join(p.Root, "none.json"), "GEMINI_CLI_SYSTEM_DEFAULTS_PATH=" + filepath.Join(p.Root, "none.json"),
		}
	},
	answer: func(_ place, stdout []byte) (string, error) {
		var said struct{ Response string }
		at := max(0, bytes.IndexByte(stdout, '{'))
		if err := json.NewDecoder(bytes.NewReader(stdout[at:])).Decode(&said); err != nil || said.Response == "" {
			return "", errSaid
		}
		return said.Response, nil
	},
}

// geminiTools maps Gemini CLI's names to umpire's tools.
func geminiTools() (names []string) {
	for _, n := range []string{quarantine.Read, quarantine.Grep, quarantine.Glob} {
		names = append(names, "mcp_umpire_"+externalNames[n])
	}
	return names
}

// resolve returns the provider that the review uses.
func (c *Config) resolve() (wire.Provider, error) {
	if c.Model.Provider != geminiProvider {
		return wire.Find(c.Model.Provider)
	}
	if n := c.Model.Name; n != strings.Trim(n, "/.:?#% ") || strings.ContainsAny(n, "/:?#%") { // it becomes part of a URL
		return google, fmt.Errorf("provider gemini: %q is not a model's name", n)
	}
	return google, nil
}

// protocol returns the provider's API.
func (c *Config) protocol() string {
	switch c.Model.Provider {
	case geminiProvider, "anthropic":
		return c.Model.Provider
	}
	return "openai"
}

// builtin rejects a provider that umpire itself cannot use.
func (c *Config) builtin() error {
	if c.protocol() != geminiProvider {
		return nil
	}
	return errors.New("provider gemini: only --engine gemini speaks its protocol; use --provider openai --base-url " + google.Base + "/v1beta/openai --api-key-env " + google.KeyVar)
}

// serveGemini is ServeHTTP for Google's protocol.
func (o *outlet) serveGemini(w http.ResponseWriter, r *http.Request) {
	// Other users of this machine would spend the user's money.
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Goog-Api-Key")), []byte(o.Placeholder)) != 1 {
		o.refuse(w, http.StatusUnauthorized, errors.New("the key is not the one of this review"))
		return
	}
	rest, under := strings.CutPrefix(r.URL.Path, "/v1beta/models/")
	name, verb, _ := strings.Cut(rest, ":")
	query := ""
	switch {
	case !under || r.Method != http.MethodPost:
		o.refuse(w, http.StatusNotFound, errors.New("there is nothing here"))
		return
	case verb == "countTokens":
		_, _ = io.WriteString(w, `{"totalTokens":1}`)
		return
	case verb == "streamGenerateContent":
		query = "?alt=sse"
	case verb != "generateContent":
		o.refuse(w, http.StatusNotFound, errors.New("there is nothing here"))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAsked))
	if err == nil {
		err = o.checkGemini(name, body)
	}
	if err != nil {
		o.forbid(w, err)
		return
	}
	o.pass(w, r, "/v1beta/models/"+o.b.model+":"+verb+query, body)
}

// geminiFields are the permitted fields of a request. Others make the provider fetch, run or
// remember something.
var geminiFields = []string{"contents", "systemInstruction", "tools", "toolConfig", "generationConfig", "safetySettings"}

// geminiParts are the permitted parts of a conversation: no files, by URL or otherwise, and no
// code.
var geminiParts = []string{"text", "thought", "thoughtSignature", "functionCall", "functionResponse"}

// checkGemini refuses requests that would give a model more than umpire's tools.
func (o *outlet) checkGemini(name string, body []byte) error {
	if name != o.b.model {
		return errors.New("the request is for another model")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return errors.New("the request is not JSON")
	}
	for field := range fields {
		if !slices.Contains(geminiFields, field) {
			return fmt.Errorf("the request has %.60q", field)
		}
	}
	var tools []map[string]json.RawMessage
	if raw := fields["tools"]; raw != nil {
		if err := json.Unmarshal(raw, &tools); err != nil {
			return errors.New("cannot read the request's tools")
		}
	}
	for _, t := range tools {
		for kind, raw := range t {
			if kind != "functionDeclarations" {
				return fmt.Errorf("the client offers the model a tool of its own, %.60q", kind)
			}
			var list []struct{ Name string }
			if err := json.Unmarshal(raw, &list); err != nil {
				return errors.New("cannot read the request's tools")
			}
			for _, f := range list {
				if !slices.Contains(geminiTools(), f.Name) {
					return fmt.Errorf("the client offers the model a tool of its own, %.60q", f.Name)
				}
			}
		}
	}
	if err := o.lookGemini(fields["contents"]); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.turns--; o.turns < 0 {
		return fmt.Errorf("%w: %d turns (--max-turns)", errLimit, o.d.MaxTurns)
	}
	return nil
}

// lookGemini checks the parts of a conversation, and records calls of unknown tools, which the
// client answers by itself.
func (o *outlet) lookGemini(raw json.RawMessage) error {
	var contents []struct {
		Parts []map[string]json.RawMessage
	}
	if err := json.Unmarshal(raw, &contents); err != nil {
		return errors.New("cannot read the request's conversation")
	}
	for i, c := range contents {
		for j, part := range c.Parts {
			for kind := range part {
				if !slices.Contains(geminiParts, kind) {
					return fmt.Errorf("the client sent a message part of an unknown kind, %.60q", kind)
				}
			}
			raw, ok := part["functionCall"]
			if !ok {
				continue
			}
			var call struct {
				Name string
				Args json.RawMessage
			}
			if err := json.Unmarshal(raw, &call); err != nil {
				return errors.New("cannot read the request's conversation")
			}
			if slices.Contains(geminiTools(), call.Name) {
				continue
			}
			id := fmt.Sprintf("%d.%d", i, j) // not every version sends call IDs
			o.mu.Lock()
			known := o.seen[id] || len(o.seen) > 10_000
			o.seen[id] = true
			o.mu.Unlock()
			if !known {
				o.d.decide(o.a, call.Name, call.Args, "")
			}
		}
	}
	return nil
}
