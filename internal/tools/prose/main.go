// Command prose checks the English of umpire: strings and doc comments in Go files, documents,
// and the templates of pages. It reports each fault with its place and the reason.
//
// Run it from the root of the repository:
//
//	go run ./internal/tools/prose           # report faults above the budget
//	go run ./internal/tools/prose -all      # report every fault
//	go run ./internal/tools/prose -shrink   # lower the budget to what is left
//
// budget.txt holds, for each package or document, the number of faults that are still
// accepted. The number must match, so it can only shrink. allow.txt lists sentences that break
// a pattern for a good reason. avoid.md lists words, each with its replacement.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	here       = "internal/tools/prose"
	budgetFile = here + "/budget.txt"
	allowFile  = here + "/allow.txt"
	avoidFile  = here + "/avoid.md"
	licences   = "THIRD_PARTY.md"
)

func main() {
	all := flag.Bool("all", false, "report every fault, also those within the budget")
	shrink := flag.Bool("shrink", false, "lower the budget to the faults that are left")
	flag.Parse()
	ok, err := run(os.DirFS("."), os.Stdout, flag.Args(), *all, *shrink)
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// A fault is a sentence that breaks a pattern.
type fault struct {
	unit   string // the package or document whose budget counts it
	file   string
	line   int
	reason string
	text   string
}

func (f fault) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", f.file, f.line, f.reason, clip(f.text, 120))
}

func clip(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}

// budgetOf decides which budget counts a file: its own if it is a document, that of the folder
// if it is source.
func budgetOf(file string) string {
	if strings.HasSuffix(file, ".md") {
		return file
	}
	return filepath.ToSlash(filepath.Dir(file))
}

// compare prints the faults of every unit that is above its budget, and the units that are
// below it. It reports whether all match. Units restricts the check to some of them.
func compare(out io.Writer, faults []fault, budget map[string]int, units []string) bool {
	byUnit := map[string][]fault{}
	for _, f := range faults {
		byUnit[f.unit] = append(byUnit[f.unit], f)
	}
	names := slices.Collect(func(yield func(string) bool) {
		for n := range byUnit {
			if !yield(n) {
				return
			}
		}
		for n := range budget {
			if _, ok := byUnit[n]; !ok && !yield(n) {
				return
			}
		}
	})
	slices.Sort(names)
	ok := true
	for _, name := range names {
		if len(units) > 0 && !slices.Contains(units, name) {
			continue
		}
		found, accepted := byUnit[name], budget[name]
		switch {
		case len(found) > accepted:
			ok = false
			for _, f := range found {
				fmt.Fprintln(out, f)
			}
			fmt.Fprintf(out, "%s: %d faults, the budget is %d: rewrite the new ones\n", name, len(found), accepted)
		case len(found) < accepted:
			ok = false
			fmt.Fprintf(out, "%s: %d faults, the budget is %d: run go run ./%s -shrink\n", name, len(found), accepted, here)
		}
	}
	return ok
}
