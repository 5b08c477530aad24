package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Schema is the form of a response: one flat JSON object with every field exactly once, and nothing
// else.
type Schema struct {
	Name   string // a-z, A-Z, 0-9, _ and -
	Fields []Field
}

// Type is the type of a field.
type Type string

// The types.
const (
	String  Type = "string"
	Integer Type = "integer"
	Boolean Type = "boolean"
)

// Field is one field of an answer.
type Field struct {
	Name     string
	Type     Type
	Doc      string
	Enum     []string // of a String: the permitted values; empty means any
	Min, Max int      // of an Integer: the range; of a String without Enum: Max characters
}

// JSON returns the schema as JSON Schema. Ranges are in the descriptions, because providers refuse
// schemas with unknown keywords; Check enforces them. Fields keep their order, because models write
// them in order and base later fields on earlier ones.
func (s Schema) JSON() map[string]any {
	props, required := []byte{'{'}, make([]string, len(s.Fields))
	for i, f := range s.Fields {
		p := map[string]any{"type": string(f.Type)}
		doc := f.Doc
		switch {
		case len(f.Enum) > 0:
			p["enum"] = f.Enum
		case f.Type == Integer:
			doc += fmt.Sprintf(" (%d to %d)", f.Min, f.Max)
		case f.Type == String:
			doc += fmt.Sprintf(" (at most %d characters)", f.Max)
		}
		if doc != "" {
			p["description"] = strings.TrimSpace(doc)
		}
		if i > 0 {
			props = append(props, ',')
		}
		key, _ := json.Marshal(f.Name)
		val, _ := json.Marshal(p) // consists of strings
		props = append(append(append(props, key...), ':'), val...)
		required[i] = f.Name
	}
	return map[string]any{"type": "object", "properties": json.RawMessage(append(props, '}')), "required": required, "additionalProperties": false}
}

// maxAnswer limits an answer, in bytes.
const maxAnswer = 64 << 10

// Check checks that data matches the schema: no field is missing, unknown, repeated, of a wrong
// type or out of range, and nothing follows the object.
func (s Schema) Check(data []byte) error {
	if len(data) > maxAnswer {
		return fmt.Errorf("%w: it is longer than %d bytes", ErrAnswer, maxAnswer)
	}
	if !utf8.Valid(data) {
		return fmt.Errorf("%w: it is not valid UTF-8", ErrAnswer)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("%w: it is not a JSON object", ErrAnswer)
	}
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return fmt.Errorf("%w: it is not JSON", ErrAnswer)
		}
		name, _ := t.(string)
		i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
		if i < 0 || seen[name] {
			return fmt.Errorf("%w: a field is unknown or occurs twice", ErrAnswer)
		}
		seen[name] = true
		v, err := dec.Token()
		if err != nil {
			return fmt.Errorf("%w: it is not JSON", ErrAnswer)
		}
		if err := s.Fields[i].check(v); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil { // the closing brace
		return fmt.Errorf("%w: it is not JSON", ErrAnswer)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: more text follows it", ErrAnswer)
	}
	for _, f := range s.Fields {
		if !seen[f.Name] {
			return fmt.Errorf("%w: %s is missing", ErrAnswer, f.Name)
		}
	}
	return nil
}

func (f *Field) check(v json.Token) error {
	ok := false
	switch x := v.(type) {
	case bool:
		ok = f.Type == Boolean
	case json.Number:
		n, err := strconv.Atoi(x.String())
		ok = f.Type == Integer && err == nil && n >= f.Min && n <= f.Max
	case string:
		ok = f.Type == String
		if ok && len(f.Enum) > 0 {
			ok = slices.Contains(f.Enum, x)
		} else if ok {
			ok = utf8.RuneCountInString(x) <= f.Max
		}
	}
	if !ok {
		return fmt.Errorf("%w: %s has an invalid value", ErrAnswer, f.Name)
	}
	return nil
}
