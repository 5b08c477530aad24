package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/plural"
)

// Limits of the report about an invalid input.
const (
	maxMisfits = 5      // misfits to list; the rest is counted
	maxGot     = 60     // bytes of a value
	maxNested  = 32     // nested schemas
	maxNamed   = 12     // valid properties or values to list
	maxFault   = 500    // bytes of the validator's message
	maxLooks   = 10_000 // schemas to try: a server's schema may be recursive
)

// misfits lists where a value does not fit a schema, in plain words: "file_path: want a string, got
// 3". It only explains an error of the validator, and knows the keywords that tool schemas use.
type misfits struct {
	root  *jsonschema.Schema
	looks *int // remaining steps
	list  []string
	more  int
}

// explain returns why an input does not fit, or the validator's message if it does not know.
func explain(root *jsonschema.Schema, input map[string]any, fault error) string {
	looks := maxLooks
	m := misfits{root: root, looks: &looks}
	m.value("", root, input, 0)
	if len(m.list) == 0 {
		return Clip(fault.Error(), maxFault)
	}
	text := strings.Join(m.list, "; ")
	if m.more > 0 {
		text += fmt.Sprintf("; and %d more", m.more)
	}
	return text
}

func (m *misfits) add(path, format string, args ...any) {
	if len(m.list) >= maxMisfits {
		m.more++
		return
	}
	text := fmt.Sprintf(format, args...)
	if path != "" {
		text = path + ": " + text
	}
	if !slices.Contains(m.list, text) {
		m.list = append(m.list, text)
	}
}

// fits reports whether a value fits a schema, as far as misfits understands it.
func (m *misfits) fits(s *jsonschema.Schema, v any, depth int) bool {
	try := misfits{root: m.root, looks: m.looks}
	try.value("", s, v, depth)
	return len(try.list) == 0
}

func (m *misfits) value(path string, s *jsonschema.Schema, v any, depth int) {
	if s == nil || depth > maxNested || *m.looks <= 0 {
		return
	}
	depth++
	*m.looks--
	if s.Ref != "" {
		m.value(path, m.named(s.Ref), v, depth)
	}
	if types := typesOf(s); len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return isType(t, v) }) {
		m.add(path, "want %s, got %s", wanted(types), shown(v))
		return
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return same(e, v) }) {
		m.add(path, "want %s, got %s", choices(s.Enum), shown(v))
	}
	if s.Const != nil && !same(*s.Const, v) {
		m.add(path, "want %s, got %s", shown(*s.Const), shown(v))
	}
	for _, part := range s.AllOf {
		m.value(path, part, v, depth)
	}
	m.either(path, s.AnyOf, v, depth)
	m.either(path, s.OneOf, v, depth)
	switch v := v.(type) {
	case float64:
		m.number(path, s, v)
	case string:
		m.text(path, s, v)
	case []any:
		m.items(path, s, v, depth)
	case map[string]any:
		m.properties(path, s, v, depth)
	}
}

// either explains why no alternative fits, by the only one of the value's type, if there is just
// one.
func (m *misfits) either(path string, list []*jsonschema.Schema, v any, depth int) {
	if len(list) == 0 || slices.ContainsFunc(list, func(s *jsonschema.Schema) bool { return m.fits(s, v, depth) }) {
		return
	}
	var types []string
	var close []*jsonschema.Schema
	for _, s := range list {
		if s.Ref != "" {
			s = m.named(s.Ref)
		}
		if s == nil {
			return
		}
		t := typesOf(s)
		if len(t) == 0 || slices.ContainsFunc(t, func(t string) bool { return isType(t, v) }) {
			close = append(close, s)
		}
		types = append(types, t...)
	}
	switch {
	case len(close) == 1:
		m.value(path, close[0], v, depth)
	case len(close) == 0:
		m.add(path, "want %s, got %s", wanted(types), shown(v))
	default:
		m.add(path, "%s matches none of the %d allowed forms", shown(v), len(list))
	}
}

func (m *misfits) number(path string, s *jsonschema.Schema, n float64) {
	for _, b := range []struct {
		limit *float64
		out   func(limit float64) bool
		want  string
	}{
		{s.Minimum, func(l float64) bool { return n < l }, "at least"}, {s.Maximum, func(l float64) bool { return n > l }, "at most"},
		{s.ExclusiveMinimum, func(l float64) bool { return n <= l }, "more than"}, {s.ExclusiveMaximum, func(l float64) bool { return n >= l }, "less than"},
		{s.MultipleOf, func(l float64) bool { return l != 0 && math.Mod(n, l) != 0 }, "a multiple of"},
	} {
		if b.limit != nil && b.out(*b.limit) {
			m.add(path, "want %s %s, got %s", b.want, shown(*b.limit), shown(n))
		}
	}
}

