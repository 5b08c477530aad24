package tui

import (
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// grammar is created for the first answer. It has no extensions: their package costs half a
// millisecond at every start of umpire.
var grammar = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))
})

const (
	maxMarkdown = 16 << 10 // bytes to parse at once
	maxMarks    = 1000     // special characters in a paragraph
	maxNesting  = 8        // nested lists and quotes
)

// markdown draws a text in lines of at most so many cells.
func markdown(src string, cells int) []string {
	if dense(src) {
		return wrapText(clean(src), 0, cells)
	}
	b := []byte(src)
	d := drawer{src: b}
	return d.blocks(grammar().Parse(text.NewReader(b)), max(cells, 8), 0)
}

// lastBlock returns where the last block of a text begins, once the ones before can no
// longer change.
func lastBlock(src string) int {
	if dense(src) {
		return 0
	}
	b := []byte(src)
	last := grammar().Parse(text.NewReader(b)).LastChild()
	if last != nil && last.Kind() == ast.KindLinkReferenceDefinition || last == nil || last.PreviousSibling() == nil {
		return 0
	}
	p := last.Pos()
	if p <= 0 || p > len(src) {
		return 0
	}
	return strings.LastIndexByte(src[:p], '\n') + 1
}

// dense reports whether a paragraph has so many special characters that the parser would take
// seconds: it looks for the partner of each, and an attacker can make a model write thousands of
// brackets. Such a text is drawn unformatted.
func dense(src string) bool {
	count, fence := 0, ""
	for l := range strings.Lines(src) {
		switch m := fenceMark(l); {
		case fence != "" && strings.HasPrefix(m, fence):
			fence = ""
		case fence != "":
		case m != "":
			fence = m
		case strings.TrimSpace(l) == "":
			count = 0
		default:
			for i := range len(l) {
				if strings.IndexByte("[]*_<>!`~|&-+", l[i]) >= 0 {
					count++
				}
			}
			if count > maxMarks {
				return true
			}
		}
	}
	return false
}

type drawer struct{ src []byte }

// blocks draws the children of a node, with an empty line between them.
func (d *drawer) blocks(parent ast.Node, cells, depth int) (out []string) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		lines := d.block(n, cells, depth)
		if len(lines) == 0 {
			continue
		}
		if len(out) > 0 && !tight(n) {
			out = append(out, "")
		}
		out = append(out, lines...)
	}
	return out
}

// tight reports whether a block follows the previous one without an empty line.
func tight(n ast.Node) bool {
	if item, ok := n.Parent().(*ast.ListItem); ok {
		if list, ok := item.Parent().(*ast.List); ok {
			return list.IsTight
		}
	}
	return false
}

func (d *drawer) block(n ast.Node, cells, depth int) []string {
	cells = max(cells, 8)
	if depth > maxNesting {
		return wrapText(clean(d.raw(n)), 0, cells)
	}
	switch n := n.(type) {
	case *ast.Heading:
		head := []span{{strings.Repeat("#", n.Level) + " ", bold}}
		return drawAll(wrap(append(head, d.flat(n, bold)...), cells))
	case *ast.Paragraph, *ast.TextBlock:
		if before, t, ok := splitTable(d.raw(n)); ok {
			var out []string
			if before != "" {
				out = append(markdown(before, cells), "")
			}
			return append(out, t.draw(cells)...)
		}
		return d.paragraph(n, cells)
	case *ast.FencedCodeBlock:
		return code(clean(d.raw(n)), string(n.Language(d.src)), cells)
	case *ast.CodeBlock:
		return code(clean(d.raw(n)), "", cells)
	case *ast.Blockquote:
		return prefixed("│ ", "│ ", d.blocks(n, cells-2, depth+1))
	case *ast.List:
		return d.list(n, cells, depth)
	case *ast.ThematicBreak:
		return []string{faint.on(strings.Repeat("─", cells))}
	case *ast.LinkReferenceDefinition:
		return nil
	default:
		return wrapText(clean(d.raw(n)), 0, cells)
	}
}

// raw draws the source of a block.
func (d *drawer) raw(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(d.src))
	}
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		b.Write(h.ClosureLine.Value(d.src))
	}
	return b.String()
}

// paragraph draws inline text, split at hard breaks.
func (d *drawer) paragraph(n ast.Node, cells int) (out []string) {
	var line []span
	for _, s := range d.inlines(n, 0) {
		if s.text == "\n" {
			out = append(out, drawAll(wrap(line, cells))...)
			line = nil
			continue
		}
		line = append(line, s)
	}
	if len(line) > 0 {
		out = append(out, drawAll(wrap(line, cells))...)
	}
	return out
}

// inlines returns the spans of a node. A hard break is the span "\n".
func (d *drawer) inlines(parent ast.Node, st style) (out []span) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			out = append(out, span{d.text(n), st})
			switch {
			case n.HardLineBreak():
				out = append(out, span{"\n", 0})
			case n.SoftLineBreak():
				out = append(out, span{" ", st})
			}
		case *ast.String:
			out = append(out, span{cleanLine(string(n.Value)), st})
		case *ast.CodeSpan:
			var b strings.Builder
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					b.Write(t.Segment.Value(d.src))
				}
			}
			out = append(out, span{"`" + cleanLine(strings.ReplaceAll(b.String(), "\n", " ")) + "`", st | cyan})
		case *ast.Emphasis:
			if n.Level > 1 {
				out = append(out, d.inlines(n, st|bold)...)
			} else {
				out = append(out, d.inlines(n, st|italic)...)
			}
		case *ast.Link:
			out = append(out, d.link(n, string(n.Destination), st)...)
		case *ast.Image:
			out = append(out, span{"image: ", st | faint})
			out = append(out, d.link(n, string(n.Destination), st)...)
		case *ast.AutoLink:
			out = append(out, span{cleanLine(string(n.URL(d.src))), st | underline})
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				out = append(out, span{cleanLine(string(s.Value(d.src))), st})
			}
		default:
			out = append(out, d.inlines(n, st)...)
		}
	}
	return out
}

// flat is like inlines, but on one line.
func (d *drawer) flat(n ast.Node, st style) []span {
	list := d.inlines(n, st)
	for i := range list {
		if list[i].text == "\n" {
			list[i].text = " "
		}
	}
	return list
}

// link draws a link with its URL: its text does not show where it leads.
func (d *drawer) link(n ast.Node, to string, st style) []span {
	label := d.inlines(n, st|underline)
	text := ""
	for _, s := range label {
		text += s.text
	}
	if to = cleanLine(to); text == to || to == "" {
		return label
	}
	return append(label, span{" (" + to + ")", st | faint})
}

func (d *drawer) text(n *ast.Text) string {
	v := n.Value(d.src)
	if !n.IsRaw() {
		v = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(v)))
	}
	return cleanLine(string(v)) // after resolving entities: they can name any character
}

func (d *drawer) list(n *ast.List, cells, depth int) (out []string) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + string(rune(n.Marker)) + " "
			number++
		}
		if len(out) > 0 && !n.IsTight {
			out = append(out, "")
		}
		lines := d.blocks(item, cells-width(mark), depth+1)
		if len(lines) == 0 {
			lines = []string{""}
		}
		out = append(out, prefixed(mark, strings.Repeat(" ", width(mark)), lines)...)
	}
	return out
}

func prefixed(first, rest string, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if i == 0 {
			out[i] = first + l
		} else {
			out[i] = strings.TrimRight(rest+l, " ")
		}
	}
	return out
}

func drawAll(lines [][]span) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = draw(l)
	}
	return out
}
