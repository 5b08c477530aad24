package umpire_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

func TestEssence(t *testing.T) {
	for _, tt := range []struct{ tool, input, want string }{
		{"Bash", `{"description":"harmless","command":"a && b"}`, `{"command":"a && b"}`},
		{"Execute", `{"summary":"x","riskLevel":"low","riskLevelReason":"y","command":"a","timeout":1}`, `{"command":"a","timeout":1}`},
		{"run_in_terminal", `{"explanation":"x","goal":"y","command":"a"}`, `{"command":"a"}`},
		{"PowerShell", `{"description":"x","command":"a"}`, `{"command":"a"}`},
		{"run_command", `{"explanation":"x","CommandLine":"a"}`, `{"CommandLine":"a"}`},
		{"Task", `{"prompt":"p","description":"d"}`, `{"description":"d","prompt":"p"}`}, // there it is what counts
		{"Bash", `{"command":"a","command":"b"}`, `{"command":"b"}`},                     // as clients read it
		{"Bash", `{"Description":"x","command":"a"}`, `{"Description":"x","command":"a"}`},
		{"Bash", `null`, `null`}, {"Bash", `["a"]`, `["a"]`}, {"Bash", `{"a`, `{"a`},
	} {
		a := umpire.Action{Tool: tt.tool, Input: []byte(tt.input)}
		if got := string(a.Essence()); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.tool, tt.input, got, tt.want)
		}
	}
}
