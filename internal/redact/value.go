package redact

import "strings"

// maxQuoted bounds the search for a closing quote.
const maxQuoted = 16 << 10

// value returns the place of the value that starts at i: the inside of quotes, or a word.
// In shell form, quoted parts that touch make one word, as in x='a'"b".
func value(s string, i int, shell bool) (start, end int) {
	if i >= len(s) {
		return i, i
	}
	esc := 0
	for i+esc < len(s) && s[i+esc] == '\\' && esc < 8 {
		esc++
	}
	if q := i + esc; q < len(s) && (s[q] == '"' || s[q] == '\'' || s[q] == '`') {
		open := s[i : q+1]
		if k := strings.Index(s[q+1:min(len(s), q+1+maxQuoted)], open); k >= 0 {
			// An escaped quote inside does not close a plain one.
			for esc == 0 && k > 0 && s[q+k] == '\\' {
				more := strings.Index(s[q+k+2:min(len(s), q+1+maxQuoted)], open)
				if more < 0 {
					break
				}
				k += 1 + more
			}
			end = q + 1 + k
			after := end + len(open)
			if !shell || esc > 0 || after >= len(s) || endsWord(s, after) {
				return q + 1, end
			}
			return i, word(s, after)
		}
		return q + 1, word(s, q+1)
	}
	return i, word(s, i)
}

// word returns the end of the word at i, touching quoted parts included.
func word(s string, i int) int {
	i += maskLen(s[i:]) // its bracket ends no value
	for i < len(s) && !endsWord(s, i) {
		i++
	}
	return i
}

// endsWord reports whether a value ends before s[i].
func endsWord(s string, i int) bool {
	switch c := s[i]; c {
	case '"', '\'', '`', ';', '&', '|', '<', '>':
		return true
	case '\\':
		return i+1 >= len(s) || !isAlnum(s[i+1]) || s[i+1] == 'n' || s[i+1] == 'r' || s[i+1] == 't'
	case ',', ')', ']', '}':
		// Passwords hold these too: they end the value only where a list or a call would go on.
		if i+1 >= len(s) || s[i+1] <= ' ' {
			return true
		}
		switch s[i+1] {
		case '"', '\'', '`', ';', ',', ')', ']', '}', '\\', '{', '[':
			return true
		}
		if c == ',' {
			k := i + 1
			for k < len(s) && k-i < 32 && isToken(s[k]) {
				k++
			}
			return k > i+1 && k < len(s) && (s[k] == '=' || s[k] == ':')
		}
		return false
	default:
		return c <= ' '
	}
}

// placeholder reports whether v stands for a secret without being one: a
// variable, a mask, a type, an empty value.
func placeholder(v string) bool {
	if isMask(v) {
		return true
	}
	switch v[0] {
	case '$':
		return reference(v)
	case '<':
		return v[len(v)-1] == '>' && !strings.ContainsAny(v[:len(v)-1], "0123456789>")
	case '{':
		return strings.HasPrefix(v, "{{") && strings.HasSuffix(v, "}}") || v == "{" || v == "{}"
	case '%':
		return len(v) > 2 && v[len(v)-1] == '%' && name(v[1:len(v)-1])
	case '[':
		return v == "[" || v == "[]"
	case '*', '.', '-':
		return strings.Trim(v, v[:1]) == ""
	}
	if len(v) <= 9 {
		switch strings.ToLower(v) {
		case "null", "none", "nil", "true", "false", "undefined", "string", "str", "int", "bool", "boolean", "number", "any", "yes", "no":
			return true
		}
	}
	if strings.Trim(v, "xX") == "" {
		return true
	}
	// A call or a lookup in code, as in token = os.getenv("X").
	if k := strings.IndexAny(v, "(["); k > 0 && !strings.ContainsAny(v[:k], "0123456789!@#%^&*") && name(strings.ReplaceAll(v[:k], ".", "_")) {
		return true
	}
	return false
}

// reference reports whether v, which starts with a dollar, is a variable or a substitution and nothing else.
func reference(v string) bool {
	if len(v) < 2 {
		return false
	}
	switch v[1] {
	case '(':
		return true // what a command prints
	case '{':
		// ${X:-fallback} may hold the secret itself.
		return strings.HasPrefix(v, "${{") || v[len(v)-1] == '}' && name(v[2:len(v)-1])
	}
	return name(v[1:])
}

func name(v string) bool {
	if v == "" || isDigit(v[0]) {
		return false
	}
	for i := 0; i < len(v); i++ {
		if !isAlnum(v[i]) && v[i] != '_' {
			return false
		}
	}
	return true
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}
