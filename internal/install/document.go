package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// Limits of a settings file.
const (
	maxSize  = 4 << 20
	maxDepth = 200
)

// document is a JSON file that keeps its comments and layout when it is edited.
type document struct {
	root    hujson.Value
	bom     bool
	newline string
	unit    string // one step of indentation
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// parseJSON parses JSON, with or without comments and trailing commas. Empty data is an empty
// object.
func parseJSON(data []byte) (*document, error) {
	d := &document{newline: "\n", unit: "  "}
	data, d.bom = bytes.CutPrefix(bytes.Clone(data), byteOrderMark) // edits happen in place
	if bytes.Contains(data, []byte("\r\n")) {
		d.newline = "\r\n"
	}
	if len(bytes.TrimSpace(data)) == 0 {
		data = append(data, "{}"+d.newline...)
	}
	if depth(data) > maxDepth {
		return nil, errors.New("the settings are nested too deeply")
	}
	v, err := hujson.Parse(data)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	d.root = v
	if _, ok := v.Value.(*hujson.Object); !ok {
		return nil, errors.New("it must be a JSON object")
	}
	// If two members have the same name, a client may use either.
	for at := range d.root.All() {
		o, ok := at.Value.(*hujson.Object)
		if !ok {
			continue
		}
		seen := map[string]bool{}
		for _, m := range o.Members {
			name := text(&m.Name)
			if seen[name] {
				return nil, fmt.Errorf("line %d: duplicate key %q: keep one of them", 1+bytes.Count(data[:m.Name.StartOffset], []byte("\n")), name)
			}
			seen[name] = true
		}
	}
	if o := d.root.Value.(*hujson.Object); len(o.Members) > 0 {
		if in, ok := indent(o.Members[0].Name.BeforeExtra); ok && in != "" {
			d.unit = in
		}
	}
	return d, nil
}

// depth returns the nesting depth of brackets. Parsing uses stack for each level.
func depth(data []byte) (deepest int) {
	n := 0
	for i := 0; i < len(data); i++ {
		switch rest := data[i:]; rest[0] {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '/':
			end := ""
			if bytes.HasPrefix(rest, []byte("//")) {
				end = "\n"
			} else if bytes.HasPrefix(rest, []byte("/*")) {
				end = "*/"
			}
			if end == "" {
				continue
			}
			if j := bytes.Index(rest[2:], []byte(end)); j >= 0 { // the star of /*/ ends nothing
				i += 1 + j + len(end)
			}
		case '{', '[':
			n++
			deepest = max(deepest, n)
		case '}', ']':
			n--
		}
	}
	return deepest
}

func (d *document) bytes() []byte {
	out := d.root.Pack()
	if d.bom {
		out = append(bytes.Clone(byteOrderMark), out...)
	}
	return out
}

func (d *document) object() *hujson.Object { return d.root.Value.(*hujson.Object) }

// text returns the value of a string, and "" for other types.
func text(v *hujson.Value) string {
	if v != nil {
		if l, ok := v.Value.(hujson.Literal); ok && l.Kind() == '"' {
			return l.String()
		}
	}
	return ""
}

// isTrue reports whether a value is true; isFalse, whether it is false.
func isTrue(v *hujson.Value) bool  { return v != nil && v.Value.Kind() == 't' }
func isFalse(v *hujson.Value) bool { return v != nil && v.Value.Kind() == 'f' }

// member returns the value of a key, or nil.
func member(o *hujson.Object, key string) *hujson.Value {
	if o != nil {
		for i := range o.Members {
			if text(&o.Members[i].Name) == key {
				return &o.Members[i].Value
			}
		}
	}
	return nil
}

// find descends through objects. It returns nil if a key is missing.
func find(o *hujson.Object, path ...string) *hujson.Value {
	for i, key := range path {
		v := member(o, key)
		if i == len(path)-1 || v == nil {
			return v
		}
		o, _ = v.Value.(*hujson.Object)
	}
	return nil
}

func objectOf(v *hujson.Value) *hujson.Object {
	if v == nil {
		return nil
	}
	o, _ := v.Value.(*hujson.Object)
	return o
}

func arrayOf(v *hujson.Value) *hujson.Array {
	if v == nil {
		return nil
	}
	a, _ := v.Value.(*hujson.Array)
	return a
}

// same reports whether a value equals want, whatever its layout.
func same(v *hujson.Value, want string) bool {
	std := v.Clone()
	std.Minimize()
	var a, b any
	return json.Unmarshal(std.Pack(), &a) == nil && json.Unmarshal([]byte(want), &b) == nil && equal(a, b)
}

func equal(a, b any) bool {
	x, errX := json.Marshal(a) // keys are sorted
	y, errY := json.Marshal(b)
	if errX != nil || errY != nil { // TOML has numbers that JSON lacks
		return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b)
	}
	return bytes.Equal(x, y)
}

// indent returns the indentation of an item's line. It returns false for an item in the middle of a
// line.
func indent(before hujson.Extra) (string, bool) {
	i := bytes.LastIndexByte(before, '\n')
	if i < 0 {
		return "", false
	}
	line := string(before[i+1:])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))], true
}

// comments returns an extra without trailing white space.
func comments(e hujson.Extra) hujson.Extra {
	return bytes.TrimRight(e, " \t\r\n")
}

// room is the place of a new item in an object or an array.
type room struct {
	before hujson.Extra // before it
	after  hujson.Extra // after it: nil unless the list ends with a comma
	indent string       // indentation of the item's content
	lines  bool         // each item has a separate line
}

