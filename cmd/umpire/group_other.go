//go:build !linux

package main

import "os/exec"

// startBound starts a child out of the terminal's signals.
func startBound(cmd *exec.Cmd) error {
	cmd.SysProcAttr = ownGroup()
	return cmd.Start()
}
