package datafile

import (
	"encoding/json"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/escape"
)

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
	free  []Value
}

// node returns a new value at this line. It allocates in batches, because a manifest has hundreds
// of values.
func (f *flow) node() *Value {
	if len(f.free) == 0 {
		f.free = make([]Value, 32)
	}
	t := &f.free[0]
	f.free, t.Line = f.free[1:], f.line
	return t
}

// JSON parses JSON with comments.
func JSON(text string) *Value {
	n := 0
	f := &flow{s: strings.TrimPrefix(text, "\ufeff"), line: 1, nodes: &n}
	t := f.value(0)
	t.Lost = f.lost
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
func (f *flow) value(depth int) *Value {
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
				t.Kids = append(t.Kids, f.value(depth+1))
			} else {
				key := f.word(true)
				f.skip()
				var v *Value
				if f.at < len(f.s) && (f.s[f.at] == ':' || f.table && f.s[f.at] == '=') {
					f.at++
					v = f.value(depth + 1)
				} else {
					v = f.node()
				}
				t.Keys, t.Kids = append(t.Keys, key), append(t.Kids, v)
			}
			if f.at == before { // skip a character that no value begins with
				f.at++
			}
		}
	default:
		t.Text = f.word(false)
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
			text = Unescape(text)
		}
		return text
	}
	if q := rest[0]; q == '"' || q == '\'' {
		end := 1
		for end < len(rest) && (rest[end] != q || q == '\'' && f.plain && strings.HasPrefix(rest[end:], "''")) {
			if rest[end] == q || rest[end] == '\\' && q == '"' { // the next character is quoted
				end++
			}
			end++
		}
		end = min(end, len(rest))
		f.at = min(f.at+end+1, len(f.s))
		f.line += strings.Count(rest[:end], "\n")
		if q == '"' {
			return Unescape(rest[1:end])
		}
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

// Unescape reads the text between double quotes.
func Unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out string
	if json.Unmarshal([]byte(`"`+s+`"`), &out) == nil {
		return out
	}
	return escape.Of("json").Decode(s)
}
