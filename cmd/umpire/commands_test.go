package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every command and flag of umpire's that a text names has to be there: help, errors,
// reasons of rules, documentation, examples and what is deployed.
func TestNamedCommandsExist(t *testing.T) {
	root := newRoot()
	n := 0
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if name := e.Name(); name == ".git" || name == "testdata" || name == "node_modules" || name == "corpora" {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(path, "docs/commands.md") {
			return nil // the help of all commands, with lines of usage
		}
		for _, text := range texts(t, path) {
			for _, line := range named(text) {
				n++
				if err := exists(root, line); err != nil {
					t.Errorf("%s names `umpire %s`: %v", strings.TrimPrefix(path, "../../"), line, err)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 300 {
		t.Errorf("only %d commands were found: the test looks at too little", n)
	}
}

// texts returns what people may read in a file: all of it, or the strings of Go source.
func texts(t *testing.T, path string) []string {
	t.Helper()
	if strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "go.sum" {
		return nil
	}
	switch filepath.Ext(path) {
	case ".go", ".md", ".yaml", ".yml", ".html", ".js", ".ts", ".py", ".sh", ".tmpl", ".service", ".json", "":
	default:
		return nil
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 4<<20 {
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) != ".go" {
		return []string{string(b)}
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, b, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}

var (
	// In quotation of some sort, and after a word that tells to run it.
	inQuotes = regexp.MustCompile("`(?:sudo )?umpire ([^`]+)`")
	advised  = regexp.MustCompile(`(?:^|[\s(])(?:[Rr]un|[Ss]ee|[Tt]ry|[Uu]se|[Ww]rite it by|start it with|with|by) +umpire ([a-z][a-z-]*(?: (?:[a-z][a-z-]*|--?[a-z][a-z-]*))*)`)
	// With a flag.
	withFlag = regexp.MustCompile(`\bumpire ([a-z][a-z-]*(?: [a-zA-Z][a-zA-Z-]*)*(?: --[a-z][a-z-]*)+)`)
	// A line of its own, as in examples: indented, or behind a prompt.
	ownLine = regexp.MustCompile(`(?m)^(?:[ \t]+|\$ |[ \t]+\$ |RUN |ExecStart=\S*/)(?:sudo )?umpire ([^\n]+)$`)
)

// named finds the commands that a text names, without the program's name.
func named(text string) (out []string) {
	for _, m := range inQuotes.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(m[1], "${") && !prose(m[1]) {
			out = append(out, strings.Join(strings.Fields(m[1]), " "))
		}
	}
	for _, m := range withFlag.FindAllStringSubmatch(text, -1) {
		if !prose(m[1]) {
			out = append(out, m[1])
		}
	}
	for i, part := range strings.Split(text, "```") {
		if i%2 == 0 {
			continue // not fenced
		}
		for line := range strings.Lines(part) {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "umpire "); ok && !prose(rest) {
				out = append(out, rest)
			}
		}
	}
	for _, m := range ownLine.FindAllStringSubmatch(text, -1) {
		if !prose(m[1]) {
			out = append(out, m[1])
		}
	}
	for _, m := range advised.FindAllStringSubmatch(text, -1) {
		if prose(m[1]) {
			continue
		}
		// Prose goes on behind a command: what is no command or flag ends it.
		words := strings.Fields(m[1])
		end := 1
		for end < len(words) && strings.HasPrefix(words[end], "-") {
			end++
		}
		out = append(out, strings.Join(words[:end], " "))
	}
	return out
}

// prose reports whether a line that begins with the program's name goes on as a sentence.
func prose(line string) bool {
	verbs := []string{"CA", "could", "is", "and", "has", "does", "denies", "asks", "allows", "judges", "reads", "refuses", "writes", "says", "cannot", "can", "may", "will", "knows", "goes", "itself", "runs", "starts", "takes", "keeps", "puts", "gives", "of", "to", "or"}
	first, _, _ := strings.Cut(line, " ")
	return slices.Contains(verbs, strings.TrimRight(first, ".,;:")) || first != strings.TrimRight(first, ".,;:)") || strings.HasPrefix(first, "(")
}

// exists looks for a command line's commands and flags. Values and arguments are not looked
// at.
func exists(root *cobra.Command, line string) error {
	at, arguments := root, false
	for _, word := range strings.Fields(line) {
		word = strings.Trim(word, "[]\"'`,;:.)(…")
		switch {
		case word == "" || word == "--" || strings.ContainsAny(word[:1], "|&;<>#\\$"):
			if word == "" {
				continue
			}
			return nil
		case strings.HasPrefix(word, "-") && word != "-":
			if arguments && at.Flags().Lookup("help") == nil && !at.Flags().HasFlags() {
				return nil
			}
			name, _, _ := strings.Cut(word, "=")
			if !hasFlag(at, name) {
				if arguments && (at.Name() == "exec" || at.Name() == "check" || at.Name() == "judge" || at.Name() == "run") {
					return nil // of the program that is named
				}
				return fmt.Errorf("%s has no flag %s", at.CommandPath(), name)
			}
		case !arguments:
			i := slices.IndexFunc(at.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) })
			if i >= 0 {
				at = at.Commands()[i]
				continue
			}
			if at == root || at.HasSubCommands() && (at.Args == nil || at.Args(at, []string{word}) != nil) && word == strings.ToLower(word) {
				return fmt.Errorf("%s has no command %q", at.CommandPath(), word)
			}
			arguments = true
		}
	}
	return nil
}

func hasFlag(c *cobra.Command, name string) bool {
	if name == "--help" || name == "-h" || name == "--version" && !c.HasParent() {
		return true
	}
	if long, ok := strings.CutPrefix(name, "--"); ok {
		return c.Flags().Lookup(long) != nil || c.PersistentFlags().Lookup(long) != nil || c.InheritedFlags().Lookup(long) != nil
	}
	for _, letter := range strings.TrimPrefix(name, "-") {
		f := c.Flags().ShorthandLookup(string(letter))
		if f == nil {
			f = c.PersistentFlags().ShorthandLookup(string(letter))
		}
		if f == nil {
			f = c.InheritedFlags().ShorthandLookup(string(letter))
		}
		if f == nil {
			return false
		}
		if f.Value.Type() != "bool" {
			return true // the rest is its value
		}
	}
	return true
}

func TestVersion(t *testing.T) {
	dir := newProject(t)
	for _, args := range [][]string{{"version"}, {"--version"}} {
		if out, exit := runUmpire(t, dir, "", args...); exit != 0 || !strings.HasPrefix(out, "umpire version ") {
			t.Errorf("%v: got exit status %d, want 0 and the version:\n%s", args, exit, out)
		}
	}
	if out, exit := runUmpire(t, dir, "", "version", "--json"); exit != 0 || !strings.Contains(out, `"version": "`) {
		t.Errorf("exit %d and %q, want %d and %q", exit, out, 0, `"version": "`)
	}
}

// The look itself finds what is wrong, in every form in which texts name a command.
func TestNamedFindsFaults(t *testing.T) {
	root := newRoot()
	for text, faults := range map[string]int{
		"`umpire audit search --nope` shows such calls":                   2, // in quotes and with a flag
		"ask the user to run `umpire frob ID`":                            1,
		"see umpire nope for more":                                        1,
		"```\numpire policy nope\n```":                                    1,
		"  umpire audit tail -z":                                          1,
		"$ umpire status --sinc 1h":                                       2,
		"umpire policy check has no --nope, but umpire check --nope":      1,
		"umpire denies this; `umpire audit search --failed` has it":       0,
		"  umpire exec -- rm --nope":                                      0,
		"  umpire check 'git push --nope'\n  umpire policy list --json":   0,
		"`umpire run -- aider --nope` or `umpire approve q-1 --note 'x'`": 0,
	} {
		n := 0
		for _, line := range named(text) {
			if exists(root, line) != nil {
				n++
			}
		}
		if n != faults {
			t.Errorf("%q: %d faults, want %d", text, n, faults)
		}
	}
}

// A flag that a text of the commands names without its command is one of some command.
func TestNamedFlagsExist(t *testing.T) {
	known := map[string]bool{"help": true, "version": true}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		c.PersistentFlags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
	flag := regexp.MustCompile(`(?:^|[\s(` + "`" + `])--([a-z][a-z-]+[a-z])`)
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, text := range texts(t, file) {
			for _, m := range flag.FindAllStringSubmatch(text, -1) {
				theirs := strings.HasPrefix(text, "--") || m[1] == "permission-prompt-tool" // an argument of another program
				if !known[m[1]] && !theirs {
					t.Errorf("%s names --%s in %.80q", file, m[1], text)
				}
			}
		}
	}
}
