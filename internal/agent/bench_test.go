package agent_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent"
)

// BenchmarkGuardedCall is what the guarded path costs: the tool alone against the same tool
// called through schema, policy, record and guard, with 4 KB of output.
func BenchmarkGuardedCall(b *testing.B) {
	text := ""
	for len(text) < 4096 {
		text += "func add(a, b int) int { return a + b } // adds two numbers\n"
	}
	tool := agent.Tool{Name: "look4k", Schema: json.RawMessage(schema), Origin: func(json.RawMessage) string { return "look4k" },
		Run: func(context.Context, json.RawMessage, *agent.Env) agent.Result {
			return agent.Result{Success: true, Output: text, Data: map[string]string{"content": text}}
		}}
	w := newWorld(b, "")
	if err := w.caller.Add(tool); err != nil {
		b.Fatal(err)
	}
	in := json.RawMessage(`{"command":"x"}`)
	b.Run("tool", func(b *testing.B) {
		for b.Loop() {
			if r := tool.Run(b.Context(), in, &agent.Env{}); !r.Success {
				b.Fatal(r.Error)
			}
		}
	})
	b.Run("guarded", func(b *testing.B) {
		for b.Loop() {
			if r, _, err := w.caller.Call(b.Context(), agent.Call{ID: "a", Name: "look4k", Input: in}, nil); err != nil || !r.Success {
				b.Fatal(r.Error, err)
			}
		}
	})
}
