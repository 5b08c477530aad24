package journeys

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Each command pays for the package variables of all commands, so no package of ours may do much work for them.
// The Go runtime counts the bytes that each package allocates before main, the same in each run.
func TestStart(t *testing.T) {
	const most, mostOfAll = 20 << 10, 1 << 20
	_, bin := build(t)
	cmd := exec.Command(bin+"/umpire", "--version")
	cmd.Env = append(cmd.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packages, all := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes`).FindAllStringSubmatch(string(out), -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		packages++
		all += n
		if n > most && strings.HasPrefix(m[1], "github.com/umpire-dev/umpire") {
			t.Errorf("%s allocates %d bytes before main, more than %d: make its variables at their first use (internal/lazy)", m[1], n, most)
		}
	}
	if all > mostOfAll {
		t.Errorf("umpire allocates %d bytes before main, more than %d", all, mostOfAll)
	}
	if packages < 50 {
		t.Errorf("found %d packages: this test looks at nothing\n%s", packages, out)
	}
}