func (m *misfits) text(path string, s *jsonschema.Schema, v string) {
	m.count(path, "character", utf8.RuneCountInString(v), s.MinLength, s.MaxLength)
	if s.Pattern != "" {
		if re, err := regexp.Compile(s.Pattern); err == nil && !re.MatchString(v) {
			m.add(path, "want a text that matches %s, got %s", Clip(s.Pattern, maxGot), shown(v))
		}
	}
}

func (m *misfits) count(path, what string, n int, least, most *int) {
	if least != nil && n < *least {
		m.add(path, "want at least %s, got %d", plural.Count(*least, what), n)
	}
	if most != nil && n > *most {
		m.add(path, "want at most %s, got %d", plural.Count(*most, what), n)
	}
}

func (m *misfits) items(path string, s *jsonschema.Schema, list []any, depth int) {
	m.count(path, "item", len(list), s.MinItems, s.MaxItems)
	first := slices.Concat(s.PrefixItems, s.ItemsArray)
	for i, v := range list {
		switch at := fmt.Sprintf("%s[%d]", path, i); {
		case i < len(first):
			m.value(at, first[i], v, depth)
		case s.Items != nil:
			m.value(at, s.Items, v, depth)
		default:
			m.value(at, s.AdditionalItems, v, depth)
		}
		if s.UniqueItems && i < 100 && slices.ContainsFunc(list[:i], func(o any) bool { return same(o, v) }) {
			m.add(fmt.Sprintf("%s[%d]", path, i), "%s appears twice: name each item once", shown(v))
		}
		if i == maxItems {
			break
		}
	}
}

func (m *misfits) properties(path string, s *jsonschema.Schema, object map[string]any, depth int) {
	m.count(path, "property", len(object), s.MinProperties, s.MaxProperties)
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			what := "missing"
			if t := typesOf(s.Properties[name]); len(t) > 0 {
				what += ", want " + wanted(t)
			}
			m.add(join(path, name), "%s", what)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at, known := join(path, name), false
		if p, ok := s.Properties[name]; ok {
			known = true
			m.value(at, p, object[name], depth)
		}
		for pattern, p := range s.PatternProperties {
			if re, err := regexp.Compile(pattern); err == nil && re.MatchString(name) {
				known = true
				m.value(at, p, object[name], depth)
			}
		}
		switch {
		case known || s.AdditionalProperties == nil:
		case reflect.DeepEqual(s.AdditionalProperties, &jsonschema.Schema{Not: &jsonschema.Schema{}}): // false
			m.add(at, "unknown property%s", others(s.Properties))
		default:
			m.value(at, s.AdditionalProperties, object[name], depth)
		}
	}
}

// named returns the schema that a reference within the document names, or nil.
func (m *misfits) named(ref string) *jsonschema.Schema {
	if ref == "#" {
		return m.root
	}
	for prefix, defs := range map[string]map[string]*jsonschema.Schema{"#/$defs/": m.root.Defs, "#/definitions/": m.root.Definitions} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			return defs[name]
		}
	}
	return nil
}

func typesOf(s *jsonschema.Schema) []string {
	switch {
	case s == nil:
		return nil
	case s.Type != "":
		return []string{s.Type}
	}
	return s.Types
}

func isType(name string, v any) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return true // not a JSON value: the validator has reported it
}

// wanted describes types in plain words.
func wanted(types []string) string {
	words := map[string]string{"string": "a string", "integer": "a whole number", "number": "a number", "boolean": "true or false", "array": "a list", "object": "an object", "null": "null"}
	var list []string
	for _, t := range types {
		if w := words[t]; w != "" && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return strings.Join(list, " or ")
}

// choices lists valid values.
func choices(values []any) string {
	var list []string
	for i, v := range values {
		if i == maxNamed {
			list = append(list, "…")
			break
		}
		list = append(list, shown(v))
	}
	if len(list) == 1 {
		return list[0]
	}
	return "one of " + strings.Join(list, ", ")
}

func others(properties map[string]*jsonschema.Schema) string {
	names := slices.Sorted(maps.Keys(properties))
	switch {
	case len(names) == 0:
		return ""
	case len(names) > maxNamed:
		names = append(names[:maxNamed], "…")
	}
	return " (known: " + strings.Join(names, ", ") + ")"
}

var plainName = lazy.Regexp(`^[A-Za-z0-9_-]{1,60}$`)

// join appends a property name to a path. It quotes unusual names, because the model chose them.
func join(path, name string) string {
	if !plainName().MatchString(name) {
		name = strconv.QuoteToASCII(Clip(name, maxGot))
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// shown returns a value as JSON, truncated.
func shown(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("a %T", v)
	}
	if len(b) > maxGot {
		return strings.ToValidUTF8(string(b[:maxGot]), "") + "…"
	}
	return string(b)
}

func same(a, b any) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(x) == string(y)
}
