package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A passage is running text: a comment, a string, a paragraph.
type passage struct {
	line    int
	text    string
	comment string // the name whose doc comment it is
}

// A sentence is what the rules look at.
type sentence struct {
	line     int
	text     string
	comment  string // as in passage, for the first sentence
	question bool
}

var (
	code      = regexp.MustCompile("`[^`]*`|%[-+# 0-9.]*[a-zA-Z]|⟨[^⟩]*⟩|(\\{\\{[^}]*\\}\\})+")
	choice    = regexp.MustCompile(`\pL\|\pL`)
	link      = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	markup    = regexp.MustCompile(`(?s)<(script|style)\b.*?</(script|style)>|<!--.*?-->|<[^>]*>`)
	beginning = regexp.MustCompile(`^(\s*)([-*•]|\d+\.|#+|>)\s+`)
)

// sentences splits a passage. Code in it counts as one word, so that no rule looks into it.
// Lines that are indented by a tab or two spaces are examples and lists of options: their text
// ends a sentence and is none.
func sentences(p passage) []sentence {
	var out []sentence
	var b strings.Builder
	start := p.line
	end := func(next int) {
		if text := strings.Join(strings.Fields(b.String()), " "); text != "" {
			s := sentence{line: start, text: text, question: strings.HasSuffix(text, "?")}
			if len(out) == 0 {
				s.comment = p.comment
			}
			out = append(out, s)
		}
		b.Reset()
		start = next
	}
	for i, line := range strings.Split(p.text, "\n") {
		n := p.line + i
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  ") && !beginning.MatchString(line) && b.Len() == 0 {
			end(n + 1)
			continue
		}
		if beginning.MatchString(line) {
			end(n)
			line = beginning.ReplaceAllString(line, "")
		}
		line = link.ReplaceAllString(line, "$1")
		line = code.ReplaceAllString(line, "X")
		if b.Len() == 0 {
			start = n
		}
		line += " "
		for {
			at := sentenceEnd(line)
			if at < 0 {
				break
			}
			b.WriteString(line[:at])
			end(n)
			line = strings.TrimLeft(line[at:], " ")
		}
		b.WriteString(line)
	}
	end(0)
	return out
}

// sentenceEnd returns the offset behind the first full stop of a line, or -1.
func sentenceEnd(line string) int {
	for i := 0; i+1 < len(line); i++ {
		if !strings.ContainsRune(".!?", rune(line[i])) || line[i+1] != ' ' {
			continue
		}
		if i+2 == len(line) {
			return i + 1
		}
		next := rune(line[i+2])
		before := line[:i]
		if strings.HasSuffix(before, "e.g") || strings.HasSuffix(before, "i.e") {
			continue
		}
		if unicode.IsUpper(next) || strings.ContainsRune("`\"(*_-'", next) || next > 0x7f {
			return i + 1
		}
	}
	return -1
}

// goPassages returns the doc comments of the package and of exported names, and the strings
// that read like text.
func goPassages(name string, source []byte) ([]passage, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var out []passage
	if ast.IsGenerated(file) {
		return nil, nil
	}
	comment := func(of string, g *ast.CommentGroup) {
		if g == nil {
			return
		}
		var b strings.Builder
		for _, c := range g.List {
			text, isLine := strings.CutPrefix(c.Text, "//")
			if !isLine {
				text = strings.TrimSuffix(strings.TrimPrefix(c.Text, "/*"), "*/")
			}
			b.WriteString(strings.TrimPrefix(text, " ") + "\n")
		}
		out = append(out, passage{set.Position(g.Pos()).Line, b.String(), of})
	}
	comment("package", file.Doc)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				comment(d.Name.Name, d.Doc)
			}
		case *ast.GenDecl:
			exported := ""
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						exported = s.Name.Name
						comment(s.Name.Name, s.Doc)
						fields(s.Type, comment)
					}
				case *ast.ValueSpec:
					if s.Names[0].IsExported() {
						exported = s.Names[0].Name
						comment(s.Names[0].Name, s.Doc)
						comment("", s.Comment)
					}
				}
			}
			if exported != "" {
				comment(exported, d.Doc)
			}
		}
	}
	tags := map[ast.Node]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				tags[n.Tag] = true
			}
		case *ast.BinaryExpr:
			if text, ok := joined(n); ok {
				add(&out, set.Position(n.Pos()).Line, text)
				return false
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && !tags[n] {
				if text, err := strconv.Unquote(n.Value); err == nil {
					add(&out, set.Position(n.Pos()).Line, text)
				}
			}
		}
		return true
	})
	return out, nil
}

