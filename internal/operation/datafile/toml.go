package datafile

import "strings"

// TOML reads sections, keys and values. The tables of an array become a list.
func TOML(text string) *Value {
	root, n := &Value{Line: 1}, 0
	at := root
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if n >= maxNodes {
			root.Lost = true
			break
		}
		line, start := strings.TrimSpace(lines[i]), i+1
		if line == "" || line[0] == '#' {
			continue
		}
		n++
		if line[0] == '[' {
			name, _, _ := strings.Cut(strings.TrimLeft(line, "["), "]")
			at = root.make(start, tomlKey(name))
			if strings.HasPrefix(line, "[[") {
				at = at.push(start)
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		if k := strings.TrimLeft(line, `"'`); k != line { // a quoted key may contain an equals sign
			if end := strings.IndexByte(k, line[0]); end >= 0 {
				head, rest, _ := strings.Cut(k[end:], "=")
				key, value = line[:1]+k[:end]+head, rest
			}
		}
		value = strings.TrimSpace(value)
		to := at.make(start, tomlKey(key))
		if quote := value[:min(len(value), 3)]; quote == `"""` || quote == `'''` {
			value = value[3:]
			from, ended := i+1, strings.Contains(value, quote)
			for ; !ended && i+1 < len(lines); ended = strings.Contains(lines[i], quote) {
				i++
			}
			value = strings.Join(append([]string{value}, lines[from:i+1]...), "\n")
			value, _, _ = strings.Cut(strings.TrimPrefix(value, "\n"), quote)
			if quote == `"""` {
				value = Unescape(strings.ReplaceAll(value, "\\\n", ""))
			}
			to.Text = value
			continue
		}
		if value != "" && (value[0] == '[' || value[0] == '{') {
			from, n := i+1, nesting{}
			for n.read(value); n.open() && i+1 < len(lines); n.read(lines[i]) {
				i++
			}
			value = strings.Join(append([]string{value}, lines[from:i+1]...), "\n")
		}
		inner := &flow{s: value, line: start, nodes: &n, plain: true, table: true}
		v := inner.value(0)
		root.Lost = root.Lost || inner.lost
		v.Line = start
		*to = *v
	}
	return root
}

// nesting counts the open brackets of a value, line by line, so that a long value costs one look
// at each of its characters.
type nesting struct {
	depth int
	quote byte
}

func (n *nesting) open() bool { return n.depth > 0 }

func (n *nesting) read(line string) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case n.quote != 0:
			if c == '\\' && n.quote == '"' {
				i++
			} else if c == n.quote {
				n.quote = 0
			}
		case c == '"' || c == '\'':
			n.quote = c
		case c == '#':
			return
		case c == '[' || c == '{':
			n.depth++
		case c == ']' || c == '}':
			n.depth--
		}
	}
}

// tomlKey splits a dotted key, whose parts may be quoted.
func tomlKey(s string) (keys []string) {
	for s = strings.TrimSpace(s); s != ""; {
		end := strings.IndexByte(s, '.')
		if s[0] == '"' || s[0] == '\'' {
			if q := strings.IndexByte(s[1:], s[0]); q >= 0 {
				keys = append(keys, s[1:q+1])
				s = strings.TrimLeft(s[q+2:], " .")
				continue
			}
		}
		if end < 0 {
			return append(keys, strings.TrimSpace(s))
		}
		keys = append(keys, strings.TrimSpace(s[:end]))
		s = strings.TrimSpace(s[end+1:])
	}
	return keys
}

// push appends a new element to a list and returns it.
func (t *Value) push(line int) *Value {
	e := &Value{Line: line}
	t.Kids = append(t.Kids, e)
	if len(t.Keys) > 0 { // invalid: the name is also that of a table
		t.Keys = append(t.Keys, "")
	}
	return e
}

// make returns the mapping below keys, and creates it if it does not exist. In a list it takes the
// last element.
func (t *Value) make(line int, keys []string) *Value {
	for i, key := range keys {
		if i > maxLevel {
			break
		}
		if len(t.Kids) > 0 && len(t.Keys) == 0 {
			t = t.Kids[len(t.Kids)-1]
		}
		next := t.Get(key)
		if next == nil {
			next = &Value{Line: line}
			t.Keys, t.Kids = append(t.Keys, key), append(t.Kids, next)
		}
		t = next
	}
	return t
}