// room makes room after the last item of a list whose closing bracket is indented by closing.
// Comments at the list's end stay there.
func (d *document) room(first, last *hujson.Value, end *hujson.Extra, closing string) room {
	r := room{lines: true, indent: closing + d.unit}
	if first != nil {
		if in, ok := indent(first.BeforeExtra); ok {
			r.indent = in
		} else {
			r.lines = false
		}
	}
	if last != nil && last.AfterExtra != nil {
		r.after = hujson.Extra{}
	}
	kept := bytes.Clone(comments(*end))
	switch {
	case r.lines:
		if in, ok := indent(*end); ok {
			closing = in
		}
		r.before = append(kept, d.newline+r.indent...)
		*end = hujson.Extra(d.newline + closing)
	case len(kept) > 0:
		r.before = append(kept, d.newline+" "...)
		*end = nil
	default:
		r.before = hujson.Extra(" ")
	}
	return r
}

// value parses JSON text and lays it out like the document.
func (d *document) value(src string, r room) hujson.Value {
	var b bytes.Buffer
	if r.lines {
		_ = json.Indent(&b, []byte(src), r.indent, d.unit)
	} else {
		b.WriteString(src)
	}
	v, err := hujson.Parse([]byte(strings.ReplaceAll(b.String(), "\n", d.newline)))
	if err != nil { // the text is umpire's, so it is valid
		panic(err)
	}
	return v
}

// put adds a member and returns its value. closing is the indentation of the object's last line.
func (d *document) put(o *hujson.Object, key, src, closing string) *hujson.Value {
	var first, last *hujson.Value
	if n := len(o.Members); n > 0 {
		first, last = &o.Members[0].Name, &o.Members[n-1].Value
	}
	r := d.room(first, last, &o.AfterExtra, closing)
	v := d.value(src, r)
	v.BeforeExtra, v.AfterExtra = hujson.Extra(" "), r.after
	o.Members = append(o.Members, hujson.ObjectMember{Name: hujson.Value{BeforeExtra: r.before, Value: hujson.String(key)}, Value: v})
	return &o.Members[len(o.Members)-1].Value
}

// push adds an element at the end, or before all others.
func (d *document) push(a *hujson.Array, src, closing string, front bool) {
	var first, last *hujson.Value
	if n := len(a.Elements); n > 0 {
		first, last = &a.Elements[0], &a.Elements[n-1]
	}
	if front && first != nil {
		in, lines := indent(first.BeforeExtra)
		v := d.value(src, room{lines: lines, indent: in})
		if lines {
			v.BeforeExtra = hujson.Extra(d.newline + in)
		} else if len(first.BeforeExtra) == 0 {
			first.BeforeExtra = hujson.Extra(" ")
		}
		a.Elements = append([]hujson.Value{v}, a.Elements...)
		return
	}
	r := d.room(first, last, &a.AfterExtra, closing)
	v := d.value(src, r)
	v.BeforeExtra, v.AfterExtra = r.before, r.after
	a.Elements = append(a.Elements, v)
}

// drop removes element i, and keeps the comments before it.
func (d *document) drop(a *hujson.Array, i int) {
	gone := a.Elements[i]
	a.Elements = append(a.Elements[:i:i], a.Elements[i+1:]...)
	var next, last *hujson.Value
	if i < len(a.Elements) {
		next = &a.Elements[i]
	} else if i > 0 {
		last = &a.Elements[i-1]
	}
	d.mend(gone.BeforeExtra, gone.AfterExtra, next, last, &a.AfterExtra)
}

// cut removes a member, and keeps the comments before it.
func (d *document) cut(o *hujson.Object, key string) {
	for i := range o.Members {
		if text(&o.Members[i].Name) != key {
			continue
		}
		gone := o.Members[i]
		o.Members = append(o.Members[:i:i], o.Members[i+1:]...)
		var next, last *hujson.Value
		if i < len(o.Members) {
			next = &o.Members[i].Name
		} else if i > 0 {
			last = &o.Members[i-1].Value
		}
		d.mend(gone.Name.BeforeExtra, gone.Value.AfterExtra, next, last, &o.AfterExtra)
		return
	}
}

// mend closes the gap after a removal: before and after are the extras of the removed item, next is
// the following item, or last the preceding one if the removed item was the last.
func (d *document) mend(before, after hujson.Extra, next, last *hujson.Value, end *hujson.Extra) {
	kept := bytes.Clone(comments(before))
	add := func(e hujson.Extra) {
		if c := comments(e); len(c) > 0 {
			if len(kept) > 0 {
				kept = append(kept, d.newline...)
			}
			kept = append(kept, c...)
		}
	}
	add(after)
	join := func(e hujson.Extra) hujson.Extra {
		if len(kept) == 0 {
			return e
		}
		if !bytes.HasPrefix(bytes.TrimLeft(e, " \t\r"), []byte("\n")) {
			kept = append(kept, d.newline...)
		}
		return append(kept, e...)
	}
	if next != nil {
		next.BeforeExtra = join(next.BeforeExtra)
		return
	}
	if last != nil && after == nil && last.AfterExtra != nil { // the list ends without a comma
		add(last.AfterExtra)
		last.AfterExtra = nil
	} else if last != nil && after != nil && last.AfterExtra == nil {
		last.AfterExtra = hujson.Extra{}
	}
	*end = join(*end)
	if last == nil && len(comments(*end)) == 0 { // the list is empty
		*end = nil
	}
}
