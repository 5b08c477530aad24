package policyfile

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/umpire-dev/umpire/policy"
)

// MaxFile limits a policy file in bytes: an adversary may have written a project's.
const MaxFile = 1 << 20

// Other limits of one file.
const (
	maxDepth = 64
	maxFound = 100 // reported faults of one file
)

// decoder fills Go values from a syntax tree and collects faults.
type decoder struct {
	file string
	errs Errors
}

func (d *decoder) fail(pos policy.Pos, hint, format string, args ...any) {
	if len(d.errs) < maxFound {
		d.errs = append(d.errs, &SourceError{File: pos.File, Line: pos.Line, Col: pos.Col, Msg: fmt.Sprintf(format, args...), Hint: hint})
	}
}

func (d *decoder) pos(n ast.Node) policy.Pos {
	p := policy.Pos{File: d.file}
	if n == nil || reflect.ValueOf(n).IsNil() {
		return p
	}
	if m, ok := n.(*ast.MappingValueNode); ok {
		n = m.Key
	} else if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		n = m.Values[0].Key
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		p.Line, p.Col = t.Position.Line, t.Position.Column
	}
	return p
}

// parse parses the only document of a file. It returns nil if the file is empty.
func (d *decoder) parse(data []byte) ast.Node {
	at := policy.Pos{File: d.file}
	switch {
	case len(data) > MaxFile:
		d.fail(at, "split it", "the file is larger than %d bytes", MaxFile)
		return nil
	case !utf8.Valid(data):
		d.fail(at, "save it as UTF-8", "the file is not UTF-8")
		return nil
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if line, deep := tooDeep(data); deep {
		d.fail(policy.Pos{File: d.file, Line: line}, "write it flat", "nested more than %d levels deep", maxDepth)
		return nil
	}
	f, err := d.safeParse(data)
	if err != nil {
		var ye yaml.Error
		if errors.As(err, &ye) && ye.GetToken() != nil && ye.GetToken().Position != nil {
			at.Line, at.Col = ye.GetToken().Position.Line, ye.GetToken().Position.Column
			d.fail(at, "check the indentation here and in the line above", "not YAML: %s", strings.TrimSpace(ye.GetMessage()))
		} else {
			d.fail(at, "", "not YAML: %s", strings.TrimSpace(err.Error()))
		}
		return nil
	}
	var body ast.Node
	for _, doc := range f.Docs {
		if doc.Body == nil || isNull(doc.Body) {
			continue
		}
		if body != nil {
			d.fail(d.pos(doc.Body), "put it in a separate file", "the file has more than one document")
			return nil
		}
		body = doc.Body
	}
	return body
}

// safeParse recovers from panics of the YAML library: an adversary may have written the file to
// cause one.
func (d *decoder) safeParse(data []byte) (f *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cannot read the YAML: %v", r)
		}
	}()
	return parser.ParseBytes(data, 0)
}

// tooDeep finds nesting that would exhaust the parser's stack. It counts brackets and leading
// dashes without regard to quotes, so its limits are generous.
func tooDeep(data []byte) (line int, deep bool) {
	line = 1
	depth, lead, start := 0, 0, true
	for _, c := range data {
		switch c {
		case '\n':
			line++
			lead, start = 0, true
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		}
		if start {
			switch c {
			case '-', '?', '!', '&', ':':
				lead++
			case ' ':
			default:
				start = c == '\t'
			}
		}
		if depth > 16*maxDepth || lead > 4*maxDepth {
			return line, true
		}
	}
	return 0, false
}

func isNull(n ast.Node) bool {
	switch n := n.(type) {
	case nil:
		return true
	case *ast.NullNode:
		return true
	case *ast.CommentGroupNode:
		return true
	case *ast.DocumentNode:
		return n.Body == nil
	}
	return false
}

// plain rejects the features of YAML by which a small file can expand to a large one, or a word can
// mean something else.
func (d *decoder) plain(n ast.Node) bool {
	what := ""
	switch n.(type) {
	case *ast.AliasNode:
		what = "alias"
	case *ast.AnchorNode:
		what = "anchor"
	case *ast.TagNode:
		what = "tag"
	case *ast.MergeKeyNode:
		what = "merge key"
	}
	if what != "" {
		d.fail(d.pos(n), "write the value out", "a YAML %s is not allowed in a policy", what)
	}
	return what == ""
}

