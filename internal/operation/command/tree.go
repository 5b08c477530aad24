package command

import (
	"encoding/json"
	"strings"
)

// Bounds on a settings file, in any format.
const (
	maxNodes = 200000
	maxLevel = 64
)

// tree is a value of a JSON, YAML, TOML or INI file: a text, a list or a mapping. If a key occurs
// twice, the last one counts. The readers accept invalid files, and do not know every form of the
// standards: what they do not understand becomes a text.
type tree struct {
	line int
	text string
	keys []string // of a mapping, parallel to kids
	kids []*tree
	lost bool // on the root: the file has more than was read
}

// get returns the value below keys, or nil.
//
//go:noinline
func (t *tree) get(keys ...string) *tree {
	for _, key := range keys {
		if t == nil {
			return nil
		}
		var found *tree
		for i := len(t.keys) - 1; i >= 0 && found == nil; i-- {
			if t.keys[i] == key {
				found = t.kids[i]
			}
		}
		t = found
	}
	return t
}

// str returns the text below keys, or "".
func (t *tree) str(keys ...string) string {
	if t = t.get(keys...); t == nil {
		return ""
	}
	return t.text
}

// list returns the elements of a list, or a single text as a list of one.
func (t *tree) list() []*tree {
	switch {
	case t == nil:
		return nil
	case len(t.kids) > 0 && len(t.keys) == 0:
		return t.kids
	case len(t.kids) == 0 && t.text != "":
		return []*tree{t}
	}
	return nil
}

// texts returns the texts of a list of texts.
func (t *tree) texts() (out []string) {
	for _, k := range t.list() {
		out = append(out, k.text)
	}
	return out
}

// each calls f for each key and its value.
func (t *tree) each(f func(key string, v *tree)) {
	if t != nil {
		for i, k := range t.keys {
			f(k, t.kids[i])
		}
	}
}

// flow reads JSON, with the comments and trailing commas of many files, and the flow form of YAML
// and TOML.
type flow struct {
	s     string
	at    int
	line  int
	nodes *int
	plain bool // YAML and TOML: # begins a comment, and // does not
	lost  bool // there is more than was read
	table bool // TOML: KEY = VALUE
	free  []tree
}

// node returns a new value at this line. It allocates in batches, because a manifest has hundreds
// of values.
func (f *flow) node() *tree {
	if len(f.free) == 0 {
		f.free = make([]tree, 32)
	}
	t := &f.free[0]
	f.free, t.line = f.free[1:], f.line
	return t
}

// readJSON parses JSON with comments.
func readJSON(text string) *tree {
	n := 0
	f := &flow{s: strings.TrimPrefix(text, "\ufeff"), line: 1, nodes: &n}
	t := f.value(0)
	t.lost = f.lost
	return t
}

// skip moves past white space and comments.
func (f *flow) skip() {
	for f.at < len(f.s) {
		switch c := f.s[f.at]; {
		case c == '\n':
			f.line++
			f.at++
		case c == ' ' || c == '\t' || c == '\r':
			f.at++
		case strings.HasPrefix(f.s[f.at:], "//") && !f.plain, c == '#' && f.plain:
			for f.at < len(f.s) && f.s[f.at] != '\n' {
				f.at++
			}
		case strings.HasPrefix(f.s[f.at:], "/*") && !f.plain:
			end := strings.Index(f.s[f.at+2:], "*/")
			if end < 0 {
				end = len(f.s) - f.at - 4
			}
			f.line += strings.Count(f.s[f.at:f.at+max(end, 0)], "\n")
			f.at = min(f.at+max(end, 0)+4, len(f.s))
		default:
			return
		}
	}
}

