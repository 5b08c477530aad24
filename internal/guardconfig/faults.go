package guardconfig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/nearest"
)

// decodeGuardConfig decodes a configuration. The error contains all faults, each with its line and
// column.
func decodeGuardConfig(path string, b []byte, c *File) error {
	file, err := parser.ParseBytes(b, 0)
	if err != nil {
		return fmt.Errorf("%s:%s", path, strings.Replace(strings.TrimPrefix(yaml.FormatError(err, false, false), "["), "] ", ": not YAML: ", 1))
	}
	c.places = faultFinder{path: path, at: map[string]ast.Node{}}
	f := &c.places
	switch len(file.Docs) {
	case 0:
		return nil
	case 1:
	default:
		return fmt.Errorf("%s: has %d YAML documents: must have one", path, len(file.Docs))
	}
	body := file.Docs[0].Body
	if body == nil || body.Type() == ast.CommentType || body.Type() == ast.CommentGroupType || body.Type() == ast.NullType {
		return nil
	}
	f.check(body, reflect.TypeFor[File](), "")
	if err := yaml.NodeToValue(body, c, yaml.Strict()); err == nil {
		f.meaning(c.Guard) // of the well-formed keys
	} else if len(f.faults) == 0 {
		return fmt.Errorf("%s: %s", path, yaml.FormatError(err, false, false))
	}
	return f.err()
}

// faultFinder collects the faults of a file.
type faultFinder struct {
	path   string
	at     map[string]ast.Node // by path, such as "guard.topicDrift.maxScore"
	faults []fileFault
}

type fileFault struct {
	line, column int
	text         string
}

func (f *faultFinder) add(n ast.Node, format string, args ...any) {
	var at fileFault
	if n != nil && n.GetToken() != nil {
		at.line, at.column = n.GetToken().Position.Line, n.GetToken().Position.Column
	}
	at.text = fmt.Sprintf(format, args...)
	f.faults = append(f.faults, at)
}

func (f *faultFinder) err() error {
	slices.SortStableFunc(f.faults, func(a, b fileFault) int { return 1000*(a.line-b.line) + a.column - b.column })
	var errs []error
	for _, x := range f.faults {
		errs = append(errs, fmt.Errorf("%s:%d:%d: %s", f.path, x.line, x.column, x.text))
	}
	return errors.Join(errs...)
}

// check compares a node with its Go type. It drops the keys that do not fit, so that the others can
// still be validated.
func (f *faultFinder) check(n ast.Node, t reflect.Type, path string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := cmp.Or(path, "the file")
	f.at[path] = n
	if n.Type() == ast.NullType || n.Type() == ast.AnchorType || n.Type() == ast.AliasType || n.Type() == ast.TagType {
		return // the decoder handles these
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		values, ok := entries(n)
		if !ok {
			f.add(n, "%s must be a mapping, not %s", name, described(n))
			return
		}
		seen := map[string]bool{}
		fields := fieldsOf(t)
		var fit []*ast.MappingValueNode
		if m, ok := n.(*ast.MappingNode); ok {
			defer func() { m.Values = fit }()
		}
		for _, v := range values {
			before := len(f.faults)
			keep := func() {
				if _, inner := v.Value.(*ast.MappingNode); inner || len(f.faults) == before {
					fit = append(fit, v)
				}
			}
			key := v.Key.String()
			if s, ok := v.Key.(*ast.StringNode); ok {
				key = s.Value
			}
			if seen[key] {
				f.add(v.Key, "duplicate key %q", key)
			}
			seen[key] = true
			inner := strings.TrimPrefix(path+"."+key, ".")
			if t.Kind() == reflect.Map {
				f.check(v.Value, t.Elem(), inner)
				keep()
				continue
			}
			if ft, ok := fields[key]; ok {
				f.check(v.Value, ft, inner)
				keep()
				continue
			}
			known := slices.Sorted(maps.Keys(fields))
			hint := ": use one of " + strings.Join(known, ", ")
			if near := nearest.Word(key, known); near != "" {
				hint = fmt.Sprintf(" (did you mean %q?)", near)
			} else if _, ok := fieldsOf(reflect.TypeFor[guard.Config]())[key]; ok && path == "" {
				hint = ": write it under guard"
			}
			f.add(v.Key, "unknown key %q%s", key, hint)
		}
	case reflect.Slice:
		s, ok := n.(*ast.SequenceNode)
		if !ok {
			f.add(n, "%s must be a list, not %s", name, described(n))
			return
		}
		for i, v := range s.Values {
			f.check(v, t.Elem(), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Bool:
		f.kind(n, name, "true or false", ast.BoolType)
	case reflect.Int, reflect.Int64:
		f.kind(n, name, "a whole number", ast.IntegerType)
		f.positive(n, name)
	case reflect.Float64:
		f.kind(n, name, "a number", ast.IntegerType, ast.FloatType)
		f.positive(n, name)
	case reflect.String:
		f.kind(n, name, "a text", ast.StringType, ast.LiteralType, ast.IntegerType, ast.FloatType, ast.BoolType)
	}
}

func (f *faultFinder) kind(n ast.Node, name, want string, types ...ast.NodeType) {
	if !slices.Contains(types, n.Type()) {
		f.add(n, "%s must be %s, not %s", name, want, described(n))
	}
}

// positive rejects zero and less, which the guard would treat as an absent key and replace by the
// default.
func (f *faultFinder) positive(n ast.Node, name string) {
	if v, ok := n.(ast.ScalarNode); ok {
		if x, err := strconv.ParseFloat(fmt.Sprint(v.GetValue()), 64); err == nil && x <= 0 {
			f.add(n, "%s must be more than 0: to use the default, remove the key", name)
		}
	}
}

func described(n ast.Node) string {
	switch n.Type() {
	case ast.MappingType, ast.MappingValueType:
		return "a mapping"
	case ast.SequenceType:
		return "a list"
	}
	return fmt.Sprintf("%q", n.GetToken().Value)
}

func entries(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}, true
	}
	return nil, false
}

// fieldsOf returns the types of a struct's keys.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	if t.Kind() != reflect.Struct {
		return out
	}
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			maps.Copy(out, fieldsOf(field.Type))
			continue
		}
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "-" {
			out[name] = field.Type
		}
	}
	return out
}

// meaning finds settings that are well formed but contradictory.
func (f *faultFinder) meaning(c guard.Config) {
	asked := guard.Parts{
		Model: func(context.Context, string) (string, error) { return "", nil },
		Judge: func(context.Context, string) (float64, error) { return 0, nil },

		Classifier: func(context.Context, string) (guard.Opinion, error) { return guard.Opinion{}, nil },
	}
	_, _, err := guard.FromConfig(c, asked)
	for _, err := range leaves(err) {
		f.add(f.nodeOf(err), "%s", err)
	}
}

// nodeOf returns the node of the path at the start of an error, or its nearest existing parent.
func (f *faultFinder) nodeOf(err error) ast.Node {
	key, _, _ := strings.Cut(err.Error(), ": ")
	path := "guard." + key
	n := f.at[path]
	for n == nil && path != "" {
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
		n = f.at[path]
	}
	return n
}

// located adds the position of its key to an error.
func (f *faultFinder) located(err error) error {
	one := faultFinder{path: f.path}
	one.add(f.nodeOf(err), "%s", err)
	return one.err()
}

// leaves returns the joined errors one by one.
func leaves(err error) []error {
	if err == nil {
		return nil
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var out []error
		for _, e := range many.Unwrap() {
			out = append(out, leaves(e)...)
		}
		return out
	}
	return []error{err}
}
