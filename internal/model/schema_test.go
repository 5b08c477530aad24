package model

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestSchema(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       bool
	}{
		{"good", good, true},
		{"in another order", `{"reason":"","sure":false,"confidence":0,"effect":"deny"}`, true},
		{"with space", "\n " + good + "\n", true},
		{"missing", `{"effect":"allow","confidence":90,"sure":true}`, false},
		{"unknown", strings.Replace(good, "{", `{"also":1,`, 1), false},
		{"twice", strings.Replace(good, "{", `{"effect":"deny",`, 1), false},
		{"another case", strings.Replace(good, "effect", "Effect", 1), false},
		{"not in the list", strings.Replace(good, "allow", "ALLOW", 1), false},
		{"a string for a number", strings.Replace(good, "90", `"90"`, 1), false},
		{"a fraction", strings.Replace(good, "90", "90.5", 1), false},
		{"an exponent", strings.Replace(good, "90", "9e1", 1), false},
		{"too large", strings.Replace(good, "90", "101", 1), false},
		{"negative", strings.Replace(good, "90", "-1", 1), false},
		{"huge", strings.Replace(good, "90", "99999999999999999999999", 1), false},
		{"a number for a bool", strings.Replace(good, "true", "1", 1), false},
		{"null", strings.Replace(good, "true", "null", 1), false},
		{"an object", strings.Replace(good, "true", "{}", 1), false},
		{"too long", strings.Replace(good, "fine", strings.Repeat("é", 21), 1), false},
		{"just not too long", strings.Replace(good, "fine", strings.Repeat("é", 20), 1), true},
		{"something behind", good + "{}", false},
		{"prose behind", good + " ok", false},
		{"an array", "[" + good + "]", false},
		{"a string", `"allow"`, false},
		{"nothing", "", false},
		{"cut", good[:len(good)-1], false},
		{"no UTF-8", strings.Replace(good, "fine", "\xff", 1), false},
		{"far too long", strings.Repeat(" ", maxAnswer) + good, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := verdict.Check([]byte(tt.data)); (err == nil) != tt.want || err != nil && !errors.Is(err, ErrAnswer) {
				t.Errorf("%v", err)
			}
		})
	}
}

// Whatever is accepted decodes to values that the schema has.
func FuzzSchema(f *testing.F) {
	f.Add(good)
	f.Add(`{"effect":"allow","confidence":1e2,"sure":true,"reason":"\ud800"}`)
	f.Fuzz(func(t *testing.T, s string) {
		if verdict.Check([]byte(s)) != nil {
			return
		}
		var v struct {
			Effect     string
			Confidence int
			Sure       bool
			Reason     string
		}
		dec := json.NewDecoder(strings.NewReader(s))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&v); err != nil || v.Effect != "allow" && v.Effect != "deny" || v.Confidence < 0 || v.Confidence > 100 {
			t.Errorf("%q: %+v, %v", s, v, err)
		}
	})
}
