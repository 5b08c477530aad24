package command

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

// A critical service is recognized in each spelling that its manager takes.
func TestCriticalServices(t *testing.T) {
	for name, want := range map[string]umpire.Trait{
		"sshd": umpire.Irreversible, "NetworkManager": umpire.Irreversible, "com.openssh.sshd": umpire.Irreversible, "auditd": umpire.AuditTamper, "com.apple.auditd": umpire.AuditTamper,
		"falco": umpire.AuditTamper, "umpire": umpire.SelfTamper, "cups": 0, "sshd-keygen": 0, "my-umpire": 0,
	} {
		for _, spelling := range []string{name, name + ".service", name + ".socket", name + ".timer", "system/" + name, "gui/501/" + name, "/Library/LaunchDaemons/" + name + ".plist", "/etc/systemd/system/" + name + ".service"} {
			if got := critical(spelling); got != want {
				t.Errorf("stopping %s has the traits %v, want %v", spelling, got, want)
			}
		}
	}
}
