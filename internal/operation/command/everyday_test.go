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

// The part of a text that a filter prints is what runs, and so is what find prints.
func TestFilteredText(t *testing.T) {
	for text, want := range map[string]string{
		"printf 'ls\\nprog a\\n' | tail -n 1 | sh":                                                "exec(prog a)",
		"printf 'ls\\nprog a\\n' | tail -1 | sh":                                                  "exec(prog a)",
		"printf 'ls\\nprog a\\n' | tail -n +2 | sh":                                               "exec(prog a)",
		"printf 'xxprog a' | tail -c 6 | sh":                                                      "exec(prog a)",
		"printf 'prog a\\n#\\n' | head -n -1 | sh":                                                "exec(prog a)",
		"printf 'prog a#' | head -c 6 | sh":                                                       "exec(prog a)",
		"printf 'b\\nprog \\\\\\n' | tac | sh":                                                    "exec(prog b)",
		"find /srv -maxdepth 0 -printf 'prog %p\\n' | sh":                                         "exec(prog /srv)",
		"find /srv -fprintf /tmp/x 'prog %p\\n'; sh /tmp/x":                                       "exec(prog /srv)",
		"echo 's/x/prog a/e' > a.sed; echo x | sed -f a.sed":                                      "exec(prog a)",
		"echo pprog a | tr -s p | sh":                                                             "exec(prog a)",
		"printf 'prog a' | perl -pe 1 | sh":                                                       "exec(prog a)",
		"printf 'a\\nprog a\\n.\\nw s\\nq\\n' | ed -s; sh s":                                      "exec(prog a)",
		"printf '#!/bin/rm -rf\\n' > x; ./x /srv/a":                                               "delete(/srv/a) recursive,force",
		"printf '#!/usr/bin/env -S rm -rf\\n' > x; ./x /srv/a":                                    "delete(/srv/a) recursive,force",
		"dd if=/bin/rm of=q; ./q -rf /srv/a":                                                      "delete(/srv/a) recursive,force",
		"ln -s /bin/rm b/k; PATH=b:$PATH; k -rf /srv/a":                                           "delete(/srv/a) recursive,force",
		"ln -s /bin/rm b/ls; PATH=b:$PATH; ls -rf /srv/a":                                         "delete(/srv/a) recursive,force",
		"a=([2]=/srv/a [0]=rm [1]=-rf); \"${a[@]}\"":                                              "delete(/srv/a) recursive,force",
		"x=prog; y=x; ${(P)y} a":                                                                  "exec(prog a)",
		"c='prog:a'; ${(s.:.)c}":                                                                  "exec(prog a)",
		"a=(pr og); ${(j..)a} a":                                                                  "exec(prog a)",
		"x=PROG; ${(L)x} a":                                                                       "exec(prog a)",
		"${${:-xprog}#x} a":                                                                       "exec(prog a)",
		"a=(prog a); $a":                                                                          "exec(prog a)",
		"f() { prog a }; chpwd_functions=(f)":                                                     "exec(prog a)",
		"TRAPEXIT() { prog a }":                                                                   "exec(prog a)",
		"$(echo '\\160rog') a":                                                                    "exec(prog a)",
		"$(echo '\\x70rog') a":                                                                    "exec(prog a)",
		"perl -e '$_=\"x\"; s/x/system \"prog a\"/e'":                                             "exec(prog a)",
		"echo 'import os; os.system(\"prog a\")' > m.py; python3 -c 'import m'":                   "exec(prog a)",
		"python3 -c 'import os, functools; functools.partial(os.system, \"prog a\")()'":           "exec(prog a)",
		"node -e 'require(\"util\").promisify(require(\"child_process\").exec)(\"prog a\")'":      "exec(prog a)",
		"sqlite3 -cmd '.sh prog a' :memory: .quit":                                                "exec(prog a)",
		"sqlite3 :memory: \"select edit('x', 'prog a')\"":                                         "exec(prog a)",
		"A='!prog a' git --config-env=alias.b=A b":                                                "exec(prog a)",
		"python3 -c 'import sys, subprocess; subprocess.call(sys.argv[1:])' prog a":               "exec(prog a)",
		"node -e 'require(\"child_process\").execSync(process.argv.slice(1).join(\" \"))' prog a": "exec(prog a)",
	} {
		t.Run(text, func(t *testing.T) { wantOps(t, text, want) })
	}
}
