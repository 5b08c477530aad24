// Command release makes the parts of a release that goreleaser does not: the licences of all
// that is linked into the programs, a bill of materials for each, and the container image.
package main

import (
	"context"
	"fmt"
	"os"
)

const usage = `usage:
  release licences FILE          write the licences of all linked modules.
  release sbom PROGRAM DOCUMENT  write the bill of materials of a built program.
  release image DIST FOLDER      write the container image of the programs in DIST as an OCI layout.
  release push FOLDER REPOSITORY push that image, by its version and as the latest.`

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
	case len(args) == 3 && args[0] == "image":
		return writeImage(args[1], args[2])
	case len(args) == 3 && args[0] == "push":
		return pushImage(context.Background(), args[1], args[2])
	}
	return fmt.Errorf("unknown arguments %q\n%s", args, usage)
}
