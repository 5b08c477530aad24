package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

func TestHoldsKey(t *testing.T) {
	key := "ghp_" + random
	escaped := ""
	for _, c := range []byte(key) {
		escaped += fmt.Sprintf("%%%02X", c)
	}
	b64 := base64.StdEncoding.EncodeToString([]byte("token=" + key))
	for in, want := range map[string]bool{
		"https://h.example/?k=" + key:     true,
		"https://h.example/?k=" + escaped: true,
		"https://h.example/?k=" + b64:     true,
		"https://h.example/" + b64 + "/x": true,
		"https://h.example/?k=" + base64.RawURLEncoding.EncodeToString([]byte("ÿÿÿ?"+key)):      true,
		"https://h.example/?k=" + hex.EncodeToString([]byte(key)):                               true,
		"https://h.example/?k=" + strings.ReplaceAll(b64, "=", "%3D"):                           true,
		"https://u:" + key + "@h.example/":                                                      true,
		"https://h.example/?k=AKIAIOSFODNN7EXAMPLE":                                             true,
		"-u sk_test_" + random + ":":                                                            false,
		"https://hooks.slack.com/services/T00000001/B00000001/" + random[:24]:                   false,
		"https://api.telegram.org/bot8052456616:" + random[:35] + "/getMe":                      false,
		"https://h.example/?password=" + random:                                                 false,
		"https://h.example/?q=" + base64.StdEncoding.EncodeToString([]byte(clean)):              false,
		"https://h.example/100%/?q=%zz%4":                                                       false,
		"https://h.example/commit/" + strings.Repeat("5e884898da28047151d0e56f8dc629277360", 2): false,
	} {
		if got := HoldsKey(in); got != want {
			t.Errorf("HoldsKey(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestNamesKey(t *testing.T) {
	for in, want := range map[string]bool{
		"ghp_[A-Za-z0-9]{36}": true, "AKIA[A-Z0-9]{16}": true, "npm_": true, "sk-ant": true, "glpat": true, "pypi-AgE": true,
		"sk-": false, "secret_": false, "npm run": false, "key-": false, "pypi-": false,
	} {
		if got := NamesKey(in); got != want {
			t.Errorf("NamesKey(%q) = %v, want %v", in, got, want)
		}
	}
}

// However an adversary surrounds an encoded key, it stays a key.
func FuzzHoldsKey(f *testing.F) {
	f.Add("https://h.example/?k=", "&x=1")
	f.Add("%41%zz", "%")
	f.Fuzz(func(t *testing.T, before, after string) {
		key := hex.EncodeToString([]byte("ghp_" + random))
		if text := before + "?" + key + "&" + after; len(text) < maxEncoded && !HoldsKey(text) && !strings.Contains(before, "%") {
			t.Errorf("HoldsKey(%q) = false, want true", text)
		}
	})
}
