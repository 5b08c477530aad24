package command_test

import (
	"context"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// installed are programs of every Linux machine whose help spells a long option with its
// value: --output=FILE, --label LABEL, --color[=WHEN], --force.
const installed = `ls cp mv rm ln mkdir rmdir touch chmod chown chgrp cat tac head tail sort uniq cut paste join
	comm wc nl od fold fmt expand unexpand split csplit tee df du stat sync truncate mktemp mkfifo mknod install
	shred readlink realpath basename dirname seq date env timeout nproc md5sum sha256sum cksum base64 base32
	numfmt pr shuf chroot tar grep sed xargs diff cmp gzip xz`

var longOption = regexp.MustCompile(`(?:^|[ ,])(--[a-z][a-z0-9-]+)(=| [A-Z]|\[=)?`)

// otherwise are the options that their help does not tell all about.
var otherwise = map[string]bool{
	"base64 --ignore-garbage": true, // its -i names the input on macOS
	"xargs --max-lines":       true, // the value may be left out, as the manual says
}

// A description agrees with the help of the program that is installed: an option listed with
// a value there takes one here, and one listed without takes none. A value too many hides
// the file that follows.
func TestInstalledHelpAgrees(t *testing.T) {
	asked, compared := 0, 0
	for name := range strings.FieldsSeq(installed) {
		m := command.Lookup(name)
		program, err := exec.LookPath(name)
		if m == nil || err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		cmd := exec.CommandContext(ctx, program, "--help")
		cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin"}
		help, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			continue // of BusyBox, which has no such help
		}
		asked++
		takes := map[string]bool{} // where one line has no value, it may be left out
		for line := range strings.Lines(string(help)) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-") {
				continue
			}
			for _, found := range longOption.FindAllStringSubmatch(strings.SplitN(line, "  ", 2)[0], -1) {
				value := strings.TrimSpace(found[2]) != "" && found[2] != "[="
				if before, ok := takes[found[1]]; ok {
					value = value && before
				}
				takes[found[1]] = value
			}
		}
		for option, value := range takes {
			listed, next := m.Takes(option)
			if !listed || otherwise[name+" "+option] {
				continue
			}
			compared++
			if next != value {
				t.Errorf("%s %s takes the next word: %v, and its help says %v", name, option, next, value)
			}
		}
	}
	if asked < 30 || compared < 200 {
		t.Errorf("%d programs were asked and %d options compared, want at least 30 and 200", asked, compared)
	}
}
