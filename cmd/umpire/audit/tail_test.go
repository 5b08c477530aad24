package audit

import (
	"bytes"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/audit"
)

// The guard's events have no operations: the tail shows the category, or what the guard only observed.
func TestTailShowsTheGuard(t *testing.T) {
	for want, data := range map[string]map[string]string{
		"PROMPT_INJECTION": {"verdict": "reject", "category": "PROMPT_INJECTION"},
		"(only observed: InjectionDetection:reject PII:modify)": {"verdict": "allow", "observed": "InjectionDetection:reject PII:modify"},
	} {
		var out bytes.Buffer
		if err := printRecord(&out, audit.Record{Event: audit.Event{Kind: audit.Decision, Point: "guard", Effect: "allow", Data: data}}, false); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v: %q lacks %s", err, out.String(), want)
		}
	}
}

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
