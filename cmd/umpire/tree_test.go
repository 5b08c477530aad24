//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/cmd/umpire/completion"
)

// given are arguments with which a command gets as far as it can in a new project: its flags are
// then all that may be wrong.
var given = map[string]string{
	"approve": "q-1", "check": "ls", "deny": "q-1", "describe": "frob", "exec": "-- true", "judge": "ls", "guard train": "--corpora . --output out", "policy explain": "delete-home",
	"policy revoke": "always-x", "replay": "day.jsonl", "review": ".", "run": "-- true", "shims": "bin", "guard scan": "text", "guard evaluate": "data.jsonl",
	"audit prove": "1", "changes apply": "a", "changes discard": "a", "judge use": "off", "queue show": "req-1", "queue approve": "req-1", "queue deny": "req-1",
	"queue cancel": "req-1", "queue output": "req-1", "rules add": "deny exec(x)", "rules remove": "deny exec(x)", "rules test": "deny exec(x)", "token add": "--agent a", "token revoke": "x",
	"completion install": "bash", "man": "man", "ca create": "--out ca", "init": "--dry-run claude", "uninstall": "--dry-run claude",
}

// streams runs the program with its two streams apart.
func streams(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	root := rootCommand(person())
	var out, errs bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&errs)
	root.SetIn(strings.NewReader(""))
	root.SetArgs(args)
	err = root.ExecuteContext(t.Context())
	return out.String(), errs.String(), err
}

// branch is a project in which the commands of given can run.
func branch(t *testing.T) {
	t.Helper()
	dir := newProject(t)
	day, err := os.ReadFile("../../examples/day.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"day.jsonl": string(day), "text": "words\n", "data.jsonl": `{"text":"hello","label":"harmless"}` + "\n", "a": "x\n"} {
		put(t, filepath.Join(dir, name), text)
	}
	t.Chdir(dir)
}

// lineFor is the command line of a command with the arguments of given, behind flags.
func lineFor(c *cobra.Command, flags ...string) []string {
	path := strings.Fields(c.CommandPath())[1:]
	return slices.Concat(path, flags, strings.Fields(given[strings.Join(path, " ")]))
}

// Every command says in its help what it is for and what each flag does, on standard output alone.
func TestEveryCommandHasHelp(t *testing.T) {
	title := func(where, text string) {
		if r := []rune(text); len(r) == 0 || strings.HasSuffix(text, ".") {
			t.Errorf("%s: its help is %q, want some words without a full stop", where, text)
		}
	}
	everyCommand(newRoot(), func(c *cobra.Command) {
		title(c.CommandPath(), c.Short)
		if r := []rune(c.Short); len(r) > 0 && !unicode.IsUpper(r[0]) {
			t.Errorf("%s: its help %q begins with a lower case letter", c.CommandPath(), c.Short)
		}
		out, errs, err := streams(t, append(strings.Fields(c.CommandPath())[1:], "--help")...)
		if err != nil || errs != "" || !strings.Contains(out, "Usage:") {
			t.Errorf("%s --help: %v, standard error %q, standard output %.100q, want its usage there", c.CommandPath(), err, errs, out)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			title(c.CommandPath()+" --"+f.Name, f.Usage)
			if !f.Hidden && !strings.Contains(out, "--"+f.Name) {
				t.Errorf("%s --help does not list --%s", c.CommandPath(), f.Name)
			}
		})
	})
}

// A value that a flag does not take is refused before anything is done: with the status of a usage
// error, nothing on standard output, and the name of the flag in the error.
func TestEveryFlagRefusesWrongValues(t *testing.T) {
	branch(t)
	n := 0
	everyCommand(newRoot(), func(c *cobra.Command) {
		path := strings.TrimPrefix(c.CommandPath(), "umpire ")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, closed := completion.ClosedSet(path, f.Name); !closed && slices.Contains([]string{"string", "stringArray", "stringSlice"}, f.Value.Type()) {
				return
			}
			n++
			args := lineFor(c, "--"+f.Name+"=frob")
			if out, _, err := streams(t, args...); cli.Status(err) != cli.ExitUsage || out != "" || !strings.Contains(err.Error(), "--"+f.Name) {
				t.Errorf("umpire %q: status %d, %v, printed %.200q, want %d and --%s in the error", args, cli.Status(err), err, out, cli.ExitUsage, f.Name)
			}
		})
	})
	if n < 100 {
		t.Errorf("%d flags, want all that do not take any text", n)
	}
}

