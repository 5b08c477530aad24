package agent

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPlainJSON(t *testing.T) {
	in := "a\x1b\u009b\u202e\U000e0041\x7fé世"
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	out := plainJSON(b)
	var back string
	if err := json.Unmarshal(out, &back); err != nil || back != in || strings.ContainsAny(string(out), "\x1b\u009b\u202e\U000e0041\x7f") || !strings.Contains(string(out), "é世") {
		t.Errorf("%q, %v", out, err)
	}
}
