// Command generate compiles the descriptions of programs in programs/*.yaml, one file per
// family, into one Go file with only what a hook needs, without examples and comments. It is
// built with the tag bootstrap, without the tables that it writes, so that a faulty table
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
	text, err := compile(dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, table), []byte(text), 0o644)
}

// table is the file of all tables. One file makes a smaller hook than one a family does, and
// families that change at the same time merge all the same.
const table = "programs_generated.go"
