// Command release writes what a release carries besides the programs: the licences of all
// that is linked into them, and a bill of materials for each.
package main

import (
	"context"
	"fmt"
	"os"
)

const usage = `usage:
  release licences FILE          write the licences of all linked modules
  release sbom PROGRAM DOCUMENT  write the bill of materials of a built program`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "licences":
		text, err := licences(context.Background())
		if err != nil {
			return err
		}
		return os.WriteFile(args[1], text, 0o644)
	case len(args) == 3 && args[0] == "sbom":
		text, err := sbom(args[1])
		if err != nil {
			return err
		}
		return os.WriteFile(args[2], text, 0o644)
	}
	return fmt.Errorf("unknown arguments %q\n%s", args, usage)
}
