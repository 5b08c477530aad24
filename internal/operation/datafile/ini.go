package datafile

import "strings"

// INI reads sections, keys and values. Indented lines continue a value. Keys are in lower case.
func INI(text string) *Value {
	root := &Value{Line: 1}
	section, last := root, (*Value)(nil)
	for i, line := range strings.Split(text, "\n") {
		s := strings.TrimSpace(line)
		switch {
		case s == "" || s[0] == '#' || s[0] == ';':
		case s[0] == '[' && strings.HasSuffix(s, "]"):
			section, last = root.make(i+1, []string{strings.TrimSpace(s[1 : len(s)-1])}), nil
		case (line[0] == ' ' || line[0] == '\t') && last != nil:
			last.Kids = append(last.Kids, &Value{Line: i + 1, Text: s})
			last.Text += "\n" + s
		default:
			j := strings.IndexAny(s, "=:")
			if j < 0 || i > maxNodes {
				continue
			}
			last = section.make(i+1, []string{strings.ToLower(strings.TrimSpace(s[:j]))})
			*last = Value{Line: i + 1, Text: strings.TrimSpace(s[j+1:])}
			if last.Text != "" {
				last.Kids = []*Value{{Line: i + 1, Text: last.Text}}
			}
		}
	}
	return root
}
