//go:build !linux && !windows && !darwin

package disk

// mounts lists nothing: this system has no list that can be read without asking servers.
func mounts() []string { return nil }
