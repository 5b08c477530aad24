package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/policy"
)

// class is a group of harmless calls that a default that asks stops for the same reason.
type class struct {
	n, only int // calls with such an operation, and those with no other
	example string
}

// stopped prints, for the harmless calls of a file, which operations a default that asks
// stops, by the rule that asks or by kind, program and what is special about them.
func stopped(corpora, file string, asking *policy.Policy, least int, dump string) error {
	cases, err := load(filepath.Join(corpora, file+".jsonl"))
	if err != nil {
		return err
	}
	classes := map[string]*class{}
	for i := range cases {
		c := &cases[i]
		if !c.harmless() || c.listed() {
			continue
		}
		a := c.action()
		ops := operation.Read(a, files())
		d := asking.Decide(a, ops)
		if d.Effect == umpire.Allow {
			continue
		}
		keys := map[string]bool{}
		for _, r := range d.Reasons {
			if r.Rule != "" && r.Effect != umpire.Allow {
				keys["rule "+r.Rule] = true
			}
		}
		if len(keys) == 0 {
			for j := range ops {
				if asking.Decide(a, ops[j:j+1]).Effect != umpire.Allow {
					keys[classOf(&ops[j])] = true
				}
			}
		}
		for k := range keys {
			if classes[k] == nil {
				classes[k] = &class{}
			}
			classes[k].n++
			if len(keys) == 1 {
				classes[k].only++
			}
			if classes[k].example == "" {
				classes[k].example = c.ID
			}
			if dump != "" && strings.HasPrefix(k, dump) {
				fmt.Printf("%s [%s] %s%s %.300s\n", c.ID, k, c.Command, c.Tool, c.Input)
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(classes), func(x, y string) int {
		if d := classes[y].n - classes[x].n; d != 0 {
			return d
		}
		return strings.Compare(x, y)
	})
	fmt.Printf("%s: classes of at least %d stopped calls\n", file, least)
	for _, n := range names {
		if k := classes[n]; k.n >= least {
			fmt.Printf("%6d %6d alone  %-60s %s\n", k.n, k.only, n, k.example)
		}
	}
	return nil
}

// classOf names the class of an operation that no rule allows.
func classOf(o *umpire.Operation) string {
	head, _, _ := strings.Cut(o.Resource, " ")
	switch o.Kind {
	case umpire.Read, umpire.Write, umpire.Delete:
		head = o.Places.String()
	case umpire.Network:
		head = "host"
	}
	t := o.Traits &^ (umpire.Recursive | umpire.Truncate | umpire.Append)
	return fmt.Sprintf("%v(%s) [%v]", o.Kind, head, t)
}
