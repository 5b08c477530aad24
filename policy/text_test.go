package policy

import (
	"encoding/json"
	"strings"
	"testing"
)

// Text rules look at the strings of an input as encoding/json reads them, in whatever way their
// letters are written.
func TestInputTextIsJSON(t *testing.T) {
	for _, raw := range []string{
		`"plain"`, `""`, `"a\nb\tc\rd\be\ff"`, `"\"\\\/"`, `"\u0061\u00e9\u20ac"`, `"\u00E9"`, `"\ud83d\ude00"`, `"x\ud83d\ude00y"`,
		`"\ud83d"`, `"\ude00"`, `"\ud83dx"`, `"\ud83d\n"`, `"\ud83d\u0061"`, `"\ude00\ud83d"`, `"\u20ac\u0061"`, `"\u20ac\ude00"`, `"\ud83d\ud83d\ude00"`,
	} {
		var want string
		if err := json.Unmarshal([]byte(raw), &want); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if got := inputText([]byte(raw)); got != want+"\n" {
			t.Errorf("%s: got %q, want %q and a line break", raw, got, want)
		}
		if got := inputText([]byte(`{"k":[` + raw + `,1]}`)); got != "k\n"+want+"\n" {
			t.Errorf("%s in a list: got %q, want the key and %q, a line each", raw, got, want)
		}
	}
	for _, raw := range []string{`"open`, `"open\`, `"\u00`, `"\ux061"`} {
		if got := inputText([]byte(raw)); got != raw {
			t.Errorf("%s is not JSON: got %q, want it as it is", raw, strings.TrimSpace(got))
		}
	}
}
