package command_test

import (
	"fmt"
	"path"
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// Each test run lists folders for its test files, so a repository of many large ones must not make
// the hook slow.
func TestListsFewNames(t *testing.T) {
	listed := 0
	shell.Read("go test ./...", shell.Env{
		Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj"},
		ReadDir: func(dir string) (names []string) {
			if path.Dir(dir) != "/home/dev" && path.Dir(dir) != "/home/dev/proj" {
				return nil
			}
			for i := range 1000 {
				names = append(names, fmt.Sprintf("pkg%d", i))
			}
			listed += len(names)
			return names
		},
	})
	if listed == 0 || listed > 20_000 {
		t.Errorf("%d names were listed, want some and at most 20,000", listed)
	}
}
