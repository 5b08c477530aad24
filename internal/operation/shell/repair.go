package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// mendNegation removes one of several ! before a command, which the parser rejects; in bash, the
// second undoes the first. It reports whether it removed one.
func (src *source) mendNegation(err error) bool {
	var fault syntax.ParseError
	if !errors.As(err, &fault) || !strings.Contains(fault.Text, "cannot negate") {
		return false
	}
	at := int(fault.Pos.Offset())
	if at >= len(src.text) || src.text[at] != '!' {
		return false
	}
	src.text = src.text[:at] + " " + src.text[at+1:]
	return true
}

// quotedKeys returns text with the keys of arrays in quotes. The parser reads a key as arithmetic
// and rejects [a.b]=1, which bash accepts.
func quotedKeys(text string) string {
	var b strings.Builder
	rest := text
	for {
		open := strings.IndexByte(rest, '[')
		if open < 0 {
			break
		}
		end := strings.IndexByte(rest[open:], ']')
		if end < 0 {
			break
		}
		end += open
		key, after := rest[open+1:end], rest[end+1:]
		b.WriteString(rest[:open+1])
		if key != "" && key != "@" && key != "*" && !strings.ContainsAny(key, " \t\n'\"`$[(){};|&<>\\") && (strings.HasPrefix(after, "=") || strings.HasPrefix(after, "}")) {
			key = `"` + key + `"`
		}
		b.WriteString(key)
		rest = rest[end:]
	}
	b.WriteString(rest)
	return b.String()
}
