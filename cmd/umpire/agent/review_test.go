package agent

import (
	"fmt"
	"strings"
	"testing"
)

// People read of a review how much was found, whether it is complete, and what is left out.
func TestSummaryOfAReview(t *testing.T) {
	findings := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`{"id":"f%d","severity":"high","rule":"a/b"}`, i)
		}
		return strings.Join(list, ",")
	}
	for _, tt := range []struct {
		closed     string
		says, lack string
	}{
		{`{"complete":true,"riskLevel":"low","findings":[]}`, "0 findings, risk low.\n", "incomplete"},
		{`{"complete":false,"riskLevel":"low","findings":[]}`, "risk low. The review is incomplete.\n", "more"},
		{`{"complete":true,"riskLevel":"high","findings":[{"id":"x","severity":"high","title":"A title","rule":"a/b"}]}`, "- high `x` A title\n", "a/b"},
		{`{"complete":true,"riskLevel":"high","findings":[` + findings(20) + `]}`, "- high `f19` a/b\n", "more"},
		{`{"complete":true,"riskLevel":"high","findings":[` + findings(23) + `]}`, "- and 3 more\n", "f20"},
		{`{`, "its report cannot be read: ", "findings"},
	} {
		if got := summary([]byte(tt.closed)); !strings.Contains(got, tt.says) || strings.Contains(got, tt.lack) {
			t.Errorf("%.60s: %q, want %q and no %q", tt.closed, got, tt.says, tt.lack)
		}
	}
}
