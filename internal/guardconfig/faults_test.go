package guardconfig

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// All faults of a configuration are told at once, each with its line and column.
func TestGuardConfigFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guard.yaml")
	for text, want := range map[string][]string{
		"{":                                      {"guard.yaml:1:1: not YAML: "},
		"mode: observe\nguard: {pii: {on: x}}\n": {`guard.yaml:1:1: unknown key "mode": write it under guard`, `guard.yaml:2:15: unknown key "on": use one of also, enabled, kinds`},
		"guard:\n  inputValidation: {minLength: 100, maxLength: 10}\n": {"guard.yaml:2:32: inputValidation.minLength: 100 is more than maxLength, 10"},
		"guard:\n  enabeld: true\n  rateLimit: {perMinute: many, tenants: [a]}\n  pii: [email]\n  patterns: {id: x}\n": {
			`guard.yaml:2:3: unknown key "enabeld" (did you mean "enabled"?)`, `guard.yaml:3:26: guard.rateLimit.perMinute must be a whole number, not "many"`,
			"guard.yaml:3:41: guard.rateLimit.tenants must be a mapping, not a list", "guard.yaml:4:8: guard.pii must be a mapping, not a list", "guard.yaml:5:13: guard.patterns must be a list",
		},
		"guard:\n  mode: watch\n  stages: {pii: {mode: off}}\n  topicDrift: {enabled: true, maxScore: 3}\n  classification: {enabled: true, blockedCategories: [fish]}\n": {
			"guard.yaml:2:9: mode: unknown mode", "guard.yaml:3:24: stages.pii.mode", "guard.yaml:4:41: topicDrift.maxScore", "guard.yaml:5:", "fish",
		},
		"guard:\n  mode: watch\n  enabeld: true\n  tenants: {a: {mode: off, pii: {enabled: true, kinds: [cats], regions: [XX]}}}\n  messages: {OFF_TOPC: {de: Nein}}\n  classifier: {protocol: moderation, url: \"localhost:80\", timeout: [3s]}\n  patterns: [{id: x, action: mask, pattern: \"(\"}, {id: y, action: frob, literals: [z]}]\n": {
			"guard.yaml:2:9: mode: unknown mode", "guard.yaml:3:3: unknown key", "guard.yaml:4:23: tenants.a.mode", "guard.yaml:4:56: tenants.a.pii.kinds", "use one of credit_card iban", "guard.yaml:4:73: tenants.a.pii.regions",
			`guard.yaml:5:24: messages.OFF_TOPC: unknown category (did you mean "OFF_TOPIC"?)`, "guard.yaml:6:43: classifier.url", "guard.yaml:6:68: guard.classifier.timeout must be a text", `guard.yaml:7:13: patterns: rule "x"`, `guard.yaml:7:13: patterns: rule "y"`,
		},
		"guard:\n  rateLimit: {perMinute: 0, tenants: {a: {perHour: 0x0}}}\n  topicDrift: {maxScore: 0.0}\n  classifier: {callsPerDay: -0, cache: 0s}\n  inputValidation: {maxLength: -1}\n": { // the guard would use the defaults
			"guard.yaml:2:26: guard.rateLimit.perMinute must be more than 0", "guard.rateLimit.tenants.a.perHour must be more than 0", "guard.topicDrift.maxScore must be more than 0", "guard.classifier.callsPerDay must be more than 0", "guard.inputValidation.maxLength must be more than 0",
		},
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path)
		if err == nil {
			t.Errorf("%s: no error", text)
			continue
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q is not in\n%v", w, err)
			}
		}
		if strings.Contains(err.Error(), "guard.Config") || strings.Contains(err.Error(), "*bool") {
			t.Errorf("a type of Go in\n%v", err)
		}
	}
	good := "# all of it\nguard:\n  mode: observe\n  stages: {injectionDetection: {mode: enforce, threshold: 0.6}}\n  exceptions: [{text: hello, tenant: a}]\n  messages: {OFF_TOPIC: {de: Nein}}\n  rateLimit: {perMinute: 5, tenants: {a: {perHour: 3}}}\n  patterns: [{id: x, action: mask, literals: [y]}]\n"
	if err := os.WriteFile(path, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := Read(path); err != nil || c.Guard.Mode != "observe" || c.Guard.RateLimit.PerMinute != 5 || c.Guard.RateLimit.Tenants["a"].PerHour != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}

// The settings that name users are held against what a request can have, all at once.
func TestIdentityFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guard.yaml")
	text := "guard:\n  users:\n    header: X User\n    token: {header: \"X:T\", secret: \"env:NOPE\"}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Identity(func(string) string { return "" })
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range []string{"guard.yaml:3:13: users.header", "guard.yaml:4:21: users.token.header", "guard.yaml:4:36: users.token.secret", "users.token: remove header"} {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q is not in\n%v", w, err)
		}
	}
	c.Guard.Users.Header, c.Guard.Users.Token.Header = "", "X-User_Token"
	if _, err = c.Identity(func(string) string { return strings.Repeat("k", MinToken) }); err != nil {
		t.Error(err)
	}
}
