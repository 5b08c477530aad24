package platform

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// The largest payloads that are made to take long are read in linear time, so within a part of the hook's 5 s.
func TestDamageIsBounded(t *testing.T) {
	const size = 10 << 20
	for name, unit := range map[string]string{
		"fields given twice": `"a":1,`, "places where a call may begin": `{"`, "lists": "[", "texts in texts": `{"input":"{\"input\":`, "no JSON": "\x00",
		"quotes": `"`, "escapes": `"\`, "documents": `{}`, "words": "a ",
	} {
		data := []byte("{" + strings.Repeat(unit, size/len(unit)))
		start := time.Now()
		if damaged(data) == "" {
			t.Errorf("%s: no damage, want some", name)
		}
		documents(data)
		fragments(data)
		if took := time.Since(start); took > time.Minute { // alone, none takes 1 s; one of quadratic time would take hours
			t.Errorf("%s: took %s, want a minute at most", name, took)
		}
	}
}

// A payload that readers may read in more than one way is damaged. It then has one document for
// each reading, and every byte of it that may be a call's is in one.
func TestRepair(t *testing.T) {
	for _, tt := range []struct{ payload, damage, docs string }{
		// whole
		{"", "", ""},
		{" ", "", ""},
		{"{}", "", "{}"},
		{"[]", "", ""},
		{"\t[1, {\"a\": [] , \"b\": {}}]\r\n", "", `1 | {"a":[],"b":{}}`},
		{`{"a":"ä\u00e4\n\""}`, "", `{"a":"ää\n\""}`},
		// lists
		{`[1 2]`, "a comma is missing at byte 3", "1 | 2"},
		{`[1,]`, "a value is missing at byte 3", "1 | null"},
		{`[,1]`, "a value is missing at byte 1", "null | 1"},
		{`[,]`, "a value is missing at byte 1", "null"},
		{`[1}`, "a list has no end at byte 2", "1 | null"},
		{`[1`, "it is cut off at byte 2", "1"},
		{`[1,`, "it is cut off at byte 3", "1 | null"},
		{`[`, "it is cut off at byte 1", ""},
		{`{"a":[1},"b":2}`, "a list has no end at byte 7", `{"a":[1]} | null | "b" | 2 | null`},
		{`[1]]`, "more follows the document at byte 3", "1 | null"},
		// objects
		{`{,"a":1}`, "a field is missing at byte 1", `{"a":1}`},
		{`{"a":1,}`, "a field is missing at byte 7", `{"a":1}`},
		{`{"a":1,,"b":2}`, "a name is not JSON at byte 7", `{"a":1,"b":2}`},
		{`{"a":1 "b":2}`, "a comma is missing at byte 7", `{"a":1,"b":2}`},
		{`{"a"}`, "a colon is missing at byte 4", `{"a":null}`},
		{`{"a" "b"}`, "a colon is missing at byte 5", `{"a":"b"}`},
		{`{"a"[1]}`, "a colon is missing at byte 4", `{"a":[1]}`},
		{`{"a"=1}`, "a colon is missing at byte 4", `{"a":1}`},
		{`{a:1}`, "a name is not JSON at byte 2", `{"a":1}`},
		{`{a":1}`, "a name is not JSON at byte 2", `{"a":1}`},
		{`{"a":}`, "a value is missing at byte 5", `{"a":null}`},
		{`{"a":,"b":1}`, "a value is missing at byte 5", `{"a":null,"b":1}`},
		{`{"a":1`, "it is cut off at byte 6", `{"a":1}`},
		{`{"a":1,`, "it is cut off at byte 7", `{"a":1}`},
		{`{"a":`, "it is cut off at byte 5", `{"a":null}`},
		{`{"a"`, "it is cut off at byte 4", `{"a":null}`},
		{`{"a`, "it is cut off at byte 3", `{"a":null}`},
		{`{`, "it is cut off at byte 1", "{}"},
		// the first brace is missing
		{`"a":1}`, "more follows the document at byte 3", `{"a":1} | "a" | 1 | null`},
		{`"a":1},"b":2`, "more follows the document at byte 3", `{"a":1,"b":2} | "a" | 1 | null | null | "b" | 2`},
		{`a:1`, "a value is not JSON at byte 1", `{"a":1} | "a" | 1`},
		// values
		{`{"a":True,"b":nul}`, "a value is not JSON at byte 9", `{"a":"True","b":"nul"}`},
		{`{"a":01}`, "a value is not JSON at byte 7", `{"a":"01"}`},
		{`{"a":+1}`, "there is a byte that is not JSON at byte 5", `{"a":1}`},
		{"{\"a\":\x01 1}", "there is a byte that is not JSON at byte 5", `{"a":1}`},
		// a field that is given twice
		{`{"a":1,"a":2}`, "a field is given twice at byte 11", `{"a":1} | {"a":1,"a":2}`},
		{`{"a":1,"b":{"c":1,"c":2},"a":2,"a":3}`, "a field is given twice at byte 22", `{"a":1,"b":{"c":1}} | {"a":1,"b":{"c":1,"c":2},"a":2} | {"a":1,"b":{"c":1,"c":2},"a":2,"a":3}`},
		// several documents
		{`{"a":1} {"b":2}`, "more follows the document at byte 8", `{"a":1} | {"b":2}`},
		{`{"a":1}x`, "more follows the document at byte 7", `{"a":1} | "x"`},
		{`}{"a":1}`, "a value is missing at byte 0", `{"a":1} | null | {"a":1}`},
		// texts
		{"{\"a\":\"x\ty\"}", "a text has a control character at byte 7", `{"a":"x\ty"}`},
		{"{\"a\":\"x\xffy\"}", "a text is not UTF-8 at byte 7", `{"a":"x�y"}`},
		{`{"a":"x\`, "it is cut off at byte 8", `{"a":"x\\"}`},
		{`{"a":"b"c"}`, "a comma is missing at byte 8", `{"a":"b","c":null}`},
		{`{"a":"x\u00e4\q"}`, "", `{"a":"xä\\q"}`}, // the decoder finds the damage
		// a document in a text, in the place of a tool's input
		{`{"input":"{\"a\":1}"}`, "", `{"input":"{\"a\":1}"}`},
		{`{"input":"{\"a\":1"}`, "the document in a text is damaged: it is cut off at byte 6 at byte 19", `{"input":{"a":1}}`},
		{`{"input":"{\"a\":1} x"}`, "the document in a text is damaged: more follows the document at byte 8 at byte 22", `{"input":{"a":1}}`},
		{`{"input":"{\"a\":1,\"a\":2}"}`, "the document in a text is damaged: a field is given twice at byte 11 at byte 28", `{"input":{"a":1}} | {"input":{"a":1,"a":2}}`},
		{`{"text":"{\"a\":1"}`, "", `{"text":"{\"a\":1"}`},
		{`{"input":{"input":"{\"a\":1"}}`, "", `{"input":{"input":"{\"a\":1"}}`},
		// UTF-16
		{"\xff\xfe{\x00}\x00", "there is a byte that is not JSON at byte 0", "{}"},
		{"{\x00}\x00", "a name is not JSON at byte 1", "{}"},
		{"\xfe\xff\x00{\x00}", "there is a byte that is not JSON at byte 0", "{}"},
		{"\x00{\x00}", "there is a byte that is not JSON at byte 0", "{}"},
		{"a\x00b\x00", "a value is not JSON at byte 1", `{"ab":null} | "ab"`},
		// nested too deep
		{strings.Repeat("[", maxNested+1) + "]", "it is nested too deep at byte " + strconv.Itoa(maxNested), strings.Repeat("[", maxNested-1) + "null" + strings.Repeat("]", maxNested-1)},
	} {
		var docs []string
		for _, d := range documents([]byte(tt.payload)) {
			docs = append(docs, string(d))
		}
		if got, all := damaged([]byte(tt.payload)), strings.Join(docs, " | "); got != tt.damage || all != tt.docs {
			t.Errorf("%.80q\nhas the damage %q and the readings %.200s\nwant           %q and              %.200s", tt.payload, got, all, tt.damage, tt.docs)
		}
	}
	for payload, want := range map[string]string{`x{"a":1}`: `{"a":1}`, `{"a":"{"b":1}"}`: `{"b":1}`, `{"a":{"b":2}}`: `{"b":2}`, `{`: "", `{{`: "{}"} {
		var docs []string
		for _, d := range fragments([]byte(payload)) {
			docs = append(docs, string(d))
		}
		if got := strings.Join(docs, " | "); got != want {
			t.Errorf("%s: the calls that may begin within are %s, want %s", payload, got, want)
		}
	}
}

// A payload that is neither damaged nor refused by the decoder is JSON and UTF-8, and every other
// one is not. All of its readings are JSON.
func TestDamageIsWhatJSONSays(t *testing.T) {
	const whole = `{"a": [1, true, null, {"b": -1.5e3}], "c": "x\"y"}`
	for at := range whole {
		for _, b := range []string{"", "\x00", "\xff", `"`, "{", "}", "[", "]", ",", ":", `\`, " ", "0", "-", ".", "e", "z", "\n"} {
			for _, payload := range []string{whole[:at] + b + whole[at+1:], whole[:at] + b + whole[at:]} {
				valid := json.Valid([]byte(payload))
				if got, fine := damaged([]byte(payload)), valid && utf8.ValidString(payload); (got == "" && valid) != fine {
					t.Errorf("%q: the damage is %q, and it is well-formed: %v", payload, got, fine)
				}
				for _, d := range documents([]byte(payload)) {
					if !json.Valid(d) {
						t.Errorf("%q: the reading %q is not JSON", payload, d)
					}
				}
			}
		}
	}
}
