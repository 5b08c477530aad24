package code

import "strings"

func dirOf(s string) string {
	i := strings.LastIndexByte(strings.TrimRight(s, "/"), '/')
	switch {
	case i < 0:
		return "."
	case i == 0:
		return "/"
	}
	return s[:i]
}

func baseOf(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }

// joinPath joins the parts of a path, as os.path.join does.
func joinPath(parts ...value) value {
	out := value{}
	for i, p := range parts {
		if p.seq && len(p.list) > 0 {
			p = joinPath(p.list...)
		}
		if i == 0 {
			out = value{alts: p.all(), taint: p.taint}
			continue
		}
		abs := true
		for _, s := range p.all() {
			abs = abs && strings.HasPrefix(s, "/")
		}
		if abs {
			out = value{alts: p.all(), taint: p.taint | out.taint}
			continue
		}
		out = out.mapPath(func(s string) string { return strings.TrimSuffix(s, "/") })
		out = concat(concat(out, lit("/")), value{alts: p.all(), taint: p.taint})
	}
	return out
}

// pathObject returns a path object from the parts of its path.
func pathObject(parts ...value) value {
	v := joinPath(parts...)
	v.ref = refPath
	return v
}

// mapPath is mapText for paths: a path with an unknown part still has a known folder.
func (v value) mapPath(f func(string) string) value {
	out := value{taint: v.taint}
	for _, a := range v.all() {
		out.alts = append(out.alts, f(a))
	}
	return out
}

func (m *machine) home() value {
	v := m.getenv("HOME")
	if len(v.alts) == 0 {
		return lit("~")
	}
	return v
}

func (m *machine) expandUser(v value) value {
	h := m.home().text()
	out := v.mapPath(func(s string) string {
		if s == "~" || strings.HasPrefix(s, "~/") {
			return h + s[1:]
		}
		return s
	})
	out.ref = v.ref
	return out
}

// expandVars replaces $NAME and ${NAME}.
func (m *machine) expandVars(v value) value {
	return v.mapPath(func(s string) string {
		return m.expandNames(s, func(name string) (string, bool) { return m.getenv(name).text(), true })
	})
}

// expandNames replaces $NAME and ${NAME} by the texts that value returns, if it knows the name.
func (m *machine) expandNames(s string, value func(string) (string, bool)) string {
	var b strings.Builder
	for i := 0; i < len(s) && b.Len() <= maxValue; i++ {
		j := i + 1
		brace := j < len(s) && s[j] == '{'
		if brace {
			j++
		}
		k := j
		for s[i] == '$' && k < len(s) && nameByte(s[k]) {
			k++
		}
		text, ok := "", k > j
		if ok {
			text, ok = value(s[j:k])
		}
		if !ok {
			b.WriteByte(s[i])
			continue
		}
		b.WriteString(text)
		if brace && k < len(s) {
			k++
		}
		i = k - 1
	}
	return b.String()
}
