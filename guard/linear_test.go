package guard_test

import (
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/guard"
)

// No long text makes a stage slow: the limit is far above what it takes, and far
// below what something quadratic would.
func TestLinear(t *testing.T) {
	const size = 256 << 10
	canary := guard.SessionCanary()
	out := guard.NewOutput([]guard.OutputStage{
		guard.SystemPromptLeakage(guard.LeakageOptions{Canary: canary, System: systemPrompt}),
		must[guard.OutputStage](t)(guard.PII(guard.PIIOptions{})),
		must[guard.OutputStage](t)(guard.Patterns([]guard.Rule{{ID: "a", Action: guard.RuleMask, Pattern: "a", Replacement: "b"}, {ID: "b", Action: guard.RuleMask, Pattern: `(?:a+)+c|x.*y`}})),
	})
	c := must[*guard.Classifier](t)(guard.Classification(guard.ClassificationOptions{Blocked: guard.BlockedCategories()}))
	in := guard.NewInput([]guard.Stage{guard.Validation(guard.ValidationOptions{MaxLength: 2 * size}), c.Stage(), guard.TopicDrift(guard.DriftOptions{})})
	for name, unit := range map[string]string{"a": "a", "words": "write me a ", "digits": "1 ", "token": canary.Token()[:12] + " ", "base64": "QUJD", "quotes": "the password is \"x\" ", "at": "a@b.", "wide": "密码"} {
		text := strings.Repeat(unit, size/len(unit))
		start := time.Now()
		out.Check(t.Context(), text, guard.Answer{})
		in.Check(t.Context(), guard.Request{Text: text})
		took := time.Since(start)
		t.Logf("%s: %v", name, took)
		if took > 60*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}
