//go:build !linux

package procgroup

import "os/exec"

// StartBound starts a child outside the terminal's process group, so that Ctrl-C does not reach it.
func StartBound(cmd *exec.Cmd) error {
	cmd.SysProcAttr = ownGroup()
	return cmd.Start()
}
