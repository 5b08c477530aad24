package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"strconv"
	"strings"
)

// A site is a place in a file with its replacement.
type site struct {
	file       string // relative to the module's folder
	line       int
	operator   string
	start, end int // range of bytes to replace
	text       string
}

// swapped maps operators to their replacements in mutants.
var swapped = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

// sites returns all places of a Go file at which a mutant can be made, in order.
func sites(file string, source []byte) ([]site, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(tree) {
		return nil, nil
	}
	f := finder{file: file, set: set, source: source}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				f.function(d.Type, d.Body)
				ast.Inspect(d.Body, f.node)
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR || d.Tok == token.CONST {
				ast.Inspect(d, f.node)
			}
		}
	}
	return f.found, nil
}

type finder struct {
	file   string
	set    *token.FileSet
	source []byte
	found  []site
}

func (f *finder) add(operator string, from, to token.Pos, text string) {
	at := f.set.Position(from)
	f.found = append(f.found, site{f.file, at.Line, operator, at.Offset, f.set.Position(to).Offset, text})
}

func (f *finder) src(n ast.Node) string {
	return string(f.source[f.set.Position(n.Pos()).Offset:f.set.Position(n.End()).Offset])
}

// function makes a body return zero values at once.
func (f *finder) function(t *ast.FuncType, body *ast.BlockStmt) {
	if len(body.List) == 0 {
		return
	}
	var zero []string
	if t.Results != nil {
		for _, r := range t.Results.List {
			var typ bytes.Buffer
			if printer.Fprint(&typ, f.set, r.Type) != nil {
				return
			}
			for range max(1, len(r.Names)) {
				zero = append(zero, "*new("+typ.String()+")")
			}
		}
	}
	// The condition keeps what follows reachable, and its variables used.
	f.add("early return", body.Lbrace, body.Lbrace+1, "{ if true { return "+strings.Join(zero, ", ")+" };")
}

// node finds the sites of one node. It is called for each by ast.Inspect.
func (f *finder) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.Field:
		return false // tags and types
	case *ast.FuncLit:
		f.function(n.Type, n.Body)
	case *ast.IfStmt:
		f.condition(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.condition(n.Cond)
		}
	case *ast.BinaryExpr:
		if with, ok := swapped[n.Op]; ok {
			name := "compare"
			if n.Op == token.LAND || n.Op == token.LOR {
				name = "logic"
			}
			f.add(name, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), with.String())
		}
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.add("delete case", n.Pos(), n.End(), "")
		f.statements(n.Body)
	case *ast.CommClause:
		f.statements(n.Body)
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			f.add("constant", n.Pos(), n.End(), strconv.FormatBool(n.Name == "false"))
		}
	}
	return true
}

func (f *finder) condition(c ast.Expr) {
	if b, ok := c.(*ast.BinaryExpr); ok && b.Op == token.NEQ && f.src(b.Y) == "nil" && strings.HasPrefix(strings.ToLower(f.src(b.X)), "err") {
		f.add("skip error check", c.Pos(), c.End(), "false && ("+f.src(c)+")")
		return
	}
	f.add("negate", c.Pos(), c.End(), "!("+f.src(c)+")")
}

func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.DeferStmt, *ast.IncDecStmt, *ast.SendStmt:
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.BranchStmt:
			if s.Tok != token.CONTINUE {
				continue
			}
		default:
			continue
		}
		f.add("drop statement", s.Pos(), s.End(), "{}")
	}
}

func (f *finder) literal(l *ast.BasicLit) {
	switch l.Kind {
	case token.INT:
		f.add("constant", l.Pos(), l.End(), "("+l.Value+" + 1)")
	case token.STRING:
		// A text with a space is read by people: another word in it changes no behaviour.
		if text, err := strconv.Unquote(l.Value); err == nil && text != "" && !strings.Contains(text, " ") {
			f.add("constant", l.Pos(), l.End(), strconv.Quote(text+"."))
		}
	}
}

// apply returns a file's source with a mutant in it.
func (s site) apply(source []byte) []byte {
	out := append([]byte(nil), source[:s.start]...)
	out = append(out, s.text...)
	return append(out, source[s.end:]...)
}
