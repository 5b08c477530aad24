// Package jsonfault says what is wrong with JSON, in the words of JSON. It repeats nothing of
// a value.
package jsonfault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Words returns an error of encoding/json as people read it. It returns other errors as
// they are.
func Words(err error) error {
	var typed *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &typed):
		what := "it"
		if typed.Field != "" {
			what = typed.Field
		}
		value, _, _ := strings.Cut(typed.Value, " ") // "number 1.5"
		return fault{fmt.Sprintf("%s must be %s, not %s", what, wanted(typed.Type), given(value)), err}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return fault{"it ends too early", err}
	case syntax != nil:
		return fault{fmt.Sprintf("it is not JSON at byte %d", syntax.Offset), err}
	}
	if text, ok := strings.CutPrefix(err.Error(), "json: "); ok {
		return fault{text, err}
	}
	return err
}

// fault is an error in other words.
type fault struct {
	text string
	err  error
}

func (f fault) Error() string { return f.text }

func (f fault) Unwrap() error { return f.err }

// wanted names the JSON that a Go type reads.
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

// given names a value of JSON.
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
