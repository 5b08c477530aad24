package plural

import "testing"

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n         int
		one, want string
	}{
		{0, "call", "0 calls"},
		{1, "call", "1 call"},
		{2, "call", "2 calls"},
		{1, "changed path", "1 changed path"},
		{2, "entry", "2 entries"},
		{2, "day", "2 days"},
		{2, "match", "2 matches"},
		{2, "box", "2 boxes"},
	} {
		if got := Count(tt.n, tt.one); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
