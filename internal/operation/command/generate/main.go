// Command generate compiles the descriptions of programs in programs/*.yaml, one family a
// file, into Go: what a hook needs of them, and neither examples nor comments. It is built
// with the tag bootstrap, without the tables that it writes, so that a faulty table does not
// keep it from writing a better one.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes the tables of a folder and removes those of families that are gone.
func run(dir string) error {
	files, err := compile(dir)
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil {
		return err
	}
	for _, path := range old {
		if _, ok := files[filepath.Base(path)]; !ok {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if was, err := os.ReadFile(path); err == nil && string(was) == text {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// suffix is how the names of the tables end.
const suffix = "_programs.go"

// variable is the name of a family's table: "node-packages" is nodePackagesModels.
func variable(family string) string {
	words := strings.Split(family, "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "") + "Models"
}
