package static

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Limits of a YAML file that is read as a tree. A file beyond them counts as unreadable.
const (
	maxYAML      = 1 << 20
	maxYAMLDepth = 100
	maxYAMLNodes = 200_000 // aliases can expand small files enormously
)

var errYAML = errors.New("cannot read the YAML")

// node is a value of a YAML file, with aliases and merged keys resolved.
type node struct {
	line  int
	text  string // text of a scalar
	block bool   // a block scalar, which begins on the next line
	pairs []pair
	items []*node
}

type pair struct {
	key   string
	line  int
	value *node
}

// get returns the value of a key, nil if there is none. Keys are compared in lower case.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := range n.pairs {
		if strings.EqualFold(n.pairs[i].key, key) {
			return n.pairs[i].value
		}
	}
	return nil
}

// list returns the items of a list, or the node itself as a list of one.
func (n *node) list() []*node {
	switch {
	case n == nil:
		return nil
	case len(n.items) > 0:
		return n.items
	}
	return []*node{n}
}

// each calls f for every scalar at or below the node.
func (n *node) each(f func(*node)) {
	if n == nil {
		return
	}
	if len(n.pairs) == 0 && len(n.items) == 0 {
		f(n)
	}
	for i := range n.pairs {
		n.pairs[i].value.each(f)
	}
	for _, x := range n.items {
		x.each(f)
	}
}

// yamlTree reads the documents of a YAML file.
func yamlTree(text string) ([]*node, error) {
	if len(text) > maxYAML || tooNested(text) {
		return nil, errYAML
	}
	file, err := parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, errYAML
	}
	b := treeBuilder{anchors: map[string]*node{}}
	var docs []*node
	for _, d := range file.Docs {
		if d.Body != nil {
			docs = append(docs, b.node(d.Body, 0))
		}
	}
	if b.count > maxYAMLNodes || b.fault {
		return nil, errYAML
	}
	return docs, nil
}

// tooNested reports whether the nesting is too deep for a recursive parser.
func tooNested(text string) bool {
	for line := range strings.Lines(text) {
		depth, dashes := 0, 0
		for i := range len(line) {
			switch line[i] {
			case '[', '{':
				if depth++; depth > maxYAMLDepth {
					return true
				}
			case ']', '}':
				depth = max(0, depth-1)
			case '-', '?':
				if i+1 < len(line) && line[i+1] == ' ' {
					if dashes++; dashes > maxYAMLDepth {
						return true
					}
				}
			}
		}
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			if depth++; depth > 20*maxYAMLDepth {
				return true
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return false
}

type treeBuilder struct {
	anchors map[string]*node
	count   int
	fault   bool
}

func (b *treeBuilder) node(n ast.Node, depth int) *node {
	if b.count++; n == nil || b.count > maxYAMLNodes || depth > 2*maxYAMLDepth {
		b.fault = b.fault || n != nil
		return &node{}
	}
	out := &node{}
	if t := n.GetToken(); t != nil && t.Position != nil {
		out.line = t.Position.Line
	}
	switch n := n.(type) {
	case *ast.AnchorNode:
		at := b.node(n.Value, depth+1)
		b.anchors[n.Name.GetToken().Value] = at // set afterwards: a node that contains itself is unreadable
		return at
	case *ast.AliasNode:
		to, ok := b.anchors[n.Value.GetToken().Value]
		b.fault = b.fault || !ok
		if ok {
			b.count += size(to, maxYAMLNodes)
			copied := *to
			return &copied
		}
	case *ast.TagNode:
		return b.node(n.Value, depth+1)
	case *ast.MappingNode:
		for _, v := range n.Values {
			b.pair(out, v, depth)
		}
	case *ast.MappingValueNode:
		b.pair(out, n, depth)
	case *ast.SequenceNode:
		for _, v := range n.Values {
			out.items = append(out.items, b.node(v, depth+1))
		}
	case *ast.LiteralNode:
		out.text, out.block = n.Value.Value, true
	case *ast.StringNode:
		out.text = n.Value
	case *ast.NullNode:
	default:
		out.text = n.GetToken().Value
	}
	return out
}

func (b *treeBuilder) pair(out *node, v *ast.MappingValueNode, depth int) {
	value := b.node(v.Value, depth+1)
	if _, merge := v.Key.(*ast.MergeKeyNode); merge {
		for _, m := range value.list() {
			out.pairs = append(out.pairs, m.pairs...)
		}
		return
	}
	p := pair{value: value}
	if s, ok := v.Key.(*ast.StringNode); ok {
		p.key, p.line = s.Value, s.Token.Position.Line
	} else if t := v.Key.GetToken(); t != nil {
		p.key, p.line = strings.Trim(t.Value, `"'`), t.Position.Line
	}
	if a, ok := v.Key.(*ast.MappingKeyNode); ok && a.Value != nil { // ? key
		p.key = strings.Trim(a.Value.GetToken().Value, `"'`)
	}
	if out.line == 0 || p.line > 0 && p.line < out.line {
		out.line = p.line
	}
	out.pairs = append(out.pairs, p)
}

// size counts the nodes of a tree, up to most.
func size(n *node, most int) int {
	sum := 1
	for i := range n.pairs {
		if sum < most {
			sum += size(n.pairs[i].value, most-sum)
		}
	}
	for _, x := range n.items {
		if sum < most {
			sum += size(x, most-sum)
		}
	}
	return sum
}
