package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// negatedOnce parses text with one ! where several stand before a command. For bash the second
// undoes the first; the parser finds a fault in it.
func negatedOnce(text string, err error) (string, *syntax.File, error) {
	for range maxOpen {
		var fault syntax.ParseError
		if !errors.As(err, &fault) || !strings.Contains(fault.Text, "cannot negate") {
			break
		}
		at := int(fault.Pos.Offset())
		if at >= len(text) || text[at] != '!' {
			break
		}
		text = text[:at] + " " + text[at+1:]
		f, e := parse(text, syntax.LangBash)
		if e == nil {
			return text, f, nil
		}
		err = e
	}
	return text, nil, err
}

// quotedKeys parses text with the keys of arrays in quotes. The parser takes a key for
// arithmetic, and finds a fault in [a.b]=1, which bash does not.
func quotedKeys(text string) (*syntax.File, error) {
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
	return parse(b.String(), syntax.LangBash)
}
