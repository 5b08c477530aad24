package changes

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
		t.Errorf("%q", got)
	}
	if plus, minus := counted(diff); plus != 1 || minus != 1 {
		t.Errorf("%d + %d -", plus, minus)
	}
}