func (d *decoder) pairs(n ast.Node, what string) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	d.fail(d.pos(n), "put a colon after each key, as in deny: delete(~/notes/**)", "%s is not a mapping of keys to values", what)
	return nil, false
}

func (d *decoder) scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func (d *decoder) text(n ast.Node, key string) (text, bool) {
	if s, ok := n.(*ast.StringNode); ok {
		return text{s.Value, d.pos(n)}, true
	}
	if s, ok := d.scalar(n); ok {
		return text{s, d.pos(n)}, true
	}
	d.fail(d.pos(n), "", "%s is not a string", key)
	return text{}, false
}

// value decodes a node into v and reports faults with their position.
func (d *decoder) value(n ast.Node, v reflect.Value, key string, depth int) {
	if depth > maxDepth {
		d.fail(d.pos(n), "write it flat", "nested more than %d levels deep", maxDepth)
		return
	}
	if isNull(n) {
		if n != nil {
			d.fail(d.pos(n), "give it a value or remove the key", "%s is empty", key)
		}
		return
	}
	if !d.plain(n) || d.special(n, v, key, depth) {
		return
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		s, ok := d.scalar(n)
		if !ok {
			d.fail(d.pos(n), "", "%s is not a word", key)
		} else if err := u.UnmarshalText([]byte(s)); err != nil {
			d.fail(d.pos(n), "", "%s: %v", key, err)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), key, depth)
	case reflect.Bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			d.fail(d.pos(n), "write true or false", "%s is not true or false", key)
			return
		}
		v.SetBool(b.Value)
	case reflect.Int:
		i, ok := n.(*ast.IntegerNode)
		if !ok {
			d.fail(d.pos(n), "", "%s is not a whole number", key)
			return
		}
		u, ok := i.Value.(uint64)
		if !ok || u > 1<<40 {
			d.fail(d.pos(n), "", "%s is out of range", key)
			return
		}
		if u == 0 { // most are limits, for which 0 would mean the default, or no limit
			d.fail(d.pos(n), "write 1 or more, or remove the key", "%s is 0", key)
			return
		}
		v.SetInt(int64(u))
	case reflect.String:
		if t, ok := d.text(n, key); ok {
			v.SetString(t.s)
		}
	case reflect.Slice:
		seq, ok := n.(*ast.SequenceNode)
		if !ok {
			d.fail(d.pos(n), "write it as a list", "%s is not a list", key)
			return
		}
		d.list(seq, v, key, depth)
	case reflect.Map:
		d.table(n, v, key, depth)
	case reflect.Struct:
		d.mapping(n, v, key, depth)
	}
}

// special decodes the types with a special form in policy files. It returns false for other types.
func (d *decoder) special(n ast.Node, v reflect.Value, key string, depth int) bool {
	switch v.Type() {
	case textType:
		if t, ok := d.text(n, key); ok {
			v.Set(reflect.ValueOf(t))
		}
		return true
	case textsType:
		if seq, ok := n.(*ast.SequenceNode); ok {
			if len(seq.Values) == 0 {
				d.fail(d.pos(n), "give it a value or remove the key", "%s is empty", key)
			}
			d.list(seq, v, key, depth)
		} else if t, ok := d.text(n, key); ok {
			v.Set(reflect.ValueOf(texts{t}))
		}
		return true
	case jsonTextType:
		x := d.any(n, depth)
		if _, ok := x.(map[string]any); !ok {
			d.fail(d.pos(n), "", "%s is not a mapping of keys to values", key)
			return true
		}
		b, err := json.Marshal(x)
		if err != nil {
			d.fail(d.pos(n), "", "%s: %v", key, err)
			return true
		}
		v.Set(reflect.ValueOf(jsonText{string(b), d.pos(n)}))
		return true
	case exampleType:
		if s, ok := d.scalar(n); ok {
			v.Set(reflect.ValueOf(exampleNode{Command: text{s, d.pos(n)}, Pos: d.pos(n)}))
			return true
		}
	case durationType:
		s, _ := d.scalar(n)
		t, err := time.ParseDuration(s)
		if err != nil || t <= 0 {
			d.fail(d.pos(n), "write for example 5s", "%s is not a duration", key)
			return true
		}
		v.SetInt(int64(t))
		return true
	}
	return false
}

