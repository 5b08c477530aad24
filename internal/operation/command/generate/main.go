// Command generate compiles the descriptions of programs in programs/*.yaml, one file per
// family, into one table with only what a hook needs, without examples and comments, and a file
// of Go with the functions that the table names. It is built with the tag bootstrap, without the tables that it writes, so that a faulty table
// cannot prevent its repair.
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

// run writes the tables of a folder.
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

// rowsFile and codeFile have all families. One table makes a smaller hook than one for each
// family does, and families that change at the same time merge all the same.
const (
	rowsFile = "programs_generated.txt"
	codeFile = "programs_generated.go"
)
