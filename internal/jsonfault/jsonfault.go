// Package jsonfault describes faults of JSON for people. It never quotes a value.
package jsonfault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Words rewords an error of encoding/json for people. It returns other errors unchanged.
func Words(err error) error {
	var typed *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &typed):
		what := "it"
		if typed.Field != "" {
			what = named(typed.Field)
		}
		if typed.Type == reflect.TypeFor[above]() {
			return fault{what + " must be more than 0: to use the default, leave it out", err}
		}
		value, _, _ := strings.Cut(typed.Value, " ") // "number 1.5"
		return fault{fmt.Sprintf("%s must be %s, not %s", what, wanted(typed.Type), given(value)), err}
	case errors.Is(err, io.EOF), errors.As(err, &syntax) && syntax.Offset == 0:
		return fault{"it is empty", err}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return fault{"it ends too early", err}
	case syntax != nil:
		return fault{fmt.Sprintf("it is not JSON at byte %d", syntax.Offset), err}
	}
	if text, ok := strings.CutPrefix(err.Error(), "json: "); ok {
		return fault{text, err}
	}
	return err
}

// named returns the path of a member without the embedded types in it. They have no name in the
// document, and encoding/json puts the names of the types into the path. In this module, those end
// in "In".
func named(path string) string {
	parts := strings.Split(path, ".")
	last := len(parts) - 1
	outer := slices.DeleteFunc(parts[:last:last], func(p string) bool { return strings.HasSuffix(p, "In") })
	return strings.Join(append(outer, parts[last]), ".")
}

// ErrTwice means that an object has a name twice, or in two cases: some readers use the first,
// others the last.
var ErrTwice = errors.New("an object has a name twice, perhaps in another case: use each name once")

// Ambiguous returns ErrTwice for a valid JSON document that two readers may read differently. It
// reports no other fault.
func Ambiguous(document []byte) error {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	var open []map[string]bool // the names of each open object; nil for an array
	name := false              // the next token is a name
	for {
		t, err := d.Token()
		if err != nil {
			return nil //nolint:nilerr // the end, or no JSON, which is not this fault
		}
		switch t := t.(type) {
		case json.Delim:
			switch t {
			case '{':
				open = append(open, map[string]bool{})
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
		case string:
			if name {
				names, key := open[len(open)-1], folded(t)
				if names[key] {
					return ErrTwice
				}
				names[key] = true
				name = false
				continue
			}
		}
		name = len(open) > 0 && open[len(open)-1] != nil
	}
}

// folded returns a name in the form in which encoding/json compares names, which ignores case.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
}

// fault is an error with another text.
type fault struct {
	text string
	err  error
}

func (f fault) Error() string { return f.text }

func (f fault) Unwrap() error { return f.err }

type (
	// Positive is a whole number that must be more than 0 if present: 0 would select the default,
	// which may mean no limit.
	Positive int64
	// Amount is like Positive, for numbers with a fraction.
	Amount float64
)

// UnmarshalJSON implements json.Unmarshaler.
func (p *Positive) UnmarshalJSON(b []byte) error { return positive(b, (*int64)(p)) }

// UnmarshalJSON implements json.Unmarshaler.
func (a *Amount) UnmarshalJSON(b []byte) error { return positive(b, (*float64)(a)) }

type above struct{} // in an UnmarshalTypeError: the number must be more than 0

func positive[N int64 | float64](b []byte, to *N) error {
	err := json.Unmarshal(b, to)
	if err == nil && *to <= 0 && string(b) != "null" {
		return &json.UnmarshalTypeError{Value: "number", Type: reflect.TypeFor[above]()}
	}
	return err
}

// wanted describes the JSON for a Go type.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number"
	}
	return "an object"
}

// given describes a JSON value.
func given(value string) string {
	switch value {
	case "string":
		return "text"
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	}
	return "this number"
}
