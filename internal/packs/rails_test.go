package packs_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// Rails runs code from its input and from files too, and an editor that the call chooses may
// print what is edited. Passwords of a signing key have many file names.
func TestRailsRunnerAndSigningKeys(t *testing.T) {
	p := builtin(t)
	for c, want := range map[string]bool{
		"bin/rails runner - <<'X'\nFile.delete('/home/dev/other/a')\nX":                           true,
		"bin/rails runner - <<'X'\nUser.delete_all\nX":                                            true,
		"echo 'system(\"rm -rf ~\")' | rails runner -":                                            true,
		"cat > a.rb <<'X'\nFile.delete('/home/dev/other/a')\nX\nbin/rails runner a.rb":            true,
		"EDITOR=cat bin/rails credentials:edit":                                                   true,
		"VISUAL=tee bin/rails credentials:edit":                                                   true,
		"cat android/app/release-keystore.properties":                                             true,
		"cat app/upload-signing.properties":                                                       true,
		"bin/rails runner - <<'X'\nOrder.where(state: 'paid').limit(5).each { |o| puts o.id }\nX": false,
		"bin/rails runner scripts/report.rb":                                                      false,
		"bin/rails credentials:edit":                                                              false,
		"EDITOR='code --wait' bin/rails credentials:edit":                                         false,
		"cat gradle.properties":                                                                   false,
	} {
		if d := decide(p, policy.Example{Command: c}); (d.Effect != umpire.Allow) != want {
			t.Errorf("%s: %v", c, d)
		}
	}
}
