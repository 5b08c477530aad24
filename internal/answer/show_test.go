package answer

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/question"
)

func TestCallText(t *testing.T) {
	for _, tt := range []struct{ input, want string }{
		{`{"command":"npm publish","description":"publish"}`, "npm publish"},
		{`{"command":["npm","publish","--tag","a b; rm x"]}`, "npm publish --tag 'a b; rm x'"}, // umpire exec
		{`{"command":["a\u0000b"]}`, `{"command":["a\u0000b"]}`},
		{`{"command":[]}`, `{"command":[]}`},
		{`{"command":"ls","timeout":5}`, `{"command":"ls","timeout":5}`},
		{`{"command":["ls"],"cwd":"/"}`, `{"command":["ls"],"cwd":"/"}`},
		{`{"url":"x"}`, `{"url":"x"}`},
		{`cut {`, `cut {`},
	} {
		if got := CallText(&question.Question{Input: tt.input}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.input, got, tt.want)
		}
	}
}
