// Command generate compiles the descriptions of programs in programs/*.yaml, one file per family,
// into a table for the hook, without examples and comments, and a Go file with the functions that
// the table names. It is built with the tag bootstrap, which leaves out the files that it writes,
// so that a faulty table cannot prevent its repair.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run compiles the descriptions below dir and writes the two generated files into it.
func run(dir string) error {
	table, code, err := compile(dir)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, rowsFile), []byte(table), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, codeFile), []byte(code), 0o644)
}

// rowsFile and codeFile hold all families. One table makes the hook smaller than a table for each
// family, and parallel changes of different families still merge.
const (
	rowsFile = "programs_generated.txt"
	codeFile = "programs_generated.go"
)
