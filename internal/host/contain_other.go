//go:build !unix

package host

import (
	"os"
	"os/exec"
)

// contain does nothing on systems without process groups: only the program itself is killed.
func contain(*exec.Cmd) {}

func signalOf(*os.ProcessState) int { return 0 }
