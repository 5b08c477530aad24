package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// run checks the tree and writes the report to out. It reports whether the tree is within its
// budget.
func run(tree fs.FS, out io.Writer, units []string, all, shrink bool) (bool, error) {
	words, err := avoided(tree)
	if err != nil {
		return false, err
	}
	allowed, err := readAllowed(tree)
	if err != nil {
		return false, err
	}
	budget, err := readBudget(tree)
	if err != nil {
		return false, err
	}
	faults, err := check(tree, rules(words), allowed)
	if err != nil {
		return false, err
	}
	if shrink {
		return true, lower(faults, budget)
	}
	if all {
		budget = map[string]int{}
	}
	ok := compare(out, faults, budget, units)
	if len(units) == 0 {
		for _, a := range allowed {
			if !a.used {
				ok = false
				fmt.Fprintf(out, "%s:%d: no sentence needs this exception: remove it\n", allowFile, a.line)
			}
		}
	}
	return ok, nil
}

// check returns the faults of every file of the tree, in the order of the files.
func check(tree fs.FS, rules []rule, allowed []*exception) ([]fault, error) {
	var faults []fault
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipped[d.Name()] || skipped[name] || name != "." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		extract := extractor(name)
		if extract == nil {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		passages, err := extract(name, text)
		if err != nil {
			return err
		}
		for _, p := range passages {
			for _, s := range sentences(p) {
				for _, r := range rules {
					if reason := r(s); reason != "" && !excepted(allowed, name, s.text) {
						faults = append(faults, fault{budgetOf(name), name, s.line, reason, s.text})
					}
				}
			}
		}
		return nil
	})
	return faults, err
}

// skipped are folders without text of umpire's.
var skipped = map[string]bool{"testdata": true, "bin": true, "dist": true, "node_modules": true, here: true}

func extractor(name string) func(string, []byte) ([]passage, error) {
	switch base := path.Base(name); {
	case strings.HasSuffix(base, "_test.go"), strings.HasSuffix(base, ".pb.go"):
		return nil
	case strings.HasSuffix(base, ".go"):
		return goPassages
	case strings.HasSuffix(base, ".md"):
		switch name {
		case licences: // it quotes the licence texts of others
			return nil
		}
		return documentPassages
	case strings.HasSuffix(base, ".html"):
		return pagePassages
	}
	return nil
}

// An exception accepts sentences of a file that contain a text.
type exception struct {
	file, text string
	line       int
	used       bool
}

func excepted(list []*exception, file, text string) bool {
	for _, e := range list {
		if e.file == file && strings.Contains(text, e.text) {
			e.used = true
			return true
		}
	}
	return false
}

// readAllowed reads allow.txt. Each line is a file, a text in the sentence and a reason,
// separated by " | ".
func readAllowed(tree fs.FS) ([]*exception, error) {
	var list []*exception
	err := eachLine(tree, allowFile, func(n int, line string) error {
		fields := strings.Split(line, " | ")
		if len(fields) != 3 || strings.TrimSpace(fields[2]) == "" {
			return fmt.Errorf("%s:%d: want \"file | text | reason\"", allowFile, n)
		}
		list = append(list, &exception{file: fields[0], text: fields[1], line: n})
		return nil
	})
	return list, err
}

// readBudget reads budget.txt: a number and a unit on each line.
func readBudget(tree fs.FS) (map[string]int, error) {
	budget := map[string]int{}
	err := eachLine(tree, budgetFile, func(n int, line string) error {
		number, unit, _ := strings.Cut(line, " ")
		count, err := strconv.Atoi(number)
		if err != nil || count < 1 || unit == "" || budget[unit] != 0 {
			return fmt.Errorf("%s:%d: want a number from 1 and a package or document, each once", budgetFile, n)
		}
		budget[unit] = count
		return nil
	})
	return budget, err
}

func eachLine(tree fs.FS, name string, do func(int, string) error) error {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := do(n, line); err != nil {
			return err
		}
	}
	return lines.Err()
}

// lower writes the budget with the faults that are left. It never raises a number.
func lower(faults []fault, budget map[string]int) error {
	left := map[string]int{}
	for _, f := range faults {
		left[f.unit]++
	}
	var lines []string
	for unit, accepted := range budget {
		if n := min(left[unit], accepted); n > 0 {
			lines = append(lines, fmt.Sprintf("%s %d", unit, n))
		}
	}
	slices.Sort(lines)
	var b strings.Builder
	b.WriteString("# Faults that are still accepted, by package or document. A number may only shrink.\n")
	for _, l := range lines {
		unit, n, _ := strings.Cut(l, " ")
		fmt.Fprintf(&b, "%s %s\n", n, unit)
	}
	return os.WriteFile(budgetFile, []byte(b.String()), 0o644)
}
