// Package datafile reads settings files that programs obey, in JSON, YAML, TOML and INI, as one kind
// of tree. A stranger's repository brings the files, so the readers are bounded, accept invalid files,
// and keep line numbers for the reasons of a decision.
package datafile

// Bounds on a settings file, in any format.
const (
	maxNodes = 200000
	maxLevel = 64
)

// Value is a value of a JSON, YAML, TOML or INI file: a text, a list or a mapping. If a key occurs
// twice, the last one counts. The readers accept invalid files, and do not know every form of the
// standards: what they do not understand becomes a text.
type Value struct {
	Line int
	Text string
	Keys []string // of a mapping, parallel to Kids
	Kids []*Value
	Lost bool // on the root: the file has more than was read
}

// Get returns the value below keys, or nil.
//
//go:noinline
func (t *Value) Get(keys ...string) *Value {
	for _, key := range keys {
		if t == nil {
			return nil
		}
		var found *Value
		for i := len(t.Keys) - 1; i >= 0 && found == nil; i-- {
			if t.Keys[i] == key {
				found = t.Kids[i]
			}
		}
		t = found
	}
	return t
}

// Str returns the text below keys, or "".
func (t *Value) Str(keys ...string) string {
	if t = t.Get(keys...); t == nil {
		return ""
	}
	return t.Text
}

// List returns the elements of a list, or a single text as a list of one.
func (t *Value) List() []*Value {
	switch {
	case t == nil:
		return nil
	case len(t.Kids) > 0 && len(t.Keys) == 0:
		return t.Kids
	case len(t.Kids) == 0 && t.Text != "":
		return []*Value{t}
	}
	return nil
}

// Texts returns the texts of a list of texts.
func (t *Value) Texts() (out []string) {
	for _, k := range t.List() {
		out = append(out, k.Text)
	}
	return out
}

// Names returns the keys of a mapping.
func (t *Value) Names() []string {
	if t == nil {
		return nil
	}
	return t.Keys
}

// All returns the values below keys, also in each element of a list. A * stands for every key, and
// [] returns a list as one value.
func (t *Value) All(keys []string) (out []*Value) {
	if t == nil {
		return nil
	}
	if len(keys) == 1 && keys[0] == "[]" { // the list as a whole
		return []*Value{t}
	}
	if len(keys) == 0 {
		if l := t.List(); l != nil && t.Text == "" {
			return l
		}
		return []*Value{t}
	}
	list := len(t.Kids) > 0 && len(t.Keys) == 0
	if keys[0] != "*" && !list {
		return t.Get(keys[0]).All(keys[1:])
	}
	if keys[0] == "*" {
		keys = keys[1:]
	}
	for _, k := range t.Kids {
		out = append(out, k.All(keys)...)
	}
	return out
}

// Each calls f for each key and its value.
func (t *Value) Each(f func(key string, v *Value)) {
	if t != nil {
		for i, k := range t.Keys {
			f(k, t.Kids[i])
		}
	}
}
