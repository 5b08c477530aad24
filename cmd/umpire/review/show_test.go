package review

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/review/finding"
)

// A person sees each part of a finding that there is, with a bar before every line that a model wrote.
func TestFindingText(t *testing.T) {
	steers := true
	for name, change := range map[string]func(*finding.Reported){
		"| first\n| second\n":             func(r *finding.Reported) { r.Description = "first\nsecond" },
		"\nRemedy:\n| do this\n| at once": func(r *finding.Reported) { r.Remediation = "do this\nat once" },
		"A second model reports":          func(r *finding.Reported) { r.Steers = &steers },
		"[injected":                       func(r *finding.Reported) { r.Flags = []finding.Flag{finding.InjectedInstructions} },
	} {
		var r finding.Reported
		if got := findingText(&r); strings.Contains(got, strings.Trim(name, "\n")) || strings.Contains(got, "Remedy") {
			t.Errorf("an empty finding shows %q", got)
		}
		change(&r)
		if got := findingText(&r); !strings.Contains(got, name) {
			t.Errorf("%q, want %q in it", got, name)
		}
	}
}
