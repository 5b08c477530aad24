//go:build !unix

package procgroup

import "os/exec"

// Lead does nothing: this system has no process groups.
func Lead(*exec.Cmd) {}

// End does nothing here.
func End(*exec.Cmd, string) {}
