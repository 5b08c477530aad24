package redact

import (
	"strings"
	"testing"
)

func TestToken(t *testing.T) {
	for _, tt := range []struct{ s, token, kind string }{
		{"ghp_abcdefghij0123456789ABCDEFGHIJ rest", "ghp_abcdefghij0123456789ABCDEFGHIJ", "github-token"},
		{"sk-ant-api03-abcdefghijklmnop0123, x", "sk-ant-api03-abcdefghijklmnop0123", "anthropic-key"},
		{"AKIAIOSFODNN7ABCDEFG.", "AKIAIOSFODNN7ABCDEFG", "aws-key-id"},
		{"AKIAIOSFODNN7EXAMPLE", "", ""},
		{"AIzaSyA1234567890abcdefghijklmnopqrstu\"", "AIzaSyA1234567890abcdefghijklmnopqrstu", "google-api-key"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijkl x", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijkl", "jwt"},
		{"123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawQ", "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawQ", "telegram-token"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nx", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "private-key"},
		{"-----BEGIN CERTIFICATE-----", "", ""},
		{"sk-learn is a library", "", ""},
		{"key-value-store-that-is-rather-long-indeed", "", ""},
		{"x ghp_abcdefghij0123456789ABCDEFGHIJ", "", ""},
		{"", "", ""},
		{"ghp_" + strings.Repeat("a1", 1000), "", ""},
	} {
		if n, kind := Token(tt.s); tt.s[:n] != tt.token || kind != tt.kind {
			t.Errorf("%q: %q %q", tt.s[:min(len(tt.s), 60)], tt.s[:n], kind)
		}
	}
}

func FuzzToken(f *testing.F) {
	f.Add("ghp_abcdefghij0123456789ABCDEFGHIJ rest")
	f.Add("eyJ.")
	f.Add("-----BEGIN PRIVATE KEY----------END ")
	f.Fuzz(func(t *testing.T, s string) {
		if n, kind := Token(s); n < 0 || n > len(s) || (n > 0) != (kind != "") {
			t.Errorf("%d %q", n, kind)
		}
	})
}
