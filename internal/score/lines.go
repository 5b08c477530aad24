package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
)

// lines prints the decision on each line of a file, taken for a command.
func lines(file, packs string) error {
	p, err := compile(packs, umpire.Allow)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	n, stopped := 0, 0
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		c := Case{Command: line}
		a := c.action()
		d := p.Decide(a, operation.Read(a, operation.Env{}))
		n++
		if d.Effect != umpire.Allow {
			stopped++
		}
		rules := make([]string, len(d.Reasons))
		for i, r := range d.Reasons {
			rules[i] = r.Rule
		}
		fmt.Println(d.Effect, line, rules)
	}
	fmt.Printf("%d of %d stopped (%s)\n", stopped, n, percent(stopped, n))
	return nil
}
