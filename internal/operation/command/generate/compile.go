package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

// compile returns the file of Go that describes the programs below dir.
func compile(dir string) (string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "programs", "*.yaml"))
	if err != nil {
		return "", err
	}
	functions, err := functions(dir)
	if err != nil {
		return "", err
	}
	g := &generator{functions: functions, taken: map[string]policy.Pos{}}
	var tables, index strings.Builder
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		programs, err := policyfile.ParseBuiltins("programs/"+filepath.Base(path), data)
		if err != nil {
			g.errs = append(g.errs, err)
			continue
		}
		family := strings.TrimSuffix(filepath.Base(path), ".yaml")
		tables.WriteString(g.family(family, programs))
		fmt.Fprintf(&index, "\t&%s,\n", variable(family))
	}
	if len(g.errs) > 0 {
		return "", errors.Join(g.errs...)
	}
	slices.Sort(g.names)
	out, err := format.Source([]byte("// Code generated from programs/*.yaml by make generate. DO NOT EDIT.\n\n//go:build !bootstrap\n\npackage command\n\n" +
		"// families are all the Models.\nvar families = [...]*[]Model{\n" + index.String() + "}\n\n" +
		"// programNames are the names of all programs in order, each with the numbers of its family\n// and of its Model there.\nconst programNames = `" +
		strings.Join(g.names, "\n") + "\n`\n" + tables.String()))
	return string(out), err
}

// functions returns the functions of Go that descriptions can name.
func functions(dir string) (map[string]bool, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, path := range paths {
		if filepath.Base(path) == table || strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Type.Results == nil && len(fn.Type.Params.List) == 1 {
				found[fn.Name.Name] = true
			}
		}
	}
	return found, nil
}

// generator writes Models and collects faults.
type generator struct {
	functions map[string]bool
	taken     map[string]policy.Pos // names of programs
	programs  []policyfile.Builtin
	names     []string // each with the numbers of its family and its row
	families  int
	errs      []error
}

func (g *generator) fail(pos policy.Pos, format string, args ...any) {
	g.errs = append(g.errs, fmt.Errorf("%s: %s", pos, fmt.Sprintf(format, args...)))
}

// family writes one family. Programs that are described alike share a Model.
func (g *generator) family(family string, programs []policyfile.Builtin) string {
	g.programs = programs
	type row struct {
		names []string
		body  string
	}
	var rows []row
	at := map[string]int{}
	for i := range programs {
		p := &programs[i]
		for _, n := range p.Names {
			if pos, ok := g.taken[n]; ok {
				g.fail(p.Pos, "%s is described twice, the first time at %s", n, pos)
			}
			g.taken[n] = p.Pos
		}
		d := g.described(p, 0)
		body := g.model(d)
		if j, ok := at[body]; ok && !hasEffects(d) { // an effect is said under the name of the program
			rows[j].names = append(rows[j].names, p.Names...)
			continue
		}
		at[body] = len(rows)
		rows = append(rows, row{slices.Clone(p.Names), body})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nvar %s = []Model{\n", variable(family))
	for _, r := range rows {
		fmt.Fprintf(&b, "\t{Names: %q%s},\n", strings.Join(r.names, " "), r.body)
	}
	b.WriteString("}\n")
	for i, r := range rows {
		for _, n := range r.names {
			g.names = append(g.names, fmt.Sprintf("%s %d %d", n, g.families, i))
		}
	}
	g.families++
	return b.String()
}

// described returns the description that holds for a program or command: its own, or the one
// that it names with its own styles added.
func (g *generator) described(p *policyfile.Builtin, depth int) *policyfile.Builtin {
	if p.Like == "" {
		return p
	}
	if depth > 0 {
		g.fail(p.Pos, "%s is like another one itself: name that one", p.Names[0])
		return &policyfile.Builtin{}
	}
	list := g.programs
	var found *policyfile.Builtin
	for word := range strings.FieldsSeq(p.Like) {
		i := slices.IndexFunc(list, func(b policyfile.Builtin) bool { return slices.Contains(b.Names, word) })
		if i < 0 {
			g.fail(p.Pos, "the file does not describe %s", p.Like)
			return &policyfile.Builtin{}
		}
		found = &list[i]
		list = found.Commands
	}
	d := *g.described(found, depth+1)
	d.Style = slices.Concat(d.Style, p.Style)
	return &d
}

func hasEffects(p *policyfile.Builtin) bool {
	return len(p.Effects) > 0 || slices.ContainsFunc(p.Options, func(o command.Option) bool { return len(o.Effects) > 0 }) ||
		slices.ContainsFunc(p.Commands, func(c policyfile.Builtin) bool { return hasEffects(&c) })
}

// styles are the constants of package command by their words.
var styles = map[string]string{
	"strict": "Strict", "long-dash": "LongDash", "key-value": "KeyVal", "no-inert": "NoInert", "bundled": "Bundled", "windows": "Windows",
	"help-h": "HelpH", "any-option": "AnyOption", "no-options": "NoOptions", "case-fold": "CaseFold", "short-value": "ShortValue", "verb": "Verb", "help-word": "HelpWord",
}

// mixed is the style of a program that runs a command and has its own options behind it as well.
const mixed = "mixed"

// model writes the fields of a Model, without its names.
func (g *generator) model(p *policyfile.Builtin) string {
	var b strings.Builder
	if opts := command.OptionGrammar(p.Options, true); opts != "" {
		fmt.Fprintf(&b, ", Opts: %q", opts)
	}
	args, wraps := command.OperandRoles(p.Operands)
	if args != "" {
		fmt.Fprintf(&b, ", Args: %q", args)
	}
	var style []string
	if wraps && !slices.Contains(p.Style, mixed) {
		style = append(style, "Strict")
	}
	for _, w := range p.Style {
		switch s, ok := styles[w]; {
		case ok:
			style = append(style, s)
		case w != mixed || !wraps:
			g.fail(p.Pos, "unknown style %q", w)
		}
	}
	if len(style) > 0 {
		fmt.Fprintf(&b, ", Style: %s", strings.Join(style, "|"))
	}
	var effects command.Effect
	for _, e := range p.Effects {
		effects |= command.EffectOf(e)
	}
	if effects != 0 {
		fmt.Fprintf(&b, ", Effects: %d", effects)
	}
	if p.Language != "" {
		fmt.Fprintf(&b, ", Lang: %q", p.Language)
	}
	if len(p.Commands) > 0 {
		fmt.Fprintf(&b, ", Sub: %s", g.commands(p.Commands))
	}
	if p.Reads != "" {
		if !g.functions[p.Reads] {
			g.fail(p.Pos, "package command has no function %s", p.Reads)
		}
		fmt.Fprintf(&b, ", Do: %s", p.Reads)
	}
	return b.String()
}

// commands writes a list of commands. It stands in the Model that has it: the compiler lays
// such a list out, while a process would have to copy one from a variable when it starts.
func (g *generator) commands(list []policyfile.Builtin) string {
	var b strings.Builder
	taken := map[string]bool{}
	for i := range list {
		c := &list[i]
		for _, n := range c.Names {
			if taken[n] {
				g.fail(c.Pos, "%s is described twice", n)
			}
			taken[n] = true
		}
		fmt.Fprintf(&b, "\t{Names: %q%s},\n", strings.Join(c.Names, " "), g.model(g.described(c, 0)))
	}
	return "[]Model{\n" + b.String() + "}"
}
