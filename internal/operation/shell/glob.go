package shell

import "strings"

func hasGlob(s string) bool { return strings.ContainsAny(s, "*?[") }

// globMatch matches a shell pattern against a whole string; * matches anything.
func globMatch(pat, s string) bool {
	px, sx, star, mark := 0, 0, -1, 0
	for sx < len(s) {
		if px < len(pat) {
			switch c := pat[px]; {
			case c == '*':
				star, mark = px, sx
				px++
				continue
			case c == '?':
				px++
				sx++
				continue
			case c == '[':
				if end := strings.IndexByte(pat[px+1:], ']'); end > 0 {
					if inClass(pat[px+1:px+1+end], s[sx]) {
						px += end + 2
						sx++
						continue
					}
				} else if s[sx] == '[' {
					px++
					sx++
					continue
				}
			case c == '\\' && px+1 < len(pat) && pat[px+1] == s[sx]:
				px += 2
				sx++
				continue
			case c == s[sx]:
				px++
				sx++
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		px, sx = star+1, mark
	}
	for px < len(pat) && pat[px] == '*' {
		px++
	}
	return px == len(pat)
}

func inClass(class string, c byte) bool {
	not := strings.HasPrefix(class, "!") || strings.HasPrefix(class, "^")
	if not {
		class = class[1:]
	}
	in := false
	for i := 0; i < len(class); i++ {
		if i+2 < len(class) && class[i+1] == '-' {
			in = in || class[i] <= c && c <= class[i+2]
			i += 2
			continue
		}
		in = in || class[i] == c
	}
	return in != not
}
