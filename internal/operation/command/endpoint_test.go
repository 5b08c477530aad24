package command

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

func TestEndpoint(t *testing.T) {
	const none = umpire.Trait(0)
	for _, tt := range []struct {
		in, want string
		traits   umpire.Trait
	}{
		{"https://user:pw@API.example.com./x", "api.example.com:443", none},
		{"http://example.com", "example.com:80", umpire.PlainHTTP},
		{"ftp://example.com", "example.com:21", umpire.PlainHTTP},
		{"http://localhost:3000", "localhost:3000", none},
		{"http://127.1/", "127.0.0.1:80", none},
		{"https://8.8.8.8", "8.8.8.8:443", umpire.RawIP},
		{"https://134744072", "8.8.8.8:443", umpire.RawIP},
		{"http://0xA9FEA9FE/latest", "169.254.169.254:80", umpire.Metadata},
		{"http://metadata.google.internal/x", "metadata.google.internal:80", umpire.Metadata},
		{"https://[2001:db8::1]/x", "[2001:db8::1]:443", umpire.RawIP},
		{"git@example.com:o/r.git", "example.com", none},
		{"https://bank.example@evil.example", "evil.example:443", umpire.Obfuscated},
		{"https://" + umpire.Hole + ".example.com", umpire.Hole + ".example.com:443", none},
	} {
		if got, traits := endpoint(tt.in); got != tt.want || traits != tt.traits {
			t.Errorf("endpoint(%q) = %q [%v], want %q [%v]", tt.in, got, traits, tt.want, tt.traits)
		}
	}
}
