package run

import (
	"strings"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// profileOf returns the named profile, the program's if there is no name, or nil.
func profileOf(name, program string) (*sandbox.Profile, error) {
	switch name {
	case "none":
		return nil, nil
	case "":
		return sandbox.FindProfile(program), nil
	}
	p := sandbox.FindProfile(name)
	if p == nil || p.Name != name {
		return nil, cli.Usagef("unknown profile %q; profiles: none %s", name, profileNames())
	}
	return p, nil
}

func profileNames() string {
	var list []string
	for _, p := range sandbox.Profiles() {
		list = append(list, p.Name)
	}
	return strings.Join(list, " ")
}
