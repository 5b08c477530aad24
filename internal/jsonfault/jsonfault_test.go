package jsonfault

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	type inner struct{ Size int }
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
		``:                  "it ends too early",
		`nope`:              "it is not JSON at byte 2",
		`{"f":1}`:           `unknown field "f"`,
	} {
		var v struct {
			A word
			B int
			C []string
			D inner
			E bool
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
