package bounded_test

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/bounded"
)

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 0, ""},
		{"a", 0, "…"},
		{"ab", 2, "ab"},
		{"abc", 2, "ab…"},
		{"äö", 4, "äö"},
		{"äö", 3, "ä…"},
		{"äö", 1, "…"},
		{"a世", 2, "a…"},
		{"\x80\x80\x80", 2, "…"}, // not UTF-8: no character begins here
	} {
		if got := bounded.Clip(tt.in, tt.n, "…"); got != tt.want {
			t.Errorf("Clip(%q, %d): got %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}
