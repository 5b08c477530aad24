//go:build !unix

package hooks

import "os/exec"

// group does nothing on systems without process groups: only the program itself is killed.
func group(*exec.Cmd) {}
