package command_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// Everyday lines do not get traits of what they only look like.
func TestEverydayTraits(t *testing.T) {
	const grave = umpire.Bulk | umpire.Destroy | umpire.UnseenCode | umpire.AuditTamper | umpire.Irreversible
	for _, text := range []string{
		"docker rm $(docker create alpine)", "git branch --merged | grep -v main | xargs -n1 git branch -d", "for h in 3 2 1; do history -d $h; done",
		"chsh -s $(which zsh)", "chsh -s /usr/bin/fish", "psql app_test -f schema.sql", "psql -h localhost -d test_app -f schema.sql", "md5sum * | sed 's/ .*//'",
	} {
		for _, o := range shell.Read(text, readingEnv) {
			if o.Traits&grave != 0 {
				t.Errorf("%s: %v [%v]", text, o, o.Traits)
			}
		}
	}
	wantOps(t, "TMP=/tmp/x.$$; rm -r $TMP", "delete(/tmp/x.\u27e8?\u27e9) recursive,filtered")
	for text, want := range map[string]string{
		"history -d 3; history -w":                  "system(history clear) audit-tamper",
		"git branch --merged | xargs git branch -D": "git(branch -D \u27e8?\u27e9) bulk",
		"chsh -s /tmp/sh":                           "system(user change) mutate",
		"chsh -s /bin/zsh root":                     "system(user change root) mutate",
		"psql app -f schema.sql":                    "database(script schema.sql) unseen-code",
		"psql -h db.example app_test -f schema.sql": "database(script schema.sql) unseen-code",
		"psql app_test -f /tmp/x.sql":               "database(script /tmp/x.sql) unseen-code",
		"rm -r /tmp/.$X":                            "delete(/tmp/.\u27e8?\u27e9) recursive,unknown",
	} {
		t.Run(text, func(t *testing.T) { wantOps(t, text, want) })
	}
}