func (d *decoder) list(seq *ast.SequenceNode, v reflect.Value, key string, depth int) {
	out := reflect.MakeSlice(v.Type(), len(seq.Values), len(seq.Values))
	for i, e := range seq.Values {
		if isNull(e) {
			d.fail(d.pos(seq), "remove it", "%s has an empty entry", key)
			continue
		}
		d.value(e, out.Index(i), key, depth+1)
	}
	v.Set(out)
}

func (d *decoder) mapping(n ast.Node, v reflect.Value, what string, depth int) {
	pairs, ok := d.pairs(n, what)
	if !ok {
		return
	}
	known := fields(v.Type())
	if f := v.FieldByName("Pos"); f.IsValid() && f.Type() == posType {
		f.Set(reflect.ValueOf(d.pos(n)))
	}
	seen := map[string]bool{}
	for _, p := range pairs {
		if !d.plain(p.Key) {
			continue
		}
		key := p.Key.GetToken().Value
		if s, ok := p.Key.(*ast.StringNode); ok {
			key = s.Value
		}
		i := 0
		for i < len(known) && known[i].key != key {
			i++
		}
		switch {
		case i == len(known):
			names := make([]string, len(known))
			for i, f := range known {
				names[i] = f.key
			}
			d.fail(d.pos(p), didYouMean(key, names), "unknown key %q in %s", key, what)
		case seen[key]:
			d.fail(d.pos(p), "remove one of them", "key %q occurs twice in %s", key, what)
		default:
			seen[key] = true
			if isNull(p.Value) {
				d.fail(d.pos(p), "give it a value or remove the key", "%s is empty", key)
				continue
			}
			d.value(p.Value, v.Field(known[i].index), key, depth+1)
		}
	}
	for _, f := range known {
		if f.required && !seen[f.key] {
			d.fail(d.pos(n), strings.TrimSpace(fmt.Sprintf("add %s: %s", f.key, f.enum)), "%s has no %s", what, f.key)
		}
	}
}

// table decodes a mapping of kinds to modes.
func (d *decoder) table(n ast.Node, v reflect.Value, what string, depth int) {
	pairs, ok := d.pairs(n, what)
	if !ok {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, p := range pairs {
		if !d.plain(p.Key) {
			continue
		}
		name := p.Key.GetToken().Value
		key := reflect.New(kindType)
		known := false
		for _, n := range modeKinds() {
			known = known || n == name
		}
		if !known || key.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(name)) != nil {
			d.fail(d.pos(p), didYouMean(name, modeKinds()), "unknown kind %q in %s", name, what)
			continue
		}
		if isNull(p.Value) {
			d.fail(d.pos(p), "give it a value or remove the key", "%s is empty", name)
			continue
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		d.value(p.Value, elem, name, depth+1)
		v.SetMapIndex(key.Elem(), elem)
	}
}

// any decodes the example input of a tool.
func (d *decoder) any(n ast.Node, depth int) any {
	if depth > maxDepth {
		d.fail(d.pos(n), "write it flat", "nested more than %d levels deep", maxDepth)
		return nil
	}
	if isNull(n) || !d.plain(n) {
		return nil
	}
	switch n := n.(type) {
	case *ast.BoolNode:
		return n.Value
	case *ast.IntegerNode:
		return n.Value
	case *ast.FloatNode:
		return n.Value
	case *ast.SequenceNode:
		out := make([]any, len(n.Values))
		for i, e := range n.Values {
			out[i] = d.any(e, depth+1)
		}
		return out
	case *ast.MappingNode, *ast.MappingValueNode:
		pairs, _ := d.pairs(n, "input")
		out := make(map[string]any, len(pairs))
		for _, p := range pairs {
			key := p.Key.GetToken().Value
			if s, ok := p.Key.(*ast.StringNode); ok {
				key = s.Value
			}
			out[key] = d.any(p.Value, depth+1)
		}
		return out
	}
	s, _ := d.scalar(n)
	return s
}
