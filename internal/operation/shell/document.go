package shell

import (
	"errors"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// doubtful returns the here-documents in a part of the text that this parser and a shell may end in
// different places. The adversary hides a command after such an end:
//
//	cat <<$'a\x41'
//	aA
//	rm -rf ~
//
// These texts are also read as commands.
func (src source) doubtful(in syntax.Node) (bodies []string) {
	syntax.Walk(in, func(n syntax.Node) bool {
		if r, ok := n.(*syntax.Redirect); ok && r.Hdoc != nil {
			from, to := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset())
			if from < to && to <= len(src.text) && (src.complete < len(src.text) && to >= src.complete || !plainEnd(r.Word)) {
				bodies = append(bodies, src.text[from:to])
			}
		}
		return true
	})
	return bodies
}

// plainEnd reports whether all shells read the same word after <<.
func plainEnd(w *syntax.Word) bool {
	end := ""
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			end += strings.TrimPrefix(p.Value, `\`)
		case *syntax.SglQuoted:
			if p.Dollar {
				return false
			}
			end += p.Value
		case *syntax.DblQuoted:
			for _, in := range p.Parts {
				lit, ok := in.(*syntax.Lit)
				if !ok || p.Dollar {
					return false
				}
				end += lit.Value
			}
		default:
			return false
		}
	}
	return end != "" && end != otherEnd && !strings.ContainsAny(end, "\\\n\r\"'`$")
}

// otherEnd replaces the end word of a here-document that the parser rejects or never finds.
const otherEnd = "umpire-other-end"

// mendDocument repairs one here-document that the parser cannot read: it adds a missing end, or
// replaces an end word that the parser rejects. It reports whether it changed the text. Bash warns
// of a missing end, takes all that follows as the document, and runs the command; it expands
// nothing in the end word.
func (src *source) mendDocument(err error) bool {
	var fault syntax.ParseError
	if !errors.As(err, &fault) {
		return false
	}
	at := int(fault.Pos.Offset())
	if rest, ok := strings.CutPrefix(fault.Text, "unclosed here-document "); ok {
		if end, err := strconv.Unquote(rest); err == nil && !strings.Contains(end, "\n") {
			src.text += "\n" + end + "\n"
			return true
		}
		at = min(at, len(src.text)) // offset of the redirection
		at += strings.Index(src.text[at:], "<<") + len("<<")
	} else if fault.Text != "expansions not allowed in heredoc words" {
		return false
	}
	from := strings.LastIndex(src.text[:min(at, len(src.text))], "<<") + len("<<")
	if from < len("<<") {
		return false
	}
	word := strings.TrimLeft(strings.TrimPrefix(src.text[from:], "-"), " \t")
	n := endWord(word)
	if n == 0 || word[:n] == otherEnd {
		return false
	}
	from = len(src.text) - len(word)
	src.text = src.text[:from] + otherEnd + word[n:]
	if from < src.complete {
		src.complete += len(otherEnd) - n
	}
	return true
}

// endWord returns the length of the word at the start of text, without expansions.
func endWord(text string) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			i++
		case '\'', '"', '`':
			n := strings.IndexByte(text[i+1:], c)
			if n < 0 {
				return len(text)
			}
			i += n + 1
		case '$':
			if i+1 < len(text) && (text[i+1] == '(' || text[i+1] == '{') {
				i += bracketed(text[i+1:])
			}
		case ' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')':
			return i
		}
	}
	return len(text)
}

// bracketed returns the length of a bracket and its content at the start of text.
func bracketed(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// withoutDocuments returns a line of text without its here-documents.
func withoutDocuments(line string) string {
	for from := 0; ; {
		i := strings.Index(line[from:], "<<")
		if i < 0 {
			return line
		}
		i += from
		if strings.HasPrefix(line[i:], "<<<") { // a here-string
			from = i + len("<<<")
			continue
		}
		rest := strings.TrimLeft(strings.TrimPrefix(line[i+2:], "-"), " \t")
		line = line[:i] + " " + rest[endWord(rest):]
		from = i
	}
}
