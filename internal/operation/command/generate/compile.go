package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

// compile returns the descriptions of the programs below dir as a table, and the Go file with the
// functions that they name. Its error joins all faults in the descriptions.
func compile(dir string) (table, code string, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "programs", "*.yaml"))
	if err != nil {
		return "", "", err
	}
	own, err := functions(dir, "")
	if err != nil {
		return "", "", err
	}
	others, err := functions(filepath.Join(dir, "../projectfile"), elsewhere)
	if err != nil {
		return "", "", err
	}
	maps.Copy(own, others)
	g := &generator{functions: own, used: map[string]bool{}, taken: map[string]policy.Pos{}}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", "", err
		}
		programs, err := policyfile.ParseBuiltins("programs/"+filepath.Base(path), data)
		if err != nil {
			g.errs = append(g.errs, err)
			continue
		}
		g.family(programs)
	}
	if len(g.errs) > 0 {
		return "", "", errors.Join(g.errs...)
	}
	slices.SortFunc(g.rows, func(a, b row) int { return strings.Compare(a.name, b.name) })
	var text strings.Builder
	for _, r := range g.rows {
		text.WriteString(r.text)
	}
	readers := slices.Sorted(maps.Keys(g.used))
	out, err := format.Source([]byte("// Code generated from programs/*.yaml by make generate. DO NOT EDIT.\n\n//go:build !bootstrap\n\npackage command\n\n" +
		"import _ \"embed\"\n\n" +
		"// readerTable has the functions that descriptions name, in the order of readerNames.\nvar readerTable = [...]func(*Call){" + lines(readers) + "}\n\n" +
		"const readerNames = `|" + strings.Join(readers, "|") + "`\n\n" +
		"// programs are all descriptions as decode reads them, in the order of their names.\n//\n//go:embed " + rowsFile + "\nvar programs string\n"))
	return text.String(), string(out), err
}

// lines returns the elements of a Go list, six per line.
func lines(names []string) string {
	var b strings.Builder
	for few := range slices.Chunk(names, 6) {
		b.WriteString("\n" + strings.Join(few, ", ") + ",")
	}
	if len(names) > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// elsewhere begins the names of functions that are not in package command. The table has only their
// names, and the host calls them.
const elsewhere = "projectfile."

// functions returns the names, after prefix, of the Go functions in dir that a description can name:
// those with one parameter and no result.
func functions(dir, prefix string) (map[string]bool, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, path := range paths {
		if filepath.Base(path) == codeFile || strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Type.Results == nil && len(fn.Type.Params.List) == 1 {
				found[prefix+fn.Name.Name] = true
			}
		}
	}
	return found, nil
}

// generator builds the rows of the table and collects faults.
type generator struct {
	functions map[string]bool
	used      map[string]bool       // functions that a description names
	taken     map[string]policy.Pos // names of programs
	programs  []policyfile.Builtin
	rows      []row
	errs      []error
}

// row is the text for one name of a program: its description with its sub-commands, or a reference
// to the name that has the description.
type row struct{ name, text string }

func (g *generator) fail(pos policy.Pos, format string, args ...any) {
	g.errs = append(g.errs, fmt.Errorf("%s: %s", pos, fmt.Sprintf(format, args...)))
}

// family adds the rows of one family. Programs with the same description share a row.
func (g *generator) family(programs []policyfile.Builtin) {
	g.programs = programs
	names := map[string][]string{}
	var bodies []string
	for i := range programs {
		p := &programs[i]
		for _, n := range p.Names {
			if pos, ok := g.taken[n]; ok {
				g.fail(p.Pos, "%s is described twice, the first time at %s", n, pos)
			}
			g.taken[n] = p.Pos
		}
		d := g.described(p, 0)
		body := g.model(d, 1)
		if hasEffects(d) { // not shared: its operations have the first name of the row
			g.add(p.Names, body)
			continue
		}
		if names[body] == nil {
			bodies = append(bodies, body)
		}
		names[body] = append(names[body], p.Names...)
	}
	for _, body := range bodies {
		g.add(names[body], body)
	}
}

// add adds a description under its first name, and a reference to it under each other name.
func (g *generator) add(names []string, body string) {
	g.rows = append(g.rows, row{names[0], "|" + strings.Join(names, " ") + body})
	for _, n := range names[1:] {
		g.rows = append(g.rows, row{n, "|" + n + "\t>" + names[0] + "\n"})
	}
}

// described returns the description of a program or command: its own, or the one that it names with
// like, with its own styles added.
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
	d.Style, d.Claims = slices.Concat(d.Style, p.Style), p.Claims
	return &d
}

func hasEffects(p *policyfile.Builtin) bool {
	return len(p.Effects) > 0 || slices.ContainsFunc(p.Options, func(o command.Option) bool { return len(o.Effects) > 0 }) ||
		slices.ContainsFunc(p.Commands, func(c policyfile.Builtin) bool { return hasEffects(&c) })
}

// styles maps the words for styles to the constants of package command.
var styles = map[string]command.Style{
	"strict": command.Strict, "long-dash": command.LongDash, "key-value": command.KeyVal, "no-inert": command.NoInert, "bundled": command.Bundled, "windows": command.Windows,
	"help-h": command.HelpH, "any-option": command.AnyOption, "no-options": command.NoOptions, "case-fold": command.CaseFold, "short-value": command.ShortValue, "verb": command.Verb, "help-word": command.HelpWord, "converts": command.Converts, "in-place": command.InPlace,
}

// mixed is the style of a program that runs a command, and whose own options may follow it.
const mixed = "mixed"

// model returns the fields of a row after its names, and below it the rows of its sub-commands,
// indented by depth tabs.
func (g *generator) model(p *policyfile.Builtin, depth int) string {
	args, wraps := command.OperandRoles(p.Operands)
	var style command.Style
	if wraps && !slices.Contains(p.Style, mixed) {
		style |= command.Strict
	}
	for _, w := range p.Style {
		s, ok := styles[w]
		if style |= s; !ok && (w != mixed || !wraps) {
			g.fail(p.Pos, "unknown style %q", w)
		}
	}
	var effects command.Effect
	for _, e := range p.Effects {
		effects |= command.EffectOf(e)
	}
	name, other := strings.CutPrefix(p.Reads, elsewhere)
	switch {
	case name == "":
	case !g.functions[p.Reads]:
		g.fail(p.Pos, "package %s has no function %s", map[bool]string{true: "projectfile", false: "command"}[other], name)
	case !other:
		g.used[name] = true
	}
	fields := []string{"", command.OptionGrammar(p.Options, true), args, number(int(style)), number(int(effects)), p.Language, p.Reads,
		p.Complete, strings.Join(p.Looks, ","), strings.Join(p.Project, " "), strings.Join(p.Elsewhere, " "), command.EncodeSystem(p.System)}
	line := strings.TrimRight(strings.Join(fields, "\t"), "\t") + "\n"
	if strings.Contains(line, "|") {
		g.fail(p.Pos, "a row of the table has no place for the character |")
	}
	return line + g.commands(p.Commands, depth)
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// commands returns the rows of sub-commands, indented by depth tabs.
func (g *generator) commands(list []policyfile.Builtin, depth int) string {
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
		b.WriteString(strings.Repeat("\t", depth) + strings.Join(c.Names, " ") + g.model(g.described(c, 0), depth+1))
	}
	return b.String()
}
