package platform

import (
	"strings"
	"testing"
	"time"
)

// The largest payloads that are made to take long are read within a part of the hook's 5 s.
func TestDamageIsBounded(t *testing.T) {
	const size = 10 << 20
	for name, unit := range map[string]string{
		"fields given twice": `"a":1,`, "places where a call may begin": `{"`, "lists": "[", "texts in texts": `{"input":"{\"input\":`, "no JSON": "\x00",
		"quotes": `"`, "escapes": `"\`, "documents": `{}`, "words": "a ",
	} {
		data := []byte("{" + strings.Repeat(unit, size/len(unit)))
		start := time.Now()
		if damaged(data) == "" {
			t.Errorf("%s: not damaged", name)
		}
		documents(data)
		fragments(data)
		if took := time.Since(start); took > 10*time.Second { // alone, none takes 1 s
			t.Errorf("%s: %s", name, took)
		}
	}
}