// fields hands over the comments of a type's exported fields and methods.
func fields(t ast.Expr, comment func(string, *ast.CommentGroup)) {
	var list *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return
	}
	for _, f := range list.List {
		if len(f.Names) > 0 && f.Names[0].IsExported() {
			comment("", f.Doc)
			comment("", f.Comment)
		}
	}
}

// joined returns the text of a sum of strings. Anything but a literal in it becomes a word.
func joined(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.ParenExpr:
		return joined(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			left, l := joined(e.X)
			right, r := joined(e.Y)
			if !l && !r {
				return "", false
			}
			if !l {
				left = "X"
			}
			if !r {
				right = "X"
			}
			return left + right, true
		}
	}
	return "", false
}

// add adds a string if it reads like text: three words or more, mostly letters. Words with a
// bar between them are patterns that the program looks for.
func add(out *[]passage, line int, text string) {
	if len(strings.Fields(text)) < 3 || choice.MatchString(text) {
		return
	}
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) || r == ' ' {
			letters++
		}
	}
	if letters*10 < len([]rune(text))*7 {
		return
	}
	*out = append(*out, passage{line: line, text: text})
}

// documentPassages returns a document without its code blocks. Each cell of a table is a
// passage of its own.
func documentPassages(name string, source []byte) ([]passage, error) {
	var out []passage
	var b strings.Builder
	start, fenced, blank := 1, false, true
	end := func(next int) {
		if strings.TrimSpace(b.String()) != "" {
			out = append(out, passage{line: start, text: b.String()})
		}
		b.Reset()
		start = next
	}
	for i, line := range strings.Split(string(source), "\n") {
		n := i + 1
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
			end(n + 1)
		case fenced, blank && strings.HasPrefix(line, "    "):
			end(n + 1)
			continue // a blank line before it still counts
		case strings.HasPrefix(line, "|"):
			end(n + 1)
			for _, cell := range strings.Split(strings.Trim(line, "| "), " | ") {
				out = append(out, passage{line: n, text: strings.TrimSpace(cell)})
			}
		case strings.HasPrefix(line, "#"):
			end(n + 1)
		default:
			b.WriteString(line + "\n")
		}
		blank = strings.TrimSpace(line) == ""
	}
	if fenced {
		return nil, fmt.Errorf("%s: a fence does not end", name)
	}
	end(0)
	return out, nil
}

// pagePassages returns the text of a template, line by line as it stands there.
func pagePassages(name string, source []byte) ([]passage, error) {
	plain := markup.ReplaceAllFunc(source, func(tag []byte) []byte {
		lines := bytes.Count(tag, []byte("\n"))
		if bytes.HasPrefix(tag, []byte("<b>")) || bytes.HasPrefix(tag, []byte("<code")) || bytes.HasPrefix(tag, []byte("<a ")) || bytes.HasPrefix(tag, []byte("</")) && len(tag) < 8 {
			return bytes.Repeat([]byte("\n"), lines)
		}
		return append([]byte(" \x00"), bytes.Repeat([]byte("\n"), lines)...)
	})
	var out []passage
	line := 1
	for _, part := range strings.Split(string(plain), "\x00") {
		trimmed := strings.TrimLeft(part, " \t\n")
		at := line + strings.Count(part[:len(part)-len(trimmed)], "\n")
		if text := strings.Join(strings.Fields(trimmed), " "); text != "" {
			add(&out, at, text)
		}
		line += strings.Count(part, "\n")
	}
	return out, nil
}