// With --json, standard output has JSON and nothing else, also where there is nothing to show or the
// command fails. Its error names the next step.
func TestEveryJSONIsJSON(t *testing.T) {
	branch(t)
	n := 0
	everyCommand(newRoot(), func(c *cobra.Command) {
		if c.Flags().Lookup("json") == nil || !c.Runnable() {
			return
		}
		if plain, _, err := streams(t, lineFor(c)...); err == nil && c.Name() != "export" && json.Valid([]byte(plain)) {
			t.Errorf("%s prints JSON without --json: %.200q", c.CommandPath(), plain)
		}
		n++
		out, errs, err := streams(t, lineFor(c, "--json")...)
		docs := 0
		d := json.NewDecoder(strings.NewReader(out))
		for {
			var doc any
			fault := d.Decode(&doc)
			if fault == io.EOF {
				break
			}
			if fault != nil {
				t.Errorf("%s --json: %v: %.300q", c.CommandPath(), fault, out)
				return
			}
			docs++
		}
		failed := err != nil && !errors.As(err, new(cli.ExitError))
		switch {
		case failed && !strings.ContainsAny(err.Error(), ":;,(-"): // one of these comes before the reason or the next step
			t.Errorf("%s --json: %v, want an error with the next step", c.CommandPath(), err)
		case !failed && docs == 0 && errs == "":
			t.Errorf("%s --json prints nothing, want a document, or on standard error the reason why there is none", c.CommandPath())
		}
	})
	if n < 25 {
		t.Errorf("%d commands offer JSON, want all", n)
	}
}

// Every flag is read by some code of its package, or is a field of another package's struct that is.
// A flag that nothing reads changes nothing.
func TestEveryFlagIsRead(t *testing.T) {
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	type flag struct{ pkg, variable string }
	defined, reads := map[flag]string{}, map[flag]int{}
	set := token.NewFileSet()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		pkg := filepath.Dir(file)
		written := map[*ast.Ident]bool{} // where a variable is declared, set or bound to a flag
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if to, name := binding(n); to != nil {
					defined[flag{pkg, to.Name}] = fmt.Sprintf("%s: --%s", set.Position(n.Pos()), name)
					written[to] = true
				}
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					if id := last(l); id != nil {
						written[id] = true
					}
				}
			case *ast.ValueSpec:
				for _, id := range n.Names {
					written[id] = true
				}
			case *ast.Field:
				for _, id := range n.Names {
					written[id] = true
				}
			case *ast.Ident:
				if !written[n] {
					reads[flag{pkg, n.Name}]++
				}
			}
			return true
		})
	}
	if len(defined) < 200 {
		t.Errorf("%d flags have a variable, want all", len(defined))
	}
	for f, at := range defined {
		if reads[f] == 0 {
			t.Errorf("%s: nothing reads the variable %s", at, f.variable)
		}
	}
}

// binding returns the variable and the name of the flag that a call defines.
func binding(n *ast.CallExpr) (to *ast.Ident, name string) {
	f, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || !strings.HasSuffix(strings.TrimSuffix(f.Sel.Name, "P"), "Var") {
		return nil, ""
	}
	for i, arg := range n.Args[:max(len(n.Args)-1, 0)] {
		address, ok := arg.(*ast.UnaryExpr)
		text, named := n.Args[i+1].(*ast.BasicLit)
		if !ok || !named || address.Op != token.AND {
			continue
		}
		if name, err := strconv.Unquote(text.Value); err == nil {
			to := last(address.X)
			if field, ok := address.X.(*ast.SelectorExpr); ok && ast.IsExported(to.Name) {
				to = last(field.X)
			}
			return to, name
		}
	}
	return nil, ""
}

// last returns the last name of a variable or a field.
func last(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}
