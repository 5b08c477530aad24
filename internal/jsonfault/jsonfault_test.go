package jsonfault

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	type inner struct{ Size int }
	type partIn struct{ G string }
	type word string
	for in, want := range map[string]string{
		`{"a":5}`:           "A must be text, not this number",
		`{"b":"x"}`:         "B must be a whole number, not text",
		`{"b":1.5}`:         "B must be a whole number, not this number",
		`{"c":{}}`:          "C must be a list, not an object",
		`{"d":{"Size":[]}}`: "D.Size must be a whole number, not a list",
		`{"e":"yes"}`:       "E must be true or false, not text",
		`{"d":true}`:        "D must be an object, not true or false",
		`[]`:                "it must be an object, not a list",
		`{"a":`:             "it ends too early",
		``:                  "it is empty",
		`nope`:              "it is not JSON at byte 2",
		`{"g":1}`:           "G must be text, not this number",
		`{"f":1}`:           `unknown field "f"`,
	} {
		var v struct {
			A word
			B int
			C []string
			D inner
			E bool
			partIn
		}
		d := json.NewDecoder(strings.NewReader(in))
		d.DisallowUnknownFields()
		err := d.Decode(&v)
		got := Words(err)
		if got == nil || !strings.HasPrefix(got.Error(), want) || strings.Contains(got.Error(), "Go ") || !errors.Is(got, err) {
			t.Errorf("%s: %v, want %s", in, got, want)
		}
	}
	if own := errors.New("own"); !errors.Is(Words(own), own) || Words(own).Error() != "own" || Words(nil) != nil {
		t.Error("another error is changed")
	}
}

func TestAmbiguous(t *testing.T) {
	for in, want := range map[string]bool{
		`{"a":1,"b":{"a":2},"c":[{"a":1},{"a":1}]}`: false,
		`{"a":"a","b":"a"}`:                         false,
		`["a","a"]`:                                 false,
		`{"a":1,"a":2}`:                             true,
		`{"a":1,"A":2}`:                             true,
		`{"a":1,"\u0061":2}`:                        true,
		`{"k":1,"\u212a":2}`:                        true,
		`{"a":[{"b":{}},{"b":1,"b":2}]}`:            true,
		`{"a":{"x":"a"},"a":"x"}`:                   true,
	} {
		if got := Ambiguous([]byte(in)); (got != nil) != want {
			t.Errorf("%s: %v", in, got)
		}
	}
}
