package modelproxy

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// extras are a model's output in addition to its texts, by position: tool calls, signed thinking,
// transcripts, citations. Programs and signatures depend on their exact bytes, so a guard can stop
// them but changes nothing in them.
type extras struct {
	said  map[extraKey]*strings.Builder
	order []extraKey
	size  int
}

// extraKey identifies a string: the choice, block or item, and the names that lead to it.
type extraKey struct {
	block int
	path  string
}

// opaque are members of a block without words: names, kinds, signatures, pictures, sound.
var opaque = map[string]bool{"id": true, "type": true, "role": true, "index": true, "status": true, "object": true, "phase": true, "signature": true, "data": true,
	"encrypted_content": true, "call_id": true, "item_id": true, "tool_use_id": true, "result": true, "logprobs": true, "finish_reason": true, "format": true}

// add notes the strings of a block other than its texts.
func (a *extras) add(r *reader, index int, block node, texts ...node) error {
	var err error
	r.members(block, func(k, v node) {
		kind := r.kind(v)
		if err != nil || kind != '"' && kind != '{' && kind != '[' || slices.Contains(texts, v) || opaque[string(r.name(k))] {
			return
		}
		name := r.str(k)
		var value any
		if json.Unmarshal(r.raw(v), &value) != nil {
			err = upstreamFault
			return
		}
		if sound, ok := value.(map[string]any); ok && name == "audio" {
			delete(sound, "data")
		}
		err = words(value, name == "input", func(path, text string) error { return a.note(extraKey{index, name + path}, text) })
	})
	return err
}

func (r *reader) strings(nodes []node) []node {
	var out []node
	for _, n := range nodes {
		if r.kind(n) == '"' {
			out = append(out, n)
		}
	}
	return out
}

// words calls f with each string of a value and its path, and with the names of members if the
// model chose them.
func words(value any, named bool, f func(path, text string) error) error {
	switch v := value.(type) {
	case string:
		return f("", v)
	case []any:
		for i, e := range v {
			at, apart := "", i > 0 // elements without an index share a path: there may be many
			if o, ok := e.(map[string]any); ok && !named {
				if n, ok := o["index"].(float64); ok { // deltas of several calls may alternate
					at, apart = "."+strconv.FormatFloat(n, 'g', -1, 64), false
				}
			}
			if err := words(e, named, func(path, text string) error {
				if apart && text != "" {
					text = "\n" + text
				}
				return f(at+path, text)
			}); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if named {
				if err := f("", name+"\n"); err != nil {
					return err
				}
			} else if opaque[name] {
				continue
			}
			if err := words(v[name], named, func(path, text string) error { return f("."+name+path, text) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// note appends to the content at a position: a stream sends it in pieces.
func (a *extras) note(at extraKey, text string) error {
	if text == "" {
		return nil
	}
	b := a.said[at]
	if b == nil {
		if len(a.said) >= maxSlots {
			return upstreamFault
		}
		if a.said == nil {
			a.said = map[extraKey]*strings.Builder{}
		}
		b = &strings.Builder{}
		a.said[at] = b
		a.order = append(a.order, at)
	}
	if a.size += len(text); a.size > maxCollected {
		return errTooLarge
	}
	b.WriteString(text)
	return nil
}

// judge judges and clears the content of the blocks that of selects, or of all blocks if of is nil.
// It returns the error that stops the answer.
func (a *extras) judge(whole func(string) (string, error), of func(block int) bool) error {
	var all strings.Builder
	a.order = slices.DeleteFunc(a.order, func(at extraKey) bool {
		if of != nil && !of(at.block) {
			return false
		}
		said := a.said[at].String()
		delete(a.said, at)
		a.size -= len(said)
		all.WriteString(said)
		all.WriteByte('\n')
		decoded(said, &all)
		return true
	})
	if strings.TrimSpace(all.String()) == "" {
		return nil
	}
	_, err := whole(all.String())
	return err
}

// decoded appends the strings of JSON in a text, such as the arguments of a call: a guard would not
// recognize an escaped word.
func decoded(text string, to *strings.Builder) {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var v any
		if d.Decode(&v) != nil {
			return
		}
		_ = words(v, true, func(_, text string) error { // fails only if this does
			to.WriteString(text)
			to.WriteByte('\n')
			return nil
		})
	}
}
