package mcpclient

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/visible"
)

// prose lists the keywords of a schema that only readers use.
var prose = map[string]bool{"description": true, "title": true, "$comment": true}

// Says lists the texts in a schema that a model reads, each with its position. A server can
// hide instructions there as well as in the description.
func (i *Info) Says() (list []string) {
	v, err := decoded(i.Schema)
	if err != nil {
		return nil
	}
	// Text that is not a keyword of JSON Schema and looks like prose.
	words := func(s string) bool { return strings.ContainsAny(s, " \t\n") || len(s) > 40 }
	var look func(at []string, v any)
	look = func(at []string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				if words(k) {
					list = append(list, place(at)+"a name: "+k)
				}
				look(append(at[:len(at):len(at)], k), v[k])
			}
		case []any:
			for _, e := range v {
				look(at, e)
			}
		case string:
			if len(at) > 0 && prose[at[len(at)-1]] {
				list = append(list, place(at[:len(at)-1])+v)
			} else if words(v) {
				list = append(list, place(at)+v)
			}
		}
	}
	look(nil, v)
	return list
}

// place formats the position of a value for people: options.path.
func place(at []string) string {
	at = slices.DeleteFunc(slices.Clone(at), func(s string) bool { return s == "properties" || s == "items" })
	if len(at) == 0 {
		return ""
	}
	return strings.Join(at, ".") + ": "
}

func decoded(schema json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(schema))
	d.UseNumber()
	return v, d.Decode(&v)
}

// plain returns a schema with escaped prose. ok is false if something is hidden in the parts that
// validate a call.
func plain(schema json.RawMessage) (out json.RawMessage, ok bool) {
	v, err := decoded(schema)
	if err != nil {
		return nil, false
	}
	ok = true
	var look func(key string, v any) any
	look = func(key string, v any) any {
		switch v := v.(type) {
		case map[string]any:
			for k := range v {
				ok = ok && visible.Block(k) == k
				v[k] = look(k, v[k])
			}
		case []any:
			for i := range v {
				v[i] = look("", v[i])
			}
		case string:
			clean := visible.Block(v)
			ok = ok && (clean == v || prose[key])
			return clean
		}
		return v
	}
	out, err = json.Marshal(look("", v))
	return out, ok && err == nil
}
