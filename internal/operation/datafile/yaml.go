package datafile

import "strings"

// yaml reads the block form of YAML: mappings, lists, multi-line texts and anchors. Values may be
// in the flow form.
type yaml struct {
	lines   []string
	at      int
	nodes   int
	lost    bool
	anchors map[string]*Value
}

// YAML parses YAML. The documents of a file count as one.
func YAML(text string) *Value {
	y := &yaml{lines: strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n"), anchors: map[string]*Value{}}
	t := y.block(0, 0)
	for y.nodes < maxNodes {
		if _, _, more := y.next(); !more {
			t.Lost = y.lost
			return t
		}
		// The next document is of another kind, in which an adversary may hide the rest.
		at := y.at
		doc := y.block(0, 0)
		if len(t.Kids) == 0 { // a text, or nothing
			t = doc
		} else {
			t.Kids = append(t.Kids, doc)
		}
		if len(t.Keys) > 0 && t != doc {
			t.Keys = append(t.Keys, "")
		}
		y.at = max(y.at, at+1)
		y.nodes++
	}
	t.Lost = true
	return t
}

// next skips lines without content, and returns the next line with its indent. A list's dash is
// part of the line.
func (y *yaml) next() (line string, indent int, ok bool) {
	for ; y.at < len(y.lines); y.at++ {
		l := strings.TrimRight(y.lines[y.at], " \t\r")
		s := strings.TrimLeft(l, " ")
		if s == "" || s[0] == '#' || s == "---" || s == "..." || s[0] == '%' && s == l {
			continue
		}
		return s, len(l) - len(s), true
	}
	return "", 0, false
}

// block reads a value whose lines have an indent of at least least: usually a mapping or a list.
func (y *yaml) block(least, depth int) *Value {
	line, indent, ok := y.next()
	t := &Value{Line: y.at + 1}
	y.lost = y.lost || depth > maxLevel
	if !ok || indent < least || depth > maxLevel {
		return t
	}
	if !isDash(line) {
		if _, _, isKey := yamlKey(line); !isKey { // one value
			return y.value(line, indent, least-1, depth)
		}
	}
	list := isDash(line)
	for y.nodes < maxNodes {
		line, at, ok := y.next()
		if !ok || at != indent || isDash(line) != list {
			break
		}
		y.nodes++
		if list {
			rest := strings.TrimLeft(line[1:], " \t")
			if rest == "" || rest[0] == '#' {
				y.at++
				t.Kids = append(t.Kids, y.block(indent+1, depth+1))
				continue
			}
			// The text after the dash is indented as if the dash were a space.
			inner := indent + len(line) - len(rest)
			if _, _, isKey := yamlKey(rest); isKey || isDash(rest) {
				y.lines[y.at] = strings.Repeat(" ", inner) + rest
				t.Kids = append(t.Kids, y.block(inner, depth+1))
			} else {
				t.Kids = append(t.Kids, y.value(rest, indent, indent, depth+1))
			}
			continue
		}
		key, rest, isKey := yamlKey(line)
		if !isKey {
			y.at++
			continue
		}
		v := y.value(rest, indent, indent, depth+1)
		if key == "<<" {
			for _, from := range append([]*Value{v}, v.List()...) {
				if len(from.Keys) > 0 && len(from.Keys)+len(t.Keys) < 4096 { // the mapping's own keys win
					t.Keys, t.Kids = append(append([]string{}, from.Keys...), t.Keys...), append(append([]*Value{}, from.Kids...), t.Kids...)
				}
			}
			continue
		}
		t.Keys, t.Kids = append(t.Keys, key), append(t.Kids, v)
	}
	return t
}

func isDash(s string) bool {
	return s == "-" || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "-\t")
}

// yamlKey splits KEY: REST, and reports whether the line has a key.
func yamlKey(s string) (key, rest string, ok bool) {
	if s == "" || strings.IndexByte("[{|>&*!@`", s[0]) >= 0 && s[0] != '*' {
		return "", "", false
	}
	if q := s[0]; q == '"' || q == '\'' {
		end := strings.IndexByte(s[1:], q)
		if end < 0 || !strings.HasPrefix(strings.TrimLeft(s[end+2:], " "), ":") {
			return "", "", false
		}
		key, rest = s[1:end+1], strings.TrimLeft(s[end+2:], " ")[1:]
		return key, strings.TrimLeft(rest, " \t"), true
	}
	for i := 0; i < len(s); i++ {
		if s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\t') {
			return strings.TrimSpace(strings.TrimPrefix(s[:i], "? ")), strings.TrimLeft(s[i+1:], " \t"), true
		}
		if s[i] == '#' && i > 0 && s[i-1] == ' ' {
			break
		}
	}
	return "", "", false
}

