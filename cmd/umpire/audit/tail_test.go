package audit

import (
	"bytes"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/audit"
)

// The tail says what was answered, and by whom.
func TestTailSaysWhatWasAnswered(t *testing.T) {
	var out bytes.Buffer
	r := audit.Record{Event: audit.Event{Kind: audit.Approval, Effect: "allow", By: "ada", Data: map[string]string{"action": "make deploy", "request": "01M7", "status": "approved"}}}
	if err := printRecord(&out, r, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"make deploy", "01M7", "approved", "by ada"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q lacks %s", out.String(), want)
		}
	}
}
