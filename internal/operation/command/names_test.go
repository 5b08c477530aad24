package command_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

func TestMatching(t *testing.T) {
	got := command.Matching(func(name string) bool { return strings.HasPrefix(name, "kube") }, 2)
	if len(got) != 2 || !slices.Contains(command.Matching(func(name string) bool { return name == "kubectl" }, 9), "kubectl") {
		t.Errorf("%q", got)
	}
}
