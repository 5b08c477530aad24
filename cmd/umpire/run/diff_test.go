package run

import (
	"strings"
	"testing"
)

func TestPainted(t *testing.T) {
	const diff = "write a\n--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n++y\n"
	if got := painted(diff, false); got != diff {
		t.Errorf("got is %q, want %q", got, diff)
	}
	if got := painted(diff, true); !strings.Contains(got, "\x1b[31m-x\x1b[m\n\x1b[32m++y\x1b[m\n") {
		t.Errorf("painted diff: got %q, want the removed line red and the added one green", got)
	}
	if plus, minus := counted(diff); plus != 1 || minus != 1 {
		t.Errorf("counted: got %d added and %d removed, want 1 and 1", plus, minus)
	}
}
