//go:build !unix

package procgroup

import "os/exec"

// Lead leaves a command as it is: there are no groups here.
func Lead(*exec.Cmd) {}

// End does nothing here.
func End(*exec.Cmd, string) {}
