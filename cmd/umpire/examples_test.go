package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/syntax"
)

// Every call of umpire in a help text, the README and the documents names commands and flags
// that there are.
func TestExamplesAreCalls(t *testing.T) {
	texts := map[string]string{}
	everyCommand(newRoot(), func(c *cobra.Command) { texts[c.CommandPath()] = c.Example })
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(docs, "../../README.md") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if strings.HasPrefix(line, "    ") {
				texts[path] += strings.TrimPrefix(strings.TrimSpace(line), "$ ") + "\n"
			}
		}
	}
	found := 0
	for from, text := range texts {
		for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
			for _, call := range callsOfUmpire(line) {
				found++
				if err := understood(call); err != nil {
					t.Errorf("%s: umpire %s: %v", from, strings.Join(call, " "), err)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("%d calls: there are more", found)
	}
}

// No flag's value is called by several words: those were meant as a command in its text.
func TestFlagTexts(t *testing.T) {
	everyCommand(newRoot(), func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); strings.Contains(name, " ") {
				t.Errorf("%s --%s: the name of its value has a space: %q", c.CommandPath(), f.Name, name)
			}
		})
	})
}

func everyCommand(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		everyCommand(sub, f)
	}
}

// callsOfUmpire finds calls of umpire with plain arguments in a line of shell. What is no
// shell has none.
func callsOfUmpire(line string) (calls [][]string) {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return nil
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 || call.Args[0].Lit() != "umpire" || len(call.Args) > 1 && call.Args[1].Lit() == "CA" { // its CA has a name
			return true
		}
		var args []string
		for _, w := range call.Args[1:] {
			text := w.Lit()
			for _, part := range w.Parts {
				if q, ok := part.(*syntax.SglQuoted); ok {
					text += q.Value
				} else if _, ok := part.(*syntax.Lit); !ok {
					text += "x"
				}
			}
			args = append(args, text)
		}
		calls = append(calls, args)
		return true
	})
	return calls
}

// understood looks for the command and its flags.
func understood(args []string) error {
	root := newRoot()
	root.InitDefaultVersionFlag()
	c, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if err := c.ParseFlags(rest); err != nil && !errors.Is(err, pflag.ErrHelp) {
		return err
	}
	if c.HasSubCommands() && !slices.Contains([]string{"agent", "judge", "review"}, c.Name()) {
		return known(c, c.Flags().Args())
	}
	return nil
}