// value reads the text after a key or a dash, and the lines that continue it, whose indent is
// larger than outer.
func (y *yaml) value(s string, indent, outer, depth int) *Value {
	t := &Value{Line: y.at + 1}
	anchor := ""
	for s != "" && (s[0] == '&' || s[0] == '!') {
		word, rest, _ := strings.Cut(s, " ")
		if word[0] == '&' {
			anchor = word[1:]
		}
		s = strings.TrimLeft(rest, " ")
	}
	switch {
	case s == "" || s[0] == '#':
		y.at++
		line, in, ok := y.next()
		if ok && (in > indent || in == indent && isDash(line)) {
			t = y.block(in, depth+1)
		}
	case s[0] == '*':
		y.at++
		name, _, _ := strings.Cut(s[1:], " ")
		if a := y.anchors[name]; a != nil {
			t = a
		}
	case s[0] == '|' || s[0] == '>':
		t.Line++
		t.Text = y.literal(s[0] == '>', outer)
	case s[0] == '[' || s[0] == '{':
		from, n := y.at, nesting{}
		n.read(s)
		for y.at++; n.open() && y.at < len(y.lines); y.at++ {
			n.read(y.lines[y.at])
		}
		text := strings.Join(append([]string{s}, y.lines[from+1:y.at]...), "\n")
		inner := &flow{s: text, line: from + 1, nodes: &y.nodes, plain: true}
		t = inner.value(depth)
		y.lost = y.lost || inner.lost
	default:
		t.Text = y.scalar(s, outer)
	}
	if anchor != "" && len(y.anchors) < 1024 {
		y.anchors[anchor] = t
	}
	return t
}

// scalar reads a text, with or without quotes, over all its lines.
func (y *yaml) scalar(s string, outer int) string {
	y.at++
	quoted := s[0] == '"' || s[0] == '\''
	var b strings.Builder
	b.WriteString(s)
	if !quoted {
		b.Reset()
		b.WriteString(comment(s))
	}
	for y.at < len(y.lines) && b.Len() < 256<<10 {
		if quoted && EndQuote(b.String()) >= 0 {
			break
		}
		l := strings.TrimRight(y.lines[y.at], " \t\r")
		more := strings.TrimLeft(l, " \t")
		if !quoted && (more == "" || len(l)-len(more) <= outer || more[0] == '#' || l == "---") {
			break
		}
		y.at++
		if !quoted {
			more = comment(more)
		}
		b.WriteString(" " + more)
	}
	text := b.String()
	if !quoted {
		return text
	}
	end := EndQuote(text)
	if end < 0 {
		end = len(text)
	}
	if text[0] == '"' {
		return Unescape(text[1:end])
	}
	return strings.ReplaceAll(text[1:end], "''", "'")
}

// EndQuote returns the index of the quote that ends a quoted text, or -1 if there is none.
func EndQuote(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] == s[0]:
			if s[0] == '\'' && strings.HasPrefix(s[i:], "''") {
				i++
				continue
			}
			return i
		}
	}
	return -1
}

// comment returns a text without the comment at its end.
func comment(s string) string {
	if i := strings.Index(s, " #"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

// literal reads the lines of a block text below its key. If fold is true, it joins them with
// spaces.
func (y *yaml) literal(fold bool, outer int) string {
	var b strings.Builder
	margin := -1
	for y.at++; y.at < len(y.lines); y.at++ {
		l := strings.TrimRight(y.lines[y.at], "\r")
		s := strings.TrimLeft(l, " ")
		if s == "" {
			b.WriteByte('\n')
			continue
		}
		if margin < 0 {
			margin = len(l) - len(s)
		}
		if len(l)-len(s) <= outer || len(l)-len(s) < margin {
			break
		}
		b.WriteString(l[margin:])
		if fold {
			b.WriteByte(' ')
		} else {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
