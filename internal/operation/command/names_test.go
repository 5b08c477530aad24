package command_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

func TestDeed(t *testing.T) {
	for name, want := range map[string]string{"delete-bucket": "destroys", "permanent-delete": "destroys", "list": "reads", "createUser": "changes", "frob": ""} {
		if got := command.Deed(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestMatching(t *testing.T) {
	got := command.Matching(func(name string) bool { return strings.HasPrefix(name, "kube") }, 2)
	if len(got) != 2 || !slices.Contains(command.Matching(func(name string) bool { return name == "kubectl" }, 9), "kubectl") {
		t.Errorf("%q", got)
	}
}
