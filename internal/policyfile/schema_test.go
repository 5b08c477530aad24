package policyfile_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

// valid is as much of JSON Schema as Schema uses.
func valid(s map[string]any, v any, at string) error {
	if enum, ok := s["enum"].([]any); ok && !slices.ContainsFunc(enum, func(e any) bool { return fmt.Sprint(e) == fmt.Sprint(v) }) {
		return fmt.Errorf("%s: %v is none of %v", at, v, enum)
	}
	for key, want := range map[string]int{"anyOf": -1, "oneOf": 1} {
		list, ok := s[key].([]any)
		if !ok {
			continue
		}
		n := 0
		for _, sub := range list {
			if valid(sub.(map[string]any), v, at) == nil {
				n++
			}
		}
		if n == 0 || want == 1 && n != 1 {
			return fmt.Errorf("%s: %v matches %d of %s", at, v, n, key)
		}
	}
	required, _ := s["required"].([]any)
	for _, k := range required {
		if m, ok := v.(map[string]any); ok && m[k.(string)] == nil {
			return fmt.Errorf("%s: no %s", at, k)
		}
	}
	ok := true
	switch s["type"] {
	case "string":
		_, ok = v.(string)
	case "boolean":
		_, ok = v.(bool)
	case "integer":
		_, ok = v.(uint64)
	case "array":
		var list []any
		if list, ok = v.([]any); ok {
			for i, e := range list {
				if err := valid(s["items"].(map[string]any), e, fmt.Sprintf("%s[%d]", at, i)); err != nil {
					return err
				}
			}
		}
	case "object":
		var m map[string]any
		if m, ok = v.(map[string]any); ok {
			props, _ := s["properties"].(map[string]any)
			for k, e := range m {
				p, known := props[k].(map[string]any)
				if !known {
					if s["additionalProperties"] == false {
						return fmt.Errorf("%s: unknown key %s", at, k)
					}
					if p, known = s["additionalProperties"].(map[string]any); !known {
						continue
					}
					if err := valid(s["propertyNames"].(map[string]any), k, at); err != nil {
						return err
					}
				}
				if err := valid(p, e, at+"."+k); err != nil {
					return err
				}
			}
		}
	}
	if !ok {
		return fmt.Errorf("%s: %v is no %v", at, v, s["type"])
	}
	return nil
}

// An editor that checks files by the schema must agree with umpire about them.
func TestSchemaAgreesWithParse(t *testing.T) {
	var s map[string]any
	if err := json.Unmarshal(policyfile.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		in string
		ok bool
	}{
		{"version: 1\n", true},
		{"version: 1\ndefaultAction: ask\npacks: [core]\nmodes: {network: deny-all, filesystem: approve-bulk}\njudge: {enabled: true, timeout: 2s, mayAllow: [ambiguous]}\nmode: observe\napproval: {cannotAsk: wait}\naudit: {keep: 3}\n", true},
		{"version: 1\nrules:\n  - {deny: exec(a), when: {tool: [Bash], trait: '!force', tainted: true}, hits: [a, {tool: Write, input: {x: 1}}]}\n", true},
		{"version: 1\nrules:\n  - {ask: [exec(a), exec(b)], unless: exec(a b), observe: true}\n", true},
		{"rules: []\n", false},
		{"version: 2\n", false},
		{"version: 1\ndefaultAction: maybe\n", false},
		{"version: 1\nrules:\n  - {deny: exec(a), ask: exec(b)}\n", false},
		{"version: 1\nrules:\n  - {reason: x}\n", false},
		{"version: 1\nrules:\n  - {deny: exec(a), whn: {}}\n", false},
		{"version: 1\nmodes: {text: deny-all}\n", false},
		{"version: 1\nmodes: {network: deny}\n", false},
	} {
		_, err := policyfile.Parse("p.yaml", []byte(tc.in), policy.User)
		if (err == nil) != tc.ok {
			t.Errorf("parsing %q: error %v, want it to be valid: %t", tc.in, err, tc.ok)
		}
		var v any
		if err := yaml.Unmarshal([]byte(tc.in), &v); err != nil {
			t.Fatal(err)
		}
		if err := valid(s, v, "policy"); (err == nil) != tc.ok {
			t.Errorf("by the schema, %q: %v", tc.in, err)
		}
	}
	var pack any
	if err := yaml.Unmarshal([]byte(gitPack), &pack); err != nil {
		t.Fatal(err)
	}
	if err := valid(s, pack, "pack"); err != nil {
		t.Error(err)
	}
}

func TestSchemaDescribesEveryKey(t *testing.T) {
	var walk func(s map[string]any, at string)
	walk = func(s map[string]any, at string) {
		props, _ := s["properties"].(map[string]any)
		for k, p := range props {
			p := p.(map[string]any)
			if d, _ := p["description"].(string); strings.TrimSpace(d) == "" {
				t.Errorf("%s.%s has no description", at, k)
			}
			walk(p, at+"."+k)
		}
		if items, ok := s["items"].(map[string]any); ok {
			walk(items, at+"[]")
		}
	}
	var s map[string]any
	if err := json.Unmarshal(policyfile.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	walk(s, "policy")
}

// A token must not pass in the clear, nor come from where the agent happens to be.
func TestGatewaySettings(t *testing.T) {
	for _, tt := range []struct {
		url, file string
		ok        bool
	}{
		{"https://gateway.example.com", "", true},
		{"http://127.0.0.1:3700/", "~/t", true},
		{"http://[::1]:3700", "/etc/umpire/t", true},
		{"http://localhost:3700", "", true},
		{"http://gateway.example.com", "", false},
		{"http://10.0.0.1:3700", "", false},
		{"https://user:secret@gateway.example.com", "", false},
		{"https://gateway.example.com/?a=b", "", false},
		{"ftp://127.0.0.1", "", false},
		{"gateway.example.com", "", false},
		{"", "", false},
		{"https://gateway.example.com", "token", false},
	} {
		path := filepath.Join(t.TempDir(), "policy.yaml")
		if err := os.WriteFile(path, []byte("version: 1\npacks: []\napproval: {gateway: {url: '"+tt.url+"', tokenFile: '"+tt.file+"'}}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := policyfile.Load(policyfile.Paths{User: path}, nil); (err == nil) != tt.ok {
			t.Errorf("%q, %q: error %v, want it to be valid: %t", tt.url, tt.file, err, tt.ok)
		}
	}
}