// value reads a value. Beyond the bounds it skips the rest of the text and sets lost.
func (f *flow) value(depth int) *tree {
	f.skip()
	t := f.node()
	if *f.nodes++; *f.nodes > maxNodes || depth > maxLevel || f.at >= len(f.s) {
		f.lost = f.lost || f.at < len(f.s)
		f.at = len(f.s)
		return t
	}
	switch open := f.s[f.at]; open {
	case '{', '[':
		for f.at++; ; {
			f.skip()
			if f.at >= len(f.s) {
				return t
			}
			switch f.s[f.at] {
			case '}', ']':
				f.at++
				return t
			case ',', ':':
				f.at++
				continue
			}
			before := f.at
			if open == '[' {
				t.kids = append(t.kids, f.value(depth+1))
			} else {
				key := f.word(true)
				f.skip()
				var v *tree
				if f.at < len(f.s) && (f.s[f.at] == ':' || f.table && f.s[f.at] == '=') {
					f.at++
					v = f.value(depth + 1)
				} else {
					v = f.node()
				}
				t.keys, t.kids = append(t.keys, key), append(t.kids, v)
			}
			if f.at == before { // skip a character that no value begins with
				f.at++
			}
		}
	default:
		t.text = f.word(false)
	}
	return t
}

// word reads a text, quoted or not. An unquoted key ends at the separator as well.
func (f *flow) word(key bool) string {
	rest := f.s[f.at:]
	if quote := rest[:min(len(rest), 3)]; f.table && (quote == `"""` || quote == `'''`) {
		text, _, _ := strings.Cut(rest[3:], quote)
		f.at = min(f.at+len(text)+6, len(f.s))
		f.line += strings.Count(text, "\n")
		if quote == `"""` {
			text = unescape(text)
		}
		return text
	}
	switch rest[0] {
	case '"':
		end := 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(rest))
		f.at = min(f.at+end+1, len(f.s))
		f.line += strings.Count(rest[:end], "\n")
		return unescape(rest[1:end])
	case '\'':
		end := 1
		for end < len(rest) && (rest[end] != '\'' || strings.HasPrefix(rest[end:], "''") && f.plain) {
			if rest[end] == '\'' {
				end++
			}
			end++
		}
		end = min(end, len(rest))
		f.at = min(f.at+end+1, len(f.s))
		return strings.ReplaceAll(rest[1:end], "''", "'")
	}
	end := strings.IndexAny(rest, ",]}\n")
	if end < 0 {
		end = len(rest)
	}
	sep := ":"
	if f.table {
		sep = "="
	}
	if i := strings.Index(rest[:end], sep); i >= 0 && key {
		end = i
	}
	f.at += end
	return strings.TrimSpace(rest[:end])
}

// unescape reads the text between double quotes.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out string
	if json.Unmarshal([]byte(`"`+s+`"`), &out) == nil {
		return out
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'x', 'u', 'U':
			n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i]]
			code := 0
			for j := i + 1; j <= i+n && j < len(s); j++ {
				code = code<<4 | strings.IndexByte("0123456789abcdef", s[j]|0x20)&15
			}
			i = min(i+n, len(s))
			b.WriteRune(rune(code))
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// readTOML reads sections, keys and values. The tables of an array become a list.
func readTOML(text string) *tree {
	root, n := &tree{line: 1}, 0
	at := root
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if n >= maxNodes {
			root.lost = true
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
				value = unescape(strings.ReplaceAll(value, "\\\n", ""))
			}
			to.text = value
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
		root.lost = root.lost || inner.lost
		v.line = start
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
func (t *tree) push(line int) *tree {
	e := &tree{line: line}
	t.kids = append(t.kids, e)
	if len(t.keys) > 0 { // invalid: the name is also that of a table
		t.keys = append(t.keys, "")
	}
	return e
}

// make returns the mapping below keys, and creates it if it does not exist. In a list it takes the
// last element.
func (t *tree) make(line int, keys []string) *tree {
	for i, key := range keys {
		if i > maxLevel {
			break
		}
		if len(t.kids) > 0 && len(t.keys) == 0 {
			t = t.kids[len(t.kids)-1]
		}
		next := t.get(key)
		if next == nil {
			next = &tree{line: line}
			t.keys, t.kids = append(t.keys, key), append(t.kids, next)
		}
		t = next
	}
	return t
}
